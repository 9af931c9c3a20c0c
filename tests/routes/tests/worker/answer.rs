//! A value, or a question back.

use response_schema::adapter::Enforcement;
use response_schema::testing::{Offline, assert_contract};
use response_schema::worker::{Answer, Outcome};
use response_schema::{ErrorKind, Worker, dialect, json, verify};
use serde_json::Value;

use super::{GOOD, Mood, Pet, scripted, task};

const _: () = verify::<Answer<Pet>, dialect::OpenAi>();
const _: () = verify::<Answer<Vec<Answer<Mood>>>, dialect::OpenAi>();

#[test]
fn it_keeps_the_contract_of_all_types() {
    assert_contract::<Answer<Pet>>();
    assert_contract::<Answer<Vec<Option<Mood>>>>();
    assert_contract::<Answer<Answer<u8>>>();
}

#[test]
fn the_model_is_told_of_both_ways() {
    let schema: Value = serde_json::from_str(json::<Answer<Pet>>()).expect("JSON");
    let cases = &schema["properties"]["value"]["anyOf"];
    assert_eq!(cases[0]["required"], serde_json::json!(["answer"]));
    assert_eq!(cases[1]["required"], serde_json::json!(["question"]));
    assert!(cases[1]["properties"]["question"]["description"].as_str().expect("text").contains("as a question"));
}

#[test]
fn a_question_is_an_ending_and_not_retried() {
    let (clock, model, worker) = scripted([r#"{"value": {"question": "Which cat?"}}"#, GOOD]);
    let reply = clock.run(worker.run::<Answer<Pet>>(task())).expect("an answer");
    assert_eq!(reply.value.question(), Some("Which cat?"));
    assert_eq!(model.requests().len(), 1);
    let error = reply.answered().expect_err("a question");
    assert_eq!(error.kind(), ErrorKind::ClarificationNeeded);
    assert_eq!(error.words(), Some("Which cat?"));
    assert_eq!(error.report().attempts[0].outcome, Outcome::ClarificationNeeded);
    assert!(!error.to_string().contains("JSON"));
}

#[test]
fn an_answer_is_held_to_its_rules() {
    let bad = r#"{"value": {"answer": {"name": "Biscuit", "legs": 40, "mood": "happy"}}}"#;
    let good = bad.replace("40", "4");
    let (clock, model, worker) = scripted([bad, &good]);
    let reply = clock.run(worker.run::<Answer<Pet>>(task())).expect("an answer").answered().expect("a value");
    assert_eq!((reply.value.legs, model.requests().len()), (4, 2));
    assert_eq!(reply.report.attempts[0].violations[0].path, "value.answer.legs");
}

#[test]
fn a_plain_answer_reads_like_the_value() {
    let answer: Answer<u8> = Answer::Value(4);
    assert_eq!(answer.question(), None);
    assert_eq!(answer.value(), Some(4));
    let worker = Worker::new(Offline::seeded(1));
    let reply = pollster::block_on(worker.run::<Answer<Mood>>(task())).expect("an answer");
    assert_eq!(reply.report.enforcement, Enforcement::Enforced);
}
