//! From the result of one attempt to what follows: the value, another attempt, or an error.
//!
//! A [`Trial`] waits for nothing and calls nobody: it is told what came back and when, and answers with
//! a [`Step`]. So a single call and a loop with tools share it, and every rule can be tested without time
//! passing.

use std::borrow::Cow;
use std::time::Instant;

use super::budget::Exceeded;
use super::feedback;
use super::read::Read;
use super::report::{Attempt, Outcome, Reply, Report, ToolTurn, Withheld};
use super::settings::Settings;
use crate::adapter::{
    CallError, CallErrorKind, CallResponse, Capabilities, Ending, Enforcement, Message, Native, ToolCall,
};
use crate::decode::{DecodeError, Finish};
use crate::error::{Error, ErrorKind};

/// The attempts at one task.
pub(crate) struct Trial<'a> {
    settings: &'a Settings,
    /// The least guarantee that a reply must have.
    least: Option<Enforcement>,
    /// Whether JSON was asked for.
    json: bool,
    report: Report,
    start: Instant,
    attempt: Instant,
}

/// What follows an attempt.
#[allow(clippy::large_enum_variant)] // it is moved once; a box would be one more allocation for each task
pub(crate) enum Step<T> {
    /// Nothing: here is the value.
    Done(Reply<T>),
    /// Another one, with these turns at the end of the conversation.
    Again(Vec<Message>),
    /// Nothing: here is why there is no value.
    Failed(Error),
}

/// Why an attempt brought no value.
enum Flaw {
    /// There was no reply.
    Call(CallError),
    /// The text holds no valid value.
    Text(DecodeError),
    /// The model waits for results of tools that it was not given.
    Calls,
    /// It was meant to end so.
    Ending(ErrorKind, Cow<'static, str>),
    /// The guarantee is weaker than was demanded.
    Guarantee(Enforcement),
}

/// What a reply leaves for the conversation, beside its text.
#[derive(Default)]
struct Turn {
    calls: Vec<ToolCall>,
    native: Option<Native>,
}

impl Turn {
    fn of(response: &mut CallResponse) -> Self {
        let turn = Self { calls: std::mem::take(&mut response.tool_calls), native: response.native.take() };
        // Of a reply that was cut short the last call may be half a call, in the provider's own form, too.
        if response.ending == Ending::CutShort { Self::default() } else { turn }
    }
}

impl<'a> Trial<'a> {
    /// The first attempt starts now.
    pub(crate) fn begin(settings: &'a Settings, route: &Capabilities, name: Option<&str>, now: Instant) -> Self {
        let report = Report::new(route, name);
        Self { settings, least: None, json: true, report, start: now, attempt: now }
    }

    /// With the least guarantee that a reply must have.
    pub(crate) fn demanding(mut self, least: Option<Enforcement>) -> Self {
        self.least = least;
        self
    }

    /// Whether JSON is asked for.
    pub(crate) fn for_json(mut self, json: bool) -> Self {
        self.json = json;
        self
    }

    /// With the attempts that were made before, in another batch or another process.
    #[cfg(all(feature = "http", feature = "many"))]
    pub(crate) fn going_on(mut self, report: Report) -> Self {
        self.report = report;
        self
    }

    /// What was tried so far.
    #[cfg(all(feature = "http", feature = "many"))]
    pub(crate) fn into_report(self) -> Report {
        self.report
    }

    /// When the time of the whole task is over.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.settings.deadline(self.start)
    }

    /// The task starts only now: what went before was none of its time.
    pub(crate) fn starts(&mut self, now: Instant) {
        (self.start, self.attempt) = (now, now);
    }

    /// Another attempt starts now.
    pub(crate) fn next(&mut self, now: Instant) {
        self.attempt = now;
    }

    /// A turn that is no attempt: it called tools.
    pub(crate) fn turn(&mut self, turn: ToolTurn, response: &CallResponse) {
        self.report.usage += turn.usage;
        self.report.model.clone_from(&response.model);
        if let Some(answered) = &response.answered_by {
            self.report.route = Cow::Borrowed(answered.route);
            self.report.name = Some((*answered.name).to_owned());
        }
        self.report.passed_over.extend_from_slice(&response.passed_over);
        self.report.turns.push(turn);
    }

    /// The schema is sent after the tools were called.
    pub(crate) fn in_two_steps(&mut self) {
        self.report.two_steps = true;
    }

    /// The attempt that was judged last.
    pub(crate) fn last_attempt(&self) -> Option<&Attempt> {
        self.report.attempts.last()
    }

    /// The error of a run that ends between attempts.
    pub(crate) fn ended(&mut self, kind: ErrorKind, words: String, now: Instant) -> Error {
        self.report.duration = now.saturating_duration_since(self.start);
        Error::new(kind, words, self.taken())
    }

    /// The error of a run that is broken off between attempts.
    pub(crate) fn broken(&mut self, error: CallError, now: Instant) -> Error {
        self.report.duration = now.saturating_duration_since(self.start);
        Error::of_call(error, self.taken())
    }

