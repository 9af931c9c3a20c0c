#![cfg_attr(all(feature = "derive", feature = "embedded"), doc = include_str!("../../README.md"))]
#![cfg_attr(not(all(feature = "derive", feature = "embedded")), doc = "Typed LLM output; see the README.")]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod adapter;
mod assert;
pub mod check;
pub mod decode;
pub mod dialect;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod entries;
mod error;
pub mod json_text;
pub mod reference;
mod schema;
pub mod testing;
pub mod worker;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use check::{CheckContext, Path, Violation, Violations};
pub use dialect::verify;
pub use error::{Error, ErrorKind};
#[cfg(feature = "derive")]
pub use response_schema_macros::ResponseSchema;
pub use schema::{ResponseSchema, SchemaRef, json, json_for, name};
pub use worker::{Reply, Report, SubTask, Worker};
