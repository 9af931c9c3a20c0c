//! `DeepSeek`: Chat Completions knows `json_object` alone, so the schema goes into the prompt.
//!
//! Sources: the API answers `json_schema` with "This `response_format` type is unavailable now"; pydantic-ai 2.68,
//! `providers/deepseek.py` (its Responses endpoint takes `json_schema`: use [`PORTABLE`](Dialect::PORTABLE) there).

use super::Dialect;

super::dialect_marker! {
    /// `DeepSeek`, with the schema in the prompt.
    DeepSeek = DEEPSEEK
}

impl Dialect {
    /// `DeepSeek`, with the schema in the prompt.
    pub const DEEPSEEK: Self = Self { name: "DeepSeek", ..Self::PROMPT };
}
