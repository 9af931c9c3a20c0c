//! smallvec: lists of any length.

use smallvec::{Array, SmallVec};

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;

impl<A: Array<Item: ResponseSchema>> ResponseSchema for SmallVec<A> {
    const SCHEMA: SchemaRef = <[A::Item]>::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check_rules(checks, at, found);
    }
}
