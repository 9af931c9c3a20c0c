//! Schemas that are known at run time only: JSON Schema values, and types of the crate `schemars`.
//!
//! | function | answer |
//! |---|---|
//! | [`judge`] | whether a dialect takes a schema as it is, or each place where it does not |
//! | [`make_strict`] | a schema that the dialect takes, all of whose instances are instances of the given one |
//! | [`lower`] | the same, with what the dialect does not enforce said in descriptions, to be checked after parsing |
//! | [`prepare`] | what a route sends, and whether it is strict or a hint |
//!
//! ```
//! use response_schema::dialect::Dialect;
//! use response_schema::dynamic::{Verdict, judge, make_strict};
//! use serde_json::json;
//!
//! let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
//! let Verdict::Loose(departures) = judge(&schema, Dialect::OPENAI) else { unreachable!() };
//! assert_eq!(departures[0].remedy, "write `\"additionalProperties\": false`");
//!
//! let strict = make_strict(&schema, Dialect::OPENAI)?;
//! assert!(judge(&strict, Dialect::OPENAI).is_strict());
//! # Ok::<(), response_schema::dynamic::Departures>(())
//! ```
//!
//! # What is rewritten, and what is not
//!
//! One walk finds every departure and writes the form that the dialect takes; a departure says what that form is
//! worth ([`Fate`]):
//!
//! - the same in other words: keywords beside `$ref` and `anyOf`, `allOf`, `oneOf` of schemas that no value satisfies two of,
//!   `definitions`, references to other places, `const`, enums of mixed values, tuples of one schema, notes to readers;
//! - narrower: an open object that names its properties is closed, a property that may be missing and may be null is
//!   required, a missing `type` is added where the keywords leave but one;
//! - wider: a constraint that is not enforced becomes a sentence of the description, `nullable` (which means nothing in
//!   JSON Schema) a union with null.
//!
//! [`make_strict`] takes the first two, [`lower`] all three. What nobody can rewrite is refused with its remedy: a property
//! that may be missing but not be null (a model would have to invent a value), open maps, tuples of several schemas,
//! free JSON, references out of the document, recursion where it is refused, limits of size.
//!
//! Definitions that nothing refers to are no part of the judgement, and are left out of what is written. References
//! are followed within the document; those by anchors are not. Keywords beside `$ref` hold, as since draft 2019-09.
//!
//! # Bounds
//!
//! Nothing here panics or recurses without end: JSON deeper than 256 levels is refused, and the walk reads at most
//! sixteen times as many keywords as the schema has, also where joined schemas refer to one another. `oneOf` of more than 64
//! schemas is proven disjoint by a property with distinct values, or not at all.
//!
//! # Order
//!
//! Constrained decoders emit properties in the order of the schema, and that is the order of `serde_json`'s map: by
//! name, unless its feature `preserve_order` (in schemars, the feature of that name) is on.

mod absorb;
mod array;
mod choice;
mod definitions;
mod departure;
mod document;
mod draft;
mod facts;
mod few;
mod gather;
mod heights;
#[cfg(feature = "schemars")]
mod interop;
mod leaf;
mod limits;
mod members;
mod object;
mod prepare;
mod rewrite;
mod rules;
mod sentence;
mod types;

use serde_json::Value;

use crate::dialect::Dialect;
pub use departure::{Departure, Departures, Fate, Rule, Verdict};
#[cfg(feature = "schemars")]
pub use interop::schema_for;
#[cfg(feature = "schemars")]
pub(crate) use interop::{add_to, schema_id};
pub use prepare::{Prepared, prepare};
use rewrite::Wanted;

/// A JSON Schema: a [`serde_json::Value`], or (feature `schemars`) a `schemars::Schema`.
pub trait AsSchema: sealed::Sealed {
    /// The schema as JSON.
    fn as_schema(&self) -> &Value;
}

impl AsSchema for Value {
    fn as_schema(&self) -> &Value {
        self
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for serde_json::Value {}
}

/// Whether a dialect takes a schema as it is and enforces all that it says.
///
/// A schema is loose if a provider refuses it, ignores a part of it, or if no source says that the provider takes it.
#[must_use]
pub fn judge<S: AsSchema + ?Sized>(schema: &S, dialect: Dialect) -> Verdict {
    Verdict::of(rewrite::rewrite(schema.as_schema(), &dialect, Wanted::Departures).found)
}

/// A schema that the dialect takes as it is, and all of whose instances are instances of the given schema.
///
/// # Errors
///
/// The departures that cannot be rewritten so.
pub fn make_strict<S: AsSchema + ?Sized>(schema: &S, dialect: Dialect) -> Result<Value, Departures> {
    write(schema.as_schema(), &dialect, Fate::Narrower)
}

/// The schema in the form that the dialect takes. What is not enforced is said in descriptions; check replies
/// against the given schema.
///
/// # Errors
///
/// The departures that cannot be rewritten.
pub fn lower<S: AsSchema + ?Sized>(schema: &S, dialect: Dialect) -> Result<Value, Departures> {
    write(schema.as_schema(), &dialect, Fate::Wider)
}

fn write(schema: &Value, dialect: &Dialect, most: Fate) -> Result<Value, Departures> {
    let written = rewrite::rewrite(schema, dialect, Wanted::Schema { most });
    if written.found.is_empty() { Ok(written.schema()) } else { Err(Departures::new(written.found)) }
}
