//! arrayvec: lists and text up to a capacity.

use arrayvec::{ArrayString, ArrayVec};

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Kind, Schema};
use crate::schema::rules::Rules;

impl<T: ResponseSchema, const CAP: usize> ResponseSchema for ArrayVec<T, CAP> {
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain("ArrayVec", Kind::Array(T::SCHEMA))
            .of(&[Arg::Type(T::SCHEMA), Arg::Const(CAP as u128)])
            .rules(&Rules { max_items: Some(CAP as u64), ..Rules::new() }),
    );

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check_rules(checks, at, found);
    }
}

impl<const CAP: usize> ResponseSchema for ArrayString<CAP> {
    /// The capacity counts bytes and the schema characters, so text beyond ASCII may still be
    /// too long.
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain("ArrayString", Kind::String)
            .of(&[Arg::Const(CAP as u128)])
            .rules(&Rules { max_length: Some(CAP as u64), ..Rules::new() }),
    );

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self, at, found);
    }
}
