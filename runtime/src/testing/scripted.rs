//! A route that says what it was told to.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::VirtualClock;
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, ResponseStream,
    ToolCall, Usage,
};
use crate::dialect::{Guidance, Spec};
use crate::worker::Clock;

/// A route that says what it was told to, one turn after the other, and keeps what it was asked.
///
/// Clones share the script. By default it claims to enforce schemas, which makes a script of bad replies
/// a lie that tests are free to tell; [`guarantee`](Self::guarantee) changes the claim.
///
/// ```
/// use response_schema::testing::{Scripted, Turn};
/// use response_schema::{SubTask, Worker};
///
/// let model = Scripted::new(["not json", r#"{"value": [1]}"#]);
/// let reply = pollster::block_on(Worker::new(model.clone()).run::<Vec<u8>>(SubTask::new("…")))?;
/// assert_eq!((reply.value, reply.report.attempts.len()), (vec![1], 2));
/// assert_eq!(model.requests().len(), 2);
///
/// let refuses = Scripted::new([Turn::refused("I would rather not.")]);
/// # Ok::<(), response_schema::Error>(())
/// ```
pub struct Scripted<D = Guidance> {
    script: Arc<Mutex<Script>>,
    capabilities: Capabilities,
    clock: Option<VirtualClock>,
    /// Bytes of a piece of a streamed reply, if it streams.
    piece: Option<usize>,
    dialect: PhantomData<fn() -> D>,
}

struct Script {
    turns: VecDeque<Turn>,
    /// Said again and again once the turns are used up.
    then: Option<Turn>,
    requests: Vec<CallRequest>,
}

/// One turn of a script. Text is not in its `Debug` form.
#[derive(Clone)]
#[must_use]
pub struct Turn {
    what: What,
    delay: Duration,
}

#[derive(Clone)]
enum What {
    Reply(Box<CallResponse>),
    Error { kind: CallErrorKind, message: String, status: Option<u16>, retries: u32 },
    Silence,
}

impl Scripted {
    /// A route that says these turns, in order.
    #[must_use]
    pub fn new<I>(turns: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<Turn>,
    {
        let turns = turns.into_iter().map(Into::into).collect();
        let capabilities = Capabilities::new("scripted", Enforcement::Enforced)
            .with_tools(Enforcement::Enforced)
            .with_tools_beside_schema();
        Self {
            script: Arc::new(Mutex::new(Script { turns, then: None, requests: Vec::new() })),
            capabilities,
            clock: None,
            piece: None,
            dialect: PhantomData,
        }
    }
}

impl<D: Spec> Scripted<D> {
    /// With a turn that is said again and again once the others are used up.
    #[must_use]
    pub fn then(self, turn: impl Into<Turn>) -> Self {
        self.script().then = Some(turn.into());
        self
    }

    /// With another claim of what becomes of schemas.
    #[must_use]
    pub fn guarantee(mut self, schema: Enforcement) -> Self {
        self.capabilities.schema = schema;
        self
    }

    /// With other capabilities, the route's name among them.
    #[must_use]
    pub fn capable(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// With a clock for the turns that take time.
    #[must_use]
    pub fn clock(mut self, clock: &VirtualClock) -> Self {
        self.clock = Some(clock.clone());
        self
    }

    /// With streamed replies that come in pieces of about this many bytes.
    #[must_use]
    pub fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece = Some(bytes);
        self.capabilities = self.capabilities.with_streaming();
        self
    }

