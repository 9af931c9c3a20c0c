//! Limits of time on a call and its parts.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::complaint::Fault;
use super::endpoint::Endpoint;
use super::wire::Wire;
use crate::adapter::CallErrorKind;
use crate::timer::Sleep;

/// When the call ends, whatever happens.
///
/// All limits of a call share one alarm. It is set by the first part that has to wait, and only ever for an earlier
/// time: the limit of the next part is later as a rule, and is looked at when the alarm goes off.
pub(super) struct Clock {
    pub(super) end: Instant,
    alarm: Option<Sleep>,
}

/// Which limit passed.
pub(super) enum Late {
    /// The call's own.
    Call,
    /// That of one part: what the server did not do, for how long.
    Part(&'static str, Duration),
}

impl Clock {
    pub(super) fn new(total: Duration, deadline: Option<Instant>) -> Self {
        let now = Instant::now();
        let far = now + Duration::from_hours(24 * 365);
        let end = now.checked_add(total).unwrap_or(far);
        Self { end: deadline.map_or(end, |deadline| end.min(deadline)), alarm: None }
    }

    /// Waits for one part, not longer than its limit and not beyond the end.
    pub(super) async fn within<T>(
        &mut self,
        limit: Duration,
        lacks: &'static str,
        part: impl Future<Output = T>,
    ) -> Result<T, Late> {
        let mut part = pin!(part);
        let mut until = None;
        poll_fn(|context| {
            if let Poll::Ready(done) = part.as_mut().poll(context) {
                return Poll::Ready(Ok(done));
            }
            let until = *until
                .get_or_insert_with(|| Instant::now().checked_add(limit).map_or(self.end, |until| until.min(self.end)));
            let late = if until == self.end { Late::Call } else { Late::Part(lacks, limit) };
            self.passed(until, context).map(|()| Err(late))
        })
        .await
    }

    /// Ready once it is so late.
    fn passed(&mut self, until: Instant, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let alarm = match &mut self.alarm {
                Some(alarm) if alarm.end() <= until => alarm,
                none => none.insert(Sleep::until(until)),
            };
            match Pin::new(&mut *alarm).poll(context) {
                Poll::Ready(()) if alarm.end() == until => return Poll::Ready(()),
                // It was set for a limit that no longer holds.
                Poll::Ready(()) => self.alarm = None,
                Poll::Pending => return Poll::Pending,
            }
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
