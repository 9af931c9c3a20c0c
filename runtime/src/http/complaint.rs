//! What a provider says is wrong, in whatever shape it says it.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::adapter::{CallError, CallErrorKind, CallResponse};

/// What a provider says is wrong. It comes as the body of an answer, inside an answer that claims success, or in
/// the middle of a stream, and every provider has a shape of its own; this is what they have in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct Complaint {
    /// The HTTP status; in an answer that claimed success, the one that the complaint names, if it does.
    pub(crate) status: Option<u16>,
    /// Its words, whole.
    pub(crate) message: String,
    /// The class of the complaint: `invalid_request_error`, `INVALID_ARGUMENT`.
    pub(crate) class: String,
    /// Its code: `invalid_json_schema`.
    pub(crate) code: String,
    /// The part of the request that it is about: `text.format.schema`.
    pub(crate) param: String,
    /// All of it.
    pub(crate) details: Map<String, Value>,
}

/// What becomes of a complaint.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// The call failed.
    Failed {
        /// In which way.
        kind: CallErrorKind,
        /// Whether the same request may be sent again.
        again: bool,
    },
    /// It is a reply after all: some providers report a reply that does not come to its end as an error.
    Reply(Box<CallResponse>),
}

impl Verdict {
    /// A failure that a second attempt cannot mend.
    pub(crate) fn failed(kind: CallErrorKind) -> Self {
        Self::Failed { kind, again: false }
    }
}

/// Why an attempt brought no reply, and whether another one may.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) error: CallError,
    pub(crate) again: bool,
}

impl Fault {
    /// A fault that a second attempt cannot mend.
    pub(crate) fn last(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self { error: CallError::new(kind, message), again: false }
    }

    /// A fault of the transport.
    pub(crate) fn transient(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self { error: CallError::new(kind, message), again: true }
    }
}

impl From<CallError> for Fault {
    fn from(error: CallError) -> Self {
        Self { error, again: false }
    }
}

fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

impl Complaint {
    /// Reads the body of an answer.
    pub(super) fn of_body(status: u16, body: &[u8]) -> Self {
        let mut complaint = match serde_json::from_slice(body) {
            Ok(value) => Self::of_value(&value),
            // A page of a proxy, or plain words.
            Err(_) => Self { message: String::from_utf8_lossy(body).trim().to_owned(), ..Self::default() },
        };
        complaint.status = Some(status);
        complaint
    }

    /// Reads a value that holds a complaint, or is one.
    pub(crate) fn of_value(value: &Value) -> Self {
        let mut found = Self::default();
        found.take(value);
        if found.message.is_empty() && !value.is_null() {
            // A shape of its own: all of it is the message.
            found.message = value.to_string();
        }
        found
    }

