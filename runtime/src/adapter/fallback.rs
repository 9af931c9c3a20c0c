//! Several routes as one: the next is asked when one cannot answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use futures_core::Stream;

use super::erased::{Boxed, Erased};
use super::{
    CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, DynAdapter, Enforcement, PassedOver,
    ResponseFormat, ResponseStream, StreamEvent,
};
use crate::dialect::{Dialect, Refusal};

/// A chain of routes; made by [`Router::fallback`](super::Router::fallback).
pub(super) struct Fallback {
    first: DynAdapter,
    rest: Vec<DynAdapter>,
}

impl Fallback {
    /// The chain as a route; `None` if it has no links.
    pub(super) fn chain(routes: Vec<DynAdapter>) -> Option<DynAdapter> {
        let mut rest = routes.into_iter();
        let first = rest.next()?;
        Some(DynAdapter::erased(Arc::new(Self { first, rest: rest.collect() })))
    }
}

impl Erased for Fallback {
    /// What every route of the chain can do. Where only some stream, the chain streams as long as one of those answers.
    fn capabilities(&self) -> Capabilities {
        let mut all = self.first.capabilities();
        for route in &self.rest {
            let one = route.capabilities();
            all.schema = all.schema.min(one.schema);
            all.tools = all.tools.min(one.tools);
            all.tools_with_schema &= one.tools_with_schema;
            all.streaming &= one.streaming;
        }
        all.route = "fallback";
        all
    }

    fn dialect(&self) -> Dialect {
        self.first.dialect()
    }

    /// Any of them may have answered.
    fn identity(&self) -> String {
        self.routes().map(DynAdapter::identity).collect::<Vec<_>>().join("\n")
    }

    /// A route that refuses the schema is passed over, so only those that take it count.
    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        let mut least = self.first.guarantee(format);
        for route in &self.rest {
            least = match (least, route.guarantee(format)) {
                (Ok(least), Ok(held)) => Ok(least.min(held)),
                (Ok(held), Err(_)) | (Err(_), Ok(held)) => Ok(held),
                (Err(refusal), Err(_)) => Err(refusal),
            };
        }
        least
    }

    fn call(&self, request: CallRequest) -> Boxed<'_, Result<CallResponse, CallError>> {
        Box::pin(async move {
            let mut links = self.links(request.deadline);
            loop {
                match links.route.call(request.clone()).await {
                    Ok(response) => return Ok(links.sign(response)),
                    Err(error) => links.pass_over(error)?,
                }
            }
        })
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        if !self.routes().any(|route| route.capabilities().streaming) {
            return ResponseStream::whole(self.call(request));
        }
        let links = self.links(request.deadline);
        let reply = Some(links.route.call_streamed(request.clone()));
        ResponseStream::new(Pieces { links, request, reply, shown: false })
    }
}

impl Fallback {
    fn routes(&self) -> impl Iterator<Item = &DynAdapter> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    fn links(&self, deadline: Option<Instant>) -> Links<'_> {
        Links { route: &self.first, rest: self.rest.iter(), passed: Vec::new(), deadline }
    }
}

/// The route of a chain that is asked, and those that are left.
struct Links<'a> {
    route: &'a DynAdapter,
    rest: std::slice::Iter<'a, DynAdapter>,
    passed: Vec<PassedOver>,
    deadline: Option<Instant>,
}

impl Links<'_> {
    /// Goes on to the next route, because this one failed.
    ///
    /// # Errors
    ///
    /// If there is none, or none could do better.
    fn pass_over(&mut self, error: CallError) -> Result<(), CallError> {
        let next = if is_passed_over(&error, self.deadline) { self.rest.next() } else { None };
        let Some(next) = next else { return Err(error.with_passed_over(std::mem::take(&mut self.passed))) };
        let route = name(self.route).to_owned();
        self.passed.push(PassedOver { route, reason: error.to_string() });
        self.route = next;
        Ok(())
    }

    /// Notes in a reply which routes were asked before.
    fn sign(&mut self, mut response: CallResponse) -> CallResponse {
        response.passed_over.splice(..0, std::mem::take(&mut self.passed));
        response
    }
}

fn name(route: &DynAdapter) -> &str {
    route.name().unwrap_or(route.capabilities().route)
}

/// The pieces that a chain hands over: those of the route that is asked.
///
/// A route may fail when some of its reply was seen already. That is void then, which a
/// [`StreamEvent::Restart`] says before the first piece of the next.
struct Pieces<'a> {
    links: Links<'a>,
    request: CallRequest,
    reply: Option<ResponseStream<'a>>,
    /// Whether a piece of this route's reply was handed over.
    shown: bool,
}

impl Stream for Pieces<'_> {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            let Some(reply) = &mut this.reply else { return Poll::Ready(None) };
            let error = match ready!(Pin::new(reply).poll_next(context)) {
                Some(Ok(StreamEvent::Done(response))) => {
                    this.reply = None;
                    let response = this.links.sign(*response);
                    return Poll::Ready(Some(Ok(StreamEvent::Done(Box::new(response)))));
                }
                Some(Ok(event)) => {
                    this.shown = !matches!(event, StreamEvent::Restart { .. });
                    return Poll::Ready(Some(Ok(event)));
                }
                Some(Err(error)) => error,
                None => CallError::new(CallErrorKind::Transport, "the reply broke off before its end"),
            };
            let (kind, reason) = (error.kind(), error.to_string());
            let failed = name(this.links.route).to_owned();
            if let Err(error) = this.links.pass_over(error) {
                this.reply = None;
                return Poll::Ready(Some(Err(error)));
            }
            this.reply = Some(this.links.route.call_streamed(this.request.clone()));
            if std::mem::take(&mut this.shown) {
                let reason = format!("`{failed}` failed: {reason}; asking `{}`", name(this.links.route));
                return Poll::Ready(Some(Ok(StreamEvent::Restart { kind, reason })));
            }
        }
    }
}

/// Whether another route may do better.
fn is_passed_over(error: &CallError, deadline: Option<Instant>) -> bool {
    match error.kind() {
        CallErrorKind::Cancelled | CallErrorKind::InputBlocked => false,
        CallErrorKind::Timeout => deadline.is_none_or(|deadline| Instant::now() < deadline),
        _ => true,
    }
}
