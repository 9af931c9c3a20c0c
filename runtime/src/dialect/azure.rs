//! Azure: the models of `OpenAI`, on deployments.
//!
//! Sources: "same subset as `OpenAI`" (structured-outputs.md of azure-ai-docs, 2025-12-06); deployments were measured
//! ("13 levels of nesting exceeds limit of 10").
//!
//! Departures: the page still has the older, smaller limits (100 properties, 5 levels), which the deployments do not.

use super::Dialect;

super::dialect_marker! {
    /// Azure's `OpenAI` deployments.
    Azure = AZURE
}

impl Dialect {
    /// Azure's `OpenAI` deployments.
    pub const AZURE: Self = Self { name: "Azure", ..Self::OPENAI };
}
