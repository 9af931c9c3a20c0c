//! What fills at a rate, and is taken from.

use std::time::{Duration, Instant};

use crate::adapter::Quota;

/// The part of a minute's limit that may go out at once.
const BURST: f64 = 0.02;

/// The longest that is waited at once: then it is looked again.
const LONG: Duration = Duration::from_hours(1);

/// What fills at a rate, and is taken from. It may owe something.
pub(super) struct Bucket {
    per_second: f64,
    holds: f64,
    level: f64,
    at: Instant,
}

impl Bucket {
    /// One for a limit of one's own.
    pub(super) fn per_minute(limit: u32, now: Instant) -> Self {
        let limit = f64::from(limit);
        let holds = (limit * BURST).max(1.0);
        Self { per_second: limit / 60.0, holds, level: holds, at: now }
    }

    /// One that a provider tells of.
    #[allow(clippy::cast_precision_loss)] // no limit is so large
    pub(super) fn told(quota: Quota, now: Instant) -> Self {
        let mut bucket = Self {
            per_second: quota.limit as f64 / 60.0,
            holds: quota.limit as f64,
            level: quota.remaining as f64,
            at: now,
        };
        bucket.hear(quota, now);
        bucket
    }

    /// What the provider says now. Calls under way may be counted by it or not, so what is left only ever goes down by
    /// its word; it comes back at the rate.
    #[allow(clippy::cast_precision_loss)] // no limit is so large
    pub(super) fn hear(&mut self, quota: Quota, now: Instant) {
        self.fill(now);
        self.holds = quota.limit as f64;
        let missing = quota.limit.saturating_sub(quota.remaining);
        if missing > 0 && !quota.reset.is_zero() {
            self.per_second = missing as f64 / quota.reset.as_secs_f64();
        }
        self.level = self.level.min(quota.remaining as f64);
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = passed.mul_add(self.per_second, self.level).min(self.holds);
        self.at = self.at.max(now);
    }

    /// When there is room for so much. More than it holds goes out when it is full, and is owed.
    pub(super) fn when(&mut self, much: f64, now: Instant) -> Instant {
        self.fill(now);
        let missing = much.min(self.holds) - self.level;
        // What is missing after rounding is nothing.
        if missing <= 1e-6 {
            return now;
        }
        let wait = Duration::try_from_secs_f64(missing / self.per_second).map_or(LONG, |wait| wait.min(LONG));
        now + wait.max(Duration::from_millis(1))
    }

    /// Takes so much, or gives it back.
    pub(super) fn take(&mut self, much: f64, now: Instant) {
        self.fill(now);
        self.level = (self.level - much).min(self.holds);
    }
}
