//! Typed LLM output.

mod assert;
pub mod check;
pub mod dialect;
mod schema;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use check::{CheckContext, Path, Violation, Violations};
#[cfg(feature = "derive")]
pub use response_schema_macros::ResponseSchema;
pub use schema::{ResponseSchema, SchemaRef, json, json_for, name};
