//! What holds for all tasks of a worker.

use std::time::{Duration, Instant};

use super::budget::Budget;
use super::clock::SharedClock;
use super::limits::Limits;
use super::policy::{RetryPolicy, Verification};
use crate::adapter::Need;
use crate::check::CheckContext;

/// What holds for all tasks of a worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) timeout: Option<Duration>,
    /// How long a streamed reply may keep one waiting for its first piece.
    pub(crate) first_piece: Option<Duration>,
    /// And between two pieces.
    pub(crate) idle: Option<Duration>,
    pub(crate) policy: RetryPolicy,
    pub(crate) verification: Verification,
    pub(crate) need: Need,
    pub(crate) context: CheckContext,
    pub(crate) budget: Option<Budget>,
    pub(crate) limits: Option<Limits>,
    pub(crate) clock: SharedClock,
}

impl Settings {
    /// The deadline of a task that starts at `start`; a time too far to be told is none.
    pub(crate) fn deadline(&self, start: Instant) -> Option<Instant> {
        start.checked_add(self.timeout?)
    }
}
