#![cfg_attr(all(feature = "derive", feature = "embedded", feature = "http", feature = "cli", feature = "many"), doc = include_str!("../../README.md"))]
#![cfg_attr(
    not(all(feature = "derive", feature = "embedded", feature = "http", feature = "cli", feature = "many")),
    doc = "Typed LLM output; see the README."
)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// What decoding alone uses is spread over the walks and the checks.
#![cfg_attr(not(feature = "decode"), allow(dead_code, unused_imports))]

#[cfg(feature = "decode")]
pub mod adapter;
#[cfg(feature = "decode")]
pub mod agent;
mod assert;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "decode")]
pub mod decode;
pub mod dialect;
#[cfg(any(feature = "decode", feature = "schemars"))]
pub mod dynamic;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod entries;
#[cfg(feature = "decode")]
mod error;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "json")]
pub mod json_text;
#[cfg(feature = "many")]
pub mod many;
#[cfg(feature = "decode")]
pub mod partial;
pub mod reference;
mod schema;
#[cfg(feature = "decode")]
pub mod testing;
#[cfg(feature = "decode")]
pub mod tool;
#[cfg(feature = "decode")]
pub mod worker;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(feature = "decode")]
pub use agent::AgentLoop;
pub use check::{CheckContext, Path, Violation, Violations};
pub use dialect::verify;
#[cfg(feature = "decode")]
pub use error::{Error, ErrorKind};
#[cfg(feature = "derive")]
pub use response_schema_macros::ResponseSchema;
#[cfg(all(feature = "derive", feature = "decode"))]
pub use response_schema_macros::tool;
pub use schema::{ResponseSchema, SchemaRef, json, json_for, name};
#[cfg(feature = "decode")]
pub use tool::Tool;
#[cfg(feature = "decode")]
pub use worker::{Reply, Report, SubTask, Worker};
