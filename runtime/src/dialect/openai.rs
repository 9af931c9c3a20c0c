//! `OpenAI`'s strict mode: Responses, Chat Completions and strict tools.
//!
//! Sources: the guide "Structured model outputs" (properties, depth, enum and text limits; supported
//! keywords and formats; read 2026-11); error texts of the live API ("14 levels of nesting exceeds
//! limit of 10.", "6000 parameters exceeds limit of 5000.", "'uri' is not a valid format").
//!
//! Departures: `minLength` and `maxLength` go into the description, for the sources conflict on
//! whether the API takes them (the guide does not list them; live errors and a maintained client
//! disagree). Azure documents older, smaller limits; its deployments were measured with these.

use super::{Dialect, Keywords, Limits, Spec, Support};

/// `OpenAI`'s strict mode.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OpenAi;

impl Spec for OpenAi {
    const DIALECT: Dialect = Dialect::OPENAI;
}

impl Dialect {
    /// `OpenAI`'s strict mode.
    pub const OPENAI: Self = Self {
        name: "OpenAI",
        keywords: Keywords {
            bounds: Support::Sent,
            exclusive_bounds: Support::Sent,
            multiple_of: Support::Sent,
            lengths: Support::Described,
            pattern: Support::Sent,
            items: Support::Sent,
        },
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
        limits: Limits {
            properties: 5_000,
            depth: 10,
            enum_values: 1_000,
            names: 120_000,
            large_enum: 250,
            enum_text: 15_000,
        },
    };
}
