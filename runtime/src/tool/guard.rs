//! Futures of other people's code: their panics are contained, and several run at once.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind as catch};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

/// What the future makes, or the words of its panic.
pub(super) async fn catch_unwind<F: Future>(future: F) -> Result<F::Output, String> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| match catch(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(panic) => Poll::Ready(Err(words(&*panic))),
    })
    .await
}

fn words(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked{}", words.map_or_else(String::new, |words| format!(": {words}")))
}

/// Runs futures at once, and hands each output over with its place as it comes.
pub(crate) async fn all<F: Future>(futures: Vec<F>, mut done: impl FnMut(usize, F::Output)) {
    let mut running: Vec<(usize, Pin<Box<F>>)> = futures.into_iter().map(Box::pin).enumerate().collect();
    std::future::poll_fn(|context: &mut Context<'_>| {
        running.retain_mut(|(place, future)| match future.as_mut().poll(context) {
            Poll::Pending => true,
            Poll::Ready(output) => {
                done(*place, output);
                false
            }
        });
        if running.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
