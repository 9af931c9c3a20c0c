//! Replies that fill in while they are written.
//!
//! The attempts are judged by the same [`Trial`] as those of an unstreamed run. What is shown in between is the reading of
//! [`Growing`], so the last partial is never taken for the value: that goes through decoding and all checks.

mod attempt;
mod items;

use std::fmt;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_core::Stream;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::converse::{admit, settle};
use super::limits::{Permit, Turn};
use super::read::{Reader, schema_of};
use super::report::{Attempt as Judged, Outcome, Reply};
use super::request::WorkerRequest;
use super::settings::Settings;
use super::trial::{Step, Trial};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Need, ResponseFormat, Route, StreamEvent};
use crate::check::Violation;
use crate::error::{Error, ErrorKind};
use crate::partial::{Growing, Partial};
use crate::schema::ResponseSchema;

pub(crate) use attempt::Attempt;
pub use items::{Item, ItemStream};

/// A reply that fills in while it is written: [`Update`]s, of which [`Update::Done`] or an error is the last.
///
/// It is a `Stream`, and has [`next`](Self::next) for those who need no more. It reads on only when it is asked: a slow
/// reader slows a provider down, and costs no memory. A command line, and a model in this process, write on; what they
/// have written waits, one reply of bounded length at most. Dropping it cancels the call.
///
/// On a route that does not stream ([`Capabilities::streaming`](crate::adapter::Capabilities::streaming)) the last item is
/// the only one, retries apart.
pub struct ReplyStream<'w, R, T> {
    route: &'w R,
    settings: &'w Settings,
    request: CallRequest,
    trial: Trial<'w>,
    growing: Growing<T>,
    reader: Reader<T>,
    state: State<'w>,
}

/// What there is to tell of a reply that is being written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Update<T> {
    /// What is known of the value now.
    Partial(Partial<T>),
    /// The attempt came to nothing, and another begins: what was shown of it is void.
    Restarted(Restart),
    /// The value, decoded and checked as a whole.
    Done(Box<Reply<T>>),
}

/// Why another attempt begins.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Restart {
    /// How the attempt ended that is void.
    pub outcome: Outcome,
    /// What was wrong with it, in a sentence.
    pub problem: String,
    /// What was wrong with it, one by one.
    pub violations: Vec<Violation>,
}

impl Restart {
    /// Because an attempt came to nothing.
    pub(crate) fn after(attempt: &Judged) -> Self {
        Self { outcome: attempt.outcome, problem: attempt.problem.clone(), violations: attempt.violations.clone() }
    }

    /// The route itself asks once more.
    pub(crate) fn within_the_route(kind: CallErrorKind, reason: String) -> Self {
        Self { outcome: Outcome::of_call(kind), problem: reason, violations: Vec::new() }
    }
}

/// Where a stream is.
enum State<'w> {
    /// Before an attempt.
    Before,
    /// Before an attempt, in line for its turn.
    InLine(Turn),
    /// Within one.
    Within(Attempt<'w>, Option<Permit>),
    /// Nothing can be had, as was clear before anything was sent.
    Refused(Box<Error>),
    /// Behind the end.
    Over,
}

impl<'w, R: Route, T: ResponseSchema + DeserializeOwned + Send> ReplyStream<'w, R, T> {
    pub(super) fn new(route: &'w R, settings: &'w Settings, request: WorkerRequest) -> Self {
        Self::reading(route, settings, request, R::format::<T>(), Growing::new(), Reader::typed())
    }

    /// Asks with all settings at their defaults.
    pub(crate) fn plain(route: &'w R, request: WorkerRequest) -> Self {
        static DEFAULT: LazyLock<Settings> = LazyLock::new(Settings::default);
        Self::new(route, &DEFAULT, request)
    }
}

impl<'w, R: Route> ReplyStream<'w, R, Value> {
    /// For a schema that is known at run time only.
    pub(super) fn of_format(
        route: &'w R,
        settings: &'w Settings,
        request: WorkerRequest,
        format: ResponseFormat,
    ) -> Self {
        let (schema, refusal) = match schema_of(&format) {
            Ok(schema) => (schema.into_owned(), None),
            Err(refusal) => (Value::Bool(false), Some(refusal.to_string())),
        };
        let growing = Growing::against(&schema);
        let reader = Reader::dynamic(schema, settings.verification);
        let mut stream = Self::reading(route, settings, request, format, growing, reader);
        if let Some(words) = refusal {
            stream.state = State::Refused(Box::new(stream.trial.refused(ErrorKind::SchemaRefused, words)));
        }
        stream
    }
}

