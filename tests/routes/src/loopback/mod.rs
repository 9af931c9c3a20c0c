//! A server on this machine that speaks the wires of the providers.
//!
//! A test scripts [`Exchange`]s, points a client at [`Loopback::url`], and reads back what was
//! requested. An exchange says what happens in words that every wire has; the wire is that of the
//! request's path. Requests are judged as the provider judges them, and refused in its words.
//!
//! ```text
//!  http.rs     bytes → request            responses.rs chat.rs anthropic.rs gemini.rs ollama.rs
//!  server.rs   connections, the script      judge a request; write a reply, a stream, an error
//!  play.rs     response → bytes, faults   exchange.rs  what a test scripts
//! ```
//!
//! Batches (`batch.rs`) are made of the same: each request of one has its exchange of the script.
//!
//! What the wires look like is written from the providers' documents, their SDKs and recorded error
//! bodies; `tests/loopback_sdks.rs` has the official Python SDKs for judges of it. The program
//! `loopback` is the same server for other processes.

mod admin;
mod anthropic;
mod batch;
mod chat;
mod exchange;
mod gemini;
mod http;
mod judge;
mod ollama;
mod play;
mod responses;
mod schema;
mod server;
mod stream;
mod wire;

pub use batch::{BatchScript, Batched};
pub use exchange::{Call, Ending, Exchange, Fail, Failure, Fault, Tokens};
pub use server::{Loopback, Recorded};
pub use wire::Wire;
