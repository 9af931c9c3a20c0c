//! The account of how a value was had.

mod show;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::budget::Exceeded;
use crate::adapter::{CallErrorKind, CallResponse, Capabilities, Ending, Enforcement, PassedOver, Usage};
use crate::check::Violation;
use crate::decode::Repair;
use crate::tool::ToolUse;

/// A value, and the account of how it was had.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The value.
    pub value: T,
    /// How it was had.
    pub report: Report,
}

impl<T> Reply<T> {
    /// The same account of another value.
    #[must_use]
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Reply<U> {
        Reply { value: make(self.value), report: self.report }
    }
}

/// How a value was had, or what was tried for it.
///
/// It serializes, replies included; `Display` is a few aligned lines for a terminal, without them.
/// Durations are numbers of milliseconds there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The route that answered.
    pub route: Cow<'static, str>,
    /// The name that the user gave that route, if it came from a [`Router`](crate::adapter::Router).
    pub name: Option<String>,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// What the route guaranteed for the reply that was taken; before there is one, what it can do.
    pub enforcement: Enforcement,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
    /// The turns before and between them in which the model called tools; only loops have these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<ToolTurn>,
    /// Whether the tools were called first and the schema sent after, because the route does not carry both at once.
    #[serde(default)]
    pub two_steps: bool,
    /// Why a bad result was not tried again, though retries were left.
    pub withheld: Option<Withheld>,
    /// The routes that a chain asked before, and why they did not answer.
    pub passed_over: Vec<PassedOver>,
    /// What decoding mended in the reply that was taken, and where.
    pub repairs: Vec<Repair>,
    /// Whether the reply that was taken is one that was kept, and nobody was asked for it.
    #[serde(default)]
    pub cached: bool,
    /// Tokens of all attempts together.
    pub usage: Usage,
    /// Wall time of the whole task.
    #[serde(rename = "duration_ms", with = "millis")]
    pub duration: Duration,
}

/// One attempt. The reply's text is not in its `Debug` form.
#[derive(Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Attempt {
    /// How it ended.
    pub outcome: Outcome,
    /// How the reply ended, as the provider reports it, if there was one.
    pub finish: Option<Ending>,
    /// Wall time.
    #[serde(rename = "duration_ms", with = "millis")]
    pub duration: Duration,
    /// Tokens.
    pub usage: Usage,
    /// How often the route sent the request again, after faults of the transport. These are no attempts.
    pub transport_retries: u32,
    /// The provider's mark for the reply, to find it in its logs.
    pub id: Option<String>,
    /// The reply as the model wrote it, if there was one.
    pub raw_text: Option<String>,
    /// What was wrong, in a sentence; empty for a valid value.
    pub problem: String,
    /// What was wrong with it, one by one.
    pub violations: Vec<Violation>,
}

/// A turn of a loop in which the model called tools.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolTurn {
    /// The calls, in the model's order.
    pub tools: Vec<ToolUse>,
    /// Wall time of the model's turn, without the tools'.
    #[serde(rename = "duration_ms", with = "millis")]
    pub duration: Duration,
    /// Tokens.
    pub usage: Usage,
    /// The provider's mark for the reply, to find it in its logs.
    pub id: Option<String>,
}

impl ToolTurn {
    pub(crate) fn new(response: &CallResponse, duration: Duration) -> Self {
        Self { tools: Vec::new(), duration, usage: response.usage, id: response.id.clone() }
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// With a valid value.
    Valid,
    /// With a reply that is not what was asked for.
    Invalid,
    /// With a reply that a token limit cut short.
    CutShort,
    /// With calls of tools that the model was not given.
    ToolCalls,
    /// With a refusal.
    Refused,
    /// With a reply that the provider withheld.
    Filtered,
    /// With a reply that has a weaker guarantee than was demanded.
    NotEnforced,
    /// With a request that was blocked.
    InputBlocked,
    /// With a question back.
    ClarificationNeeded,
    /// At the deadline.
    TimedOut,
    /// Cancelled.
    Cancelled,
    /// Without a reply.
    Failed,
}

impl Outcome {
    /// How an attempt ended that brought no reply, for this reason.
    pub(crate) fn of_call(kind: CallErrorKind) -> Self {
        match kind {
            CallErrorKind::Timeout => Self::TimedOut,
            CallErrorKind::Cancelled => Self::Cancelled,
            CallErrorKind::InputBlocked => Self::InputBlocked,
            CallErrorKind::InvalidOutput => Self::Invalid,
            _ => Self::Failed,
        }
    }
}

/// Why a bad result was not tried again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Withheld {
    /// The policy allows no retries.
    Policy,
    /// The first run took too long for another one.
    TookTooLong {
        /// How long it took.
        #[serde(rename = "took_ms", with = "millis")]
        took: Duration,
        /// It had to take less than this.
        #[serde(rename = "limit_ms", with = "millis")]
        limit: Duration,
    },
    /// The time was over: the task's, or the route's own for a call.
    Deadline,
    /// The budget was used up.
    Budget(Exceeded),
    /// The model or the provider ended it so on purpose: a refusal, a filter, a question, a cancellation.
    Intended,
    /// A second try cannot mend it: a bad key, a schema that the provider refuses.
    Unmendable,
    /// The provider could not be reached, or had no room. The route has its own retries for that.
    Transport,
}

impl Report {
    pub(crate) fn new(route: &Capabilities, name: Option<&str>) -> Self {
        Self {
            route: Cow::Borrowed(route.route),
            name: name.map(str::to_owned),
            enforcement: route.schema,
            ..Self::unsent()
        }
    }

    /// The report of what never came to a route.
    pub(crate) fn unsent() -> Self {
        Self {
            route: Cow::Borrowed("none"),
            name: None,
            model: String::new(),
            enforcement: Enforcement::None,
            attempts: Vec::new(),
            turns: Vec::new(),
            two_steps: false,
            withheld: None,
            passed_over: Vec::new(),
            repairs: Vec::new(),
            cached: false,
            usage: Usage::default(),
            duration: Duration::ZERO,
        }
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("outcome", &self.outcome)
            .field("duration", &self.duration)
            .field("usage", &self.usage)
            .field("transport_retries", &self.transport_retries)
            .field("id", &self.id)
            .field("raw_text", &self.raw_text.as_ref().map(String::len))
            .field("violations", &self.violations)
            .finish_non_exhaustive()
    }
}

/// Durations as numbers of milliseconds.
pub(crate) mod millis {
    use std::time::{Duration, TryFromFloatSecsError};

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::cast_precision_loss, reason = "a float holds the nanoseconds of a hundred days")]
    pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        // One division, so that the digits are those of the clock.
        (duration.as_nanos() as f64 / 1e6).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        duration(f64::deserialize(deserializer)?).map_err(D::Error::custom)
    }

    pub(crate) fn duration(milliseconds: f64) -> Result<Duration, TryFromFloatSecsError> {
        Duration::try_from_secs_f64(milliseconds / 1000.0)
    }
}
