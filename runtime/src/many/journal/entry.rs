//! One finished item.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::super::mark::Mark;
use super::lean;
use super::line::{self, Head};
use super::members::Members;
use super::object::{self, Object};
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
        let begin = lines.len();
        let mut line = Object::begin(lines);
        line.text("id", &self.id);
        line.json("input", &self.input);
        match &self.outcome {
            Outcome::Reply(text) => match in_a_line(text) {
                Some(json) => line.raw("value", &json),
                None => line.text("text", text),
            },
            Outcome::Failure { kind, words, violations } => {
                line.json("error", &Failed { kind: *kind, words: words.into(), violations: violations.into() });
            }
        }
        line.object("report", |object| lean::write(&self.report, object));
        line.end();
        line::seal(lines, begin);
    }

    /// From a line whose checksum holds.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut members = Members::of(line)?;
        let Head { id, input, failed } = Head::read(&mut members)?;
        let outcome = if failed {
            let Failed { kind, words, violations } = members.json("error")?;
            Outcome::Failure { kind, words: words.into_owned(), violations: violations.into_owned() }
        } else if let Some(json) = members.raw_before("value", "report") {
            Outcome::Reply(json.to_owned())
        } else {
            Outcome::Reply(members.text("text")?.into_owned())
        };
        let report = members.object("report", lean::read)?;
        Some(Self { id: id.into_owned(), input, outcome, report })
    }
}

