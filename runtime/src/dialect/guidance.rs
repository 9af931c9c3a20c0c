//! llguidance: the engine of the embedded model, and one of vLLM's and `SGLang`'s.
//!
//! Sources: its `docs/json_schema.md`, and runs of version 1.9.1 with one instance that must pass and
//! one that must not for each keyword. It is loud: what it does not implement is an error, so
//! nothing needs a sentence in the description. Integer bounds at the ends of the `i64` range
//! fail; schemas of this crate have none beyond 32 bits. It has no limits on size that are worth a
//! check at compile time.

use super::{Dialect, Keywords, Limits, Spec, Support};

/// llguidance.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Guidance;

impl Spec for Guidance {
    const DIALECT: Dialect = Dialect::GUIDANCE;
}

impl Dialect {
    /// llguidance.
    pub const GUIDANCE: Self = Self {
        name: "llguidance",
        keywords: Keywords {
            bounds: Support::Sent,
            exclusive_bounds: Support::Sent,
            multiple_of: Support::Sent,
            lengths: Support::Sent,
            pattern: Support::Sent,
            items: Support::Sent,
        },
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"],
        limits: Limits {
            properties: usize::MAX,
            depth: usize::MAX,
            enum_values: usize::MAX,
            names: usize::MAX,
            large_enum: usize::MAX,
            enum_text: usize::MAX,
        },
    };
}
