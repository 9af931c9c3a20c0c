//! What the example programs share: the routes that they can take, by name, and how they end.

pub mod routes;

use std::error::Error;
use std::process::ExitCode;

/// Waits for a future on this thread.
///
/// # Panics
///
/// If the system gives no timer or socket to wait with.
pub fn wait<F: Future>(future: F) -> F::Output {
    #[cfg(feature = "http")]
    return tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future);
    #[cfg(not(feature = "http"))]
    pollster::block_on(future)
}

/// How a program ends: an error is told with what led to it, one of a model with all that was tried.
#[allow(clippy::print_stderr, reason = "programs tell their errors there")]
#[must_use]
pub fn exit(result: Result<(), Box<dyn Error>>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    if let Some(error) = error.downcast_ref::<response_schema::Error>() {
        eprintln!("{}", error.report());
    }
    ExitCode::FAILURE
}