/// A text that is one JSON object or list and nothing else, on one line; otherwise nothing.
///
/// Only blanks between tokens are left out. Numbers stay as they are written, keys in their order and as often as they
/// occur, so the decoder sees what it saw.
fn in_a_line(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim_ascii();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let IgnoredAny = serde_json::from_str(text).ok()?;
    if !object::has(text, |byte| byte < b' ') {
        return Some(Cow::Borrowed(text));
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
    Some(Cow::Owned(compact))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::adapter::Ending;
    use crate::worker::{self, SubTask};

    fn entry(outcome: Outcome) -> Entry {
        Entry {
            id: "a \"b\"\n".to_owned(),
            input: Mark::of(&SubTask::new("x").into()),
            outcome,
            report: Report::unsent(),
        }
    }

    fn line_of(entry: &Entry) -> Vec<u8> {
        let mut line = Vec::new();
        entry.write(&mut line);
        line
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
            (
                r#"{"a":1,"report":{"attempts":[{}]},"b":",\"report\":{"}"#,
                r#""value":{"a":1,"report":{"attempts":[{}]},"b":",\"report\":{"},"report":{"route""#,
                r#"{"a":1,"report":{"attempts":[{}]},"b":",\"report\":{"}"#,
            ),
            ("{\"a\": 1,}", r#""text":"{\"a\": 1,}""#, "{\"a\": 1,}"),
            ("7", r#""text":"7""#, "7"),
        ] {
            let line = line_of(&entry(Outcome::Reply(text.to_owned())));
            let line = str::from_utf8(&line).expect("text").strip_suffix('\n').expect("an end");
            assert!(line.contains(shown) && !line.contains('\n'), "{line}");
            let read = Entry::read(line::opened(line.as_bytes()).expect("holds")).expect("an entry");
            assert_eq!((read.id.as_str(), read.outcome), ("a \"b\"\n", Outcome::Reply(back.to_owned())));
        }
    }

    #[test]
    fn failures_come_back() {
        let failure = Outcome::Failure { kind: ErrorKind::Refused, words: "no".to_owned(), violations: Vec::new() };
        let line = line_of(&entry(failure.clone()));
        assert_eq!(
            Entry::read(line::opened(line.trim_ascii_end()).expect("holds")).expect("an entry").outcome,
            failure
        );
    }

    /// What is in a report comes back, be it as usual or not.
    #[test]
    fn reports_come_back() {
        let usual = json!({
            "route": "openai", "name": null, "model": "gpt-5.6", "enforcement": "enforced", "attempts": [{
                "outcome": "valid", "finish": "complete", "duration_ms": 12.345_678, "usage": {"input_tokens": 250, "output_tokens": 30},
                "transport_retries": 0, "id": "resp_1", "raw_text": null, "problem": "", "violations": []
            }],
            "withheld": null, "passed_over": [], "repairs": [], "cached": false,
            "usage": {"input_tokens": 250, "output_tokens": 30}, "duration_ms": 13.0
        });
        let other = json!({
            "route": "a \"b\"", "name": "second\n", "model": "", "enforcement": "hint", "attempts": [
                {
                    "outcome": "cut_short", "finish": "cut_short", "duration_ms": 0.000_001,
                    "usage": {"input_tokens": 1, "output_tokens": 2, "cached_input_tokens": 3, "reasoning_tokens": 4, "cost_usd": 0.5},
                    "transport_retries": 2, "id": ",\"report\":{", "raw_text": "{\"a\": \u{1}", "problem": "It ends.",
                    "violations": [{"path": "a", "expected": "text", "found": "", "hint": "\u{1f98a}"}]
                },
                {
                    "outcome": "refused", "finish": null, "duration_ms": 86_400_000.0, "usage": {},
                    "transport_retries": 0, "id": "", "raw_text": "", "problem": "no", "violations": []
                },
                {
                    "outcome": "valid", "finish": {"refused": "words"}, "duration_ms": 1.5, "usage": {"input_tokens": 7},
                    "transport_retries": 0, "id": null, "raw_text": null, "problem": "", "violations": []
                }
            ],
            "withheld": {"why": "took_too_long", "took_ms": 2.5, "limit_ms": 1.25},
            "passed_over": [{"route": "ollama", "reason": "is not there"}],
            "repairs": [{"path": "a", "kind": "quotes", "from": "x", "to": "y", "times": 1}], "cached": true,
            "usage": {"input_tokens": 8, "output_tokens": 2, "cached_input_tokens": 3, "reasoning_tokens": 4, "cost_usd": 0.5},
            "duration_ms": 0.0
        });
        for report in [usual, other] {
            let report: Report = serde_json::from_value(report).expect("a report");
            let before = Entry { report, ..entry(Outcome::Reply("{}".to_owned())) };
            let line = line_of(&before);
            let after = Entry::read(line::opened(line.trim_ascii_end()).expect("holds")).expect("an entry");
            let [before, after] = [before, after].map(|entry| serde_json::to_value(entry.report).expect("JSON"));
            assert_eq!(before, after);
        }
    }

    /// A line that somebody sealed with another content is no entry, or another one.
    #[test]
    fn other_lines_are_read_without_harm() {
        let report = json!({
            "route": "r", "name": null, "model": "m", "enforcement": "hint", "attempts": [{
                "outcome": "refused", "finish": {"refused": "no"}, "duration_ms": 1.5, "usage": {"input_tokens": 7},
                "transport_retries": 0, "id": "\u{e9}\n", "raw_text": null, "problem": "", "violations": []
            }],
            "withheld": null, "passed_over": [], "repairs": [], "cached": false, "usage": {}, "duration_ms": 0.1
        });
        let report: Report = serde_json::from_value(report).expect("a report");
        let line = line_of(&Entry { report, ..entry(Outcome::Reply("{\"a\":{}}".to_owned())) });
        let line = str::from_utf8(&line).expect("text");
        assert!(Entry::read(line).is_some());
        let report_end = line.find(",\"crc\"").expect("a checksum");
        for (at, there) in line.char_indices() {
            for other in ["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "\u{e9}"] {
                let _ = Entry::read(&format!("{}{other}{}", &line[..at], &line[at + there.len_utf8()..]));
            }
            assert!(at >= report_end || Entry::read(&line[..at]).is_none(), "{at}");
        }
    }

    /// Before, lines said of every attempt how it ended, and of a reply that there was none by leaving its ending out.
    #[test]
    fn earlier_lines_are_read() {
        let line = concat!(
            r#"{"id":"a","input":"00000000000000000000000000000000","value":{},"report":{"route":"r","enforcement":"none","#,
            r#""attempts":[{"outcome":"invalid","ms":1.0},{"outcome":"valid","finish":"complete","ms":0.1}],"ms":2.0},"crc":"0"}"#
        );
        let attempts = Entry::read(line).expect("an entry").report.attempts;
        let ends: Vec<_> = attempts.into_iter().map(|attempt| (attempt.outcome, attempt.finish)).collect();
        assert_eq!(ends, [(worker::Outcome::Invalid, None), (worker::Outcome::Valid, Some(Ending::Complete))]);
    }
}