impl<'w, R: Route, T: Send> ReplyStream<'w, R, T> {
    fn reading(
        route: &'w R,
        settings: &'w Settings,
        mut request: WorkerRequest,
        format: ResponseFormat,
        growing: Growing<T>,
        reader: Reader<T>,
    ) -> Self {
        let need = std::mem::take(&mut request.need);
        let mut request = CallRequest::from(request);
        let start = settings.clock.now();
        let capabilities = route.capabilities();
        let mut trial = Trial::begin(settings, &capabilities, route.name(), start)
            .demanding(settings.need.schema().max(need.schema()));
        let refuse = |need: &Need| need.refuse(&capabilities, Some(&format), |format| route.guarantee(format));
        let state = match refuse(&settings.need).and_then(|()| refuse(&need)) {
            Ok(()) => State::Before,
            Err(words) => State::Refused(Box::new(trial.refused(ErrorKind::NotEnforced, words))),
        };
        request.response_schema = Some(format);
        Self { route, settings, request, trial, growing, reader, state }
    }

    /// What there is to tell next; `None` behind the end.
    pub async fn next(&mut self) -> Option<Result<Update<T>, Error>> {
        std::future::poll_fn(|context| self.step(context)).await
    }

    fn step(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Update<T>, Error>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Poll::Ready(None),
                State::Refused(error) => return Poll::Ready(Some(Err(*error))),
                State::Before => match &self.settings.limits {
                    Some(limits) => self.state = State::InLine(limits.turn(&self.settings.clock, &self.request)),
                    None => match self.begin() {
                        Ok(attempt) => self.state = State::Within(attempt, None),
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    },
                },
                State::InLine(mut turn) => {
                    let Poll::Ready(permit) = Pin::new(&mut turn).poll(context) else {
                        self.state = State::InLine(turn);
                        return Poll::Pending;
                    };
                    // The wait for the first turn is none of the task's time.
                    if self.trial.last_attempt().is_none() {
                        self.trial.starts(self.settings.clock.now());
                    }
                    match self.begin() {
                        Ok(attempt) => self.state = State::Within(attempt, Some(permit)),
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    }
                }
                State::Within(mut attempt, permit) => {
                    let Poll::Ready(event) = attempt.poll_next(self.settings, context) else {
                        self.state = State::Within(attempt, permit);
                        return Poll::Pending;
                    };
                    let event = match event {
                        Some(Ok(StreamEvent::Done(response))) => {
                            return Poll::Ready(self.judge(attempt.ends(), permit, Some(Ok(*response))));
                        }
                        Some(Err(error)) => return Poll::Ready(self.judge(attempt.ends(), permit, Some(Err(error)))),
                        None => return Poll::Ready(self.judge(attempt.ends(), permit, None)),
                        Some(Ok(event)) => event,
                    };
                    let hidden = attempt.is_in_one_piece();
                    self.state = State::Within(attempt, permit);
                    if let Some(update) = self.take(event).filter(|_| !hidden) {
                        return Poll::Ready(Some(Ok(update)));
                    }
                }
            }
        }
    }

    /// What there is to tell of a piece.
    fn take(&mut self, event: StreamEvent) -> Option<Update<T>> {
        match event {
            StreamEvent::Text(piece) => self.growing.push(&piece).map(Update::Partial),
            StreamEvent::Restart { kind, reason } => {
                self.growing.begin_anew();
                Some(Update::Restarted(Restart::within_the_route(kind, reason)))
            }
            _ => None,
        }
    }

    /// Begins an attempt.
    fn begin(&mut self) -> Result<Attempt<'w>, Error> {
        let ends = admit(self.settings, &mut self.trial)?;
        self.trial.next(self.settings.clock.now());
        self.growing.begin_anew();
        let mut sent = self.request.clone();
        sent.deadline = ends;
        Ok(Attempt::begin(self.route, self.settings, sent, ends))
    }

    /// What follows an attempt that has ended.
    fn judge(
        &mut self,
        ends: Option<Instant>,
        permit: Option<Permit>,
        result: Option<Result<CallResponse, CallError>>,
    ) -> Option<Result<Update<T>, Error>> {
        if let Some(permit) = permit {
            permit.settle(result.as_ref(), self.settings.clock.now());
        }
        let result = match settle(self.settings, &mut self.trial, ends, result) {
            Ok(result) => result,
            Err(error) => return Some(Err(error)),
        };
        let now = self.settings.clock.now();
        Some(match self.trial.judge(result, now, &self.reader) {
            Step::Done(reply) => Ok(Update::Done(Box::new(reply))),
            Step::Failed(error) => Err(error),
            Step::Again(turns) => {
                self.request.messages.extend(turns);
                self.state = State::Before;
                Ok(Update::Restarted(Restart::after(self.trial.last_attempt()?)))
            }
        })
    }
}

impl<R: Route, T: Send> Stream for ReplyStream<'_, R, T> {
    type Item = Result<Update<T>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.step(context)
    }
}

impl<R, T> Unpin for ReplyStream<'_, R, T> {}

impl<R, T> fmt::Debug for ReplyStream<'_, R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyStream").field("growing", &self.growing).finish_non_exhaustive()
    }
}
