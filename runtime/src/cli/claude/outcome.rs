//! What a run of `claude` came to.

use serde::Deserialize;
use serde_json::Value;

use super::super::process::{Ended, How};
use super::super::protocol::{event, failed, kind_of_status, no_answer, words};
use super::events::{Events, Fault, ResultEvent, Tokens};
use crate::adapter::{CallError, CallErrorKind, CallResponse, Ending, Enforcement, Usage};

/// Envelopes within envelopes that are opened.
const WITHIN: usize = 4;

/// What the client says in place of a schema that it does not take.
const DROPPED: &str = "`claude` dropped the schema without a word: its validator takes draft 7 of JSON Schema, no \
                       `format`, and no keyword that it does not know";

pub(super) fn of(mut events: Events, ended: &Ended) -> Result<CallResponse, CallError> {
    let Some(result) = events.result.take().map(unwrapped) else {
        return Err(no_result(&events, ended));
    };
    let usage = usage(&result);
    let outcome = match result.subtype.as_deref() {
        Some("success") | None if !result.is_error => answer(&events, &result),
        _ => fault(&events, &result),
    };
    match outcome {
        Ok(mut response) => {
            response.usage = usage;
            response.model = events.model;
            response.retries = events.retries;
            response.id = result.session_id;
            Ok(response)
        }
        Err(error) => Err(error.with_usage(usage).with_retries(events.retries)),
    }
}

/// Some wrappers hand over the whole envelope as the result of another.
fn unwrapped(mut result: ResultEvent) -> ResultEvent {
    #[derive(Deserialize)]
    struct Head {
        r#type: String,
    }
    for _ in 0..WITHIN {
        let inner = result.result.as_deref().filter(|text| text.trim_start().starts_with('{'));
        match inner.filter(|text| event::<Head>(text).is_some_and(|head| head.r#type == "result")).and_then(event) {
            Some(inner) if result.structured_output.is_none() => result = inner,
            _ => break,
        }
    }
    result
}

fn usage(result: &ResultEvent) -> Usage {
    let none = Tokens::default();
    let tokens = result.usage.as_ref().unwrap_or(&none);
    let input = [tokens.input, tokens.from_cache, tokens.into_cache];
    let mut usage = Usage::new(input.into_iter().fold(0, u64::saturating_add), tokens.output);
    usage.cached_input_tokens = tokens.from_cache;
    usage.cost_usd = result.total_cost_usd;
    usage
}

/// What a run that calls itself a success brought.
fn answer(events: &Events, result: &ResultEvent) -> Result<CallResponse, CallError> {
    if !events.asked {
        return Ok(CallResponse::new(result.result.clone().unwrap_or_default(), Enforcement::None));
    }
    if let Some(value) = &result.structured_output {
        let text = exact(events.written.as_deref(), value.get());
        return Ok(CallResponse::new(text, Enforcement::Enforced));
    }
    let bytes = result.result.as_ref().map_or(0, String::len);
    Err(match (events.offered, events.tries) {
        (Some(false), _) => CallError::new(CallErrorKind::SchemaRefused, DROPPED),
        (Some(true), 0) => CallError::new(
            CallErrorKind::InvalidOutput,
            format!(
                "the model answered in words ({bytes} bytes) and not in the form asked for, also when `claude` asked again"
            ),
        ),
        (Some(true), tries) => CallError::new(
            CallErrorKind::InvalidOutput,
            format!(
                "the model tried {tries} times to answer in the form asked for, and `claude` ended without an answer in it"
            ),
        ),
        (None, _) => CallError::new(
            CallErrorKind::InvalidOutput,
            format!(
                "`claude` calls it a success and has no answer in the form asked for, but {bytes} bytes of words: either \
                 the model never used the form, or the schema was dropped"
            ),
        ),
    })
}

/// The client's value with the numbers that the model wrote: the client reads every number into 64 bits of floating
/// point. If they differ in nothing else, it is the model's own text.
fn exact(written: Option<&str>, read: &str) -> String {
    let parse = |written| Some((serde_json::from_str::<Value>(written).ok()?, serde_json::from_str(read).ok()?));
    match written.and_then(|written| Some((written, parse(written)?))) {
        Some((written, (model, mut client))) => {
            restore(&mut client, &model);
            if client == model { written.trim().to_owned() } else { client.to_string() }
        }
        None => read.to_owned(),
    }
}

/// A key that the client's language cannot set.
const LOST: &str = "__proto__";

/// Puts the model's numbers in place of what rounding made of them, and back what was lost.
fn restore(client: &mut Value, model: &Value) {
    match (client, model) {
        (Value::Number(rounded), Value::Number(exact))
            if rounded.as_f64().zip(exact.as_f64()).is_some_and(|(a, b)| close(a, b)) =>
        {
            rounded.clone_from(exact);
        }
        (Value::Array(client), Value::Array(model)) => {
            client.iter_mut().zip(model).for_each(|(client, model)| restore(client, model));
        }
        (Value::Object(client), Value::Object(model)) => {
            for (key, client) in &mut *client {
                if let Some(model) = model.get(key) {
                    restore(client, model);
                }
            }
            if let Some(lost) = model.get(LOST) {
                client.entry(LOST).or_insert_with(|| lost.clone());
            }
        }
        _ => {}
    }
}

/// Equal up to rounding: `serde_json` reads long fractions to within a few units in the last place.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 4.0 * f64::EPSILON * a.abs().max(b.abs())
}

