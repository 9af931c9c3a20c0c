//! Typed values that grow over the events of a command line.

use std::fs;

use pollster::block_on;
use response_schema::adapter::{Adapter, ClaudeCli};
use response_schema::worker::{Outcome, Update};
use response_schema::{ErrorKind, ResponseSchema, SubTask, Worker};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::fake::{CODEX_ANSWERS, Fake, eventually, runs};

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[response(partial(Debug, PartialEq))]
struct Pet {
    name: String,
    #[response(max = 8)]
    legs: u8,
}

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
struct Counted {
    n: u8,
}

const INIT: &str = r#"{"type":"system","subtype":"init","tools":["StructuredOutput"],"model":"m"}"#;
const START: &str = r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"StructuredOutput"}},"parent_tool_use_id":null}"#;

fn piece(text: &str) -> String {
    let delta = json!({"type": "input_json_delta", "partial_json": text});
    json!({"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": delta}}).to_string()
}

fn result(pet: &str) -> String {
    format!(r#"{{"type":"result","subtype":"success","is_error":false,"structured_output":{pet}}}"#)
}

/// A shell command that writes these lines.
fn says(lines: &[&str]) -> String {
    format!("cat <<'EVENTS'\n{}\nEVENTS\n", lines.join("\n"))
}

const GOOD: &str = r#"{"name":"Biscuit","legs":4}"#;
const BAD: &str = r#"{"name":"Rex","legs":40}"#;

/// What is told of a pet.
fn told(worker: &Worker<ClaudeCli>) -> (Vec<String>, Pet) {
    block_on(async {
        let (mut told, mut reply) = (Vec::new(), worker.stream::<Pet>(SubTask::new("describe")));
        loop {
            match reply.next().await.expect("an end").expect("a pet") {
                Update::Partial(partial) => {
                    let PartialPet { name, legs } = partial.fields().expect("begun");
                    told.push(format!("{} {legs:?}", name.unwrap_or_default()));
                }
                Update::Restarted(restart) => told.push(format!("void: {:?}: {}", restart.outcome, restart.problem)),
                Update::Done(reply) => return (told, reply.value),
                other => panic!("{other:?}"),
            }
        }
    })
}

/// The process goes on only once the first partials were seen, so they come while it writes.
#[test]
fn partials_come_while_the_process_writes() {
    let begin = says(&[INIT, START, &piece(r#"{"name":"#), &piece(r#""Bis"#)]);
    let end = says(&[&piece("cuit\","), &piece(r#""legs":4}"#), &result(GOOD)]);
    let fake = Fake::new(&format!("{begin}until [ -e go ]; do sleep 0.01; done\n{end}"));
    let claude = fake.claude();
    assert!(claude.capabilities().streaming);
    let mut reply = claude.stream::<Pet>("describe");
    let mut next = || block_on(reply.next()).expect("an end").expect("a pet");
    let mut names = Vec::new();
    while names.last().is_none_or(|name: &Option<String>| name.as_deref() != Some("Bis")) {
        let Update::Partial(pet) = next() else { panic!("a partial") };
        names.push(pet.fields().expect("begun").name);
    }
    fs::write(fake.folder.path().join("go"), "").unwrap();
    let pet = loop {
        match next() {
            Update::Partial(pet) => names.push(pet.fields().expect("begun").name),
            Update::Done(reply) => break reply.value,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(names.last().and_then(Option::as_deref), Some("Biscuit"));
    assert_eq!(pet, Pet { name: "Biscuit".into(), legs: 4 });
}

/// The client itself asks its model again, and a process that brought a bad value is followed by another.
#[test]
fn what_is_void_is_said_to_be() {
    let asks_again = says(&[INIT, START, &piece(r#"{"name":"Rex","legs":"x"}"#), START, &piece(GOOD), &result(GOOD)]);
    let (told, pet) = told(&Worker::new(Fake::new(&asks_again).claude()));
    let void = told.iter().position(|told| told.starts_with("void: Invalid: the client found")).expect("a restart");
    assert!(told[..void].iter().all(|told| told.starts_with("Rex")), "{told:?}");
    assert_eq!(told[void + 1..], ["Biscuit Some(4)"]);
    assert_eq!(pet.legs, 4);

    let (bad, good) =
        (says(&[INIT, START, &piece(BAD), &result(BAD)]), says(&[INIT, START, &piece(GOOD), &result(GOOD)]));
    let fake = Fake::new(&format!("if [ -e asked ]; then\n{good}\nelse touch asked\n{bad}\nfi"));
    let (told, pet) = self::told(&Worker::new(fake.claude()));
    assert_eq!((told[0].as_str(), told[2].as_str()), ("Rex Some(40)", "Biscuit Some(4)"));
    assert!(told[1].starts_with("void: Invalid"), "{told:?}");
    assert_eq!(pet.legs, 4);
}

#[test]
fn dropping_the_stream_kills_the_process() {
    let begin = says(&[INIT, START, &piece(r#"{"name":"Bis"#)]);
    let fake = Fake::new(&format!("echo $$ > pid\n{begin}sleep 1000"));
    let claude = fake.claude();
    let mut reply = claude.stream::<Pet>("describe");
    assert!(matches!(block_on(reply.next()), Some(Ok(Update::Partial(_)))));
    let pid = fake.wait_for_pid("pid");
    assert!(runs(pid));
    drop(reply);
    eventually("the process is gone", || (!runs(pid)).then_some(()));
}

/// What nobody reads is kept until it is read, within the bound on what a process may write.
#[test]
fn a_slow_reader_holds_what_the_process_may_write_at_most() {
    let flood = format!("while :; do echo '{}'; done", piece("x"));
    let begin = says(&[INIT, START, &piece(r#"{"name":"#), &piece("\"")]);
    let fake = Fake::new(&format!("{begin}{flood}"));
    let worker = Worker::new(fake.claude().max_output(256 << 10));
    let mut reply = worker.stream::<Pet>(SubTask::new("describe"));
    let (mut most, mut end) = (0, None);
    while let Some(update) = block_on(reply.next()) {
        match update {
            Ok(Update::Partial(pet)) => most = most.max(pet.fields().expect("begun").name.map_or(0, |name| name.len())),
            Ok(_) => {}
            Err(error) => end = Some(error),
        }
    }
    let error = end.expect("it is ended");
    assert_eq!(error.kind(), ErrorKind::Provider, "{error:?}");
    assert!(most < 256 << 10);
}

/// `codex` tells its answer at once: one final item, as its capabilities say.
#[test]
fn a_command_line_without_pieces_has_one_final_item() {
    let fake = Fake::new(CODEX_ANSWERS);
    let codex = fake.codex();
    assert!(!codex.capabilities().streaming);
    let mut reply = codex.stream::<Counted>("count");
    assert!(matches!(block_on(reply.next()), Some(Ok(Update::Done(reply))) if reply.value == Counted { n: 1 }));
    assert!(block_on(reply.next()).is_none());
    // A retry is told all the same.
    let bad = CODEX_ANSWERS.replace(r#"{\"n\":1}"#, r#"{\"n\":-1}"#);
    let fake = Fake::new(&format!("if [ -e asked ]; then\n{CODEX_ANSWERS}\nelse touch asked\n{bad}\nfi"));
    let codex = fake.codex();
    let mut reply = codex.stream::<Counted>("count");
    assert!(matches!(block_on(reply.next()), Some(Ok(Update::Restarted(why))) if why.outcome == Outcome::Invalid));
    assert!(matches!(block_on(reply.next()), Some(Ok(Update::Done(_)))));
}
