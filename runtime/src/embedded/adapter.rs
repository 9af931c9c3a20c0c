//! The embedded model as an [`Adapter`].
//!
//! Generation is plain computation and blocks, so each call has a thread of its own; calls wait
//! for the model there. The future that stands for the call only waits for that thread, on any
//! runtime; dropping it raises the flag that the model looks at before each token, and so does the
//! deadline.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;

use futures_channel::{mpsc, oneshot};
use futures_core::Stream;

use super::{Embedded, Finish, Generated, Job, ModelError, ModelErrorKind, Role, Stop, Turn};
use crate::adapter::{
    self as wire, Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement,
    ResponseStream, StreamEvent, Usage,
};
use crate::dialect::{Dialect, Guidance, Refusal};

/// The route's name in reports.
const ROUTE: &str = "embedded";

impl Adapter for Embedded {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(ROUTE, Enforcement::Enforced).with_streaming()
    }

    fn identity(&self) -> String {
        format!("{ROUTE} {} {:?}", self.name(), self.0.engine.defaults)
    }

    /// The mask keeps to any schema that compiles, whatever strict modes say of it.
    fn guarantee(&self, format: &wire::ResponseFormat) -> Result<Enforcement, Refusal> {
        format.wire(&Dialect::GUIDANCE).map(|_| Enforcement::Enforced)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        self.begin(request, |_| {})?.end().await
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        // The model writes on whether or not anybody reads, so the pieces wait here: one reply of them at most.
        let (send, pieces) = mpsc::unbounded();
        let begun = self.begin(request, move |piece| {
            let _ = send.unbounded_send(piece.to_owned());
        });
        ResponseStream::new(Pieces { pieces, end: Some(Box::pin(async move { begun?.end().await })) })
    }
}

impl Embedded {
    /// Starts a reply on a thread of its own.
    fn begin(&self, request: CallRequest, mut on_text: impl FnMut(&str) + Send + 'static) -> Result<Begun, CallError> {
        if !request.tools.is_empty() {
            return Err(CallError::new(
                CallErrorKind::Unsupported,
                "the embedded model calls no tools; take another route for them",
            ));
        }
        let schema = match &request.response_schema {
            None => None,
            Some(format) => Some(
                format
                    .wire(&Dialect::GUIDANCE)
                    .map(|schema| schema.json)
                    .map_err(|refusal| CallError::new(CallErrorKind::SchemaRefused, refusal.to_string()))?,
            ),
        };
        let stop = StopOnDrop(Arc::new(Stop::at(request.deadline)));
        let cancel = Arc::clone(&stop.0);
        let model = self.clone();
        let enforcement = if schema.is_some() { Enforcement::Enforced } else { Enforcement::None };
        let (send, receive) = oneshot::channel();
        thread::Builder::new()
            .name("embedded-model".to_owned())
            .spawn(move || {
                let turns: Vec<_> = request.messages.iter().map(turn).collect();
                let job = Job {
                    turns: &turns,
                    schema: schema.as_deref(),
                    max_tokens: request.parameters.max_tokens,
                    temperature: request.parameters.temperature.map(narrow),
                    seed: request.parameters.seed,
                    cancel: &cancel,
                };
                // The receiver is gone when the call was cancelled; then nobody waits for the reply.
                let _ = send.send(model.generate(&job, &mut on_text));
            })
            .map_err(|error| {
                CallError::new(CallErrorKind::Provider, "no thread could be started for the model").with_source(error)
            })?;
        Ok(Begun { receive, stop, enforcement, model: self.name().to_owned() })
    }
}

/// A reply that the model writes.
struct Begun {
    receive: oneshot::Receiver<Result<Generated, ModelError>>,
    stop: StopOnDrop,
    enforcement: Enforcement,
    model: String,
}

impl Begun {
    /// Waits for its end.
    async fn end(self) -> Result<CallResponse, CallError> {
        let generated = self
            .receive
            .await
            .map_err(|_| CallError::new(CallErrorKind::Provider, "the model's thread ended without a reply"))?
            .map_err(call_error)?;
        reply(generated, self.stop.0.is_late(), self.enforcement, &self.model)
    }
}

type End = Pin<Box<dyn Future<Output = Result<CallResponse, CallError>> + Send>>;

/// The pieces of a reply, then its end.
struct Pieces {
    pieces: mpsc::UnboundedReceiver<String>,
    end: Option<End>,
}

impl Stream for Pieces {
    type Item = Result<StreamEvent, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(Some(piece)) = Pin::new(&mut self.pieces).poll_next(context) {
            return Poll::Ready(Some(Ok(StreamEvent::Text(piece))));
        }
        let Some(end) = &mut self.end else { return Poll::Ready(None) };
        let Poll::Ready(result) = end.as_mut().poll(context) else { return Poll::Pending };
        // The last pieces were sent before the reply was.
        if let Ok(piece) = self.pieces.try_recv() {
            self.end = Some(Box::pin(std::future::ready(result)));
            return Poll::Ready(Some(Ok(StreamEvent::Text(piece))));
        }
        self.end = None;
        Poll::Ready(Some(result.map(|response| StreamEvent::Done(Box::new(response)))))
    }
}

/// The sampler counts in single precision.
#[allow(clippy::cast_possible_truncation)]
fn narrow(temperature: f64) -> f32 {
    temperature as f32
}

fn turn(message: &wire::Message) -> Turn<'_> {
    let role = match message.role() {
        wire::Role::System => Role::System,
        wire::Role::User | wire::Role::Tool => Role::User,
        wire::Role::Assistant => Role::Assistant,
    };
    Turn { role, text: message.text() }
}

fn reply(generated: Generated, late: bool, enforcement: Enforcement, model: &str) -> Result<CallResponse, CallError> {
    let ending = match generated.finish {
        Finish::Stop => Ending::Complete,
        Finish::Length => Ending::CutShort,
        Finish::Cancelled if late => {
            return Err(CallError::new(
                CallErrorKind::Timeout,
                "the model had not finished when the deadline passed; give it more time, or ask for less",
            ));
        }
        Finish::Cancelled => return Err(CallError::new(CallErrorKind::Cancelled, "the call was cancelled")),
    };
    let mut response = CallResponse::new(generated.text, enforcement);
    response.ending = ending;
    response.usage = Usage::new(generated.prompt_tokens.into(), generated.completion_tokens.into());
    model.clone_into(&mut response.model);
    Ok(response)
}

fn call_error(error: ModelError) -> CallError {
    let kind = match error.kind() {
        ModelErrorKind::Schema => CallErrorKind::SchemaRefused,
        ModelErrorKind::Prompt => CallErrorKind::InputBlocked,
        _ => CallErrorKind::Provider,
    };
    CallError::new(kind, error.to_string()).with_source(error)
}

/// Raises the flag when the call's future is dropped.
struct StopOnDrop(Arc<Stop>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}
