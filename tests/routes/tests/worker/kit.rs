//! The stand-ins for tests of one's own code.

use std::time::Duration;

use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, Message, ResponseFormat,
    ToolChoice, ToolSpec,
};
use response_schema::testing::{Offline, Recording, Replay, Scripted, Turn, VirtualClock, no_real_calls};
use response_schema::worker::{Clock, RetryPolicy};
use response_schema::{ErrorKind, SubTask, Worker, dialect};
use serde_json::{Value, json};

use super::{BAD, GOOD, Pet, seconds, task};

/// Dynamic schemas of the kinds that people write by hand.
fn schemas() -> Vec<Value> {
    vec![
        json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 3, "maximum": 9, "multipleOf": 3}}, "required": ["a"], "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"enum": ["x", 1, null]}}, "required": ["b"]}),
        json!({"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}, "code": {"type": "string", "pattern": "^[A-Z]{2}-\\d{4}$"}}, "required": ["at", "code"]}),
        json!({"type": "object", "properties": {"list": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "minItems": 2, "maxItems": 4}}, "required": ["list"]}),
        json!({"$ref": "#/$defs/Node", "$defs": {"Node": {"type": "object", "properties": {"name": {"type": "string", "minLength": 1}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}, "required": ["name", "next"], "additionalProperties": false}}}),
        json!({"type": "object", "properties": {"kind": {"const": "cat"}, "tags": {"type": ["string", "null"]}}, "required": ["kind", "tags"]}),
        json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"]}]}),
        json!({"type": "object", "properties": {"n": {"type": "integer", "exclusiveMaximum": 0}}, "required": ["n"], "minProperties": 1}),
    ]
}

#[test]
fn offline_makes_up_values_of_dynamic_schemas() {
    for schema in schemas() {
        for seed in 0..20 {
            let worker = Worker::new(Offline::seeded(seed)).retry(RetryPolicy::NEVER);
            let format = ResponseFormat::from_schema(schema.clone());
            let reply = pollster::block_on(worker.run_value(task(), format))
                .unwrap_or_else(|error| panic!("{schema}\n{error:?}"));
            // An independent judge.
            if let Err(fault) = jsonschema::validate(&schema, &reply.value) {
                panic!("{fault}\n{schema}\n{}", reply.value);
            }
        }
    }
}

