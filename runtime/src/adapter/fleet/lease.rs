//! One call's hold on a server.

use std::future::poll_fn;
use std::task::{Poll, ready};
use std::time::Instant;

use super::state::{Outcome, Standing};
use super::{Fleet, Journey};
use crate::adapter::{Adapter, CallError, CallErrorKind};
use crate::worker::Alarm;

/// One call's hold on a server. Dropped without a word, it gives the place back and says nothing of the server.
pub(super) struct Lease<'f, A> {
    fleet: &'f Fleet<A>,
    index: usize,
    ended: bool,
}

/// A place in the queue, which is left on every way out.
struct Ticket<'f, A> {
    fleet: &'f Fleet<A>,
    number: u64,
    taken: bool,
}

impl<'f, A: Adapter> Lease<'f, A> {
    /// Waits for a server that this request may go to.
    ///
    /// # Errors
    ///
    /// If there is none, and none returns within the fleet's patience, or if the deadline passes.
    pub(super) async fn wait(fleet: &'f Fleet<A>, journey: &mut Journey) -> Result<Self, CallError> {
        let mut ticket = Ticket::join(fleet, journey);
        let mut alarm = Alarm::default();
        let mut stranded_since: Option<Instant> = None;
        let found = poll_fn(|context| {
            loop {
                let now = fleet.clock.now();
                let (standing, patience) = fleet.look(ticket.number, now, context.waker());
                let Standing::Waits { back, stranded } = standing else {
                    if let Some(since) = stranded_since.take() {
                        journey.waited += now.saturating_duration_since(since);
                    }
                    let Standing::Granted(index) = standing else { return Poll::Ready(Ok(None)) };
                    return Poll::Ready(Ok(Some(index)));
                };
                if journey.deadline.is_some_and(|deadline| deadline <= now) {
                    return Poll::Ready(Err(late()));
                }
                let mut end = None;
                if stranded {
                    let since = *stranded_since.get_or_insert(now);
                    end = since.checked_add(patience.saturating_sub(journey.waited));
                    if end.is_some_and(|end| end <= now) {
                        return Poll::Ready(Ok(None));
                    }
                } else if let Some(since) = stranded_since.take() {
                    journey.waited += now.saturating_duration_since(since);
                }
                let Some(until) = [back, end, journey.deadline].into_iter().flatten().min() else {
                    return Poll::Pending;
                };
                ready!(alarm.poll(&fleet.clock, until, context));
            }
        })
        .await?;
        match found {
            Some(index) => {
                ticket.taken = true;
                Ok(Self { fleet, index, ended: false })
            }
            None => Err(fleet.nobody(journey)),
        }
    }

    pub(super) fn adapter(&self) -> &'f A {
        &self.fleet.inner.adapters[self.index]
    }
}

impl<A> Lease<'_, A> {
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Gives the server back, with what the call says of its health.
    pub(super) fn end(mut self, outcome: Outcome) {
        self.ended = true;
        self.fleet.change(|state, now| state.ended(self.index, outcome, now));
    }
}

impl<A> Drop for Lease<'_, A> {
    fn drop(&mut self) {
        if !self.ended {
            self.fleet.change(|state, now| state.ended(self.index, Outcome::Dropped, now));
        }
    }
}

impl<'f, A> Ticket<'f, A> {
    fn join(fleet: &'f Fleet<A>, journey: &Journey) -> Self {
        let number = fleet.change(|state, _| state.join(journey.tried.clone()));
        Self { fleet, number, taken: false }
    }
}

impl<A> Drop for Ticket<'_, A> {
    fn drop(&mut self) {
        self.fleet.change(|state, now| {
            if let Some(index) = state.leave(self.number)
                && !self.taken
            {
                state.ended(index, Outcome::Dropped, now);
            }
        });
    }
}

fn late() -> CallError {
    CallError::new(
        CallErrorKind::Timeout,
        "the deadline passed while all servers of the fleet were busy or out; give it more time, or more servers",
    )
}