    /// Whether the policy has room for another attempt after the one under way.
    pub(crate) fn may_go_on(&self) -> bool {
        self.report.attempts.len() < self.settings.policy.max_retries as usize
    }

    /// What follows the attempt that came to an end now.
    pub(crate) fn judge<R: Read + ?Sized>(
        &mut self,
        result: Result<CallResponse, CallError>,
        now: Instant,
        reader: &R,
    ) -> Step<R::Value> {
        let mut attempt = self.attempted(now);
        let (flaw, turn) = match result {
            Err(error) => (self.no_reply(error, &mut attempt), Turn::default()),
            Ok(mut response) => {
                let turn = Turn::of(&mut response);
                let text = std::mem::take(&mut response.text);
                let ending = self.note(response, &mut attempt);
                let number = u32::try_from(self.report.attempts.len() + 1).unwrap_or(u32::MAX);
                match self.finish(ending) {
                    Err(flaw) => {
                        attempt.raw_text = Some(text);
                        (flaw, turn)
                    }
                    Ok(finish) => {
                        let context = self.settings.context.clone().with_attempt(number);
                        let read = reader.read(&text, finish, context);
                        attempt.raw_text = Some(text);
                        match read {
                            Ok(decoded) => {
                                self.report.repairs = decoded.repairs;
                                self.report.attempts.push(attempt);
                                let report = std::mem::replace(&mut self.report, Report::unsent());
                                return Step::Done(Reply { value: decoded.value, report });
                            }
                            Err(error) => (Flaw::Text(error), turn),
                        }
                    }
                }
            }
        };
        self.follow(flaw, turn, attempt, now)
    }

    /// The attempt that ends now, as valid as long as nothing is found.
    fn attempted(&mut self, now: Instant) -> Attempt {
        self.report.duration = now.saturating_duration_since(self.start);
        Attempt {
            outcome: Outcome::Valid,
            finish: None,
            duration: now.saturating_duration_since(self.attempt),
            usage: crate::adapter::Usage::default(),
            transport_retries: 0,
            id: None,
            raw_text: None,
            problem: String::new(),
            violations: Vec::new(),
        }
    }

    fn no_reply(&mut self, error: CallError, attempt: &mut Attempt) -> Flaw {
        attempt.transport_retries = error.retries();
        if let Some(usage) = error.usage() {
            attempt.usage = usage;
            self.report.usage += usage;
        }
        self.report.passed_over.extend_from_slice(error.passed_over());
        Flaw::Call(error)
    }

    /// Takes over what a reply says of itself.
    fn note(&mut self, response: CallResponse, attempt: &mut Attempt) -> Ending {
        let CallResponse { ending, usage, enforcement, model, id, retries, answered_by, passed_over, cached, .. } =
            response;
        self.report.enforcement = enforcement;
        self.report.model = model;
        self.report.usage += usage;
        if let Some(answered) = answered_by {
            self.report.route = Cow::Borrowed(answered.route);
            self.report.name = Some((*answered.name).to_owned());
        }
        self.report.passed_over.extend(passed_over);
        self.report.cached = cached;
        attempt.usage = usage;
        attempt.id = id;
        attempt.transport_retries = retries;
        attempt.finish = Some(ending.clone());
        ending
    }

    /// How far the reply's text may be looked at.
    fn finish(&self, ending: Ending) -> Result<Finish, Flaw> {
        let held = self.report.enforcement;
        match ending {
            Ending::Refused(words) => Err(Flaw::Ending(ErrorKind::Refused, words.into())),
            Ending::Filtered(reason) => Err(Flaw::Ending(ErrorKind::Filtered, reason.into())),
            Ending::Cancelled => Err(Flaw::Ending(ErrorKind::Cancelled, "on the provider's side".into())),
            _ if self.least.is_some_and(|least| held < least) => Err(Flaw::Guarantee(held)),
            Ending::ToolCalls => Err(Flaw::Calls),
            Ending::CutShort => Ok(Finish::Length),
            Ending::Complete => Ok(Finish::Stop),
        }
    }

    /// What follows an attempt without a value.
    fn follow<T>(&mut self, flaw: Flaw, turn: Turn, mut attempt: Attempt, now: Instant) -> Step<T> {
        flaw.describe(&mut attempt);
        self.report.attempts.push(attempt);
        match self.another(&flaw, now) {
            Ok(()) => {
                let text = self.report.attempts.last().and_then(|attempt| attempt.raw_text.as_deref()).unwrap_or("");
                Step::Again(match &flaw {
                    Flaw::Text(error) => {
                        feedback::turns(text, turn.calls, turn.native, feedback::about(error, self.json))
                    }
                    Flaw::Calls => feedback::turns(text, turn.calls, turn.native, feedback::about_calls(self.json)),
                    // There is no reply to speak about: the same is asked again.
                    _ => Vec::new(),
                })
            }
            Err(withheld) => {
                self.report.withheld = withheld;
                Step::Failed(flaw.into_error(self.taken()))
            }
        }
    }