#[test]
fn offline_says_what_it_cannot_make_up() {
    for (schema, words) in [
        (json!(false), "takes no value"),
        (json!({"type": "integer", "minimum": 5, "maximum": 4}), "no whole number"),
        (
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}}}),
            "contain another one",
        ),
        (json!({"$ref": "other.json"}), "leads nowhere"),
    ] {
        let worker = Worker::new(Offline::seeded(1));
        let error =
            pollster::block_on(worker.run_value(task(), ResponseFormat::from_schema(schema))).expect_err("none");
        assert_eq!(error.kind(), ErrorKind::SchemaRefused);
        let why = std::error::Error::source(&error).expect("a reason").to_string();
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn offline_answers_the_same_to_the_same_whatever_comes_between() {
    let ask = |model: &Offline, prompt: &str| {
        pollster::block_on(Worker::new(*model).run_value(SubTask::new(prompt), ResponseFormat::of::<Pet>()))
            .expect("a pet")
            .value
    };
    let (one, other) = (Offline::seeded(7), Offline::seeded(7));
    let (first, second) = (ask(&one, "a"), ask(&one, "b"));
    assert_eq!((ask(&other, "b"), ask(&other, "a")), (second.clone(), first.clone()));
    assert_ne!(first, second);
    assert_ne!(ask(&Offline::seeded(8), "a"), first);
}

#[test]
fn offline_calls_the_tool_that_must_be_called() {
    let mut request = CallRequest::new(vec![Message::user("Look it up.")]).with_tool(ToolSpec::new(
        "lookup",
        "Looks up.",
        ResponseFormat::of::<Pet>(),
    ));
    let plain = pollster::block_on(Adapter::call(&Offline::seeded(1), request.clone())).expect("a reply");
    assert!(plain.tool_calls.is_empty() && !plain.text.is_empty());
    request.tool_choice = ToolChoice::Required;
    let called = pollster::block_on(Adapter::call(&Offline::seeded(1), request)).expect("a reply");
    let pet: Pet = serde_json::from_str(&called.tool_calls[0].arguments).expect("arguments");
    assert!(pet.legs <= 8);
}

#[test]
fn a_script_that_is_over_says_so() {
    let model = Scripted::new([GOOD]);
    let worker = Worker::new(model.clone());
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    let error = pollster::block_on(worker.run::<Pet>(task())).expect_err("over");
    let why = std::error::Error::source(&error).expect("a reason").to_string();
    assert!(why.contains("no turn for call 2"), "{why}");
    let slow = Worker::new(Scripted::new([Turn::text(GOOD).after(seconds(1))]));
    let error = pollster::block_on(slow.run::<Pet>(task())).expect_err("no clock");
    assert!(std::error::Error::source(&error).expect("a reason").to_string().contains("no clock"));
}

#[test]
fn a_stand_in_is_held_to_the_dialect_of_the_route_it_stands_for() {
    let worker = Worker::new(Offline::seeded(3).as_dialect::<dialect::OpenAi>());
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
}

#[test]
fn sleepers_wake_in_their_order_and_time_does_not_run_back() {
    let clock = VirtualClock::new();
    let start = clock.now();
    let order = std::cell::RefCell::new(Vec::new());
    clock.run(async {
        let sleep = |time: u64| {
            let (clock, order) = (&clock, &order);
            async move {
                clock.sleep(seconds(time)).await;
                order.borrow_mut().push((time, clock.elapsed()));
            }
        };
        futures_util::future::join3(sleep(30), sleep(10), sleep(20)).await;
    });
    assert_eq!(*order.borrow(), [10, 20, 30].map(|time| (time, seconds(time))));
    clock.advance(Duration::ZERO);
    assert_eq!(clock.now() - start, seconds(30));
}

/// A route to something real, as far as anybody knows.
#[derive(Debug)]
struct Real;

impl Adapter for Real {
    type Dialect = dialect::OpenAi;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("real", Enforcement::Enforced)
    }

    async fn call(&self, _: CallRequest) -> Result<CallResponse, CallError> {
        Ok(CallResponse::new(GOOD, Enforcement::Enforced))
    }
}

#[test]
fn real_calls_fail_while_the_guard_lives() {
    let worker = Worker::new(Real);
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    let guard = no_real_calls();
    let error = pollster::block_on(worker.run::<Pet>(task())).expect_err("forbidden");
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(std::error::Error::source(&error).expect("a reason").to_string().contains("a real call to `real`"));
    assert_eq!(error.report().attempts.len(), 1, "a forbidden call is not tried again");
    // Erased, wrapped and streamed ones, too.
    let erased = response_schema::adapter::DynAdapter::new(Recording::new(&Real, "/nowhere"));
    assert!(pollster::block_on(erased.call(CallRequest::new(Vec::new()))).is_err());
    let streamed = pollster::block_on(erased.call_streamed(CallRequest::new(Vec::new())).next());
    assert!(streamed.expect("an end").is_err());
    assert_eq!(guard.take_tried(), ["real", "real", "real"]);
    // Stand-ins go on.
    assert!(pollster::block_on(Worker::new(Offline::seeded(1)).run::<Pet>(task())).is_ok());
    drop(guard);
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    // Code that swallows the error does not save the test.
    let swallowed = std::panic::catch_unwind(|| {
        let _guard = no_real_calls();
        let _ = pollster::block_on(Worker::new(Real).run::<Pet>(task()));
    });
    assert!(swallowed.is_err());
}

