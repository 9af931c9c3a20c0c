//! Text.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Serialize;

use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::lower::ONE_CHARACTER;
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::Rules;

const STRING: &Schema = &Schema::plain("String", Kind::String);

impl ResponseSchema for str {
    const SCHEMA: SchemaRef = SchemaRef::new(STRING);

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self, at, found);
    }
}

impl ResponseSchema for String {
    const SCHEMA: SchemaRef = SchemaRef::new(STRING);

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self, at, found);
    }
}

impl ResponseSchema for char {
    /// A pattern, not a length: `OpenAI` knows patterns, and its sources conflict about lengths.
    /// Any character at all, a line break too, which `.` leaves out.
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("char", Kind::String).rules(&Rules { pattern: ONE_CHARACTER, ..Rules::new() }));

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(self.encode_utf8(&mut [0; 4]), at, found);
    }
}

const PATH: &Schema = &Schema::plain("Path", Kind::String);

impl ResponseSchema for std::path::Path {
    const SCHEMA: SchemaRef = SchemaRef::new(PATH);

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        checks.text(&self.to_string_lossy(), at, found);
    }
}

impl ResponseSchema for PathBuf {
    const SCHEMA: SchemaRef = SchemaRef::new(PATH);

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        self.as_path().check_rules(checks, at, found);
    }
}

/// Adds what is wrong with a value that serde writes as text, by the rules of the field that it
/// stands in.
pub(crate) fn check_written(value: &impl Serialize, checks: Checks, at: Path<'_>, found: &mut Violations) {
    // A formatter takes what serde writes as text, and errs on what has parts.
    let mut text = String::new();
    if std::fmt::write(&mut text, format_args!("{}", Written(value))).is_ok() {
        checks.text(&text, at, found);
    }
}

struct Written<'a, T>(&'a T);

impl<T: Serialize> std::fmt::Display for Written<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.serialize(f)
    }
}

/// Implements `ResponseSchema` for types that serde writes as text: each with its name, its type
/// and the rules that say what its parser takes.
macro_rules! texts {
    ($($name:literal $type:ty {$($rule:ident: $value:expr),*},)*) => {$(
        impl $crate::schema::ResponseSchema for $type {
            const SCHEMA: $crate::schema::SchemaRef = $crate::schema::SchemaRef::new(
                &$crate::schema::node::Schema::plain($name, $crate::schema::node::Kind::String)
                    .rules(&$crate::schema::rules::Rules { $($rule: $value,)* ..$crate::schema::rules::Rules::new() }),
            );

            fn check_rules(
                &self,
                checks: $crate::check::Checks,
                at: $crate::check::Path<'_>,
                found: &mut $crate::check::Violations,
            ) {
                $crate::schema::impls::text::check_written(self, checks, at, found);
            }
        }
    )*};
}

/// Implements `ResponseSchema` for types that serde writes as one of a list of words.
#[cfg(any(feature = "chrono", feature = "time"))]
macro_rules! words {
    ($($name:literal $type:ty { $($word:literal)+ },)*) => {$(
        impl $crate::schema::ResponseSchema for $type {
            const SCHEMA: $crate::schema::SchemaRef = $crate::schema::SchemaRef::new(
                &$crate::schema::node::Schema::plain($name, $crate::schema::node::Kind::Enum(&[
                    $($crate::schema::node::Unit::new(concat!("\"", $word, "\""))),+
                ])),
            );
        }
    )*};
}

pub(crate) use texts;
#[cfg(any(feature = "chrono", feature = "time"))]
pub(crate) use words;

impl<T> ResponseSchema for Cow<'_, T>
where
    T: ToOwned<Owned: ResponseSchema> + ResponseSchema + ?Sized,
{
    const SCHEMA: SchemaRef = <T::Owned as ResponseSchema>::SCHEMA;

    fn check(&self, at: Path<'_>, found: &mut Violations) {
        (**self).check(at, found);
    }

    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        (**self).check_rules(checks, at, found);
    }
}

#[cfg(test)]
mod tests {
    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn a_char_is_one_character() {
        try_text::<char>(
            &["a", "\n", "\r", "\u{2028}", "\0", "\u{e9}", "\u{1f980}"],
            &["", "ab", "\r\n", "e\u{301}"],
            |_| false,
        );
        try_values(['a', '"', '\\', '\n', '\u{1f980}', char::MAX]);
    }
}
