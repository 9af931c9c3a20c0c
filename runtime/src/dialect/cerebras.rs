//! Cerebras: Chat Completions with `strict: true`.
//!
//! Sources: inference-docs.cerebras.ai/capabilities/structured-outputs: 5,000 characters, 10 levels, 500 properties, 500
//! enum values; an object at the root, `additionalProperties: false` in every object (nested ones since July 2026); no
//! recursion, `pattern`, `format`, `minItems`, `maxItems`, `oneOf`, `allOf`, `not`.
//!
//! Departures: the characters of the schema are counted as bytes.

use super::Support::{Refused, Sent};
use super::{Dialect, Keywords, Limits};

super::dialect_marker! {
    /// Cerebras' strict mode.
    Cerebras = CEREBRAS
}

impl Dialect {
    /// Cerebras' strict mode.
    pub const CEREBRAS: Self = Self {
        name: "Cerebras",
        keywords: Keywords {
            pattern: Refused,
            unlisted_format: Refused,
            min_items: Refused,
            max_items: Refused,
            nullable: Refused,
            title: Sent,
            default: Sent,
            ..Self::PORTABLE.keywords
        },
        limits: Limits { properties: 500, depth: 10, enum_values: 500, document: 5_000, ..Limits::NONE },
        ..Self::PORTABLE
    };
}
