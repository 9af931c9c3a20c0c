//! The account of how a value was had.

use std::fmt;
use std::time::Duration;

use crate::adapter::{Enforcement, Usage};
use crate::check::Violation;
use crate::decode::Repair;

/// A value, and the account of how it was had.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Reply<T> {
    /// The value.
    pub value: T,
    /// How it was had.
    pub report: Report,
}

/// How a value was had, or what was tried for it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// The route that answered.
    pub route: &'static str,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// What the route guaranteed.
    pub enforcement: Enforcement,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
    /// What decoding mended in the reply that was taken, and where.
    pub repairs: Vec<Repair>,
    /// Tokens of all attempts together.
    pub usage: Usage,
    /// Wall time of the whole task.
    pub duration: Duration,
}

/// One attempt. The reply's text is not in its `Debug` form.
#[derive(Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// How it ended.
    pub outcome: Outcome,
    /// Wall time.
    pub duration: Duration,
    /// Tokens.
    pub usage: Usage,
    /// The reply as the model wrote it, if there was one.
    pub raw_text: Option<String>,
    /// What was wrong with it.
    pub violations: Vec<Violation>,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// With a valid value.
    Valid,
    /// With a reply that is not what was asked for.
    Invalid,
    /// With a reply that a token limit cut short.
    CutShort,
    /// With a refusal.
    Refused,
    /// With a reply that the provider withheld.
    Filtered,
    /// At the deadline.
    TimedOut,
    /// Cancelled.
    Cancelled,
    /// Without a reply.
    Failed,
}

impl Report {
    pub(crate) fn new(route: &'static str, enforcement: Enforcement) -> Self {
        Self {
            route,
            model: String::new(),
            enforcement,
            attempts: Vec::new(),
            repairs: Vec::new(),
            usage: Usage::default(),
            duration: Duration::ZERO,
        }
    }
}

impl Attempt {
    pub(crate) fn failed(outcome: Outcome, duration: Duration) -> Self {
        Self { outcome, duration, usage: Usage::default(), raw_text: None, violations: Vec::new() }
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("outcome", &self.outcome)
            .field("duration", &self.duration)
            .field("usage", &self.usage)
            .field("raw_text", &self.raw_text.as_ref().map(String::len))
            .field("violations", &self.violations)
            .finish()
    }
}

/// A few aligned lines for a terminal.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "route      {}{}", self.route, named(&self.model))?;
        writeln!(f, "guarantee  {}", self.enforcement)?;
        writeln!(f, "time       {:.2} s", self.duration.as_secs_f64())?;
        write!(f, "tokens     {} in, {} out", self.usage.input_tokens, self.usage.output_tokens)?;
        for (i, attempt) in self.attempts.iter().enumerate() {
            if self.attempts.len() > 1 || attempt.outcome != Outcome::Valid {
                write!(f, "\nattempt {}  {:?}, {:.2} s", i + 1, attempt.outcome, attempt.duration.as_secs_f64())?;
            }
        }
        for repair in &self.repairs {
            write!(f, "\nrepaired   {repair}")?;
        }
        Ok(())
    }
}

fn named(model: &str) -> String {
    if model.is_empty() { String::new() } else { format!(" ({model})") }
}