    fn take(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                if self.message.is_empty() {
                    text.clone_into(&mut self.message);
                }
            }
            // Google's streams wrap the error in a list; validators of requests list one fault each.
            Value::Array(items) => {
                if let [one] = items.as_slice() {
                    self.take(one);
                } else if !items.is_empty() {
                    let each: Vec<_> = items.iter().map(|item| Self::of_value(item).message).collect();
                    self.message = each.join("; ");
                }
            }
            Value::Object(object) => {
                // The inner one says more than its wrapper.
                for inner in ["error", "detail", "errors", "message"] {
                    let nested = |value: &&Value| inner != "message" && value.is_string() || !is_plain(value);
                    if let Some(value) = object.get(inner).filter(nested) {
                        self.take(value);
                        break;
                    }
                }
                let word = |key: &str| match object.get(key) {
                    Some(Value::String(word)) => word.clone(),
                    Some(Value::Number(number)) => number.to_string(),
                    _ => String::new(),
                };
                let fill = |into: &mut String, from: &[&str]| {
                    if into.is_empty() {
                        *into = from.iter().map(|key| word(key)).find(|word| !word.is_empty()).unwrap_or_default();
                    }
                };
                fill(&mut self.message, &["message", "msg", "error_description"]);
                fill(&mut self.code, &["code"]);
                fill(&mut self.param, &["param"]);
                // `error` is the class of everything that is an error.
                if word("type") != "error" {
                    fill(&mut self.class, &["type"]);
                }
                fill(&mut self.class, &["status"]);
                if self.details.is_empty() {
                    self.details.clone_from(object);
                }
                self.status = self.status.or_else(|| self.code.parse().ok().filter(|code| (400..600).contains(code)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// How long it asks to wait. Google says so in the body: `{"retryDelay": "20.5s"}`.
    pub(super) fn asked_pause(&self) -> Option<Duration> {
        let details = self.details.get("details")?.as_array()?;
        let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
        Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
    }

    /// Whether its class or code is, or its message holds, one of these words. Case does not count.
    pub(crate) fn says(&self, words: &[&str]) -> bool {
        let message = self.message.to_ascii_lowercase();
        words.iter().any(|word| {
            let word = word.to_ascii_lowercase();
            self.class.eq_ignore_ascii_case(&word) || self.code.eq_ignore_ascii_case(&word) || message.contains(&word)
        })
    }

    /// What it is by its status, and without one by its class: what providers agree on.
    pub(crate) fn verdict(&self) -> Verdict {
        let Some(status) = self.status else {
            return self.verdict_by_class();
        };
        let (kind, again) = match status {
            401 | 403 => (CallErrorKind::Unauthorized, false),
            402 => (CallErrorKind::RateLimited, false),
            413 => (CallErrorKind::InputBlocked, false),
            408 | 409 | 500.. => (CallErrorKind::Provider, true),
            // A quota that is used up is not there again in a second.
            429 => (CallErrorKind::RateLimited, !self.says(&["insufficient_quota", "billing"])),
            _ => (CallErrorKind::InvalidRequest, false),
        };
        Verdict::Failed { kind, again }
    }

    fn verdict_by_class(&self) -> Verdict {
        let class = format!("{} {}", self.class, self.code).to_ascii_lowercase();
        let any = |words: &[&str]| words.iter().any(|word| class.contains(word));
        let (kind, again) = if any(&["rate_limit", "resource_exhausted", "too_many_requests"]) {
            (CallErrorKind::RateLimited, true)
        } else if any(&["authentication", "permission", "unauthorized", "invalid_api_key"]) {
            (CallErrorKind::Unauthorized, false)
        } else if any(&["quota", "billing"]) {
            (CallErrorKind::RateLimited, false)
        } else if any(&["invalid", "not_found", "bad_request"]) {
            (CallErrorKind::InvalidRequest, false)
        } else {
            (CallErrorKind::Provider, true)
        };
        Verdict::Failed { kind, again }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Bodies as providers and servers send them.
    #[test]
    fn errors_of_every_shape_are_read() {
        let openai = json!({"error": {"message": "bad", "type": "invalid_request_error", "param": "text.format.schema",
            "code": "invalid_json_schema"}});
        let anthropic = json!({"type": "error", "error": {"type": "overloaded_error", "message": "bad"},
            "request_id": "req_1"});
        let gemini = json!([{"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "bad"}}]);
        let vllm = json!({"object": "error", "message": "bad", "type": "BadRequestError", "code": 400});
        let responses_event = json!({"type": "error", "code": "server_error", "message": "bad", "param": null});
        for (value, class, code, status) in [
            (openai, "invalid_request_error", "invalid_json_schema", None),
            (anthropic, "overloaded_error", "", None),
            (gemini, "INVALID_ARGUMENT", "400", Some(400)),
            (vllm, "BadRequestError", "400", Some(400)),
            (responses_event, "", "server_error", None),
            (json!({"error": "bad"}), "", "", None),
            (json!({"detail": "bad"}), "", "", None),
            (json!({"detail": [{"loc": ["body", "x"], "msg": "bad", "type": "missing"}]}), "missing", "", None),
            (json!({"error": {"message": "bad", "code": 502, "metadata": {"raw": "x"}}}), "", "502", Some(502)),
            (json!({"object": "error", "message": {"detail": [{"msg": "bad"}]}, "code": null}), "", "", None),
            (json!("bad"), "", "", None),
        ] {
            let found = Complaint::of_value(&value);
            assert_eq!((found.message.as_str(), found.class.as_str()), ("bad", class), "{value}");
            assert_eq!((found.code.as_str(), found.status), (code, status), "{value}");
        }
        assert_eq!(Complaint::of_value(&json!({"odd": 1})).message, r#"{"odd":1}"#);
        assert_eq!(Complaint::of_value(&json!({"detail": [{"msg": "a"}, {"msg": "b"}]})).message, "a; b");
        assert_eq!(Complaint::of_body(502, b"<html>Bad gateway</html>\n").message, "<html>Bad gateway</html>");
        assert_eq!(Complaint::of_body(400, b"\xff").message, "\u{fffd}");
        assert_eq!(Complaint::of_body(500, b"").message, "");
    }

    #[test]
    fn google_asks_for_a_pause_in_the_body() {
        let asked = |delay: &str| {
            let detail = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay});
            Complaint::of_value(&json!({"error": {"code": 429, "message": "x", "details": [{}, detail]}})).asked_pause()
        };
        assert_eq!(asked("20.5s"), Some(Duration::from_millis(20_500)));
        assert_eq!((asked("-1s"), asked("soon"), asked("20")), (None, None, None));
    }

    #[test]
    fn what_is_sent_again_and_what_is_not() {
        let again = |status| matches!(Complaint::of_body(status, b"{}").verdict(), Verdict::Failed { again: true, .. });
        for status in [408, 409, 429, 500, 502, 503, 504, 529] {
            assert!(again(status), "{status}");
        }
        for status in [400, 401, 402, 403, 404, 413, 422, 451] {
            assert!(!again(status), "{status}");
        }
        let quota = br#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
        assert!(matches!(
            Complaint::of_body(429, quota).verdict(),
            Verdict::Failed { kind: CallErrorKind::RateLimited, again: false }
        ));
    }
}
