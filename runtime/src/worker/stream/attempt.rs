//! One reply that is being written, and how long is waited for it.
//!
//! Three limits hold: for the first piece, between two pieces, and for the whole. Only the time that the route takes counts
//! against the first two: they begin when a reader waits, so one that is slow itself does not run into them.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_core::Stream;

use crate::adapter::{CallError, CallErrorKind, CallRequest, ResponseStream, Route, StreamEvent};
use crate::worker::clock::Alarm;
use crate::worker::settings::Settings;

/// A reply that is being written.
pub(crate) struct Attempt<'w> {
    reply: ResponseStream<'w>,
    /// When the whole must be there.
    ends: Option<Instant>,
    /// How long the next piece may take.
    patience: Option<Duration>,
    /// When the next piece must be there, once it is waited for.
    waits: Option<Instant>,
    alarm: Alarm,
}

impl<'w> Attempt<'w> {
    /// Asks. The whole must be there by the time `ends`.
    pub(crate) fn begin<R: Route>(
        route: &'w R,
        settings: &Settings,
        request: CallRequest,
        ends: Option<Instant>,
    ) -> Self {
        let reply = route.call_streamed(request);
        Self { reply, ends, patience: settings.first_piece, waits: None, alarm: Alarm::default() }
    }

    /// When the whole must be there.
    pub(crate) fn ends(&self) -> Option<Instant> {
        self.ends
    }

    /// Whether there is nothing to see before the end.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        self.reply.is_in_one_piece()
    }

    /// The next event of the reply; `None` if the whole takes too long.
    pub(crate) fn poll_next(
        &mut self,
        settings: &Settings,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<StreamEvent, CallError>>> {
        if let Poll::Ready(event) = Pin::new(&mut self.reply).poll_next(context) {
            (self.patience, self.waits) = (settings.idle, None);
            return Poll::Ready(Some(event.unwrap_or_else(|| Err(broken_off()))));
        }
        if self.waits.is_none() {
            self.waits = self.patience.and_then(|patience| settings.clock.now().checked_add(patience));
        }
        let Some(until) = self.ends.into_iter().chain(self.waits).min() else { return Poll::Pending };
        let late = self.ends.is_none_or(|ends| until < ends);
        self.alarm.poll(&settings.clock, until, context).map(|()| late.then(|| Err(stands_still())))
    }
}

fn broken_off() -> CallError {
    CallError::new(CallErrorKind::Transport, "the reply broke off before its end")
}

fn stands_still() -> CallError {
    CallError::new(CallErrorKind::Timeout, "the reply stood still for too long")
}
