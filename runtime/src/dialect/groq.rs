//! Groq: Chat Completions with `strict: true`.
//!
//! Sources: console.groq.com/docs/structured-outputs: all properties required, `additionalProperties: false`, on some
//! models. It does not list keywords.
//!
//! Departures: recursion is refused, for no source has it. A reply that does not come to its end is an HTTP 400.

use super::Dialect;

super::dialect_marker! {
    /// Groq's strict mode.
    Groq = GROQ
}

impl Dialect {
    /// Groq's strict mode.
    pub const GROQ: Self = Self { name: "Groq", ..Self::PORTABLE };
}
