//! Limits of time on a call and its parts.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use super::complaint::Fault;
use super::endpoint::Endpoint;
use super::wire::Wire;
use crate::adapter::CallErrorKind;

/// When the call ends, whatever happens.
pub(super) struct Clock {
    pub(super) end: Instant,
}

/// Which limit passed.
pub(super) enum Late {
    /// The call's own.
    Call,
    /// That of one part: what the server did not do, for how long.
    Part(&'static str, Duration),
}

impl Clock {
    pub(super) fn new(total: Duration, deadline: Option<std::time::Instant>) -> Self {
        let now = Instant::now();
        let far = now + Duration::from_hours(24 * 365);
        let end = now.checked_add(total).unwrap_or(far);
        Self { end: deadline.map_or(end, |deadline| end.min(Instant::from_std(deadline))) }
    }

    /// Waits for one part, not longer than its limit and not beyond the end.
    pub(super) async fn within<T>(
        &self,
        limit: Duration,
        lacks: &'static str,
        part: impl Future<Output = T>,
    ) -> Result<T, Late> {
        let until = Instant::now().checked_add(limit).map_or(self.end, |until| until.min(self.end));
        match tokio::time::timeout_at(until, part).await {
            Ok(done) => Ok(done),
            Err(_) if until == self.end => Err(Late::Call),
            Err(_) => Err(Late::Part(lacks, limit)),
        }
    }
}

impl Late {
    pub(super) fn fault<W: Wire>(self, endpoint: &Endpoint<W>) -> Fault {
        match self {
            Self::Call => Fault::last(
                CallErrorKind::Timeout,
                format!(
                    "{} had not finished when the deadline passed; give it more time, or ask for less",
                    endpoint.route()
                ),
            ),
            Self::Part(lacks, limit) => {
                Fault::transient(CallErrorKind::Transport, format!("{} {lacks} for {limit:?}", endpoint.route()))
            }
        }
    }
}
