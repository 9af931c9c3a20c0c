//! Streams of a fleet.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::lease::Lease;
use super::state::Outcome;
use super::{Fleet, Journey};
use crate::adapter::{Adapter, CallError, CallRequest, ResponseStream, StreamEvent};

/// A reply that streams from one server of the fleet. Until something was shown, another may take its place.
pub(super) fn of<A: Adapter>(fleet: &Fleet<A>, request: CallRequest) -> ResponseStream<'_> {
    let journey = Journey::new(&request);
    ResponseStream::new(FleetStream { fleet, request, state: State::wait(fleet, journey) })
}

struct FleetStream<'f, A: Adapter> {
    fleet: &'f Fleet<A>,
    request: CallRequest,
    state: State<'f, A>,
}

/// A server, and how the request came to it; the journey comes along so that it can go on.
type Found<'f, A> = (Result<Lease<'f, A>, CallError>, Journey);

enum State<'f, A: Adapter> {
    Waiting(Pin<Box<dyn Future<Output = Found<'f, A>> + Send + 'f>>),
    Reading { stream: ResponseStream<'f>, lease: Lease<'f, A>, journey: Journey, shown: bool },
    Over,
}

impl<'f, A: Adapter> State<'f, A> {
    fn wait(fleet: &'f Fleet<A>, mut journey: Journey) -> Self {
        Self::Waiting(Box::pin(async move {
            let lease = Lease::wait(fleet, &mut journey).await;
            (lease, journey)
        }))
    }
}

impl<A: Adapter> Unpin for FleetStream<'_, A> {}

impl<A: Adapter> Stream for FleetStream<'_, A> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            match std::mem::replace(&mut this.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Waiting(mut found) => match found.as_mut().poll(context) {
                    Poll::Pending => {
                        this.state = State::Waiting(found);
                        return Poll::Pending;
                    }
                    Poll::Ready((Err(error), _)) => return Poll::Ready(Some(Err(error))),
                    Poll::Ready((Ok(lease), journey)) => {
                        let stream = lease.adapter().call_streamed(this.request.clone());
                        this.state = State::Reading { stream, lease, journey, shown: false };
                    }
                },
                State::Reading { mut stream, lease, mut journey, shown } => {
                    let result = match Pin::new(&mut stream).poll_next(context) {
                        Poll::Pending => {
                            this.state = State::Reading { stream, lease, journey, shown };
                            return Poll::Pending;
                        }
                        // A stream without an end; its adapter is at fault, and not the server.
                        Poll::Ready(None) => return Poll::Ready(None),
                        Poll::Ready(Some(Ok(StreamEvent::Done(response)))) => Ok(*response),
                        Poll::Ready(Some(Ok(piece))) => {
                            this.state = State::Reading { stream, lease, journey, shown: true };
                            return Poll::Ready(Some(Ok(piece)));
                        }
                        Poll::Ready(Some(Err(error))) => Err(error),
                    };
                    let result = match result {
                        // It is too late for another server: what was shown cannot be taken back.
                        Err(error) if shown => {
                            lease.end(Outcome::of(&error));
                            return Poll::Ready(Some(Err(error.with_passed_over(std::mem::take(&mut journey.passed)))));
                        }
                        result => result,
                    };
                    match this.fleet.judge(lease, result, &mut journey) {
                        Some(Ok(response)) => return Poll::Ready(Some(Ok(StreamEvent::Done(Box::new(response))))),
                        Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                        None => this.state = State::wait(this.fleet, journey),
                    }
                }
            }
        }
    }
}
