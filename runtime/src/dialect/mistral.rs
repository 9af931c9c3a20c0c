//! Mistral: Chat Completions with `json_schema`.
//!
//! Sources: its SDK, whose helper adds `additionalProperties: false` and `strict: true` and no more. The subset is not
//! documented.

use super::Dialect;

super::dialect_marker! {
    /// Mistral's `json_schema` format.
    Mistral = MISTRAL
}

impl Dialect {
    /// Mistral's `json_schema` format.
    pub const MISTRAL: Self = Self { name: "Mistral", ..Self::PORTABLE };
}
