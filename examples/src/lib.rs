//! What the example programs share: the routes that they can take, by name.

pub mod routes;

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
