//! Secrets out of what goes to disk.

use std::sync::LazyLock;

use regex_lite::Regex;
use serde_json::Value;

const SECRET: &str = "[secret]";

/// What keys look like.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"\b[sprk]k-[A-Za-z0-9_\-]{16,}",
        r"\bAIza[0-9A-Za-z_\-]{30,}",
        r"(?i)\bbearer\s+[A-Za-z0-9._~+/\-]{16,}=*",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}",
        r"\bxox[abprs]-[A-Za-z0-9\-]{10,}",
        r"\bAKIA[0-9A-Z]{16}\b",
        r"\b(gsk|hf|xai)[_\-][A-Za-z0-9]{20,}",
        r"\beyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]*",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----",
    ]
    .iter()
    .filter_map(|source| Regex::new(source).ok())
    .collect()
});

/// Members whose text is a secret, whatever it looks like.
const MEMBERS: &[&str] =
    &["api_key", "apikey", "x-api-key", "authorization", "password", "secret", "access_token", "refresh_token"];

/// Replaces secrets: what looks like one, and what it was told.
#[derive(Clone, Default)]
pub(super) struct Scrubber(Vec<String>);

impl Scrubber {
    /// Also replaces this text, wherever it stands.
    pub(super) fn secret(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.0.push(text);
        }
    }

    pub(super) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            text = text.replace(secret, SECRET);
        }
        for shape in SHAPES.iter() {
            if shape.is_match(&text) {
                text = shape.replace_all(&text, SECRET).into_owned();
            }
        }
        text
    }

    pub(super) fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(members) => {
                for (key, value) in members {
                    if value.is_string() && MEMBERS.contains(&key.to_ascii_lowercase().as_str()) {
                        *value = SECRET.into();
                    }
                    self.value(value);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Scrubber;

    #[test]
    fn keys_go_and_words_stay() {
        let mut scrubber = Scrubber::default();
        scrubber.secret("hunter2");
        for text in [
            "use sk-proj-abcdEFGH0123456789xyz now",
            "use sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA now",
            "use AIzaSyA-0123456789abcdefghijklmnopqrstu now",
            "use Bearer abcdefghijklmnop1234 now",
            "use ghp_abcdefghijklmnopqrstuvwxyz0123 now",
            "use eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF now",
            "use hunter2 now",
        ] {
            assert_eq!(scrubber.text(text), "use [secret] now");
        }
        for text in ["a task-force of brisk-looking people", "the bearer of news", "sk-short"] {
            assert_eq!(scrubber.text(text), text);
        }
        let mut value = json!({"api_key": "anything", "deep": [{"Authorization": "x"}], "token": {"type": "string"}});
        scrubber.value(&mut value);
        let clean =
            json!({"api_key": "[secret]", "deep": [{"Authorization": "[secret]"}], "token": {"type": "string"}});
        assert_eq!(value, clean);
    }
}
