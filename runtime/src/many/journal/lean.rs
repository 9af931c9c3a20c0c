//! Reports as they stand in a journal: without what is empty or as nearly always, and without the reply that stands beside
//! them.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;

use super::members::Members;
use super::object::Object;
use crate::adapter::{Ending, Usage};
use crate::worker::{Attempt, Outcome, Report, millis};

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

/// Reads them.
pub(super) fn read(members: &mut Members<'_>) -> Option<Report> {
    let mut report = Report {
        route: Cow::Owned(members.text("route")?.into_owned()),
        name: members.maybe_text("name")?,
        model: members.maybe_text("model")?.unwrap_or_default(),
        enforcement: members.word("enforcement")?,
        attempts: members.list("attempts", read_attempt)?,
        withheld: members.unless(None, "withheld")?,
        passed_over: members.unless(Vec::new(), "passed_over")?,
        repairs: members.unless(Vec::new(), "repairs")?,
        cached: members.unless(false, "cached")?,
        duration: read_duration(members)?,
        ..Report::unsent()
    };
    for attempt in &report.attempts {
        report.usage += attempt.usage;
    }
    Some(report)
}

fn read_attempt(members: &mut Members<'_>) -> Option<Attempt> {
    let (outcome, finish) = if members.is_next("outcome") {
        (members.word("outcome")?, members.unless(None, "finish")?)
    } else {
        (Outcome::Valid, Some(Ending::Complete))
    };
    Some(Attempt {
        outcome,
        finish,
        duration: read_duration(members)?,
        usage: if members.is_next("usage") { members.object("usage", read_usage)? } else { Usage::default() },
        transport_retries: members.unless(0, "transport_retries")?,
        id: members.maybe_text("id")?,
        raw_text: members.maybe_text("raw_text")?,
        problem: members.maybe_text("problem")?.unwrap_or_default(),
        violations: members.unless(Vec::new(), "violations")?,
    })
}

fn read_duration(members: &mut Members<'_>) -> Option<Duration> {
    millis::duration(members.number("ms")?).ok()
}

fn read_usage(members: &mut Members<'_>) -> Option<Usage> {
    Some(Usage {
        input_tokens: members.number("input_tokens")?,
        output_tokens: members.number("output_tokens")?,
        cached_input_tokens: members.unless(0, "cached_input_tokens")?,
        reasoning_tokens: members.unless(0, "reasoning_tokens")?,
        cost_usd: members.unless(None, "cost_usd")?,
    })
}
