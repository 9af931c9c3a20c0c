//! The schema of a type, fixed at compile time.
//!
//! [`ResponseSchema::SCHEMA`] leads to a node of static data; a graph of such nodes describes a
//! type. One set of `const fn` walks reads it, in const evaluation and at run time alike:
//!
//! | module | walk |
//! |---|---|
//! | [`survey`] | every named type below a root, once, with how often it is used |
//! | [`render`] | JSON text for a dialect, its rules as [`lower`] gives them |
//! | [`type_facts`] | what all dialects of a type share, a text with its rules left open ([`page`]) among it |
//! | [`family`] | which dialects write a type with the same words |
//! | [`limits`] | what a provider would refuse: [`depth`], [`cycles`], and [`weight`] (counts and sizes) |
//! | [`faults`] | what no strict schema can say: colliding keys, rules that do not fit |
//! | [`finite`] | whether a type that contains itself has a value at all |
//! | [`overlap`] | whether serde would read one variant of an untagged enum as another |
//! | [`shape`] | flattened members and the alternatives they make |

pub(crate) mod back;
pub(crate) mod build;
mod cycles;
mod depth;
mod document;
pub(crate) mod edge;
mod family;
pub(crate) mod faults;
mod finite;
pub(crate) mod fit;
mod glance;
pub(crate) mod impls;
pub(crate) mod limits;
pub(crate) mod lower;
pub(crate) mod message;
pub(crate) mod name;
pub(crate) mod node;
pub(crate) mod overlap;
mod page;
mod render;
pub(crate) mod rules;
pub(crate) mod shape;
pub(crate) mod survey;
mod type_facts;
mod weight;
mod write;

use crate::check::{Checks, Path, Violations};
pub(crate) use document::render as render_document;
pub use document::{json, json_for, name};
pub use edge::SchemaRef;

/// A type with a strict schema, fixed at compile time.
///
/// Derive it; see the crate's front page for what the derive accepts. Implementing it by hand is
/// only needed for wrappers, whose `SCHEMA` is that of what they wrap.
///
/// # The contract
///
/// Whatever satisfies the schema deserializes (with `serde_json`, into this type), and whatever
/// serde would serialize satisfies the schema. [`check`](Self::check) finds what is wrong with a
/// value beyond its type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no strict schema",
    label = "no strict schema for this type",
    note = "if `{Self}` is a struct or an enum of yours, derive it: `#[derive(serde::Deserialize, response_schema::ResponseSchema)]`",
    note = "if it is from another crate, name a type with the same JSON form: `#[response(schema_of = \"String\")]` on the field, \
            or wrap it in a newtype of yours; for chrono, jiff, uuid, url and others enable the feature of that name",
    note = "if it is nothing that a model can write, leave the field out: `#[serde(skip)]`"
)]
pub trait ResponseSchema {
    /// The type's schema, as static data.
    const SCHEMA: SchemaRef;

    /// Adds what is wrong with this value beyond its type: bounds, patterns, the user's own rules.
    ///
    /// `at` is where the value stands in the reply.
    fn check(&self, at: Path<'_>, found: &mut Violations) {
        let _ = (at, found);
    }

    /// Adds what is wrong with this value by the rules of the field that it stands in.
    #[doc(hidden)]
    fn check_rules(&self, checks: Checks, at: Path<'_>, found: &mut Violations) {
        let _ = (checks, at, found);
    }

    /// The question of a value that is one instead of an answer.
    #[doc(hidden)]
    fn __question(&self) -> Option<&str> {
        None
    }
}
