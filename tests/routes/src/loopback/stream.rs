//! The framings of streams.

use serde_json::Value;

/// An event with a name, as `OpenAI` Responses and Anthropic write them.
pub(super) fn named(event: &Value) -> Vec<u8> {
    let name = event["type"].as_str().unwrap_or("message");
    format!("event: {name}\ndata: {event}\n\n").into_bytes()
}

/// An event without one, as Chat Completions writes them.
pub(super) fn data(event: &Value) -> Vec<u8> {
    format!("data: {event}\n\n").into_bytes()
}

/// An event as Gemini writes them: with carriage returns.
pub(super) fn data_crlf(event: &Value) -> Vec<u8> {
    format!("data: {event}\r\n\r\n").into_bytes()
}

/// A line of JSON.
pub(super) fn line(event: &Value) -> Vec<u8> {
    format!("{event}\n").into_bytes()
}
