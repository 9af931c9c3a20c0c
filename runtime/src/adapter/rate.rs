//! What a provider says of its limits.

use std::time::Duration;

/// What a provider said of its limits during a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RateLimits {
    /// Requests.
    pub requests: Option<Quota>,
    /// Tokens, in and out together, or those of the two that are scarcer.
    pub tokens: Option<Quota>,
    /// How often it answered that there were too many requests, before the answer that counts.
    pub throttled: u32,
}

/// One limit, and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quota {
    /// The most there is.
    pub limit: u64,
    /// What is left.
    pub remaining: u64,
    /// The time until all of it is back.
    pub reset: Duration,
}

impl Quota {
    /// So much is left of so much, and all of it is back after this time.
    #[must_use]
    pub const fn new(limit: u64, remaining: u64, reset: Duration) -> Self {
        Self { limit, remaining, reset }
    }
}

impl RateLimits {
    /// With these facts.
    #[must_use]
    pub const fn new(requests: Option<Quota>, tokens: Option<Quota>) -> Self {
        Self { requests, tokens, throttled: 0 }
    }
}
