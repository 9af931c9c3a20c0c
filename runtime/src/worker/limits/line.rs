//! Who waits for a turn, in line.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use super::{Limits, Permit, Wait};
use crate::worker::clock::{Alarm, SharedClock};

/// Who waits, by their number.
#[derive(Default)]
pub(super) struct Line {
    next: u64,
    waiting: BTreeMap<u64, Waker>,
}

impl Line {
    /// Wakes the first in line.
    pub(super) fn wake(&mut self) {
        if let Some(mut first) = self.waiting.first_entry() {
            first.get_mut().wake_by_ref();
        }
    }
}

/// The turn of one call: a future of its [`Permit`].
pub(crate) struct Turn {
    limits: Limits,
    clock: SharedClock,
    bytes: usize,
    /// Its number, once it has to wait.
    number: Option<u64>,
    alarm: Alarm,
}

impl Turn {
    pub(super) fn new(limits: Limits, clock: SharedClock, bytes: usize) -> Self {
        Self { limits, clock, bytes, number: None, alarm: Alarm::default() }
    }
}

impl Future for Turn {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Permit> {
        let this = &mut *self;
        loop {
            let now = this.clock.now();
            let mut state = this.limits.state();
            let first = state.line.waiting.first_key_value().map(|(first, _)| *first);
            let wait = if first.is_none_or(|first| this.number == Some(first)) {
                match state.start(&this.limits, this.bytes, now) {
                    Ok(tokens) => {
                        if let Some(number) = this.number.take() {
                            state.line.waiting.remove(&number);
                        }
                        state.line.wake();
                        let limits = this.limits.clone();
                        return Poll::Ready(Permit { limits, bytes: this.bytes, tokens, since: now });
                    }
                    Err(wait) => wait,
                }
            } else {
                Wait::Others
            };
            let next = &mut state.line.next;
            let number = *this.number.get_or_insert_with(|| {
                *next += 1;
                *next
            });
            state.line.waiting.insert(number, context.waker().clone());
            drop(state);
            let Wait::Until(until) = wait else { return Poll::Pending };
            ready!(this.alarm.poll(&this.clock, until, context));
        }
    }
}

impl Drop for Turn {
    /// Who goes away lets the next one come forward.
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let mut state = self.limits.state();
            state.line.waiting.remove(&number);
            state.line.wake();
        }
    }
}
