//! Reports as they stand in a journal: without what is empty or as nearly always, and without the reply that stands beside
//! them.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::object::Object;
use crate::adapter::{Ending, Enforcement, PassedOver, Usage};
use crate::check::Violation;
use crate::decode::Repair;
use crate::worker::{Attempt, Outcome, Report, Withheld, millis};

/// A report as it is read. What is not there is as it is for nearly all.
#[derive(Deserialize)]
pub(super) struct Lean {
    route: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    model: String,
    enforcement: Enforcement,
    attempts: Vec<LeanAttempt>,
    #[serde(default)]
    withheld: Option<Withheld>,
    #[serde(default)]
    passed_over: Vec<PassedOver>,
    #[serde(default)]
    repairs: Vec<Repair>,
    #[serde(default)]
    cached: bool,
    #[serde(rename = "ms", with = "millis")]
    duration: Duration,
}

#[derive(Deserialize)]
struct LeanAttempt {
    /// Not there if the attempt is valid and complete.
    #[serde(default)]
    outcome: Option<Outcome>,
    #[serde(default)]
    finish: Option<Ending>,
    #[serde(rename = "ms", with = "millis")]
    duration: Duration,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    transport_retries: u32,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    raw_text: Option<String>,
    #[serde(default)]
    problem: String,
    #[serde(default)]
    violations: Vec<Violation>,
}

#[derive(Serialize)]
struct Milliseconds(#[serde(with = "millis")] Duration);

/// Writes a report's members.
pub(super) fn write(report: &Report, object: &mut Object<'_>) {
    object.text("route", &report.route);
    object.maybe_text("name", report.name.as_deref());
    object.maybe_text("model", Some(&*report.model).filter(|model| !model.is_empty()));
    object.json("enforcement", &report.enforcement);
    object.list("attempts", &report.attempts, write_attempt);
    object.unless(&None, "withheld", &report.withheld);
    object.unless([].as_slice(), "passed_over", report.passed_over.as_slice());
    object.unless([].as_slice(), "repairs", report.repairs.as_slice());
    object.unless(&false, "cached", &report.cached);
    object.json("ms", &Milliseconds(report.duration));
}

fn write_attempt(attempt: &Attempt, object: &mut Object<'_>) {
    let valid = attempt.outcome == Outcome::Valid;
    if !valid || attempt.finish != Some(Ending::Complete) {
        object.json("outcome", &attempt.outcome);
        object.unless(&None, "finish", &attempt.finish);
    }
    object.json("ms", &Milliseconds(attempt.duration));
    if attempt.usage != Usage::default() {
        object.object("usage", |object| write_usage(&attempt.usage, object));
    }
    object.unless(&0, "transport_retries", &attempt.transport_retries);
    object.maybe_text("id", attempt.id.as_deref());
    // That of a valid one stands beside the report.
    object.maybe_text("raw_text", attempt.raw_text.as_deref().filter(|_| !valid));
    object.maybe_text("problem", Some(&*attempt.problem).filter(|problem| !problem.is_empty()));
    object.unless([].as_slice(), "violations", attempt.violations.as_slice());
}

fn write_usage(usage: &Usage, object: &mut Object<'_>) {
    let Usage { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost_usd } = usage;
    object.json("input_tokens", input_tokens);
    object.json("output_tokens", output_tokens);
    object.unless(&0, "cached_input_tokens", cached_input_tokens);
    object.unless(&0, "reasoning_tokens", reasoning_tokens);
    object.unless(&None, "cost_usd", cost_usd);
}

impl Lean {
    pub(super) fn into_report(self) -> Report {
        let mut report = Report {
            route: Cow::Owned(self.route),
            name: self.name,
            model: self.model,
            enforcement: self.enforcement,
            attempts: self.attempts.into_iter().map(LeanAttempt::into_attempt).collect(),
            withheld: self.withheld,
            passed_over: self.passed_over,
            repairs: self.repairs,
            cached: self.cached,
            duration: self.duration,
            ..Report::unsent()
        };
        for attempt in &report.attempts {
            report.usage += attempt.usage;
        }
        report
    }
}

impl LeanAttempt {
    fn into_attempt(self) -> Attempt {
        let (outcome, finish) = match self.outcome {
            None => (Outcome::Valid, Some(Ending::Complete)),
            Some(outcome) => (outcome, self.finish),
        };
        Attempt {
            outcome,
            finish,
            duration: self.duration,
            usage: self.usage,
            transport_retries: self.transport_retries,
            id: self.id,
            raw_text: self.raw_text,
            problem: self.problem,
            violations: self.violations,
        }
    }
}
