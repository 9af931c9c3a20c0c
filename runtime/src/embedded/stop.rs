//! When a reply is of no use any more: it was cancelled, or its deadline passed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A flag that ends a reply, raised by hand or by the clock.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    raised: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// Raised by the clock at the deadline, if there is one.
    pub(crate) fn at(deadline: Option<Instant>) -> Self {
        Self { raised: AtomicBool::new(false), deadline }
    }

    /// Raises the flag.
    pub(crate) fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.is_late()
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
