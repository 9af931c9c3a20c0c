//! What the model is told about a reply that was not accepted.
//!
//! Each violation in a line: the path, what was found, what was expected. What is to be written comes last, for what a
//! small model read last is what it writes (the benchmark `feedback` has the rates). The reply itself stands in the
//! conversation, so it is not repeated. The text is bounded: a model that broke a rule a thousand times
//! has read enough after a dozen.

use std::fmt::Write;

use crate::adapter::{AssistantMessage, Message, Native, ToolCall, ToolResult};
use crate::check::Violation;
use crate::decode::{DecodeError, DecodeErrorKind};

/// Lines of violations at most.
const LINES: usize = 12;
/// Characters of a line at most.
const LINE: usize = 300;
/// Characters of the whole at most: about 400 tokens.
const WHOLE: usize = 1600;

/// What is said about text that holds no valid value. `json` is whether a JSON value was asked for.
pub(crate) fn about(error: &DecodeError, json: bool) -> String {
    let again =
        if json { "Reply again with the whole JSON value, and with nothing else." } else { "Please reply again." };
    let mut text = match error.kind() {
        DecodeErrorKind::Empty => "Your reply was empty.".to_owned(),
        DecodeErrorKind::NoJson => "Your reply held no JSON.".to_owned(),
        DecodeErrorKind::ReasoningOnly => "Your reply held reasoning, and no answer after it.".to_owned(),
        DecodeErrorKind::CutShort => {
            "Your reply was cut short by a token limit before it was complete. Be much briefer.".to_owned()
        }
        DecodeErrorKind::Ambiguous => {
            format!("Your reply could be read in more than one way{}.", after_colon(error.detail()))
        }
        DecodeErrorKind::Malformed => format!("Your reply was no valid JSON{}.", after_colon(error.detail())),
        _ => "Your reply was not accepted.".to_owned(),
    };
    let violations = error.violations();
    if violations.is_empty() {
        text.push(' ');
    } else {
        text.push_str(" What is wrong with it:");
        lines(error, found_first, &mut text);
        text.push('\n');
    }
    text.push_str(again);
    text
}

/// The violations, each in a line, as far as there is room.
fn lines(error: &DecodeError, words: fn(&Violation) -> String, text: &mut String) {
    let mut told = 0;
    for violation in error.violations().iter().take(LINES) {
        let line = cut(&words(violation), LINE);
        if text.len() + line.len() > WHOLE {
            break;
        }
        let _ = write!(text, "\n- {line}");
        told += 1;
    }
    let more = error.violation_count().saturating_sub(told);
    if more > 0 {
        let _ = write!(text, "\n- and {more} more");
    }
}

/// A violation, what is to be written last.
fn found_first(violation: &Violation) -> String {
    let Violation { path, expected, found, hint } = violation;
    if path.is_empty() || expected.is_empty() || found.is_empty() {
        return violation.to_string();
    }
    let hint = if hint.is_empty() { String::new() } else { format!("; did you mean {hint}?") };
    format!("`{path}`: found {found}, expected {expected}{hint}")
}

/// What is said about arguments of a tool that are not what its schema asks for.
pub(crate) fn about_arguments(error: &DecodeError) -> String {
    let mut text = "not run: its arguments are not what its schema asks for".to_owned();
    lines(error, ToString::to_string, &mut text);
    if error.violations().is_empty() {
        let _ = write!(text, ": {error}");
    }
    text
}

/// What is said about calls of tools where no tool may be called.
pub(crate) fn about_calls(json: bool) -> String {
    let with = if json { " with the JSON value that was asked for" } else { "" };
    format!("No tool can be called here. Reply{with} now, from what you know.")
}

/// The turns that carry on a conversation after a reply that was not accepted: the reply, a result for each
/// of its tool calls, and what is wrong with it.
///
/// A reply without anything in it leaves no turn: providers refuse empty ones.
pub(crate) fn turns(text: &str, calls: Vec<ToolCall>, native: Option<Native>, feedback: String) -> Vec<Message> {
    let results: Vec<_> = calls
        .iter()
        .map(|call| ToolResult::error(call, "not run: the reply was not accepted; see the next message").into())
        .collect();
    let mut turns = Vec::with_capacity(results.len() + 2);
    if !text.trim().is_empty() || !calls.is_empty() {
        let mut reply = AssistantMessage::new(text, calls);
        reply.native = native;
        turns.push(reply.into());
    }
    turns.extend(results);
    turns.push(Message::user(feedback));
    turns
}

fn after_colon(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(": {}", cut(detail, LINE)) }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
