//! A clock whose hours pass in no time.

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use crate::worker::Clock;

/// A clock that stands still until it is told otherwise. Clones are the same clock.
///
/// [`run`](Self::run) waits for a future, and jumps to the next moment that somebody sleeps for whenever
/// nothing else can go on: deadlines and delays of hours pass at once, in their order.
///
/// ```
/// use std::time::Duration;
///
/// use response_schema::testing::{Scripted, Turn, VirtualClock};
/// use response_schema::{ErrorKind, SubTask, Worker};
///
/// let clock = VirtualClock::new();
/// let slow = Turn::text("{}").after(Duration::from_secs(3600));
/// let model = Scripted::new([slow]).clock(&clock);
/// let worker = Worker::new(model).timeout(Duration::from_secs(60)).clock(clock.clone());
/// let error = clock.run(worker.run::<Vec<bool>>(SubTask::new("…"))).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Timeout);
/// assert_eq!(clock.elapsed(), Duration::from_secs(60));
/// ```
#[derive(Clone)]
pub struct VirtualClock(Arc<Mutex<State>>);

struct State {
    start: Instant,
    now: Instant,
    sleepers: Vec<Sleeper>,
    next: u64,
}

struct Sleeper {
    id: u64,
    until: Instant,
    waker: Waker,
}

impl VirtualClock {
    /// A clock that stands at this moment.
    #[must_use]
    pub fn new() -> Self {
        let now = Instant::now();
        Self(Arc::new(Mutex::new(State { start: now, now, sleepers: Vec::new(), next: 0 })))
    }

    /// How much time has passed on it.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let state = self.state();
        state.now - state.start
    }

    /// Lets time pass, and wakes who has slept long enough.
    pub fn advance(&self, time: Duration) {
        let now = self.state().now;
        self.advance_to(now + time);
    }

    fn advance_to(&self, time: Instant) {
        let due = {
            let mut state = self.state();
            state.now = state.now.max(time);
            let now = state.now;
            state.sleepers.extract_if(.., |sleeper| sleeper.until <= now).collect::<Vec<_>>()
        };
        for sleeper in due {
            sleeper.waker.wake();
        }
    }

    /// Waits for a future on this thread. Whenever it cannot go on, time jumps to the next moment that
    /// somebody sleeps for.
    ///
    /// # Panics
    ///
    /// If the future waits for something else than this clock and nobody wakes it: it would wait forever.
    #[track_caller]
    pub fn run<F: Future>(&self, future: F) -> F::Output {
        let woken = Arc::new(Flag(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        let mut future = pin!(future);
        loop {
            while woken.0.swap(false, Ordering::AcqRel) {
                if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                    return output;
                }
            }
            let next = self.state().sleepers.iter().map(|sleeper| sleeper.until).min();
            let Some(next) = next else { panic!("the future waits, and nobody sleeps on this clock") };
            self.advance_to(next);
        }
    }

    /// Waits until so much time has passed on it.
    pub fn sleep(&self, time: Duration) -> impl Future<Output = ()> + Send + use<> {
        let until = self.state().now + time;
        self.sleep_until(until)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for VirtualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Instant {
        self.state().now
    }

    fn sleep_until(&self, time: Instant) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Sleep { clock: self.clone(), until: time, id: None })
    }
}

impl fmt::Debug for VirtualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VirtualClock").field("elapsed", &self.elapsed()).finish_non_exhaustive()
    }
}

/// One sleep; it leaves the clock's list when it is dropped.
struct Sleep {
    clock: VirtualClock,
    until: Instant,
    id: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let clock = self.clock.clone();
        let mut state = clock.state();
        if state.now >= self.until {
            return Poll::Ready(());
        }
        let waker = context.waker().clone();
        let known = self.id.and_then(|id| state.sleepers.iter_mut().find(|sleeper| sleeper.id == id));
        if let Some(sleeper) = known {
            sleeper.waker = waker;
        } else {
            let id = state.next;
            state.next += 1;
            state.sleepers.push(Sleeper { id, until: self.until, waker });
            self.id = Some(id);
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.clock.state().sleepers.retain(|sleeper| sleeper.id != id);
        }
    }
}

/// Whether the future that [`VirtualClock::run`] waits for was woken.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
