//! What a failed turn of `codex` means.
//!
//! The program hands on what the provider said in a string: an error body as it came, or a sentence of its own around
//! a status or a reason.

use serde::Deserialize;

use super::super::process::{Ended, How};
use super::super::protocol::{event, failed, kind_of_status, no_answer, words};
use super::events::Events;
use crate::adapter::{CallError, CallErrorKind, CallResponse, Ending};

/// An error body of the provider.
#[derive(Default, Deserialize)]
struct Body {
    #[serde(default)]
    error: Details,
    status: Option<u16>,
}

#[derive(Default, Deserialize)]
struct Details {
    r#type: Option<String>,
    code: Option<String>,
    param: Option<String>,
    message: Option<String>,
}

/// A turn that failed with this message: a reply that was cut or withheld, or an error.
pub(super) fn of_turn(mut events: Events, message: &str) -> Result<CallResponse, CallError> {
    match incomplete(message) {
        Some("max_output_tokens") => return Ok(events.reply(Ending::CutShort)),
        Some("content_filter") => return Ok(events.reply(Ending::Filtered(words(message)))),
        _ => {}
    }
    let body = message.trim_start().starts_with('{').then(|| event::<Body>(message)).flatten().unwrap_or_default();
    let status = body.status.or_else(|| status_in(message));
    let said = body.error.message.as_deref().unwrap_or(message);
    let code = body.error.code.as_deref().unwrap_or_default();
    let param = body.error.param.as_deref().unwrap_or_default();
    let kind = if code == "invalid_json_schema" || param.starts_with("text.format") {
        CallErrorKind::SchemaRefused
    } else if code == "context_length_exceeded" || said.contains("context window") {
        CallErrorKind::InputBlocked
    } else if code == "invalid_api_key" || said.contains("codex login") {
        CallErrorKind::Unauthorized
    } else if code == "insufficient_quota" || code == "rate_limit_exceeded" || said.contains("usage limit") {
        CallErrorKind::RateLimited
    } else if let Some(status) = status {
        kind_of_status(status)
    } else if body.error.r#type.as_deref() == Some("invalid_request_error") {
        CallErrorKind::InvalidRequest
    } else {
        CallErrorKind::Provider
    };
    let error = failed(kind, "the turn of `codex` failed", said).with_retries(events.retries);
    Err(match status {
        Some(status) => error.with_status(status),
        None => error,
    })
}

/// Why there is no end of the turn.
pub(super) fn without_end(events: &Events, ended: &Ended) -> CallError {
    if let How::Exited(status) = ended.how
        && status.code() == Some(2)
        && ended.stderr.contains("Usage: codex")
    {
        return failed(CallErrorKind::InvalidRequest, "`codex` refused its arguments", &ended.stderr);
    }
    let waiting = events.complaint.as_deref().map(|complaint| format!("its last complaint was: {}", words(complaint)));
    no_answer("codex", ended, waiting.as_deref()).with_retries(events.retries)
}

/// Why a response was incomplete, if that is what the message says.
fn incomplete(message: &str) -> Option<&str> {
    let reason = message.split_once("Incomplete response returned, reason: ")?.1;
    reason.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
}

/// The HTTP status that a message names.
fn status_in(message: &str) -> Option<u16> {
    let after = message.split_once("status: ").or_else(|| message.split_once("status "))?.1;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|status| (400..600).contains(status))
}
