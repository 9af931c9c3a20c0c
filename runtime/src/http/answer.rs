//! What an answer is, by its own word: JSON, events, or an error that claims success.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::complaint::Complaint;
use super::sse::{Event, Framing};

/// What the answer says it is.
pub(super) enum Kind {
    Json,
    Events(Framing),
    Unstated,
    Other(String),
}

pub(super) fn kind_of(headers: &HeaderMap) -> Kind {
    let Some(value) = headers.get(CONTENT_TYPE) else { return Kind::Unstated };
    let text = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
    let kind = text.split(';').next().unwrap_or_default().trim();
    match kind {
        "text/event-stream" => Kind::Events(Framing::Sse),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/x-jsonlines" => {
            Kind::Events(Framing::Lines)
        }
        "application/json" => Kind::Json,
        _ if kind.ends_with("+json") => Kind::Json,
        "" | "text/plain" | "application/octet-stream" | "text/json" => Kind::Unstated,
        _ => Kind::Other(kind.to_owned()),
    }
}

/// An event that is an error: named so, of that type, or with one in it.
pub(super) fn complaint_in(event: &Event) -> Option<Complaint> {
    if event.name != "error" && !names_error(event.data.as_bytes()) {
        return None;
    }
    let of_value = |data: &str| match serde_json::from_str(data) {
        Ok(value) => Complaint::of_value(&value),
        Err(_) => Complaint::of_value(&serde_json::Value::String(data.to_owned())),
    };
    (event.name == "error" || is_error(event.data.as_bytes())).then(|| of_value(&event.data))
}

/// An answer that claims success and is an error.
pub(super) fn complaint_in_body(body: &[u8]) -> Option<Complaint> {
    if !names_error(body) || !is_error(body) {
        return None;
    }
    serde_json::from_slice(body).ok().map(|value| Complaint::of_value(&value))
}

/// Whether there is a string `error` other than the name of a `null`: without one there is no error, and nothing need be
/// parsed to know that. Quoted marks inside of strings have a backslash, so they are not found.
fn names_error(body: &[u8]) -> bool {
    const NAME: &[u8] = b"\"error\"";
    memchr::memmem::find_iter(body, NAME).any(|at| {
        let behind = body[at + NAME.len()..].trim_ascii_start();
        let value = behind.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        !value.is_some_and(|value| value.starts_with(b"null"))
    })
}

fn is_error(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Probe<'a> {
        #[serde(borrow, default)]
        error: Option<&'a RawValue>,
        #[serde(borrow, default, rename = "type")]
        kind: Option<&'a RawValue>,
    }
    serde_json::from_slice::<Probe<'_>>(body).is_ok_and(|probe| {
        // `null` becomes `None`; some send an empty value where there is no error.
        probe.error.is_some_and(|error| !matches!(error.get(), "\"\"" | "{}" | "false"))
            || probe.kind.is_some_and(|kind| kind.get() == "\"error\"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_beside_a_reply_is_no_error() {
        let found = |body: &str| complaint_in_body(body.as_bytes()).map(|complaint| complaint.message);
        for body in [
            r#"{"error":null,"output":[]}"#,
            "{\"error\" :\n null}",
            r#"{"output":[{"error":"of an item"}]}"#,
            r#"{"text":"{\"error\":1}"}"#,
            r#"{"error":""}"#,
            r#"{"type":"message"}"#,
        ] {
            assert_eq!(found(body), None, "{body}");
        }
        for body in [
            r#"{"error":{"message":"bad"}}"#,
            r#"{"id":"error","error":null,"error ":1,"type":"error","message":"bad"}"#,
            "{\"output\":[{\"error\":null}],\"error\"\t: \"bad\"}",
        ] {
            assert_eq!(found(body).as_deref(), Some("bad"), "{body}");
        }
    }
}
