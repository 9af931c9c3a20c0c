//! A reply while it is being written.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::{CallError, CallResponse};

/// A reply while it is being written: pieces, then [`StreamEvent::Done`] with the whole, or an error.
///
/// Nothing follows the end. Dropping it cancels the request.
pub struct ResponseStream<'a>(Pin<Box<dyn Stream<Item = Result<StreamEvent, CallError>> + Send + 'a>>);

/// A piece of a reply.
#[derive(Clone)]
#[non_exhaustive]
pub enum StreamEvent {
    /// More of the reply's text.
    Text(String),
    /// More of the words of a refusal.
    Refusal(String),
    /// More of what the model thinks, where the provider shows it. It is no part of the reply.
    Reasoning(String),
    /// The pieces of text so far are no part of the reply: the route found fault with them and asks again by
    /// itself. What comes next is from the start.
    Restart,
    /// The reply is whole. This is what an unstreamed call would have brought; it comes once, last.
    Done(Box<CallResponse>),
}

impl<'a> ResponseStream<'a> {
    /// A reply that comes as this stream.
    #[must_use]
    pub fn new(stream: impl Stream<Item = Result<StreamEvent, CallError>> + Send + 'a) -> Self {
        Self(Box::pin(stream))
    }

    /// A reply that comes in one piece: its text, then the end.
    #[must_use]
    pub fn whole(call: impl Future<Output = Result<CallResponse, CallError>> + Send + 'a) -> Self {
        Self::new(Whole::Waiting(Box::pin(call)))
    }

    /// The next piece; `None` after the end.
    pub async fn next(&mut self) -> Option<Result<StreamEvent, CallError>> {
        std::future::poll_fn(|context| self.0.as_mut().poll_next(context)).await
    }
}

impl Stream for ResponseStream<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for ResponseStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseStream").finish_non_exhaustive()
    }
}

/// Pieces of text are not in the `Debug` form.
impl fmt::Debug for StreamEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Refusal(text) => write!(f, "Refusal({} bytes)", text.len()),
            Self::Reasoning(text) => write!(f, "Reasoning({} bytes)", text.len()),
            Self::Restart => f.write_str("Restart"),
            Self::Done(response) => f.debug_tuple("Done").field(response).finish(),
        }
    }
}

/// The states of [`ResponseStream::whole`].
enum Whole<'a> {
    Waiting(Pin<Box<dyn Future<Output = Result<CallResponse, CallError>> + Send + 'a>>),
    Ending(Box<CallResponse>),
    Over,
}

impl Stream for Whole<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut *self {
            Self::Waiting(call) => match call.as_mut().poll(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(Ok(response)) => {
                    let text = response.text.clone();
                    *self = Self::Ending(Box::new(response));
                    if text.is_empty() {
                        self.poll_next(context)
                    } else {
                        Poll::Ready(Some(Ok(StreamEvent::Text(text))))
                    }
                }
                Poll::Ready(Err(error)) => {
                    *self = Self::Over;
                    Poll::Ready(Some(Err(error)))
                }
            },
            Self::Ending(_) => {
                let Self::Ending(response) = std::mem::replace(&mut *self, Self::Over) else { unreachable!() };
                Poll::Ready(Some(Ok(StreamEvent::Done(response))))
            }
            Self::Over => Poll::Ready(None),
        }
    }
}
