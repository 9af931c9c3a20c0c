//! Bedrock's Converse API with Claude models: `outputConfig`.
//!
//! Sources: botocore 1.44.8; docs.aws.amazon.com/bedrock, "structured-output"; pydantic-ai 2.68, `providers/bedrock.py`
//! (checks dated 2026-10-29: numeric bounds, `maxItems`, `minItems` above 1 and `contains` are refused, simple patterns
//! are taken).
//!
//! Departures from Anthropic: `pattern` is sent.

use super::Support::Sent;
use super::{Dialect, Keywords};

super::dialect_marker! {
    /// Bedrock's Converse API with Claude models.
    Bedrock = BEDROCK
}

impl Dialect {
    /// Bedrock's Converse API with Claude models.
    pub const BEDROCK: Self =
        Self { name: "Bedrock", keywords: Keywords { pattern: Sent, ..Self::ANTHROPIC.keywords }, ..Self::ANTHROPIC };
}
