//! Calls and streams: two ways to wait for one exchange.

use futures_util::stream;
use tracing::Instrument as _;

use super::endpoint::Endpoint;
use super::exchange::Exchange;
use super::wire::{Delivery, Wire};
use crate::adapter::{CallError, CallRequest, CallResponse, ResponseStream, StreamEvent};

/// Sends a request and waits for the whole reply.
pub(super) async fn call<W: Wire>(endpoint: &Endpoint<W>, request: CallRequest) -> Result<CallResponse, CallError> {
    let mut exchange = Exchange::new(endpoint, request, Delivery::Whole)?;
    let span = exchange.trace.span();
    async {
        loop {
            if let Some(response) = exchange.advance().await? {
                return Ok(response);
            }
            exchange.pieces.clear();
        }
    }
    .instrument(span)
    .await
}

/// Sends a request and hands the reply over while it is being written.
pub(super) fn stream<W: Wire>(endpoint: &Endpoint<W>, request: CallRequest) -> ResponseStream<'_> {
    enum State<'a, W: Wire> {
        New(Box<CallRequest>),
        Open(Box<Exchange<'a, W>>),
        Over,
    }
    ResponseStream::new(stream::unfold(State::New(Box::new(request)), move |state| async move {
        let exchange = match state {
            State::New(request) => Exchange::new(endpoint, *request, Delivery::Stream).map(Box::new),
            State::Open(exchange) => Ok(exchange),
            State::Over => return None,
        };
        let mut exchange = match exchange {
            Ok(exchange) => exchange,
            Err(error) => return Some((Err(error), State::Over)),
        };
        let span = exchange.trace.span();
        match exchange.next().instrument(span).await {
            Ok(done @ StreamEvent::Done(_)) => Some((Ok(done), State::Over)),
            Ok(piece) => Some((Ok(piece), State::Open(exchange))),
            Err(error) => Some((Err(error), State::Over)),
        }
    }))
}
