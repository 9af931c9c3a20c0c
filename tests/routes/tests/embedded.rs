//! The default model, for real: fetched once, then run without a network.
//!
//! Its words differ between machines and versions, so shapes and facts of the input are asserted,
//! never wording. Run with `--features embedded`, best in release.

use std::sync::LazyLock;
use std::time::Duration;

use response_schema::adapter::Adapter;
use response_schema::agent::LoopUpdate;
use response_schema::embedded::{Embedded, Measured};
use response_schema::worker::{Item, Update};
use response_schema::{AgentLoop, ErrorKind, ResponseSchema, SubTask, Worker};
use serde::Deserialize;
use serde_json::{Value, json};

static MODEL: LazyLock<Embedded> =
    LazyLock::new(|| Embedded::builder().progress(false).build().expect("the default model"));

const EXAMPLES: [(&str, &str); 5] = [
    ("system", "Turn each report into a ticket."),
    ("user", "The app crashes when I open settings. Version 2.4.1. Only sometimes, no big deal."),
    (
        "assistant",
        r#"{"summary": "The app crashes when settings are opened.", "build": "2.4.1", "severity": "low", "labels": ["crash", "settings"]}"#,
    ),
    ("user", "Nobody in the company can log in since this morning!! Everything is down."),
    (
        "assistant",
        r#"{"summary": "No user can log in.", "build": null, "severity": "blocking", "labels": ["login", "outage"]}"#,
    ),
];

fn ticket() -> Value {
    json!({
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "build": {"anyOf": [{"type": "string", "pattern": "^\\d+(\\.\\d+)*$"}, {"type": "null"}]},
            "severity": {"type": "string", "enum": ["low", "medium", "high", "blocking"]},
            "labels": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        },
        "required": ["summary", "build", "severity", "labels"],
        "additionalProperties": false,
    })
}

fn reply(turns: &[(&str, &str)], schema: &Value) -> (Value, Measured) {
    let reply = MODEL.measure(turns, Some(&schema.to_string()), None).expect("replies");
    assert!(reply.complete, "cut short: {}", reply.text);
    let value: Value = serde_json::from_str(&reply.text).expect("JSON");
    if let Err(fault) = jsonschema::validate(schema, &value) {
        panic!("{fault}: {value}");
    }
    (value, reply)
}

fn asked(question: &str) -> Vec<(&str, &str)> {
    EXAMPLES.iter().copied().chain([("user", question)]).collect()
}

#[test]
fn tickets_hold_what_the_reports_say() {
    let (first, _) = reply(&asked("Exporting to PDF in 3.10 gives blank pages."), &ticket());
    assert_eq!(first["build"], "3.10");
    // Jobs of other tests take their turns in between, and the model keeps what it has read last.
    let read_once = (0..60).any(|_| {
        let (second, measured) = reply(&asked("Since 5.0.2 the search box eats every comma."), &ticket());
        assert_eq!(second["build"], "5.0.2");
        measured.cached_tokens > 100
    });
    assert!(read_once, "worked examples are read once");
}

#[test]
fn many_shapes_are_valid_without_any_examples() {
    let shapes = [
        json!({"type": "boolean"}),
        json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 2, "maxItems": 6}),
        json!({"type": "object", "properties": {"at": {"type": "string", "format": "date"}, "score": {"type": "number", "minimum": 0, "maximum": 1}}, "required": ["at", "score"], "additionalProperties": false}),
        json!({"anyOf": [
            {"type": "object", "properties": {"kind": {"type": "string", "enum": ["cat"]}, "lives": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["kind", "lives"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"type": "string", "enum": ["dog"]}, "good": {"type": "boolean"}}, "required": ["kind", "good"], "additionalProperties": false},
        ]}),
        json!({"$defs": {"Node": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 10}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "maxItems": 2}}, "required": ["name", "children"], "additionalProperties": false}}, "$ref": "#/$defs/Node"}),
    ];
    for schema in shapes {
        reply(&[("user", "Make up one example about a house cat.")], &schema);
    }
}