#[test]
fn a_cassette_answers_as_the_route_did() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("deep/er/pet.json");
    let turns = [
        Turn::text(BAD),
        Turn::text(GOOD).model("small"),
        Turn::refused("no"),
        Turn::error(CallErrorKind::Transport, "reset").status(502),
    ];
    let recording = Recording::new(Scripted::new(turns), &path);
    let ask = |prompt: &str| SubTask::new(prompt);
    let recorded: Vec<_> = ["one", "two", "three"]
        .iter()
        .map(|prompt| pollster::block_on(Worker::new(&recording).run::<Pet>(ask(prompt))))
        .collect();

    let replay = Replay::open(&path).expect("a cassette");
    assert_eq!(replay.left(), 4);
    // In another order.
    for (at, prompt) in [(2, "three"), (0, "one"), (1, "two")] {
        let replayed = pollster::block_on(Worker::new(replay.clone()).run::<Pet>(ask(prompt)));
        match (&recorded[at], &replayed) {
            (Ok(one), Ok(other)) => {
                assert_eq!(one.value, other.value);
                assert_eq!(
                    (one.report.attempts.len(), &one.report.model),
                    (other.report.attempts.len(), &other.report.model)
                );
            }
            (Err(one), Err(other)) => assert_eq!((one.kind(), one.to_string()), (other.kind(), other.to_string())),
            _ => panic!("{recorded:?}\n{replayed:?}"),
        }
    }
    assert_eq!(replay.left(), 0);
    let error = pollster::block_on(Worker::new(replay).run::<Pet>(ask("two"))).expect_err("used up");
    assert!(std::error::Error::source(&error).expect("a reason").to_string().contains("recorded 1 times"));
}

#[test]
fn a_cassette_is_the_same_whatever_the_order_of_calls() {
    let directory = tempfile::tempdir().expect("a directory");
    let record = |name: &str, prompts: &[&str]| {
        let path = directory.path().join(name);
        let recording = Recording::new(Offline::seeded(5), &path);
        for prompt in prompts {
            assert!(pollster::block_on(Worker::new(&recording).run::<Pet>(SubTask::new(*prompt))).is_ok());
        }
        std::fs::read_to_string(path).expect("a file")
    };
    let one = record("one", &["a", "b", "c"]);
    assert_eq!(one, record("other", &["c", "a", "b"]));
    assert!(one.ends_with("}\n") && one.contains("\n  \"exchanges\": ["), "{one}");
    let names: Vec<_> = std::fs::read_dir(directory.path()).expect("a directory").count().to_string().chars().collect();
    assert_eq!(names, ['2'], "half-written files stay behind");
}

#[test]
fn secrets_do_not_reach_the_disk() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("secret.json");
    let key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUv";
    let leaky = GOOD.replace("Biscuit", key);
    let recording = Recording::new(Scripted::new([leaky.as_str()]), &path).secret("my-own-secret");
    let prompt = SubTask::new(format!("The key is {key} and my-own-secret."));
    assert!(pollster::block_on(Worker::new(&recording).run::<Pet>(prompt.clone())).is_ok());
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(!text.contains(key) && !text.contains("my-own-secret") && text.contains("[secret]"), "{text}");
    // The same request finds it nevertheless.
    let replay = Replay::open(&path).expect("a cassette").secret("my-own-secret");
    let pet = pollster::block_on(Worker::new(replay).run::<Pet>(prompt)).expect("a pet").value;
    assert_eq!(pet.name, "[secret]");
}

#[test]
fn a_miss_names_the_nearest_and_where_it_differs() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("pet.json");
    let recording = Recording::new(Offline::seeded(5).as_dialect::<dialect::OpenAi>(), &path);
    for prompt in ["a", "b"] {
        assert!(pollster::block_on(Worker::new(&recording).run::<Pet>(SubTask::new(prompt).system("s"))).is_ok());
    }
    let why = |result: Result<response_schema::Reply<Pet>, response_schema::Error>| {
        std::error::Error::source(&result.expect_err("a miss")).expect("a reason").to_string()
    };
    let replay = Replay::open(&path).expect("a cassette").as_dialect::<dialect::OpenAi>();
    let words = why(pollster::block_on(Worker::new(replay).run::<Pet>(SubTask::new("b").system("t"))));
    assert!(
        words.contains("exchange 2, which differs at /messages/0/text") && words.contains("record it again"),
        "{words}"
    );
    let other = Replay::open(&path).expect("a cassette");
    let words = why(pollster::block_on(Worker::new(other).run::<Pet>(SubTask::new("b").system("s"))));
    assert!(words.contains("recorded in the dialect"), "{words}");

    assert!(Replay::open(directory.path().join("none.json")).expect_err("none").to_string().contains("none.json"));
    std::fs::write(&path, "{\"version\": 9}").expect("written");
    assert!(Replay::open(&path).is_err());
}
