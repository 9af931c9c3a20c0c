//! One finished item.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::super::mark::Mark;
use super::lean::Lean;
use super::line;
use crate::check::Violation;
use crate::error::ErrorKind;
use crate::worker::Report;

/// One finished item.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its input's id.
    pub id: String,
    /// Its input's mark.
    pub input: Mark,
    /// How it ended.
    pub outcome: Outcome,
    /// What was tried. The text of a valid reply is in the outcome, and not here.
    pub report: Report,
}

/// How an item ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// With a valid reply: its text, to be read by the same decoder once more.
    Reply(String),
    /// With a failure that would be the same another time.
    Failure {
        /// What sort of failure it is.
        kind: ErrorKind,
        /// The words of the model or the provider, or what was wrong.
        words: String,
        /// What was wrong with the reply, one by one.
        violations: Vec<Violation>,
    },
}

/// An entry as a line. A reply that is JSON stands in it as it is, for people to read.
#[derive(Serialize, Deserialize)]
struct Written<'e> {
    #[serde(borrow)]
    id: Cow<'e, str>,
    input: Mark,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    value: Option<&'e RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'e, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Failed<'e>>,
    report: Lean<'e>,
}

#[derive(Serialize, Deserialize)]
struct Failed<'e> {
    kind: ErrorKind,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    words: Cow<'e, str>,
    #[serde(default, skip_serializing_if = "<[Violation]>::is_empty")]
    violations: Cow<'e, [Violation]>,
}

impl Entry {
    /// Puts it behind other lines.
    pub(super) fn write(&self, lines: &mut Vec<u8>) {
        let json;
        let mut written = Written {
            id: Cow::Borrowed(&self.id),
            input: self.input,
            value: None,
            text: None,
            error: None,
            report: Lean::of(&self.report),
        };
        match &self.outcome {
            Outcome::Reply(text) => {
                json = in_a_line(text);
                match &json {
                    Some(json) => written.value = Some(json),
                    None => written.text = Some(Cow::Borrowed(text)),
                }
            }
            Outcome::Failure { kind, words, violations } => {
                written.error = Some(Failed { kind: *kind, words: words.into(), violations: violations.into() });
            }
        }
        line::seal(lines, &written);
    }

    /// From a line whose checksum holds.
    pub(super) fn read(line: &str) -> serde_json::Result<Self> {
        let written: Written<'_> = serde_json::from_str(line)?;
        let outcome = match (written.value, written.text, written.error) {
            (Some(value), ..) => Outcome::Reply(value.get().to_owned()),
            (_, Some(text), _) => Outcome::Reply(text.into_owned()),
            (_, _, Some(error)) => Outcome::Failure {
                kind: error.kind,
                words: error.words.into_owned(),
                violations: error.violations.into_owned(),
            },
            _ => return Err(serde::de::Error::missing_field("value")),
        };
        Ok(Self { id: written.id.into_owned(), input: written.input, outcome, report: written.report.into_report() })
    }
}

/// A text that is one JSON object or list and nothing else, on one line; otherwise nothing.
///
/// Only blanks between tokens are left out. Numbers stay as they are written, keys in their order and as often as they
/// occur, so the decoder sees what it saw.
fn in_a_line(text: &str) -> Option<Cow<'_, RawValue>> {
    let text = text.trim_ascii();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    if !text.bytes().any(|byte| byte.is_ascii_control()) {
        return Some(Cow::Borrowed(raw));
    }
    let (mut compact, mut quoted, mut escaped) = (String::with_capacity(text.len()), false, false);
    for c in text.chars() {
        if quoted {
            (quoted, escaped) = (escaped || c != '"', !escaped && c == '\\');
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            quoted = c == '"';
        }
        compact.push(c);
    }
    RawValue::from_string(compact).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::SubTask;

    fn entry(outcome: Outcome) -> Entry {
        Entry {
            id: "a \"b\"\n".to_owned(),
            input: Mark::of(&SubTask::new("x").into()),
            outcome,
            report: Report::unsent(),
        }
    }

    fn line(entry: &Entry) -> Vec<u8> {
        let mut lines = Vec::new();
        entry.write(&mut lines);
        lines
    }

    #[test]
    fn replies_come_back_and_json_can_be_read_in_the_line() {
        for (text, shown, back) in [
            (r#"{"a": 1.0, "a": 1e2}"#, r#""value":{"a": 1.0, "a": 1e2}"#, r#"{"a": 1.0, "a": 1e2}"#),
            (
                "\n{\n  \"a\": \"x \\\" y\\\\\",\r\n\t\"b\": [ ]\n}\n",
                r#""value":{"a":"x \" y\\","b":[]}"#,
                r#"{"a":"x \" y\\","b":[]}"#,
            ),
            ("Sure! {\"a\": 1}\n", r#""text":"Sure! {\"a\": 1}\n""#, "Sure! {\"a\": 1}\n"),
            ("{\"a\": 1,}", r#""text":"{\"a\": 1,}""#, "{\"a\": 1,}"),
            ("7", r#""text":"7""#, "7"),
        ] {
            let line = line(&entry(Outcome::Reply(text.to_owned())));
            let line = str::from_utf8(&line).expect("text").strip_suffix('\n').expect("an end");
            assert!(line.contains(shown) && !line.contains('\n'), "{line}");
            let read = Entry::read(line::opened(line.as_bytes()).expect("holds")).expect("an entry");
            assert_eq!((read.id.as_str(), read.outcome), ("a \"b\"\n", Outcome::Reply(back.to_owned())));
        }
    }

    #[test]
    fn failures_come_back() {
        let failure = Outcome::Failure { kind: ErrorKind::Refused, words: "no".to_owned(), violations: Vec::new() };
        let line = line(&entry(failure.clone()));
        assert_eq!(
            Entry::read(line::opened(line.trim_ascii_end()).expect("holds")).expect("an entry").outcome,
            failure
        );
    }
}
