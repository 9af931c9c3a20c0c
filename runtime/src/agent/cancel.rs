//! Stopping a run from outside.

use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// Stops runs from outside. Clones stop the same runs.
///
/// A run that is stopped ends as cancelled; what it was waiting for is dropped. Dropping the run's future does the
/// same without a word.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    cancelled: bool,
    waiting: Vec<(u64, Waker)>,
    next: u64,
}

impl Cancel {
    /// Nothing is stopped yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the runs, and those that begin later.
    pub fn cancel(&self) {
        let waiting = {
            let mut state = self.state();
            state.cancelled = true;
            std::mem::take(&mut state.waiting)
        };
        for (_, waker) in waiting {
            waker.wake();
        }
    }

    /// Whether runs are stopped.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the future makes, unless it is stopped first.
    pub(super) async fn race<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        let place = Place { cancel: self, id: self.place() };
        std::future::poll_fn(|context| {
            if self.is_cancelled() {
                return Poll::Ready(None);
            }
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            if place.wait(context.waker()) { Poll::Pending } else { Poll::Ready(None) }
        })
        .await
    }

    fn place(&self) -> u64 {
        let mut state = self.state();
        state.next += 1;
        state.next
    }
}

/// A future that waits to be stopped.
struct Place<'c> {
    cancel: &'c Cancel,
    id: u64,
}

impl Place<'_> {
    /// Waits, unless it is stopped already.
    fn wait(&self, waker: &Waker) -> bool {
        let mut state = self.cancel.state();
        if state.cancelled {
            return false;
        }
        match state.waiting.iter_mut().find(|(id, _)| *id == self.id) {
            Some((_, known)) => known.clone_from(waker),
            None => state.waiting.push((self.id, waker.clone())),
        }
        true
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.cancel.state().waiting.retain(|(id, _)| *id != self.id);
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}
