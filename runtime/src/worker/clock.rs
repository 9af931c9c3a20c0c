//! Time, as workers see it.

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Instant;

use crate::timer::Sleep;

/// Where a worker has the time from.
///
/// By default that is [`SystemClock`]. Tests take a
/// [`VirtualClock`](crate::testing::VirtualClock), whose hours pass in no time.
pub trait Clock: Send + Sync + 'static {
    /// What time it is.
    fn now(&self) -> Instant;

    /// Waits until that time.
    fn sleep_until(&self, time: Instant) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The machine's own clock. It needs no async runtime, and works on any.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, time: Instant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Sleep::until(time))
    }
}

/// A clock that is handed around.
#[derive(Clone)]
pub(crate) struct SharedClock(Arc<dyn Clock>);

impl SharedClock {
    pub(crate) fn new(clock: impl Clock) -> Self {
        Self(Arc::new(clock))
    }

    pub(crate) fn now(&self) -> Instant {
        self.0.now()
    }

    pub(crate) fn sleep_until(&self, time: Instant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.0.sleep_until(time)
    }

    /// What the future makes, unless the deadline passes first. The future is dropped then.
    ///
    /// The timer is set only once the future has to wait.
    pub(crate) async fn within<F: Future>(&self, deadline: Option<Instant>, future: F) -> Option<F::Output> {
        let Some(deadline) = deadline else { return Some(future.await) };
        let mut future = pin!(future);
        let mut sleep = None;
        std::future::poll_fn(|context| {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            let sleep = sleep.get_or_insert_with(|| self.0.sleep_until(deadline));
            sleep.as_mut().poll(context).map(|()| None)
        })
        .await
    }
}

type Sleeping = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A timer that is set anew when the time changes for which it waits.
#[derive(Default)]
pub(crate) struct Alarm(Option<(Instant, Sleeping)>);

impl Alarm {
    /// Whether that time has come. If not, the task is woken then.
    pub(crate) fn poll(&mut self, clock: &SharedClock, until: Instant, context: &mut Context<'_>) -> Poll<()> {
        let sleep = match &mut self.0 {
            Some((set_to, sleep)) if *set_to == until => sleep,
            unset => &mut unset.insert((until, clock.sleep_until(until))).1,
        };
        sleep.as_mut().poll(context).map(|()| self.0 = None)
    }
}

impl Default for SharedClock {
    fn default() -> Self {
        static SYSTEM: LazyLock<SharedClock> = LazyLock::new(|| SharedClock::new(SystemClock));
        SYSTEM.clone()
    }
}

impl fmt::Debug for SharedClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}