/// What a run that ended in an error brought.
fn fault(events: &Events, result: &ResultEvent) -> Result<CallResponse, CallError> {
    let said = match &result.result {
        Some(text) if !text.is_empty() => text.clone(),
        _ => result.errors.join("; "),
    };
    let error = |kind, what| Err(failed(kind, what, &said));
    match result.subtype.as_deref() {
        Some("error_max_structured_output_retries") => {
            return error(CallErrorKind::InvalidOutput, "the model did not get to an answer in the form asked for");
        }
        Some("error_max_turns") => return error(CallErrorKind::TurnLimit, "`claude` reached its limit of turns"),
        Some("error_max_budget_usd") => return error(CallErrorKind::BudgetLimit, "`claude` reached its limit of cost"),
        _ => {}
    }
    if result.stop_reason.as_deref() == Some("refusal") {
        let words = events.refusal.clone().filter(|why| !why.is_empty()).unwrap_or_else(|| words(&said));
        return Ok(ended(events, Ending::Refused(words)));
    }
    if result.terminal_reason.as_deref() == Some("prompt_too_long") {
        return error(CallErrorKind::InputBlocked, "the prompt is too long for the model");
    }
    if events.error.as_deref() == Some("max_output_tokens") || result.stop_reason.as_deref() == Some("max_tokens") {
        return Ok(ended(events, Ending::CutShort));
    }
    if let Some(status) = result.api_error_status {
        let kind = if names_the_schema(&said) { CallErrorKind::SchemaRefused } else { kind_of_status(status) };
        return Err(failed(kind, "the provider answered with an error", &said).with_status(status));
    }
    match events.error.as_deref() {
        Some("authentication_failed") => error(CallErrorKind::Unauthorized, "`claude` has no valid login"),
        Some("billing_error" | "rate_limit") => error(CallErrorKind::RateLimited, "a quota is used up"),
        _ if is_login_missing(&said) => error(CallErrorKind::Unauthorized, "`claude` has no valid login"),
        _ => error(CallErrorKind::Provider, "`claude` failed"),
    }
}

fn ended(events: &Events, ending: Ending) -> CallResponse {
    let enforcement = if events.asked { Enforcement::Enforced } else { Enforcement::None };
    let mut response = CallResponse::new(events.written.clone().unwrap_or_default(), enforcement);
    response.ending = ending;
    response
}

fn names_the_schema(said: &str) -> bool {
    said.contains("input_schema") || said.contains("JSON schema") || said.contains("output_config.format")
}

/// Versions that do not name what went wrong say it like this.
fn is_login_missing(said: &str) -> bool {
    ["/login", "Invalid API key", "OAuth token"].iter().any(|sign| said.contains(sign))
}

/// Why there is no result.
fn no_result(events: &Events, ended: &Ended) -> CallError {
    if events.asked && events.offered == Some(false) {
        return CallError::new(CallErrorKind::SchemaRefused, DROPPED);
    }
    if ended.how == How::Enough
        && let Some(Fault { error_status: Some(status), error }) = &events.fault
    {
        let said = error.as_deref().unwrap_or_default();
        return failed(kind_of_status(*status), "the provider refuses the login of `claude`", said)
            .with_status(*status)
            .with_retries(events.retries);
    }
    if let How::Exited(_) = ended.how {
        if ended.stderr.contains("--json-schema") {
            return failed(CallErrorKind::SchemaRefused, "`claude` refused the schema", &ended.stderr);
        }
        if ended.stderr.contains("unknown option") || ended.stderr.contains("error: option") {
            return failed(CallErrorKind::InvalidRequest, "`claude` refused its arguments", &ended.stderr);
        }
    }
    let waiting = events.fault.as_ref().map(|fault| {
        let status = fault.error_status.map_or_else(|| "a fault".to_owned(), |status| format!("status {status}"));
        let word = fault.error.as_deref().map(|word| format!(" ({})", words(word))).unwrap_or_default();
        format!("the provider had answered with {status}{word} {} times", events.retries)
    });
    no_answer("claude", ended, waiting.as_deref()).with_retries(events.retries)
}
