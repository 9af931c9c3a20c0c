//! What generated code may touch. Not for people: it changes without notice.

use std::fmt::Display;

pub use crate::assert::{check_field, check_flatten, check_payload, check_rules, check_type, check_untagged};
pub use crate::check::{Checks, Path, Violations};
pub use crate::schema::ResponseSchema;
pub use crate::schema::back::{BackOf, Recursive};
pub use crate::schema::edge::SchemaRef;
pub use crate::schema::node::{Arg, Case, Doc, Field, Key, Kind, Object, Schema, Tagging, Union, Unit, key_hash};
pub use crate::schema::rules::{Bound, Rules};

/// What a rule of the user's own has to say against a value.
///
/// Text, and not the error itself, for that may borrow from what the rule was given.
pub fn verdict<E: Display>(verdict: Result<(), E>) -> Option<String> {
    verdict.err().map(|error| error.to_string())
}

/// Adds what a rule of the user's own had to say: what was expected, in the user's words.
pub fn object_to(verdict: Option<String>, at: Path<'_>, found: &mut Violations) {
    if let Some(expected) = verdict {
        found.add(at, expected, "");
    }
}
