//! A reply while it is being written.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::{CallError, CallErrorKind, CallResponse};

/// A reply while it is being written: pieces, then [`StreamEvent::Done`] with the whole, or an error.
///
/// Nothing follows the end. Dropping it cancels the request.
pub struct ResponseStream<'a> {
    pieces: Option<Pieces<'a>>,
    in_one_piece: bool,
}

/// What brings the pieces. It goes at the end, with all that it holds.
type Pieces<'a> = Pin<Box<dyn Stream<Item = Result<StreamEvent, CallError>> + Send + 'a>>;

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
    /// The pieces so far are no part of the reply: the route found fault with them and asks again by itself, or a
    /// chain asks its next route. What comes next is from the start.
    Restart {
        /// What sort of fault it was.
        kind: CallErrorKind,
        /// What was wrong, in a sentence.
        reason: String,
    },
    /// The reply is whole. This is what an unstreamed call would have brought; it comes once, last.
    Done(Box<CallResponse>),
}

impl<'a> ResponseStream<'a> {
    /// A reply that comes as this stream.
    #[must_use]
    pub fn new(stream: impl Stream<Item = Result<StreamEvent, CallError>> + Send + 'a) -> Self {
        Self { pieces: Some(Box::pin(stream)), in_one_piece: false }
    }

    /// A reply that comes in one piece: its text, then the end.
    #[must_use]
    pub fn whole(call: impl Future<Output = Result<CallResponse, CallError>> + Send + 'a) -> Self {
        Self::in_pieces(call, usize::MAX).in_one_piece()
    }

    /// The same stream, of a route that does not stream: its text comes with its end, so there is nothing to see
    /// before it.
    pub(crate) fn in_one_piece(self) -> Self {
        Self { in_one_piece: true, ..self }
    }

    /// Whether the text comes with the end.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        self.in_one_piece
    }

    /// A reply that is cut into pieces of about this many bytes once it is there.
    pub(crate) fn in_pieces(
        call: impl Future<Output = Result<CallResponse, CallError>> + Send + 'a,
        size: usize,
    ) -> Self {
        Self::new(Cut { size: size.max(1), state: State::Waiting(Box::pin(call)) })
    }

    /// The same stream, with each piece changed.
    pub(crate) fn map(self, change: impl FnMut(StreamEvent) -> StreamEvent + Send + 'a) -> Self {
        let in_one_piece = self.in_one_piece;
        Self { in_one_piece, ..Self::new(Mapped { stream: self, change: Box::new(change) }) }
    }

    /// The next piece; `None` after the end.
    pub async fn next(&mut self) -> Option<Result<StreamEvent, CallError>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Stream for ResponseStream<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(pieces) = &mut self.pieces else { return Poll::Ready(None) };
        let next = pieces.as_mut().poll_next(context);
        if matches!(next, Poll::Ready(None)) {
            self.pieces = None;
        }
        next
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
            Self::Restart { kind, reason } => {
                f.debug_struct("Restart").field("kind", kind).field("reason", reason).finish()
            }
            Self::Done(response) => f.debug_tuple("Done").field(response).finish(),
        }
    }
}

/// A reply that is cut into pieces.
struct Cut<'a> {
    size: usize,
    state: State<'a>,
}

enum State<'a> {
    Waiting(Pin<Box<dyn Future<Output = Result<CallResponse, CallError>> + Send + 'a>>),
    /// The reply, and where its next piece begins.
    Saying(Box<CallResponse>, usize),
    Over,
}

impl Stream for Cut<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let (response, at) = match std::mem::replace(&mut self.state, State::Over) {
            State::Over => return Poll::Ready(None),
            State::Saying(response, at) => (response, at),
            State::Waiting(mut call) => match call.as_mut().poll(context) {
                Poll::Pending => {
                    self.state = State::Waiting(call);
                    return Poll::Pending;
                }
                Poll::Ready(Ok(response)) => (Box::new(response), 0),
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
            },
        };
        if at == response.text.len() {
            return Poll::Ready(Some(Ok(StreamEvent::Done(response))));
        }
        let end = response.text.ceil_char_boundary(at.saturating_add(self.size));
        let piece = response.text[at..end].to_owned();
        self.state = State::Saying(response, end);
        Poll::Ready(Some(Ok(StreamEvent::Text(piece))))
    }
}

/// The stream of [`ResponseStream::map`].
struct Mapped<'a> {
    stream: ResponseStream<'a>,
    change: Box<dyn FnMut(StreamEvent) -> StreamEvent + Send + 'a>,
}

impl Stream for Mapped<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.stream).poll_next(context);
        next.map(|piece| piece.map(|event| event.map(&mut self.change)))
    }
}
