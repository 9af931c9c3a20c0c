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

use super::ask::{admit, settle};
use super::limits::{Permit, Turn};
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
    /// Before an attempt, in line for its turn.
    InLine(Turn),
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
    permit: Option<Permit>,
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
        Self { route, settings, request, trial, growing: Growing::new(), state }
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
                State::Before => match &self.settings.limits {
                    Some(limits) => self.state = State::InLine(limits.turn(&self.settings.clock, &self.request)),
                    None => match self.begin(None) {
                        Ok(attempt) => self.state = State::Within(attempt),
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
                    match self.begin(Some(permit)) {
                        Ok(attempt) => self.state = State::Within(attempt),
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    }
                }
                State::Within(mut attempt) => {
                    let Poll::Ready(event) = self.event(&mut attempt, context) else {
                        self.state = State::Within(attempt);
                        return Poll::Pending;
                    };
                    let event = match event {
                        Some(Ok(StreamEvent::Done(response))) => {
                            return Poll::Ready(self.judge(attempt, Some(Ok(*response))));
                        }
                        Some(Err(error)) => return Poll::Ready(self.judge(attempt, Some(Err(error)))),
                        None => return Poll::Ready(self.judge(attempt, None)),
                        Some(Ok(event)) => event,
                    };
                    attempt.heard(self.settings);
                    self.state = State::Within(attempt);
                    if let Some(update) = self.take(event) {
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
            StreamEvent::Restart => {
                self.growing = Growing::new();
                Some(Update::Restarted(Restart::within_the_route()))
            }
            _ => None,
        }
    }

    /// Begins an attempt.
    fn begin(&mut self, permit: Option<Permit>) -> Result<Attempt<'w>, Error> {
        let ends = admit(self.settings, &mut self.trial)?;
        let now = self.settings.clock.now();
        self.trial.next(now);
        self.growing = Growing::new();
        let mut sent = self.request.clone();
        sent.deadline = ends;
        let waits = self.settings.first_piece.and_then(|wait| now.checked_add(wait));
        Ok(Attempt { reply: self.route.call_streamed(sent), permit, ends, waits, sleep: None })
    }

    /// The next event of the reply; `None` if the whole took too long.
    fn event(
        &self,
        attempt: &mut Attempt<'w>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<StreamEvent, CallError>>> {
        if let Poll::Ready(event) = Pin::new(&mut attempt.reply).poll_next(context) {
            let broken = || Err(CallError::new(CallErrorKind::Transport, "the reply broke off before its end"));
            return Poll::Ready(Some(event.unwrap_or_else(broken)));
        }
        let Some(until) = [attempt.ends, attempt.waits].into_iter().flatten().min() else { return Poll::Pending };
        let sleep = attempt.sleep.get_or_insert_with(|| self.settings.clock.sleep_until(until));
        sleep.as_mut().poll(context).map(|()| {
            let idle = attempt.ends.is_none_or(|ends| until < ends);
            idle.then(|| Err(CallError::new(CallErrorKind::Timeout, "the reply stood still for too long")))
        })
    }

    /// What follows an attempt that has ended.
    fn judge(
        &mut self,
        attempt: Attempt<'w>,
        result: Option<Result<CallResponse, CallError>>,
    ) -> Option<Result<Update<T>, Error>> {
        if let Some(permit) = attempt.permit {
            permit.settle(result.as_ref(), self.settings.clock.now());
        }
        let result = match settle(self.settings, &mut self.trial, attempt.ends, result) {
            Ok(result) => result,
            Err(error) => return Some(Err(error)),
        };
        let now = self.settings.clock.now();
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
    fn heard(&mut self, settings: &Settings) {
        let now = settings.clock.now();
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
