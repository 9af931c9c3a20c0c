//! The account of what happened: whole, serializable, fit for a terminal, and discreet.

use std::fmt::Write;

use response_schema::adapter::{CallErrorKind, CallResponse, Enforcement, ToolCall, Usage};
use response_schema::testing::Turn;
use response_schema::worker::{Outcome, RetryPolicy};
use response_schema::{Reply, Report, SubTask};
use serde_json::json;

use super::{BAD, GOOD, Pet, WORSE, pet, scripted, seconds, task};

fn turns() -> [Turn; 2] {
    [
        Turn::text(BAD).after(seconds(1)).usage(Usage::new(10, 5)).model("small").retries(2),
        Turn::text(GOOD.replace("grumpy", "Grumpy")).after(seconds(2)).usage(Usage::new(20, 5)).model("small"),
    ]
}

#[test]
fn everything_is_in_it() {
    let reply = pet(turns()).0.expect("a pet");
    let report = &reply.report;
    assert_eq!((report.route.as_ref(), report.model.as_str()), ("scripted", "small"));
    assert_eq!(report.enforcement, Enforcement::Enforced);
    assert_eq!((report.usage, report.duration), (Usage::new(30, 10), seconds(3)));
    let durations: Vec<_> = report.attempts.iter().map(|attempt| attempt.duration).collect();
    assert_eq!(durations, [seconds(1), seconds(2)]);
    assert_eq!(report.attempts[1].usage, Usage::new(20, 5));
    assert_eq!(report.repairs.len(), 1, "{:?}", report.repairs);
}

#[test]
fn it_is_written_and_read_again() {
    let reply = pet(turns()).0.expect("a pet");
    let written = serde_json::to_value(&reply).expect("JSON");
    assert_eq!(written["value"]["legs"], 4);
    let report = &written["report"];
    assert_eq!(report["duration_ms"], 3000.0);
    assert_eq!(report["enforcement"], "enforced");
    assert_eq!(report["attempts"][0]["outcome"], "invalid");
    assert_eq!(report["attempts"][0]["finish"], "complete");
    assert_eq!(report["attempts"][0]["raw_text"], BAD);
    assert_eq!(
        report["attempts"][0]["violations"][0],
        json!({"path": "legs", "expected": "at most 8", "found": "40", "hint": ""})
    );
    let read: Report = serde_json::from_value(report.clone()).expect("a report");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), *report);
}

#[test]
fn errors_are_written_with_all_attempts() {
    let error = pet([Turn::text(BAD), Turn::text(WORSE).after(seconds(1))]).0.expect_err("none");
    let written = serde_json::to_value(&error).expect("JSON");
    assert_eq!(written["kind"], "invalid_output");
    assert_eq!(written["report"]["attempts"][0]["raw_text"], BAD);
    assert_eq!(written["report"]["attempts"][1]["raw_text"], WORSE);
    assert_eq!(written["violations"][0]["found"], "90");
    assert!(written["causes"][0].as_str().expect("text").contains("does not fit the schema"));

    let error = pet([Turn::text(BAD).after(seconds(6))]).0.expect_err("none");
    let written = serde_json::to_value(&error).expect("JSON");
    assert_eq!(written["report"]["withheld"], json!({"why": "took_too_long", "took_ms": 6000.0, "limit_ms": 5000.0}));
}

#[test]
fn a_terminal_shows_aligned_lines() {
    let error = pet([Turn::text(BAD).after(seconds(1)).model("small"), Turn::text(WORSE).usage(Usage::new(9, 3))]).0;
    let expected = "\
route      scripted (small)
guarantee  enforced
time       1.00 s
tokens     9 in, 3 out
attempt 1  invalid, 1.00 s: the reply does not fit the schema
           `legs`: expected at most 8, found 40
attempt 2  invalid, 0.00 s: the reply does not fit the schema
           `legs`: expected at most 8, found 90";
    // The second reply names no model, and it is the last that counts.
    assert_eq!(error.expect_err("none").report().to_string(), expected.replace(" (small)", ""));

    let error = pet([Turn::text("").after(seconds(6))]).0.expect_err("none");
    let shown = error.report().to_string();
    assert!(shown.contains("\nattempt 1  invalid, 6.00 s: the reply is empty"), "{shown}");
    assert!(
        shown.ends_with("\nno retry   the first run took 6.00 s, and a retry is allowed after less than 5.00 s"),
        "{shown}"
    );

    let shown = pet([GOOD]).0.expect("a pet").report.to_string();
    assert_eq!(shown.lines().count(), 4, "{shown}");
}

/// What no message may hold.
const PRIVATE: &str = "xyzzy-4711";

#[test]
fn neither_display_nor_debug_hold_prompts_or_replies() {
    let long = format!("{}{PRIVATE}", "x".repeat(200));
    let bad = format!(r#"{{"name": "{long}", "legs": 40, "mood": "happy"}}"#);
    let (clock, model, worker) = scripted([
        Turn::text(&bad),
        Turn::calls([ToolCall::new("1", "search", PRIVATE)]),
        Turn::cut(&bad),
        Turn::error(CallErrorKind::Provider, "failed"),
    ]);
    let private = SubTask::new(PRIVATE).system(PRIVATE).example(PRIVATE, PRIVATE);
    let error = clock.run(worker.retry(RetryPolicy::retries(3)).run::<Pet>(private.clone())).expect_err("none");
    assert_eq!(error.report().attempts.len(), 4);
    let mut shown = format!("{error} {error:?} {error:#?} {} {:?} {private:?}", error.report(), error.report());
    let _ = write!(shown, "{:?} {model:?}", model.requests());
    let mut next = std::error::Error::source(&error);
    while let Some(cause) = next {
        let _ = write!(shown, "{cause} {cause:?}");
        next = cause.source();
    }
    assert!(!shown.contains(PRIVATE), "{shown}");
    // Who asks for them gets them.
    assert!(serde_json::to_string(&error).expect("JSON").contains(PRIVATE));
}

#[test]
fn a_reply_maps_to_another_value() {
    let reply: Reply<u8> = pet([GOOD]).0.expect("a pet").map(|pet| pet.legs);
    assert_eq!((reply.value, reply.report.attempts.len()), (4, 1));
}

#[test]
fn marks_and_words_of_the_provider_are_kept() {
    let mut response = CallResponse::new("{\"name\": \"Bi", Enforcement::Enforced);
    response.ending = response_schema::adapter::Ending::CutShort;
    response.id = Some("resp_7".to_owned());
    response.usage = Usage::new(7, 100);
    let (clock, _, worker) = scripted([Turn::reply(response)]);
    let error = clock.run(worker.retry(RetryPolicy::NEVER).run::<Pet>(task())).expect_err("cut");
    let attempt = &error.report().attempts[0];
    assert_eq!((attempt.id.as_deref(), attempt.outcome), (Some("resp_7"), Outcome::CutShort));
    assert_eq!((attempt.usage, error.raw_text()), (Usage::new(7, 100), Some("{\"name\": \"Bi")));
}
