//! A run in a thread of its own, and the reply that comes from it piece by piece.

use std::future::Future;
use std::io::{self, PipeReader, PipeWriter};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;

use futures_core::Stream;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::adapter::{CallError, CallErrorKind, CallResponse, ResponseStream, StreamEvent};
use crate::group::Group;

/// A run that goes on in a thread of its own. Dropping it ends it.
pub(super) struct Run<T> {
    news: mpsc::UnboundedReceiver<News<T>>,
    group: Arc<Group>,
    /// Wakes the thread when it is closed.
    _cancel: PipeWriter,
}

/// A run that comes to a reply.
pub(super) type ReplyRun = Run<Result<CallResponse, CallError>>;

enum News<T> {
    Piece(StreamEvent),
    Last(T),
}

impl<T: Send + 'static> Run<T> {
    pub(super) fn start(
        permit: OwnedSemaphorePermit,
        work: impl FnOnce(&Group, &PipeReader, &mut dyn FnMut(StreamEvent)) -> T + Send + 'static,
    ) -> Result<Self, CallError> {
        let no_room = |error: io::Error| {
            CallError::new(CallErrorKind::Transport, "the system has no room for another process now")
                .with_source(error)
        };
        let (cancelled, cancel) = io::pipe().map_err(no_room)?;
        let (send, news) = mpsc::unbounded_channel();
        let group = Arc::new(Group::default());
        let theirs = Arc::clone(&group);
        thread::Builder::new()
            .name("command-line".to_owned())
            .spawn(move || {
                // Nobody listens any more if the call was cancelled.
                let last = work(&theirs, &cancelled, &mut |piece| drop(send.send(News::Piece(piece))));
                drop(permit);
                drop(send.send(News::Last(last)));
            })
            .map_err(no_room)?;
        Ok(Self { news, group, _cancel: cancel })
    }

    /// What the work came to.
    pub(super) async fn last(mut self) -> Result<T, CallError> {
        loop {
            match self.news.recv().await {
                Some(News::Piece(_)) => {}
                Some(News::Last(last)) => return Ok(last),
                None => return Err(over()),
            }
        }
    }
}

impl<T> Drop for Run<T> {
    fn drop(&mut self) {
        // Here and not in the thread, which might not come to it any more if the program ends now.
        self.group.kill();
    }
}

/// The states of [`Setup::stream`](super::setup::Setup::stream).
pub(super) enum Replying<'a> {
    Starting(Pin<Box<dyn Future<Output = Result<ReplyRun, CallError>> + Send + 'a>>),
    Running(ReplyRun),
    Over,
}

impl Stream for Replying<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let last = match &mut *self {
                Self::Starting(start) => match std::task::ready!(start.as_mut().poll(context)) {
                    Ok(run) => {
                        *self = Self::Running(run);
                        continue;
                    }
                    Err(error) => Err(error),
                },
                Self::Running(run) => match std::task::ready!(run.news.poll_recv(context)) {
                    Some(News::Piece(piece)) => return Poll::Ready(Some(Ok(piece))),
                    Some(News::Last(last)) => last,
                    None => Err(over()),
                },
                Self::Over => return Poll::Ready(None),
            };
            *self = Self::Over;
            return Poll::Ready(Some(last.map(|response| StreamEvent::Done(Box::new(response)))));
        }
    }
}

/// The reply at the end of a stream.
pub(super) async fn whole(mut stream: ResponseStream<'_>) -> Result<CallResponse, CallError> {
    loop {
        match stream.next().await {
            Some(Ok(StreamEvent::Done(response))) => return Ok(*response),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error),
            None => return Err(over()),
        }
    }
}

/// The semaphore is never closed, nor does a thread end without a word unless it panics.
pub(super) fn over() -> CallError {
    CallError::new(CallErrorKind::Provider, "the thread that attends to the process ended without a word")
}
