//! Waking at a time, on any async runtime.
//!
//! One thread keeps the time for the whole process. It is made for deadlines: there are many at once, they are far
//! away, and nearly all are dropped before they come. So the thread is told of a sleep only if that is to end before
//! all that it knows of, and never of one that is dropped: it looks at what is left when it wakes for the one that
//! is gone. A call with a deadline pays for two looks into a map, and for no system call.
//!
//! A runtime's own timers would do for calls over HTTP, but a worker runs on any runtime, or on none.

use std::collections::BTreeMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// A wait until a time. It costs nothing before it is polled, and leaves nothing when it is dropped.
#[derive(Debug)]
pub(crate) struct Sleep {
    until: Instant,
    /// Tells it from others that end at the same time, once it waits.
    id: Option<u64>,
}

/// Who waits.
struct Waiting {
    sleeps: BTreeMap<(Instant, u64), Waker>,
    next_id: u64,
    keeper: Keeper,
}

/// What the thread does.
#[derive(Clone, Copy)]
enum Keeper {
    /// It has not been started.
    None,
    /// It sleeps until then; without a time, until somebody waits.
    Sleeps(Option<Instant>),
    /// It will look at what is there before it sleeps.
    Looks,
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting { sleeps: BTreeMap::new(), next_id: 0, keeper: Keeper::None });
static EARLIER: Condvar = Condvar::new();

fn waiting() -> MutexGuard<'static, Waiting> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sleep {
    /// A wait until this time.
    pub(crate) const fn until(until: Instant) -> Self {
        Self { until, id: None }
    }

    /// When it ends.
    #[cfg(feature = "http")]
    pub(crate) const fn end(&self) -> Instant {
        self.until
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.until {
            return Poll::Ready(());
        }
        let mut waiting = waiting();
        let until = self.until;
        if let Some(waker) = self.id.and_then(|id| waiting.sleeps.get_mut(&(until, id))) {
            let old = (!waker.will_wake(context.waker())).then(|| std::mem::replace(waker, context.waker().clone()));
            // What a waker drops with it may be a task that sleeps, too: not under the lock.
            drop(waiting);
            drop(old);
            return Poll::Pending;
        }
        let id = waiting.next_id;
        waiting.next_id += 1;
        waiting.sleeps.insert((until, id), context.waker().clone());
        self.id = Some(id);
        match waiting.keeper {
            Keeper::Sleeps(Some(planned)) if planned <= until => {}
            Keeper::Sleeps(_) => {
                waiting.keeper = Keeper::Looks;
                EARLIER.notify_one();
            }
            Keeper::Looks => {}
            Keeper::None => match std::thread::Builder::new().name("response-schema-timer".into()).spawn(keep) {
                Ok(_) => waiting.keeper = Keeper::Looks,
                // A deadline that nobody keeps must not become none: it has passed. The next one tries again.
                Err(_) => return Poll::Ready(()),
            },
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            // It is let go after the lock, which ends with this line.
            let waker = waiting().sleeps.remove(&(self.until, id));
            drop(waker);
        }
    }
}

/// The thread: wakes those whose time has come, and sleeps until the next.
fn keep() {
    let mut waiting = waiting();
    loop {
        let now = Instant::now();
        if let Some(first) = waiting.sleeps.first_entry()
            && first.key().0 <= now
        {
            let waker = first.remove();
            drop(waiting);
            // Whoever panics when woken must not take everybody's deadlines along.
            let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
            waiting = self::waiting();
            continue;
        }
        let next = waiting.sleeps.first_key_value().map(|((until, _), _)| *until);
        waiting.keeper = Keeper::Sleeps(next);
        waiting = match next {
            Some(next) => {
                EARLIER.wait_timeout(waiting, next - now).map_or_else(|poison| poison.into_inner().0, |woken| woken.0)
            }
            None => EARLIER.wait(waiting).unwrap_or_else(PoisonError::into_inner),
        };
        waiting.keeper = Keeper::Looks;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;
    use std::time::Duration;

    use super::*;

    /// Counts how often it is woken.
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn soon(milliseconds: u64) -> Instant {
        Instant::now() + Duration::from_millis(milliseconds)
    }

    #[test]
    fn sleeps_end_in_their_order_and_not_before_their_time() {
        let ends = [30, 10, 20].map(soon);
        // Longest first: the others are told to a thread that plans to sleep longer.
        for end in ends {
            pollster::block_on(Sleep::until(end));
            assert!(Instant::now() >= end);
        }
        pollster::block_on(Sleep::until(Instant::now()));
    }

    #[test]
    fn an_earlier_one_wakes_the_thread_and_a_later_one_does_not_delay_it() {
        let mut far = Box::pin(Sleep::until(soon(3_600_000)));
        assert!(far.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        pollster::block_on(Sleep::until(soon(5)));
        assert!(far.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }

    #[test]
    fn what_is_dropped_is_not_woken_and_leaves_nothing() {
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&count));
        let end = soon(5);
        for _ in 0..1000 {
            let mut sleep = Box::pin(Sleep::until(end));
            for _ in 0..3 {
                let _ = sleep.as_mut().poll(&mut Context::from_waker(&waker));
            }
        }
        assert_eq!(Arc::strong_count(&count), 2, "a waker stays behind");
        pollster::block_on(Sleep::until(end + Duration::from_millis(5)));
        assert_eq!(count.0.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn the_task_that_polled_last_is_woken() {
        let (old, new) = (Arc::new(Count(AtomicUsize::new(0))), Arc::new(Count(AtomicUsize::new(0))));
        let end = soon(5);
        let mut sleep = Box::pin(Sleep::until(end));
        for count in [&old, &new] {
            let _ = sleep.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(count))));
        }
        pollster::block_on(Sleep::until(end + Duration::from_millis(5)));
        assert_eq!(old.0.load(Ordering::SeqCst), 0);
        assert!(sleep.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }

    #[test]
    fn a_waker_that_panics_costs_nobody_else_a_deadline() {
        struct Bad;
        impl Wake for Bad {
            fn wake(self: Arc<Self>) {
                panic!("a bad waker; the test wants this");
            }
        }
        let end = soon(5);
        let mut bad = Box::pin(Sleep::until(end));
        assert!(bad.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::new(Bad)))).is_pending());
        pollster::block_on(Sleep::until(end + Duration::from_millis(5)));
        pollster::block_on(Sleep::until(soon(5)));
    }
}
