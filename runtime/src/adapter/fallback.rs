//! Several routes as one: the next is asked when one cannot answer.

use std::sync::Arc;
use std::time::Instant;

use super::erased::{Boxed, Erased};
use super::{
    CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, DynAdapter, Enforcement, PassedOver,
    ResponseFormat, ResponseStream,
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
    /// What every route of the chain can do. A chain hands replies over whole: until one is, it may have to go on.
    fn capabilities(&self) -> Capabilities {
        let mut all = self.first.capabilities();
        for route in &self.rest {
            let one = route.capabilities();
            all.schema = all.schema.min(one.schema);
            all.tools = all.tools.min(one.tools);
            all.tools_with_schema &= one.tools_with_schema;
        }
        all.route = "fallback";
        all.streaming = false;
        all
    }

    fn dialect(&self) -> Dialect {
        self.first.dialect()
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
            let mut passed = Vec::new();
            let (mut route, mut rest) = (&self.first, self.rest.iter());
            loop {
                let error = match route.call(request.clone()).await {
                    Ok(mut response) => {
                        response.passed_over.splice(..0, passed);
                        return Ok(response);
                    }
                    Err(error) => error,
                };
                let next = if is_passed_over(&error, request.deadline) { rest.next() } else { None };
                let Some(next) = next else { return Err(error.with_passed_over(passed)) };
                let name = route.name().unwrap_or(route.capabilities().route).to_owned();
                passed.push(PassedOver { route: name, reason: error.to_string() });
                route = next;
            }
        })
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        ResponseStream::whole(self.call(request))
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
