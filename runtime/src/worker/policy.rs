//! When a bad result is worth another try, and how much of a result is looked at.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// When a bad result is tried again.
///
/// The defaults: once, and only if the first run took less than half of the task's timeout.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// How many attempts may follow the first. Zero means no second call.
    pub max_retries: u32,
    /// The first run must have taken less than this part of the task's timeout. Without a timeout
    /// any run is short enough.
    pub max_elapsed_fraction: f64,
}

impl RetryPolicy {
    /// One attempt, whatever comes of it.
    pub const NEVER: Self = Self { max_retries: 0, max_elapsed_fraction: 0.0 };

    /// The default policy, with this many retries.
    #[must_use]
    pub const fn retries(count: u32) -> Self {
        Self { max_retries: count, max_elapsed_fraction: 0.5 }
    }

    /// With another part of the timeout that the first run may take.
    #[must_use]
    pub const fn within(mut self, fraction: f64) -> Self {
        self.max_elapsed_fraction = fraction;
        self
    }

    /// How long the first run may take at most, so that another may follow; `None` for any time.
    pub(crate) fn gate(&self, timeout: Option<Duration>) -> Option<Duration> {
        let timeout = timeout?;
        // A fraction that is no number allows nothing; one past the type's range, anything.
        let seconds = (timeout.as_secs_f64() * self.max_elapsed_fraction).max(0.0);
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::retries(1)
    }
}

/// How much of a dynamic reply the worker looks at. A typed reply is always verified in full: it has
/// no value otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verification {
    /// That there is a JSON object, and that no required key of it is missing; for callers that
    /// validate the rest themselves.
    Envelope,
    /// All that the schema says, as far as
    /// [`decode_value`](crate::decode::Decoder::decode_value) knows it: everything with the
    /// feature `jsonschema`.
    #[default]
    Full,
}
