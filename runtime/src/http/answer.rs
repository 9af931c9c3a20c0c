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
    if event.name != "error" && !event.data.contains("\"error\"") {
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
    if !is_error(body) {
        return None;
    }
    serde_json::from_slice(body).ok().map(|value| Complaint::of_value(&value))
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
