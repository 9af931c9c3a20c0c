//! What the protocols of the command lines have in common.

use serde::Deserialize;

use super::output::plain;
use super::process::{Ended, How};
use crate::adapter::{CallError, CallErrorKind, CallRequest, Parameters};

/// How much of a program's own words goes into an error.
const WORDS: usize = 4 * 1024;

/// The event in a line, if it is one of this form. What stands around it is no fault: some programs write control
/// sequences, or words of their own, beside their events.
pub(super) fn event<'a, T: Deserialize<'a>>(line: &'a str) -> Option<T> {
    let start = line.find('{')?;
    serde_json::Deserializer::from_str(&line[start..]).into_iter::<T>().next()?.ok()
}

/// A program's own words, short enough for an error and without control characters.
pub(super) fn words(text: &str) -> String {
    let text = plain(text);
    let text = text.trim();
    match text.char_indices().nth(WORDS) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// A failure in the program's own words.
pub(super) fn failed(kind: CallErrorKind, what: &str, said: &str) -> CallError {
    let said = words(said);
    CallError::new(kind, if said.is_empty() { what.to_owned() } else { format!("{what}: {said}") })
}

/// Why a run that brought no answer brought none. `waiting` says what the program last said it was waiting for.
pub(super) fn no_answer(name: &str, ended: &Ended, waiting: Option<&str>) -> CallError {
    let wrote = match ended.read {
        0 => "it had written nothing".to_owned(),
        bytes => format!("it had written {bytes} bytes"),
    };
    match ended.how {
        How::Late => {
            let wrote = waiting.map_or(wrote, str::to_owned);
            let text = format!("`{name}` had not answered when the deadline passed; {wrote}");
            failed(CallErrorKind::Timeout, &text, &ended.stderr)
        }
        How::Cancelled => CallError::new(CallErrorKind::Cancelled, "the call was cancelled"),
        How::Flooded => {
            let text = format!("`{name}` wrote more than the {} bytes that it may, and was ended", ended.read);
            CallError::new(CallErrorKind::Provider, text)
        }
        How::Enough => failed(CallErrorKind::Provider, &format!("`{name}` was ended without an answer"), &ended.stderr),
        How::Exited(status) => {
            let text = format!("`{name}` ended without an answer ({status}); {wrote}");
            // It is like a connection that broke: the same call may go well the next time.
            failed(CallErrorKind::Transport, &text, &ended.stderr)
        }
    }
}

/// The kind of failure that an HTTP status stands for.
pub(super) fn kind_of_status(status: u16) -> CallErrorKind {
    match status {
        401 | 403 => CallErrorKind::Unauthorized,
        402 | 429 => CallErrorKind::RateLimited,
        413 => CallErrorKind::InputBlocked,
        408 | 500.. => CallErrorKind::Provider,
        _ => CallErrorKind::InvalidRequest,
    }
}

/// Refuses what no command line carries, and what this one does not.
pub(super) fn refuse_unsupported(name: &str, request: &CallRequest, takes_max_tokens: bool) -> Result<(), CallError> {
    let Parameters { max_tokens, temperature, top_p, seed, stop, reasoning_effort: _, extra } = &request.parameters;
    let unsupported = [
        ("tools", !request.tools.is_empty()),
        ("`max_tokens`", max_tokens.is_some() && !takes_max_tokens),
        ("`temperature`", temperature.is_some()),
        ("`top_p`", top_p.is_some()),
        ("`seed`", seed.is_some()),
        ("`stop`", !stop.is_empty()),
        ("`extra`", !extra.is_empty()),
    ];
    match unsupported.iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((what, _)) => Err(CallError::new(
            CallErrorKind::Unsupported,
            format!("the `{name}` command line does not carry {what}; leave it out, or take another route"),
        )),
    }
}
