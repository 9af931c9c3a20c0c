//! `OpenRouter`: Chat Completions with `json_schema`, passed to many providers.
//!
//! Sources: the SDK 1.3.84 ("translate … or treat it as a strong hint"); pydantic-ai 2.68, `providers/openrouter.py`.
//!
//! Departures: its routes to Gemini take no `$ref`; types that are used once have none.

use super::Dialect;

super::dialect_marker! {
    /// `OpenRouter`'s `json_schema` format.
    OpenRouter = OPENROUTER
}

impl Dialect {
    /// `OpenRouter`'s `json_schema` format.
    pub const OPENROUTER: Self = Self { name: "OpenRouter", ..Self::PORTABLE };
}
