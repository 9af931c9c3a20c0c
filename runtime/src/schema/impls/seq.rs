//! Lists, arrays and sets.
//!
//! A set is a list in JSON. Elements that the model repeats collapse; `uniqueItems` would say
//! that they must not, but `OpenAI` refuses the keyword. `min_items` counts what is left, and the description says so.

use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};

use super::list::lists;
use crate::check::{Checks, Path, Violations, check_items};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Arg, Kind, Schema};
use crate::schema::rules::Rules;

impl<T: ResponseSchema> ResponseSchema for [T] {
    const SCHEMA: SchemaRef = SchemaRef::new(&Schema::plain("Vec", Kind::Array(T::SCHEMA)).of(&[Arg::Type(T::SCHEMA)]));

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        check_items(self, at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.items(self.len(), "element", at, found);
    }
}

impl<T: ResponseSchema> ResponseSchema for Vec<T> {
    const SCHEMA: SchemaRef = <[T]>::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check_rules(checks, at, found);
    }
}

impl<T: ResponseSchema, const N: usize> ResponseSchema for [T; N] {
    const SCHEMA: SchemaRef = SchemaRef::new(
        &Schema::plain("Array", Kind::Array(T::SCHEMA))
            .of(&[Arg::Type(T::SCHEMA), Arg::Const(N as u128)])
            .rules(&Rules { min_items: Some(N as u64), max_items: Some(N as u64), ..Rules::new() }),
    );

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        self.as_slice().check_rules(checks, at, found);
    }
}

lists! {
    "VecDeque" VecDeque<T> in order,
    "LinkedList" LinkedList<T> in order,
    "BinaryHeap" BinaryHeap<T> out of order,
    "BTreeSet" BTreeSet<T> set,
    "HashSet" HashSet<T, S> set,
}
