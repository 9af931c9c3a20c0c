//! No real calls in tests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::adapter::{Adapter, CallError, CallErrorKind};

/// The variable of the environment that forbids real calls for a whole process: set to `1`, in
/// `.cargo/config.toml` or in CI.
pub const NO_REAL_CALLS: &str = "RESPONSE_SCHEMA_NO_REAL_CALLS";

static GUARDS: AtomicUsize = AtomicUsize::new(0);
static TRIED: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
static FORBIDDEN: LazyLock<bool> = LazyLock::new(|| std::env::var_os(NO_REAL_CALLS).is_some_and(|value| value == "1"));

/// Forbids calls of real models in this process, as long as the guard lives.
///
/// Workers and loops then fail with an error that names the route; stand-ins
/// ([`Offline`](super::Offline), [`Scripted`](super::Scripted), [`Replay`](super::Replay)) go on. If any
/// real call was tried, the guard panics when it is dropped, so that a test fails even where the code under
/// test swallows errors. To forbid them for every test, set the variable [`NO_REAL_CALLS`] to `1`.
///
/// ```
/// let guard = response_schema::testing::no_real_calls();
/// // … the code under test …
/// drop(guard);
/// ```
#[must_use = "real calls are forbidden only as long as the guard lives"]
pub fn no_real_calls() -> NoRealCalls {
    GUARDS.fetch_add(1, Ordering::SeqCst);
    NoRealCalls(())
}

/// Forbids calls of real models; made by [`no_real_calls`].
#[derive(Debug)]
pub struct NoRealCalls(());

impl NoRealCalls {
    /// The routes of the real calls that were tried so far. They do not count against the guard any more.
    #[must_use]
    pub fn take_tried(&self) -> Vec<&'static str> {
        std::mem::take(&mut *TRIED.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for NoRealCalls {
    fn drop(&mut self) {
        let tried = self.take_tried();
        GUARDS.fetch_sub(1, Ordering::SeqCst);
        assert!(tried.is_empty() || std::thread::panicking(), "real calls were tried: {}", tried.join(", "));
    }
}

/// Whether this route may be called now.
pub(crate) fn permit(route: &impl Adapter) -> Result<(), CallError> {
    let guarded = GUARDS.load(Ordering::Relaxed) > 0;
    if !(guarded || *FORBIDDEN) || route.is_stand_in() {
        return Ok(());
    }
    let name = route.capabilities().route;
    if guarded {
        TRIED.lock().unwrap_or_else(PoisonError::into_inner).push(name);
    }
    Err(CallError::new(
        CallErrorKind::InvalidRequest,
        format!("a real call to `{name}`, while real calls are forbidden in this process"),
    ))
}
