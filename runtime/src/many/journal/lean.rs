//! Reports as they stand in a journal: without what is empty or as nearly always, and without the reply that stands beside
//! them.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::adapter::{Ending, Enforcement, PassedOver, Usage};
use crate::check::Violation;
use crate::decode::Repair;
use crate::worker::{Attempt, Outcome, Report, Withheld, millis};

/// A report without what is empty, and attempts without what is so for nearly all: valid, complete. A valid reply's text is left out.
#[derive(Serialize, Deserialize)]
pub(super) struct Lean<'r> {
    route: Cow<'r, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'r, str>>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    model: Cow<'r, str>,
    enforcement: Enforcement,
    attempts: Vec<LeanAttempt<'r>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    withheld: Option<Cow<'r, Withheld>>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    passed_over: Cow<'r, [PassedOver]>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    repairs: Cow<'r, [Repair]>,
    #[serde(default, skip_serializing_if = "is_default")]
    cached: bool,
    #[serde(rename = "ms", with = "millis")]
    duration: Duration,
}

#[derive(Serialize, Deserialize)]
struct LeanAttempt<'r> {
    #[serde(default = "valid", skip_serializing_if = "is_valid")]
    outcome: Outcome,
    #[serde(default = "complete", skip_serializing_if = "is_complete")]
    finish: Option<Cow<'r, Ending>>,
    #[serde(rename = "ms", with = "millis")]
    duration: Duration,
    #[serde(default, skip_serializing_if = "is_default")]
    usage: LeanUsage,
    #[serde(default, skip_serializing_if = "is_default")]
    transport_retries: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'r, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw_text: Option<Cow<'r, str>>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    problem: Cow<'r, str>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    violations: Cow<'r, [Violation]>,
}

#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct LeanUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(skip_serializing_if = "is_default")]
    cached_input_tokens: u64,
    #[serde(skip_serializing_if = "is_default")]
    reasoning_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
}

const fn valid() -> Outcome {
    Outcome::Valid
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the types are those that serde asks for")]
fn is_valid(outcome: &Outcome) -> bool {
    *outcome == valid()
}

#[allow(clippy::unnecessary_wraps, clippy::ref_option, reason = "the types are those that serde asks for")]
const fn complete<'r>() -> Option<Cow<'r, Ending>> {
    Some(Cow::Owned(Ending::Complete))
}

#[allow(clippy::ref_option, reason = "the types are those that serde asks for")]
fn is_complete(finish: &Option<Cow<'_, Ending>>) -> bool {
    *finish == complete()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl<'r> Lean<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        Self {
            route: Cow::Borrowed(&report.route),
            name: report.name.as_deref().map(Cow::Borrowed),
            model: Cow::Borrowed(&report.model),
            enforcement: report.enforcement,
            attempts: report.attempts.iter().map(LeanAttempt::of).collect(),
            withheld: report.withheld.as_ref().map(Cow::Borrowed),
            passed_over: Cow::Borrowed(&report.passed_over),
            repairs: Cow::Borrowed(&report.repairs),
            cached: report.cached,
            duration: report.duration,
        }
    }

    pub(super) fn into_report(self) -> Report {
        let mut report = Report {
            route: Cow::Owned(self.route.into_owned()),
            name: self.name.map(Cow::into_owned),
            model: self.model.into_owned(),
            enforcement: self.enforcement,
            attempts: self.attempts.into_iter().map(LeanAttempt::into_attempt).collect(),
            withheld: self.withheld.map(Cow::into_owned),
            passed_over: self.passed_over.into_owned(),
            repairs: self.repairs.into_owned(),
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

impl<'r> LeanAttempt<'r> {
    fn of(attempt: &'r Attempt) -> Self {
        let Usage { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost_usd } = attempt.usage;
        let beside = attempt.outcome == Outcome::Valid;
        Self {
            outcome: attempt.outcome,
            finish: attempt.finish.as_ref().map(Cow::Borrowed),
            duration: attempt.duration,
            usage: LeanUsage { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost_usd },
            transport_retries: attempt.transport_retries,
            id: attempt.id.as_deref().map(Cow::Borrowed),
            raw_text: attempt.raw_text.as_deref().filter(|_| !beside).map(Cow::Borrowed),
            problem: Cow::Borrowed(&attempt.problem),
            violations: Cow::Borrowed(&attempt.violations),
        }
    }

    fn into_attempt(self) -> Attempt {
        let LeanUsage { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost_usd } = self.usage;
        Attempt {
            outcome: self.outcome,
            finish: self.finish.map(Cow::into_owned),
            duration: self.duration,
            usage: Usage { input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost_usd },
            transport_retries: self.transport_retries,
            id: self.id.map(Cow::into_owned),
            raw_text: self.raw_text.map(Cow::into_owned),
            problem: self.problem.into_owned(),
            violations: self.violations.into_owned(),
        }
    }
}