    /// Whether another attempt may follow; if not, why one was withheld that the policy had room for.
    fn another(&self, flaw: &Flaw, now: Instant) -> Result<(), Option<Withheld>> {
        let Settings { policy, timeout, budget, .. } = self.settings;
        let made = self.report.attempts.len();
        if policy.max_retries > 0 && made > policy.max_retries as usize {
            return Err(None);
        }
        if let Some(withheld) = flaw.is_final() {
            return Err(Some(withheld));
        }
        if policy.max_retries == 0 {
            return Err(Some(Withheld::Policy));
        }
        let took = self.report.attempts.first().map(|first| first.duration).unwrap_or_default();
        if let Some(limit) = policy.gate(*timeout)
            && took >= limit
        {
            return Err(Some(Withheld::TookTooLong { took, limit }));
        }
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            return Err(Some(Withheld::Deadline));
        }
        match budget.as_ref().map_or(Ok(()), |budget| budget.check(now)) {
            Ok(()) => Ok(()),
            Err(exceeded) => Err(Some(Withheld::Budget(exceeded))),
        }
    }

    /// The error of a task that was refused before anything was sent.
    pub(crate) fn refused(&mut self, kind: ErrorKind, words: String) -> Error {
        Error::new(kind, words, self.taken())
    }

    /// The error of a task that a budget ends. If a call was under way, that is an attempt.
    pub(crate) fn over_budget(&mut self, exceeded: Exceeded, under_way: bool, now: Instant) -> Error {
        if under_way {
            let mut attempt = self.attempted(now);
            attempt.outcome = Outcome::TimedOut;
            attempt.problem = exceeded.to_string();
            self.report.attempts.push(attempt);
        }
        Error::of_budget(exceeded, self.taken())
    }

    fn taken(&mut self) -> Report {
        std::mem::replace(&mut self.report, Report::unsent())
    }
}

impl Flaw {
    /// Why no other attempt can mend this; `None` if one can.
    fn is_final(&self) -> Option<Withheld> {
        match self {
            Self::Text(_) | Self::Calls => None,
            Self::Ending(..) => Some(Withheld::Intended),
            Self::Guarantee(_) => Some(Withheld::Unmendable),
            Self::Call(error) => match error.kind() {
                CallErrorKind::Cancelled | CallErrorKind::InputBlocked => Some(Withheld::Intended),
                CallErrorKind::Timeout => Some(Withheld::Deadline),
                CallErrorKind::Transport | CallErrorKind::RateLimited => Some(Withheld::Transport),
                // A model or a program that failed may do better; a server that answers with a fault
                // has been asked again by the route.
                CallErrorKind::Provider if error.status().is_some_and(|status| status >= 400) => {
                    Some(Withheld::Transport)
                }
                // And so may one whose answer was not in form.
                CallErrorKind::Provider | CallErrorKind::InvalidOutput => None,
                CallErrorKind::TurnLimit
                | CallErrorKind::BudgetLimit
                | CallErrorKind::Unavailable
                | CallErrorKind::SchemaRefused
                | CallErrorKind::Unsupported
                | CallErrorKind::InvalidRequest
                | CallErrorKind::Unauthorized => Some(Withheld::Unmendable),
            },
        }
    }

    /// Writes what is wrong into the attempt.
    fn describe(&self, attempt: &mut Attempt) {
        (attempt.outcome, attempt.problem) = match self {
            Self::Call(error) => (Outcome::of_call(error.kind()), error.to_string()),
            Self::Text(error) => {
                attempt.violations = error.violations().to_vec();
                let words = error.kind().words();
                let outcome = if error.is_cut_short() { Outcome::CutShort } else { Outcome::Invalid };
                (outcome, if error.detail().is_empty() { words.into() } else { format!("{words}: {}", error.detail()) })
            }
            Self::Calls => (Outcome::ToolCalls, "the model called tools, and none are to be called here".to_owned()),
            Self::Ending(kind, words) => (
                match kind {
                    ErrorKind::Filtered => Outcome::Filtered,
                    ErrorKind::Cancelled => Outcome::Cancelled,
                    _ => Outcome::Refused,
                },
                words.clone().into_owned(),
            ),
            Self::Guarantee(held) => (Outcome::NotEnforced, weaker(*held)),
        };
    }

    fn into_error(self, report: Report) -> Error {
        match self {
            Self::Call(error) => Error::of_call(error, report),
            Self::Text(error) => Error::of_decode(error, report),
            Self::Calls => {
                Error::new(ErrorKind::InvalidOutput, "the model called tools, and none are to be called here", report)
            }
            Self::Ending(kind, words) => Error::new(kind, words, report),
            Self::Guarantee(held) => Error::new(ErrorKind::NotEnforced, weaker(held), report),
        }
    }
}

fn weaker(held: Enforcement) -> String {
    format!("the route's guarantee for this reply is only `{held}`")
}
