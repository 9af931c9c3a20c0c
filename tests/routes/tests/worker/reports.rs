//! Faults that users of other libraries reported about retries and endings, by the place of the report.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use response_schema::adapter::{CallErrorKind, Ending, Role, ToolCall};
use response_schema::testing::{Scripted, Turn};
use response_schema::worker::{Outcome, RetryPolicy};
use response_schema::{CheckContext, ErrorKind, ResponseSchema, Worker};
use serde::Deserialize;

use super::{BAD, GOOD, Pet, pet, scripted, seconds, spoken, task, told};

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Instance {
    FoobarInstance,
    Baz,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Kind {
    kind: Instance,
}

/// BoundaryML/baml#840: the retry names field, bad value and the allowed ones.
#[test]
fn a_wrong_enum_value_is_named_with_those_that_are_allowed() {
    let (clock, model, worker) = scripted([r#"{"kind":"QUUX_THING"}"#, r#"{"kind":"BAZ"}"#]);
    let reply = clock.run(worker.run::<Kind>(task())).expect("a kind");
    assert!(matches!(reply.value.kind, Instance::Baz));
    let requests = model.requests();
    for part in ["`kind`", "QUUX_THING", "FOOBAR_INSTANCE", "BAZ"] {
        assert!(told(&requests[1]).contains(part), "{}", told(&requests[1]));
    }
}

/// 567-labs/instructor#1938: every call of the failed turn has its result, and #514: the text stands there once.
#[test]
fn a_retry_after_calls_is_a_valid_conversation() {
    let (result, requests) = pet([Turn::calls([ToolCall::new("toolu_1", "search", "{}")]), Turn::text(GOOD)]);
    assert!(result.is_ok());
    let spoken = spoken(&requests[1]);
    let roles: Vec<_> = spoken.iter().map(|(role, _)| *role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool, Role::User]);
    assert_eq!(spoken.iter().filter(|(_, text)| text.contains("No tool can be called here")).count(), 1);
}

/// pydantic/pydantic-ai#4431: malformed arguments are never parsed on the way to the retry.
#[test]
fn malformed_arguments_are_no_obstacle() {
    let (result, requests) = pet([Turn::calls([ToolCall::new("1", "search", "{\"a\":")]), Turn::text(GOOD)]);
    assert!(result.is_ok());
    assert_eq!(requests.len(), 2);
}

/// pydantic/pydantic-ai#4687 and #6377: zero means no second call, and less than zero cannot be said.
#[test]
fn no_retries_means_one_call() {
    let (clock, model, worker) = scripted([BAD, GOOD]);
    assert!(clock.run(worker.retry(RetryPolicy::retries(0)).run::<Pet>(task())).is_err());
    assert_eq!(model.requests().len(), 1);
    let _: u32 = RetryPolicy::default().max_retries;
}

/// anthropics/claude-agent-sdk-typescript#77: each task has retries of its own.
#[test]
fn retries_are_counted_for_each_task() {
    let (clock, model, worker) = scripted([BAD, GOOD, BAD, GOOD, BAD, GOOD, BAD, GOOD, BAD, GOOD, BAD, GOOD]);
    for _ in 0..6 {
        assert!(clock.run(worker.run::<Pet>(task())).is_ok());
    }
    assert_eq!(model.left(), 0);
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Finding {
    #[response(validate_with = exists)]
    file: String,
}

/// Files that exist, and which attempts were looked at.
struct Files(&'static [&'static str], Arc<AtomicU32>);

#[allow(clippy::ptr_arg)] // a rule takes the field as it is
fn exists(file: &String, context: &CheckContext) -> Result<(), String> {
    let files = context.value::<Files>().ok_or("a list of files to check against")?;
    files.1.fetch_add(context.attempt(), Ordering::SeqCst);
    if files.0.contains(&file.as_str()) { Ok(()) } else { Err(format!("a file that exists, one of {:?}", files.0)) }
}

/// anthropics/claude-code#76901: what only satisfies types is no success, on the retry neither; and the
/// user's value and the number of the attempt reach the user's rules.
#[test]
fn rules_with_context_run_on_every_attempt() {
    let seen = Arc::new(AtomicU32::new(0));
    let model =
        Scripted::new([r#"{"file": "a"}"#, r#"{"file": "b"}"#, r#"{"file": "c"}"#, r#"{"file": "src/lib.rs"}"#]);
    let worker = Worker::new(model.clone()).context(Files(&["src/lib.rs"], Arc::clone(&seen)));
    let error = pollster::block_on(worker.run::<Finding>(task())).expect_err("no such file");
    assert_eq!((error.kind(), error.report().attempts.len()), (ErrorKind::InvalidOutput, 2));
    assert_eq!(seen.load(Ordering::SeqCst), 1 + 2);
    let reply = pollster::block_on(worker.run::<Finding>(task())).expect("a file");
    assert_eq!((reply.value.file.as_str(), reply.report.attempts.len()), ("src/lib.rs", 2));
    assert!(told(&model.requests()[1]).contains("a file that exists, one of [\"src/lib.rs\"]"));
    assert_eq!(reply.report.attempts[0].outcome, Outcome::Invalid);
}

/// elie222/inbox-zero#2329: a filter is not asked again.
#[test]
fn a_filtered_reply_is_final() {
    let (result, requests) = pet([Turn::filtered("content-filter"), Turn::text(GOOD)]);
    assert_eq!((result.expect_err("filtered").kind(), requests.len()), (ErrorKind::Filtered, 1));
}

/// pydantic/pydantic-ai#4315: a refusal is no empty reply.
#[test]
fn a_refusal_is_no_empty_reply() {
    let (result, requests) = pet([Turn::refused("no"), Turn::text(GOOD)]);
    let error = result.expect_err("refused");
    assert_eq!((error.kind(), error.words(), requests.len()), (ErrorKind::Refused, Some("no"), 1));
}

/// coleam00/Archon#1266: each attempt has a life of its own, and a cancellation is final.
#[test]
fn an_attempt_that_was_dropped_does_not_end_the_next() {
    let (result, requests) = pet([Turn::error(CallErrorKind::Provider, "died"), Turn::text(GOOD).after(seconds(1))]);
    assert!(result.is_ok());
    assert_eq!(requests.len(), 2);
    let (result, requests) = pet([Turn::error(CallErrorKind::Cancelled, "by the user"), Turn::text(GOOD)]);
    assert_eq!((result.expect_err("cancelled").kind(), requests.len()), (ErrorKind::Cancelled, 1));
}

/// guardrails-ai/guardrails#594: a list where an object was expected is asked about again.
#[test]
fn a_list_for_an_object_is_asked_about_again() {
    let (result, requests) = pet([r#"[{"a":1}]"#, GOOD]);
    assert!(result.is_ok());
    assert_eq!(requests.len(), 2);
}

/// vectorize-io/hindsight#1412: there is no loop within the loop.
#[test]
fn one_retry_is_one_in_all() {
    let (result, requests) = pet([Turn::text("{"), Turn::cut("{"), Turn::text(BAD), Turn::text(GOOD)]);
    assert!(result.is_err());
    assert_eq!(requests.len(), 2);
}

/// ggml-org/llama.cpp#19051: a server that claims to enforce is not believed.
#[test]
fn an_enforced_reply_is_checked_too() {
    let (result, _) = pet(["{\"name\": \"Biscuit\"}", BAD]);
    assert_eq!(result.expect_err("checked").kind(), ErrorKind::InvalidOutput);
}

/// vercel/ai#8803: a turn that ended with calls is no output turn, even with text in it.
#[test]
fn text_beside_calls_is_no_output() {
    let mut response =
        response_schema::adapter::CallResponse::new(GOOD, response_schema::adapter::Enforcement::Enforced);
    response.ending = Ending::ToolCalls;
    response.tool_calls = vec![ToolCall::new("1", "search", "{}")];
    let (result, requests) = pet([Turn::reply(response), Turn::text(GOOD)]);
    assert_eq!(result.expect("a pet").report.attempts[0].outcome, Outcome::ToolCalls);
    assert_eq!(spoken(&requests[1])[2], (Role::Assistant, GOOD));
}

/// HarperFast/harper#1805: empty text that ended well is no success.
#[test]
fn an_empty_success_is_none() {
    let (result, _) = pet(["", ""]);
    let error = result.expect_err("empty");
    assert_eq!(error.kind(), ErrorKind::InvalidOutput);
    assert_eq!(error.report().attempts[1].problem, "the reply is empty");
}

/// pydantic/pydantic-ai#6403: only the last reply counts.
#[test]
fn an_empty_last_reply_does_not_bring_back_an_earlier_one() {
    let (result, _) = pet([BAD, ""]);
    let error = result.expect_err("empty");
    assert_eq!(error.report().attempts[1].problem, "the reply is empty");
    assert!(error.violations().is_empty());
}
