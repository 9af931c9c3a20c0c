//! Replies that fill in while they are written.
//!
//! The attempts are judged by the same [`Trial`] as those of an unstreamed run. What is shown in between is the reading of
//! [`Growing`], so the last partial is never taken for the value: that goes through decoding and all checks.

mod items;

use std::fmt;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::ask::late;
use super::read::Typed;
use super::report::{Outcome, Reply};
use super::request::WorkerRequest;
use super::settings::Settings;
use super::trial::{Step, Trial};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Need, ResponseStream, Route, StreamEvent};
use crate::check::Violation;
use crate::error::{Error, ErrorKind};
use crate::partial::{Growing, Partial};
use crate::schema::ResponseSchema;

pub use items::{Item, ItemStream};

/// A reply that fills in while it is written: [`Update`]s, of which [`Update::Done`] or an error is the last.
///
/// It is a `Stream`, and has [`next`](Self::next) for those who need no more. It reads on only when it is asked, so a slow
/// reader slows the route down and costs no memory. Dropping it cancels the call.
pub struct ReplyStream<'w, R, T> {
    route: &'w R,
    settings: &'w Settings,
    request: CallRequest,
    trial: Trial<'w>,
    growing: Growing<T>,
    state: State<'w>,
    deadline: Option<Instant>,
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
    /// The route itself asks its model once more.
    fn within_the_route() -> Self {
        Self {
            outcome: Outcome::Invalid,
            problem: "the route has asked its model once more".to_owned(),
            violations: Vec::new(),
        }
    }
}

/// Where a stream is.
enum State<'w> {
    /// Before an attempt.
    Before,
    /// Within one.
    Within(Attempt<'w>),
    /// Nothing can be had, as was clear before anything was sent.
    Refused(Box<Error>),
    /// Behind the end.
    Over,
}

/// A reply that is being written.
struct Attempt<'w> {
    reply: ResponseStream<'w>,
    /// When the whole must be there.
    ends: Option<Instant>,
    /// When the next piece must be there.
    waits: Option<Instant>,
    sleep: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<'w, R: Route, T: ResponseSchema + DeserializeOwned + Send> ReplyStream<'w, R, T> {
    pub(super) fn new(route: &'w R, settings: &'w Settings, mut request: WorkerRequest) -> Self {
        let need = std::mem::take(&mut request.need);
        let mut request = CallRequest::from(request);
        let format = R::format::<T>();
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
        let deadline = settings.deadline(start);
        Self { route, settings, request, trial, growing: Growing::new(), state, deadline }
    }

    /// Asks with all settings at their defaults.
    pub(crate) fn plain(route: &'w R, request: WorkerRequest) -> Self {
        static DEFAULT: LazyLock<Settings> = LazyLock::new(Settings::default);
        Self::new(route, &DEFAULT, request)
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
                State::Before => match self.begin() {
                    Ok(attempt) => self.state = State::Within(attempt),
                    Err(error) => return Poll::Ready(Some(Err(error))),
                },
                State::Within(mut attempt) => {
                    let Poll::Ready(event) = self.event(&mut attempt, context) else {
                        self.state = State::Within(attempt);
                        return Poll::Pending;
                    };
                    match event {
                        Ok(StreamEvent::Done(response)) => return Poll::Ready(self.judge(Ok(*response))),
                        Err(error) => return Poll::Ready(self.judge(Err(error))),
                        Ok(StreamEvent::Text(piece)) => {
                            attempt.heard(self.settings, self.settings.clock.now());
                            self.state = State::Within(attempt);
                            if let Some(partial) = self.growing.push(&piece) {
                                return Poll::Ready(Some(Ok(Update::Partial(partial))));
                            }
                        }
                        Ok(StreamEvent::Restart) => {
                            attempt.heard(self.settings, self.settings.clock.now());
                            self.state = State::Within(attempt);
                            self.growing = Growing::new();
                            return Poll::Ready(Some(Ok(Update::Restarted(Restart::within_the_route()))));
                        }
                        Ok(_) => {
                            attempt.heard(self.settings, self.settings.clock.now());
                            self.state = State::Within(attempt);
                        }
                    }
                }
            }
        }
    }

    /// Begins an attempt.
    fn begin(&mut self) -> Result<Attempt<'w>, Error> {
        let now = self.settings.clock.now();
        let mut ends = self.deadline;
        if let Some(budget) = &self.settings.budget {
            budget.admit(now).map_err(|exceeded| self.trial.over_budget(exceeded, false, now))?;
            ends = [ends, budget.deadline(now)].into_iter().flatten().min();
        }
        self.trial.next(now);
        self.growing = Growing::new();
        let mut sent = self.request.clone();
        sent.deadline = ends;
        let waits = self.settings.first_piece.and_then(|wait| now.checked_add(wait));
        Ok(Attempt { reply: self.route.call_streamed(sent), ends, waits, sleep: None })
    }

    /// The next event of the reply, or that it took too long.
    fn event(&self, attempt: &mut Attempt<'w>, context: &mut Context<'_>) -> Poll<Result<StreamEvent, CallError>> {
        if let Poll::Ready(event) = Pin::new(&mut attempt.reply).poll_next(context) {
            return Poll::Ready(event.unwrap_or_else(|| {
                Err(CallError::new(CallErrorKind::Transport, "the reply broke off before its end"))
            }));
        }
        let Some(until) = [attempt.ends, attempt.waits].into_iter().flatten().min() else { return Poll::Pending };
        let sleep = attempt.sleep.get_or_insert_with(|| self.settings.clock.sleep_until(until));
        sleep.as_mut().poll(context).map(|()| {
            Err(if attempt.ends.is_some_and(|ends| ends <= until) {
                late(self.settings.timeout)
            } else {
                CallError::new(CallErrorKind::Timeout, "the reply stood still for too long")
            })
        })
    }

    /// What follows an attempt that has ended.
    fn judge(&mut self, result: Result<CallResponse, CallError>) -> Option<Result<Update<T>, Error>> {
        let now = self.settings.clock.now();
        if let (Some(budget), Ok(response)) = (&self.settings.budget, &result) {
            budget.charge(&response.usage, &response.model, now);
        }
        Some(match self.trial.judge(result, now, &Typed::<T>::new()) {
            Step::Done(reply) => Ok(Update::Done(Box::new(reply))),
            Step::Failed(error) => Err(error),
            Step::Again(turns) => {
                self.request.messages.extend(turns);
                self.state = State::Before;
                let restart = self.trial.last_attempt().map(|attempt| Restart {
                    outcome: attempt.outcome,
                    problem: attempt.problem.clone(),
                    violations: attempt.violations.clone(),
                });
                Ok(Update::Restarted(restart?))
            }
        })
    }
}

impl Attempt<'_> {
    /// Something was heard: the wait for the next piece begins anew.
    fn heard(&mut self, settings: &Settings, now: Instant) {
        self.waits = settings.idle.and_then(|idle: Duration| now.checked_add(idle));
        self.sleep = None;
    }
}

impl<R: Route, T: ResponseSchema + DeserializeOwned + Send> Stream for ReplyStream<'_, R, T> {
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
