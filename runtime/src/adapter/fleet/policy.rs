//! When a server is left out, and for how long.

use std::time::Duration;

/// When a server of a [`Fleet`](super::Fleet) is left out, and for how long.
///
/// A server that cannot be reached, has no room, or sits behind a proxy that cannot reach it, is out at once. One that
/// answers with an error of its own is out after a few of those in a row, for a single request may be the reason. After
/// the time out one call tries it: if that is answered the server is in again, and if not it is out for twice as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ejection {
    /// The time out after the first fault. A server may ask for more (`Retry-After`).
    pub first: Duration,
    /// The longest time out; they double up to it.
    pub longest: Duration,
    /// After so many errors of its own in a row a server is out.
    pub after: u32,
}

impl Default for Ejection {
    /// A second, up to a minute; three errors in a row.
    fn default() -> Self {
        Self { first: Duration::from_secs(1), longest: Duration::from_mins(1), after: 3 }
    }
}

impl Ejection {
    /// With times out from `first`, doubling, up to `longest`.
    #[must_use]
    pub const fn with_time_out(mut self, first: Duration, longest: Duration) -> Self {
        self.first = first;
        self.longest = longest;
        self
    }

    /// With a server out after so many errors of its own in a row; 0 counts as 1.
    #[must_use]
    pub const fn with_errors(mut self, after: u32) -> Self {
        self.after = after;
        self
    }

    /// The time out after so many before it in a row.
    pub(super) fn time_out(&self, before: u32) -> Duration {
        // Not zero: a request would go round and round between servers that are down.
        self.first.saturating_mul(2_u32.saturating_pow(before)).min(self.longest).max(Duration::from_millis(1))
    }
}