    /// The same route, held to another dialect by the compiler.
    #[must_use]
    pub fn as_dialect<E: Spec>(self) -> Scripted<E> {
        let Self { script, capabilities, clock, piece, dialect: _ } = self;
        Scripted { script, capabilities, clock, piece, dialect: PhantomData }
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<CallRequest> {
        self.script().requests.clone()
    }

    /// How many turns are left to say.
    #[must_use]
    pub fn left(&self) -> usize {
        self.script().turns.len()
    }

    fn script(&self) -> std::sync::MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Spec> Adapter for Scripted<D> {
    type Dialect = D;

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// It claims the same for every schema.
    fn guarantee(&self, format: &crate::adapter::ResponseFormat) -> Result<Enforcement, crate::dialect::Refusal> {
        format.wire(&D::DIALECT).map(|_| self.capabilities.schema)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let schema = request.response_schema.is_some();
        let turn = {
            let mut script = self.script();
            script.requests.push(request);
            script.turns.pop_front().or_else(|| script.then.clone())
        };
        let Some(turn) = turn else {
            let asked = self.script().requests.len();
            return Err(CallError::new(
                CallErrorKind::InvalidRequest,
                format!("the script has no turn for call {asked}; give it one more"),
            ));
        };
        if !turn.delay.is_zero() {
            let Some(clock) = &self.clock else {
                return Err(CallError::new(
                    CallErrorKind::InvalidRequest,
                    "the script has a turn that takes time, and no clock; give it one with `clock`",
                ));
            };
            clock.sleep_until(clock.now() + turn.delay).await;
        }
        match turn.what {
            What::Reply(mut response) => {
                response.enforcement = if schema { self.capabilities.schema } else { Enforcement::None };
                Ok(*response)
            }
            What::Error { kind, message, status, retries } => {
                let error = CallError::new(kind, message).with_retries(retries);
                Err(match status {
                    Some(status) => error.with_status(status),
                    None => error,
                })
            }
            What::Silence => std::future::pending().await,
        }
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        match self.piece {
            Some(bytes) => ResponseStream::in_pieces(self.call(request), bytes),
            None => ResponseStream::whole(self.call(request)),
        }
    }
}

impl<D> Clone for Scripted<D> {
    fn clone(&self) -> Self {
        Self {
            script: Arc::clone(&self.script),
            capabilities: self.capabilities,
            clock: self.clock.clone(),
            piece: self.piece,
            dialect: PhantomData,
        }
    }
}

impl<D> fmt::Debug for Scripted<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}

impl Turn {
    fn new(what: What) -> Self {
        Self { what, delay: Duration::ZERO }
    }

    fn ending(text: impl Into<String>, ending: Ending) -> Self {
        let mut response = CallResponse::new(text, Enforcement::None);
        response.ending = ending;
        Self::new(What::Reply(Box::new(response)))
    }

    /// A finished reply.
    pub fn text(text: impl Into<String>) -> Self {
        Self::ending(text, Ending::Complete)
    }

    /// A reply that a token limit cut short.
    pub fn cut(text: impl Into<String>) -> Self {
        Self::ending(text, Ending::CutShort)
    }

    /// A refusal, in these words.
    pub fn refused(words: impl Into<String>) -> Self {
        Self::ending("", Ending::Refused(words.into()))
    }

    /// A reply that the provider withheld, for this reason.
    pub fn filtered(reason: impl Into<String>) -> Self {
        Self::ending("", Ending::Filtered(reason.into()))
    }

    /// A reply that was cancelled on the provider's side.
    pub fn cancelled() -> Self {
        Self::ending("", Ending::Cancelled)
    }

    /// Calls of tools.
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let mut turn = Self::ending("", Ending::ToolCalls);
        if let What::Reply(response) = &mut turn.what {
            response.tool_calls = calls.into_iter().collect();
        }
        turn
    }

    /// Any reply; the route's claim about schemas replaces its own.
    pub fn reply(response: CallResponse) -> Self {
        Self::new(What::Reply(Box::new(response)))
    }

    /// No reply, for this reason.
    pub fn error(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self::new(What::Error { kind, message: message.into(), status: None, retries: 0 })
    }

    /// No reply ever.
    pub fn silence() -> Self {
        Self::new(What::Silence)
    }

    /// After this time on the script's [`clock`](Scripted::clock); a script without one answers with an error.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// With what the reply took.
    pub fn usage(mut self, usage: Usage) -> Self {
        if let What::Reply(response) = &mut self.what {
            response.usage = usage;
        }
        self
    }

    /// With the name of the model that answers.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        if let What::Reply(response) = &mut self.what {
            response.model = model.into();
        }
        self
    }

    /// With the HTTP status of an error.
    pub fn status(mut self, code: u16) -> Self {
        if let What::Error { status, .. } = &mut self.what {
            *status = Some(code);
        }
        self
    }

    /// After the request was sent again so often.
    pub fn retries(mut self, times: u32) -> Self {
        match &mut self.what {
            What::Reply(response) => response.retries = times,
            What::Error { retries, .. } => *retries = times,
            What::Silence => {}
        }
        self
    }
}

impl From<&str> for Turn {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Turn {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Turn");
        match &self.what {
            What::Reply(response) => shown.field("reply", response),
            What::Error { kind, .. } => shown.field("error", kind),
            What::Silence => shown.field("silence", &()),
        };
        shown.field("delay", &self.delay).finish()
    }
}
