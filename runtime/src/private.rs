//! What generated code may touch. Not for people: it changes without notice.

use std::fmt::Display;

pub use crate::assert::{check_field, check_flatten, check_payload, check_rules, check_type, check_untagged};
use crate::check::CheckContext;
pub use crate::check::{Checks, Path, Pattern, Violations};
pub use crate::schema::ResponseSchema;
pub use crate::schema::back::{BackOf, Recursive};
pub use crate::schema::edge::SchemaRef;
pub use crate::schema::node::{
    Arg, Case, Doc, Field, Key, Kind, Object, Schema, Tagging, Union, Unit, Unknown, key_hash,
};
pub use crate::schema::rules::{Bound, Rules};

/// What a rule of the user's own gives.
#[diagnostic::on_unimplemented(
    message = "a rule gives a `Result<(), impl Display>`, and this function gives `{Self}`",
    label = "gives `{Self}`",
    note = "write `fn(&T) -> Result<(), String>`, with what the value should be as the error: `Err(\"an even number\".into())`"
)]
pub trait Verdict {
    /// What it has to say against the value.
    fn against(self) -> Option<String>;
}

#[diagnostic::do_not_recommend]
impl<E: Display> Verdict for Result<(), E> {
    fn against(self) -> Option<String> {
        self.err().map(|error| error.to_string())
    }
}

/// A rule of the user's own. What is none does not get further.
pub fn rule<'v, T: ?Sized, R>(rule: fn(&'v T) -> R) -> fn(&'v T) -> R {
    rule
}

/// A rule that looks at its surroundings, too.
pub fn rule_in_context<'v, 'c, T: ?Sized, R>(
    rule: fn(&'v T, &'c CheckContext) -> R,
) -> fn(&'v T, &'c CheckContext) -> R {
    rule
}

/// What a rule of the user's own has to say against a value.
///
/// Text, and not the error itself, for that may borrow from what the rule was given.
pub fn verdict(verdict: impl Verdict) -> Option<String> {
    verdict.against()
}

/// Adds what a rule of the user's own had to say: what was expected, in the user's words.
pub fn object_to(verdict: Option<String>, at: Path<'_>, found: &mut Violations) {
    if let Some(expected) = verdict {
        found.add(at, expected, "");
    }
}
pub use serde;
pub use serde::de::DeserializeOwned;

#[cfg(feature = "schemars")]
pub use schemars;

/// The features of this crate that generated code may ask for.
#[derive(Debug)]
pub struct Features;

/// Whether this crate knows schemars.
#[diagnostic::on_unimplemented(
    message = "`json_schema` needs the feature `schemars` of the crate `response-schema`",
    label = "the feature `schemars` is off",
    note = "in `Cargo.toml`, write `features = [\"schemars\"]` for `response-schema`, or take `json_schema` out"
)]
pub trait KnowsSchemars {}

#[cfg(feature = "schemars")]
impl KnowsSchemars for Features {}

/// Compiles where this crate knows schemars.
pub const fn needs_schemars<T: KnowsSchemars>() {}

/// What the impl of `schemars::JsonSchema` for a derived type is made of.
#[cfg(feature = "schemars")]
pub mod json_schema {
    use std::borrow::Cow;

    use schemars::{Schema, SchemaGenerator};

    use crate::schema::ResponseSchema;

    /// `JsonSchema::schema_name`.
    #[must_use]
    pub fn name<T: ResponseSchema + ?Sized>() -> Cow<'static, str> {
        Cow::Borrowed(crate::schema::name::<T>())
    }

    /// `JsonSchema::schema_id`.
    #[must_use]
    pub fn id<T: ResponseSchema + ?Sized>() -> Cow<'static, str> {
        Cow::Owned(crate::dynamic::schema_id::<T>())
    }

    /// `JsonSchema::json_schema`.
    pub fn schema<T: ResponseSchema + ?Sized>(generator: &mut SchemaGenerator) -> Schema {
        crate::dynamic::add_to::<T>(generator)
    }
}

/// `impl schemars::JsonSchema`, if the feature is on.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ([$($generics:tt)*] [$($ty:tt)*] [$($bounds:tt)*]) => {
        #[automatically_derived]
        impl $($generics)* $crate::__private::schemars::JsonSchema for $($ty)* $($bounds)* {
            fn schema_name() -> $crate::__private::Cow<'static, $crate::__private::str> {
                $crate::__private::json_schema::name::<Self>()
            }

            fn schema_id() -> $crate::__private::Cow<'static, $crate::__private::str> {
                $crate::__private::json_schema::id::<Self>()
            }

            fn json_schema(generator: &mut $crate::__private::schemars::SchemaGenerator) -> $crate::__private::schemars::Schema {
                $crate::__private::json_schema::schema::<Self>(generator)
            }
        }
    };
}

/// `impl schemars::JsonSchema`, if the feature is on; [`needs_schemars`] says that it is not.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ($($any:tt)*) => {};
}

pub use crate::__json_schema;
pub use std::borrow::Cow;
pub use std::primitive::str;
