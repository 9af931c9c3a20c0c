#![doc = include_str!("../docs/http.md")]
//!
//! # How it is made
//!
//! ```text
//!   CallRequest ──► Wire::encode ──► exchange ──► Wire::gather / parse ──► Wire::read ──► CallResponse
//!                                       │
//!      deadlines, further attempts, framing, errors of every shape, bounds: once, for all wires
//! ```
//!
//! A wire (`wire.rs`) is what a provider has of its own: how a request is written and what a reply says. It does no
//! input and output. Everything that can go wrong on the way is the exchange's part (`exchange.rs`), and a wire cannot
//! get it wrong. The adapters in [`adapter`](crate::adapter) are wires at their places (`endpoint.rs`).

#[macro_use]
mod builder;

mod answer;
mod anthropic;
#[cfg(feature = "many")]
pub mod batch;
mod body;
mod call;
mod calls;
mod chat;
mod clock;
mod complaint;
mod connect;
mod endpoint;
mod exchange;
mod gemini;
mod json;
mod limits;
mod model;
mod ollama;
mod openai;
mod policy;
mod preview;
mod prompt;
mod responses;
mod secret;
mod settings;
mod sse;
mod trace;
mod wire;

pub use anthropic::{Anthropic, OutputMode};
pub use chat::{CallIds, ChatCompletions, Glm, KeyHeader, Profile, ReasoningField, SchemaField};
pub use gemini::Gemini;
pub use ollama::Ollama;
pub use policy::{Retry, Timeouts};
pub use preview::Preview;
pub use responses::OpenAi;
