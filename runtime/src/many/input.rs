//! What a run is given.

use std::fmt::Display;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::worker::{SubTask, WorkerRequest};

/// One input of a run: what is asked, and an id by which its result is known.
///
/// A [`SubTask`], a text, a pair of an id and one of those, and a `Result` of any of them becomes one. An input that
/// could not be read is an item that failed; it does not end the run.
///
/// Without an id of its own an item is known by what is asked, so that it is found again in a journal whatever stands
/// around it.
#[derive(Debug, Clone)]
pub struct Input {
    pub(super) id: Option<String>,
    pub(super) asked: Result<WorkerRequest, String>,
}

impl Input {
    /// An input without an id.
    #[must_use]
    pub fn new(request: impl Into<WorkerRequest>) -> Self {
        Self { id: None, asked: Ok(request.into()) }
    }

    /// An input that could not be read: where, and why.
    #[must_use]
    pub fn unreadable(id: impl Into<String>, why: impl Display) -> Self {
        Self { id: Some(id.into()), asked: Err(why.to_string()) }
    }

    /// With an id: the same from run to run, and best no other input's.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
}

impl<T: Into<SubTask>> From<T> for Input {
    fn from(task: T) -> Self {
        Self::new(task.into())
    }
}

impl From<WorkerRequest> for Input {
    fn from(request: WorkerRequest) -> Self {
        Self::new(request)
    }
}

impl<S: Into<String>, T: Into<Self>> From<(S, T)> for Input {
    fn from((id, input): (S, T)) -> Self {
        input.into().with_id(id)
    }
}

impl<T: Into<Self>, E: Display> From<Result<T, E>> for Input {
    fn from(read: Result<T, E>) -> Self {
        match read {
            Ok(input) => input.into(),
            Err(why) => Self { id: None, asked: Err(why.to_string()) },
        }
    }
}

/// Inputs from an iterator. Only the iterator has to live as long as the run, whatever its items are.
pub(crate) fn listed<I>(inputs: I) -> Listed<I::IntoIter>
where
    I: IntoIterator<Item: Into<Input>>,
{
    Listed(inputs.into_iter())
}

pub(crate) struct Listed<I>(I);

impl<I: Iterator<Item: Into<Input>>> Stream for Listed<I> {
    type Item = Input;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Input>> {
        Poll::Ready(self.0.next().map(Into::into))
    }
}

impl<I> Unpin for Listed<I> {}
