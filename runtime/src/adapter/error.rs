//! Why a call brought no reply.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{PassedOver, RateLimits, Usage};

/// Why a call brought no reply.
///
/// Its `Display` form is in words that say what to do, with the provider's own message whole; it
/// never holds prompts or keys.
#[derive(Debug)]
pub struct CallError {
    kind: CallErrorKind,
    message: String,
    status: Option<u16>,
    retry_after: Option<Duration>,
    retries: u32,
    passed_over: Vec<PassedOver>,
    cost: Option<Box<Usage>>,
    rate_limits: Option<Box<RateLimits>>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What sort of failure a [`CallError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallErrorKind {
    /// The provider refused the schema, or would have.
    SchemaRefused,
    /// The route cannot carry what the request asks for: tools, a schema, both at once.
    Unsupported,
    /// The request itself cannot be carried: too long, empty, blocked by the provider.
    InputBlocked,
    /// The provider found fault with the request in another way.
    InvalidRequest,
    /// The credentials are missing or were refused.
    Unauthorized,
    /// Too many requests, or a quota is used up.
    RateLimited,
    /// The deadline passed.
    Timeout,
    /// The call was cancelled.
    Cancelled,
    /// The provider could not be reached, or the connection broke.
    Transport,
    /// The provider, or the model, failed.
    Provider,
    /// The model answered, and the route found by itself that the answer is not what the schema asks for.
    InvalidOutput,
    /// The route ended the run at its limit of turns.
    TurnLimit,
    /// The route ended the run at its limit of cost.
    BudgetLimit,
    /// The route is not there: a program is not installed, too old, or does not run on this machine.
    Unavailable,
}

impl CallErrorKind {
    /// Whether sending the same request again may help.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::RateLimited | Self::Transport | Self::Provider)
    }
}

impl CallError {
    /// A failure of this kind, in words that say what to do about it.
    #[must_use]
    pub fn new(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            status: None,
            retry_after: None,
            retries: 0,
            passed_over: Vec::new(),
            cost: None,
            rate_limits: None,
            source: None,
        }
    }

    /// With the error behind it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// With the HTTP status that the provider answered with.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// With the time that the provider asks to wait before the next request.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// With how often the request was sent again before.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// With the routes that were asked before, in front of those that are noted already.
    #[must_use]
    pub(crate) fn with_passed_over(mut self, routes: Vec<PassedOver>) -> Self {
        self.passed_over.splice(..0, routes);
        self
    }

    /// The routes that a chain asked before, and why they did not answer.
    #[must_use]
    pub fn passed_over(&self) -> &[PassedOver] {
        &self.passed_over
    }

    /// With its message changed.
    #[cfg(any(feature = "http", feature = "cli"))]
    #[must_use]
    pub(crate) fn map_message(mut self, change: impl FnOnce(String) -> String) -> Self {
        self.message = change(self.message);
        self
    }

    /// With what was spent before it failed.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.cost = Some(Box::new(usage));
        self
    }

    /// What was spent before it failed, where the route says so.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.cost.as_deref().copied()
    }

    /// With what the provider said of its limits.
    #[must_use]
    pub fn with_rate_limits(mut self, told: RateLimits) -> Self {
        self.rate_limits = Some(Box::new(told));
        self
    }

    /// What the provider said of its limits.
    #[must_use]
    pub fn rate_limits(&self) -> Option<&RateLimits> {
        self.rate_limits.as_deref()
    }

    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }

    /// The HTTP status that the provider answered with, if it answered.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// How long the provider asks to wait before the next request.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// How often the request was sent again after a fault of the transport.
    #[must_use]
    pub fn retries(&self) -> u32 {
        self.retries
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for CallError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
