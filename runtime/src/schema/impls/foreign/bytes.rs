//! bytes: lists of small numbers, as serde writes bytes in JSON.

use bytes::{Bytes, BytesMut};

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;

macro_rules! bytes {
    ($($type:ident)*) => {$(
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = <[u8]>::SCHEMA;

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                checks.items(self.len(), "element", at, found);
            }
        }
    )*};
}

bytes! { Bytes BytesMut }
