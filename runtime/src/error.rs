//! Why no value could be had.

use std::error::Error as StdError;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::adapter::{CallError, CallErrorKind};
use crate::check::Violation;
use crate::decode::{DecodeError, DecodeErrorKind};
use crate::worker::{Exceeded, Report};

/// Why no value could be had, with the whole report of what was tried.
///
/// Neither `Display` nor `Debug` hold prompts, keys or replies; [`raw_text`](Self::raw_text) has the
/// last reply for those who ask. It serializes, replies included, for records that may hold them.
pub struct Error(Box<Repr>);

struct Repr {
    kind: ErrorKind,
    message: String,
    violations: Vec<Violation>,
    report: Report,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What sort of failure an [`Error`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The model refused.
    Refused,
    /// The provider withheld the reply.
    Filtered,
    /// A token limit cut the reply short.
    Truncated,
    /// The reply is not what the schema asks for.
    InvalidOutput,
    /// The route cannot guarantee what was demanded; nothing was sent.
    NotEnforced,
    /// The provider refused the schema.
    SchemaRefused,
    /// The credentials are missing or were refused.
    Unauthorized,
    /// The deadline passed.
    Timeout,
    /// The call was cancelled.
    Cancelled,
    /// The provider could not be reached.
    Transport,
    /// The provider, or the model, failed.
    Provider,
    /// The model asks back instead of answering.
    ClarificationNeeded,
    /// The request itself cannot be carried, or was blocked.
    InputBlocked,
    /// The request is at fault, as the provider found, or a check before it was sent.
    InvalidRequest,
    /// Too many requests, or a quota is used up.
    RateLimited,
    /// The budget is used up; see [`Error::budget`].
    BudgetExceeded,
    /// No route does what is needed; nothing was sent.
    NoRoute,
    /// A loop has made all the calls that it may.
    MaxTurns,
    /// The model repeats a call of a tool that fails each time.
    Stuck,
    /// The route ended the run at its limit of turns or of cost.
    LimitReached,
    /// The route is not there: a program is not installed, too old, or does not run on this machine.
    Unavailable,
    /// The input of a run could not be read; nothing was sent.
    InvalidInput,
    /// The journal of a run cannot be read or written.
    Journal,
}

impl ErrorKind {
    const fn words(self) -> &'static str {
        match self {
            Self::Refused => "the model refused",
            Self::Filtered => "the provider withheld the reply",
            Self::Truncated => "the reply was cut short by a token limit",
            Self::InvalidOutput => "the reply is not what was asked for",
            Self::NotEnforced => "the route does not give what was demanded",
            Self::SchemaRefused => "the provider refused the schema",
            Self::Unauthorized => "the credentials were refused",
            Self::Timeout => "the deadline passed",
            Self::Cancelled => "the call was cancelled",
            Self::Transport => "the provider could not be reached",
            Self::Provider => "the provider failed",
            Self::ClarificationNeeded => "the model asks back",
            Self::InputBlocked => "the request cannot be carried",
            Self::InvalidRequest => "there is a fault in the request",
            Self::RateLimited => "too many requests",
            Self::BudgetExceeded => "there is no budget for it",
            Self::NoRoute => "there is no route for it",
            Self::MaxTurns => "the turns are used up",
            Self::Stuck => "the model does not get on",
            Self::LimitReached => "the run reached its limit",
            Self::Unavailable => "the route is not there",
            Self::InvalidInput => "the input could not be read",
            Self::Journal => "the journal cannot be kept",
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>, report: Report) -> Self {
        Self(Box::new(Repr { kind, message: message.into(), violations: Vec::new(), report, source: None }))
    }

