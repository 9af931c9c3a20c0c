//! How many processor cores a generation keeps busy.
//!
//! candle runs its quantized products on one pool for the whole process. The pool is as large as
//! the machine (or as the `CANDLE_NUM_THREADS` environment variable says, read once) and its
//! threads spin while they wait for each other, many thousand times a second. On a machine with
//! other work this collapses: whenever the scheduler takes one thread off its core, all the others burn
//! theirs until it is back. There is no call that sets the pool's size, and safe code cannot
//! set environment variables.
//!
//! One thing the pool does: a product that starts *on one of its threads* runs there, alone.
//! So with one thread, the default, a whole generation is handed to the pool as a single piece
//! of work, and the caller sleeps until it is done. The remaining operations use rayon and
//! would wake its global pool; the thread becomes a rayon pool of its own, so they stay too.
//!
//! Generations of one process then run one after another, also those of different models. A
//! program that wants more throughput asks for more threads or starts more processes.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use candle_core::utils::barrier_pool;

use super::error::{ModelError, ModelErrorKind};
use super::stop::Stop;

/// Between two looks at whether one is cancelled.
const PATIENCE: Duration = Duration::from_millis(2);

/// The cores that one generation may use.
#[derive(Debug)]
pub(super) enum Threads {
    /// Everything on one core.
    One,
    /// candle's pool as it is, and a rayon pool of the asked size.
    Many(rayon::ThreadPool),
}

impl Threads {
    pub(super) fn new(count: usize) -> Result<Self, ModelError> {
        if count <= 1 {
            return Ok(Self::One);
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("response-schema-{index}"))
            .build()
            .map(Self::Many)
            .map_err(|cause| {
                let text = format!("{count} threads cannot be started ({cause}); ask for fewer");
                ModelError::new(ModelErrorKind::Engine, text).caused_by(cause)
            })
    }

    /// Runs the work and waits for it; `None` when cancelled while other work was running.
    ///
    /// A panic in the work becomes an error: let loose inside the pool it would poison candle for
    /// the rest of the process.
    pub(super) fn run<R: Send>(&self, cancel: &Stop, work: impl FnOnce() -> R + Send) -> Result<Option<R>, ModelError> {
        static LINE: Line = Line::new();
        let Some(_turn) = LINE.turn(cancel) else {
            return Ok(None);
        };
        let guarded = || catch_unwind(AssertUnwindSafe(work));
        // The outer guard is for the pool itself, which another user of candle may have broken.
        let outcome = catch_unwind(AssertUnwindSafe(|| match self {
            Self::One => alone(guarded),
            Self::Many(pool) => Some(pool.install(guarded)),
        }));
        match outcome {
            Ok(Some(Ok(value))) => Ok(Some(value)),
            Ok(Some(Err(panic))) | Err(panic) => Err(broken(panic.as_ref())),
            Ok(None) => Err(broken(&"the work was not run")),
        }
    }
}

/// Those who want to work, in the order in which they came.
struct Line {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    waiting: VecDeque<u64>,
    next: u64,
    busy: bool,
}

/// The right to work, which ends with it.
struct Turn<'l>(&'l Line);

impl Line {
    const fn new() -> Self {
        let state = State { waiting: VecDeque::new(), next: 0, busy: false };
        Self { state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the work of those who came before. The pool would make one wait as well, but deaf to a cancel; and of
    /// those who wait for a lock any may get it, so that some never do.
    fn turn(&self, cancel: &Stop) -> Option<Turn<'_>> {
        let mut state = self.state();
        let place = state.next;
        state.next += 1;
        state.waiting.push_back(place);
        loop {
            if cancel.is_raised() {
                state.waiting.retain(|other| *other != place);
                self.moved.notify_all();
                return None;
            }
            if !state.busy && state.waiting.front() == Some(&place) {
                state.waiting.pop_front();
                state.busy = true;
                return Some(Turn(self));
            }
            let waited = self.moved.wait_timeout(state, PATIENCE);
            state = waited.map_or_else(|poison| poison.into_inner().0, |(state, _)| state);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state().busy = false;
        self.0.moved.notify_all();
    }
}

fn broken(panic: &(dyn Any + Send)) -> ModelError {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    ModelError::new(ModelErrorKind::Engine, format!("the model code panicked: {words}"))
}

fn alone<R: Send>(work: impl FnOnce() -> R + Send) -> Option<R> {
    let pool = barrier_pool();
    let caller = pool.n_workers();
    let (done, finished) = mpsc::channel::<()>();
    let work = Mutex::new(Some((work, done)));
    let finished = Mutex::new(finished);
    let result = Mutex::new(None);
    pool.execute(|thread| {
        if thread == 0 {
            let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((work, done)) = taken {
                if caller != 0 {
                    settle();
                }
                let value = work();
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
                drop(done);
            }
        } else if thread == caller {
            // The pool's caller would spin; it sleeps here until the sender is gone.
            let _ = finished.lock().unwrap_or_else(PoisonError::into_inner).recv();
        }
    });
    result.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this thread, one of candle's, a rayon pool of one, once. Where it already belongs to a pool, that pool's
/// owner has chosen its size.
fn settle() {
    static OWN: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    OWN.get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_on_one_thread_and_its_result_comes_back() {
        let threads = Threads::new(1).expect("one thread");
        let seen = threads
            .run(&Stop::default(), || {
                let here = std::thread::current().id();
                rayon::scope(|scope| {
                    scope.spawn(move |_| assert_eq!(std::thread::current().id(), here));
                });
                rayon::current_num_threads()
            })
            .expect("runs");
        assert_eq!(seen, Some(1));
    }

    #[test]
    fn a_panic_becomes_an_error_and_the_pool_goes_on() {
        let threads = Threads::new(1).expect("one thread");
        let fault = threads.run(&Stop::default(), || panic!("on purpose")).map(|_: Option<()>| ());
        let fault = fault.expect_err("panicked");
        assert!(fault.to_string().contains("on purpose"), "{fault}");
        assert_eq!(threads.run(&Stop::default(), || 1).expect("still works"), Some(1));
    }

    #[test]
    fn who_came_first_goes_first() {
        let (line, order) = (Line::new(), Mutex::new(Vec::new()));
        let first = line.turn(&Stop::default()).expect("nobody else");
        std::thread::scope(|scope| {
            for number in 0..20 {
                let (line, order) = (&line, &order);
                scope.spawn(move || {
                    let _turn = line.turn(&Stop::default()).expect("not cancelled");
                    order.lock().expect("nobody panicked").push(number);
                });
                while line.state().waiting.len() <= number {
                    std::thread::yield_now();
                }
            }
            drop(first);
        });
        assert_eq!(order.into_inner().expect("nobody panicked"), (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn who_waits_can_be_cancelled() {
        let threads = Threads::new(1).expect("one thread");
        let (begun, running) = mpsc::channel();
        let cancel = Stop::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                threads.run(&Stop::default(), move || {
                    begun.send(()).expect("heard");
                    std::thread::sleep(Duration::from_millis(300));
                })
            });
            running.recv().expect("begins");
            let waiting = scope.spawn(|| threads.run(&cancel, || ()));
            cancel.raise();
            let outcome = waiting.join().expect("returns").expect("no fault");
            assert_eq!(outcome, None);
        });
    }
}
