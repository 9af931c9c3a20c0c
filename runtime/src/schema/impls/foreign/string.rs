//! `compact_str` and `smol_str`: strings.

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;

macro_rules! strings {
    ($($feature:literal $type:path;)*) => {$(
        #[cfg(feature = $feature)]
        impl ResponseSchema for $type {
            const SCHEMA: SchemaRef = str::SCHEMA;

            fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
                checks.text(self, at, found);
            }
        }
    )*};
}

strings! {
    "compact_str" compact_str::CompactString;
    "smol_str" smol_str::SmolStr;
}