    pub(crate) fn of_call(error: CallError, report: Report) -> Self {
        let kind = match error.kind() {
            CallErrorKind::SchemaRefused => ErrorKind::SchemaRefused,
            CallErrorKind::InputBlocked => ErrorKind::InputBlocked,
            CallErrorKind::Timeout => ErrorKind::Timeout,
            CallErrorKind::Cancelled => ErrorKind::Cancelled,
            CallErrorKind::Transport => ErrorKind::Transport,
            CallErrorKind::Provider => ErrorKind::Provider,
            CallErrorKind::Unsupported => ErrorKind::NotEnforced,
            CallErrorKind::InvalidRequest => ErrorKind::InvalidRequest,
            CallErrorKind::Unauthorized => ErrorKind::Unauthorized,
            CallErrorKind::RateLimited => ErrorKind::RateLimited,
            CallErrorKind::InvalidOutput => ErrorKind::InvalidOutput,
            CallErrorKind::TurnLimit | CallErrorKind::BudgetLimit => ErrorKind::LimitReached,
            CallErrorKind::Unavailable => ErrorKind::Unavailable,
        };
        let mut this = Self::new(kind, "", report);
        this.0.source = Some(Box::new(error));
        this
    }

    pub(crate) fn of_decode(error: DecodeError, report: Report) -> Self {
        let kind = match error.kind() {
            DecodeErrorKind::CutShort => ErrorKind::Truncated,
            DecodeErrorKind::Filtered => ErrorKind::Filtered,
            _ => ErrorKind::InvalidOutput,
        };
        let mut this = Self::new(kind, "", report);
        this.0.violations = error.violations().to_vec();
        this.0.source = Some(Box::new(error));
        this
    }

    pub(crate) fn of_budget(exceeded: Exceeded, report: Report) -> Self {
        let mut this = Self::new(ErrorKind::BudgetExceeded, "", report);
        this.0.source = Some(Box::new(exceeded));
        this
    }

    /// A failure of an earlier run.
    #[cfg(feature = "many")]
    pub(crate) fn recalled(kind: ErrorKind, words: String, violations: Vec<Violation>, report: Report) -> Self {
        let mut this = Self::new(kind, words, report);
        this.0.violations = violations;
        this
    }

    #[cfg(feature = "many")]
    pub(crate) fn of_journal(error: crate::many::JournalError) -> Self {
        let mut this = Self::new(ErrorKind::Journal, error.to_string(), Report::unsent());
        this.0.source = Some(Box::new(error));
        this
    }

    /// With the report of what was tried before.
    #[cfg(feature = "many")]
    pub(crate) fn with_report(mut self, report: Report) -> Self {
        self.0.report = report;
        self
    }

    /// Its own words, or those of what is behind it.
    #[cfg(feature = "many")]
    pub(crate) fn reason(&self) -> String {
        match (self.words(), &self.0.source) {
            (None, Some(source)) => source.to_string(),
            (words, _) => words.unwrap_or_default().to_owned(),
        }
    }

    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What was tried: route, attempts, usage.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.0.report
    }

    pub(crate) fn into_report(self) -> Report {
        self.0.report
    }

    /// What was wrong with the last reply.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// The model's or the provider's own words: those of a refusal, the reason of a filter, the question of a
    /// model that asks back.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        Some(self.0.message.as_str()).filter(|words| !words.is_empty())
    }

    /// Which limit of the budget was reached, and what was spent, if that is what ended the task.
    #[must_use]
    pub fn budget(&self) -> Option<&Exceeded> {
        self.0.source.as_ref()?.downcast_ref()
    }

    /// The last reply as the model wrote it, if there was one.
    #[must_use]
    pub fn raw_text(&self) -> Option<&str> {
        self.0.report.attempts.iter().rev().find_map(|attempt| attempt.raw_text.as_deref())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind.words())?;
        if !self.0.message.is_empty() {
            write!(f, ": {}", self.0.message)?;
        }
        match self.0.report.attempts.len() {
            0 | 1 => Ok(()),
            attempts => write!(f, " (attempt {attempts})"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("violations", &self.0.violations.len())
            .field("report", &self.0.report)
            .field("source", &self.0.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// The kind, the words, what is behind it, and the report.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut causes = Vec::new();
        let mut next = self.source();
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        let mut fields = serializer.serialize_struct("Error", 5)?;
        fields.serialize_field("kind", &self.0.kind)?;
        fields.serialize_field("message", &self.to_string())?;
        fields.serialize_field("causes", &causes)?;
        fields.serialize_field("violations", &self.0.violations)?;
        fields.serialize_field("report", &self.0.report)?;
        fields.end()
    }
}
