//! What the derive asserts in const evaluation, where it can underline the user's own tokens.
//!
//! Each function panics with a text that says what is wrong and what to write instead. They are
//! `#[track_caller]`, so rustc underlines the call, and the derive gives the call the
//! span of what is at fault.

use crate::dialect::Dialect;
use crate::schema::edge::SchemaRef;
use crate::schema::message::Message;
use crate::schema::node::Kind;
use crate::schema::rules::Rules;
use crate::schema::{faults, fit, limits, overlap};

#[track_caller]
const fn refuse(problem: Option<&Message>) {
    if let Some(problem) = problem {
        panic!("{}", problem.as_str());
    }
}

/// Faults of the whole type: counts, sizes, and that it has no finite value.
#[track_caller]
pub const fn check_type(schema: SchemaRef) {
    refuse(limits::whole(schema, &Dialect::OPENAI).as_ref());
}

/// A field of this type, with `levels` objects above it and `at` as the path from the type, that nests too deep or
/// is a generic type that does not fit its arguments.
#[track_caller]
pub const fn check_field(schema: SchemaRef, levels: usize, at: &str) {
    refuse(limits::through(schema, levels, at, &Dialect::OPENAI).as_ref());
}

/// Rules that do not fit a field of this type.
#[track_caller]
pub const fn check_rules(schema: SchemaRef, rules: &'static Rules) {
    refuse(fit::problem(schema, rules).as_ref());
}

/// A field (of variant `case`, in an enum) that cannot be flattened.
#[track_caller]
pub const fn check_flatten(container: SchemaRef, case: usize, field: usize) {
    let node = container.get();
    let node = if let Kind::Union(union) = node.kind { union.cases[case].schema.get() } else { node };
    refuse(faults::flatten(node, field).as_ref());
}

/// An internally tagged newtype variant whose payload cannot stand beside the tag.
#[track_caller]
pub const fn check_payload(container: SchemaRef, case: usize) {
    refuse(faults::payload(container.get(), case).as_ref());
}

/// A variant of an untagged enum that an earlier one may take.
#[track_caller]
pub const fn check_untagged(container: SchemaRef, later: usize) {
    refuse(overlap::with_earlier(container.get(), later).as_ref());
}