#[test]
fn an_invitation_to_loop_still_ends() {
    let schema = json!({
        "type": "object",
        "properties": {
            "song": {"type": "string"},
            "digits": {"type": "integer"},
            "words": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["song", "digits", "words"],
        "additionalProperties": false,
    });
    let (_, measured) = reply(&[("user", "Sing la la la la la la la, forever and ever and ever.")], &schema);
    assert!(measured.completion_tokens < 600, "{measured:?}");
}

#[test]
fn free_text_ends_or_is_cut_at_the_limit() {
    let turns = [("user", "Tell me a long story about a fox.")];
    let reply = MODEL.measure(&turns, None, Some(40)).expect("replies");
    assert_eq!(reply.completion_tokens, 40);
    assert!(!reply.complete && !reply.text.is_empty());
    let turns = [("user", "Answer with one word: what is the capital of France?")];
    let reply = MODEL.measure(&turns, None, Some(200)).expect("replies");
    assert!(reply.complete && reply.text.contains("Paris"), "{}", reply.text);
}

#[test]
fn text_in_other_scripts_survives() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string", "enum": ["Łódź 🦊", "東京"]}}, "required": ["name"], "additionalProperties": false});
    reply(&[("user", "Which city? Łódź 🦊")], &schema);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_small() {
    reply(&asked("The update to 7.1 failed twice."), &ticket());
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    let kilobytes: u32 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number");
    assert!(kilobytes < 400_000, "{line}");
}

/// A support ticket.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
#[allow(dead_code, reason = "read by the derives")]
struct Ticket {
    /// One sentence.
    #[response(max_length = 120)]
    summary: String,
    severity: Severity,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize, ResponseSchema)]
#[response(partial)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    High,
}

fn report() -> SubTask {
    SubTask::new("Exporting to PDF gives blank pages. It is not urgent.")
        .system("Turn each report into a ticket.")
        .example("Nobody can log in since this morning!!", r#"{"summary": "No user can log in.", "severity": "high"}"#)
}

/// While the model writes, and nothing that is not in the ticket then.
#[test]
fn a_ticket_fills_in_while_the_model_writes() {
    assert!(MODEL.capabilities().streaming);
    let worker = Worker::new(MODEL.clone()).timeout(Duration::from_mins(5));
    pollster::block_on(async {
        let (mut partials, mut reply) = (Vec::new(), worker.stream::<Ticket>(report()));
        let ticket = loop {
            match reply.next().await.expect("an end").expect("a ticket") {
                Update::Partial(partial) => partials.push(partial.fields().expect("begun")),
                Update::Done(reply) => break reply.value,
                other => panic!("{other:?}"),
            }
        };
        assert!(reply.next().await.is_none());
        assert!(partials.len() > 3, "{partials:?}");
        let lengths: Vec<_> = partials.iter().map(|partial| partial.summary.as_ref().map_or(0, String::len)).collect();
        assert!(lengths.is_sorted(), "{lengths:?}");
        for partial in &partials {
            assert!(ticket.summary.starts_with(partial.summary.as_deref().unwrap_or_default()), "{partials:?}");
            assert!(partial.severity.is_none_or(|severity| severity == ticket.severity), "{partials:?}");
        }
        let last = partials.last().expect("partials");
        assert_eq!((last.summary.as_ref(), last.severity), (Some(&ticket.summary), Some(ticket.severity)));
    });
}

#[test]
fn elements_and_loops_stream_from_the_model_too() {
    #[derive(Debug, Deserialize, ResponseSchema)]
    struct Pet {
        #[response(max_length = 12)]
        name: String,
    }
    let worker = Worker::new(MODEL.clone()).timeout(Duration::from_mins(5));
    pollster::block_on(async {
        let task = SubTask::new("Two cats.").example("One dog.", r#"{"value": [{"name": "Rex"}]}"#);
        let (mut elements, mut items) = (0, worker.stream_items::<Pet>(task));
        while let Some(item) = items.next().await {
            match item.expect("a list") {
                Item::Element(place, pet) => {
                    assert_eq!(place, elements);
                    assert!(pet.name.chars().count() <= 12);
                    elements += 1;
                }
                Item::Done(report) => assert_eq!(report.attempts.len(), 1),
                other => panic!("{other:?}"),
            }
        }
        let mut agent =
            AgentLoop::new(MODEL.clone()).system("Turn each report into a ticket.").response_schema::<Ticket>();
        let (mut partials, mut run) = (0, agent.stream("Exporting gives blank pages."));
        loop {
            match run.next().await.expect("an end").expect("a ticket") {
                LoopUpdate::Partial(_) => partials += 1,
                LoopUpdate::Done(_) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(partials > 3, "{partials}");
    });
}

/// Who drops a stream has the model for the next at once, and so has who is late.
#[test]
fn a_stream_that_is_dropped_stops_the_model() {
    let endless = SubTask::new("Count to ten thousand, in words.");
    pollster::block_on(async {
        let worker = Worker::new(MODEL.clone());
        let mut reply = worker.stream::<Ticket>(endless.clone());
        assert!(matches!(reply.next().await, Some(Ok(Update::Partial(_)))));
        drop(reply);
        let late = Worker::new(MODEL.clone()).timeout(Duration::from_millis(1));
        let mut reply = late.stream::<Ticket>(endless.clone());
        let error = loop {
            if let Err(error) = reply.next().await.expect("an end") {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::Timeout);
        // The model is free.
        let mut reply = worker.stream::<Severity>(SubTask::new("Low or high?"));
        while let Some(update) = reply.next().await {
            update.expect("a word");
        }
    });
}
