//! Workers and adapters.

use std::time::Duration;

use response_schema::adapter::{Adapter, CallErrorKind, DynAdapter, Enforcement, Need, ResponseFormat};
use response_schema::testing::{Offline, Scripted, Turn, VirtualClock};
use response_schema::worker::{Budget, Item, Outcome, Update};
use response_schema::{Error, ErrorKind, ResponseSchema, Worker};
use serde_json::{Value, json};

use super::{BAD, GOOD, Pet, task};

/// What a worker tells of these turns: each snapshot, `void` at a restart, then the value or the error.
fn told<T, I>(turns: I, size: usize) -> (Vec<Value>, Result<T, Error>)
where
    T: ResponseSchema + serde::de::DeserializeOwned + Send,
    I: IntoIterator<Item: Into<Turn>>,
{
    let worker = Worker::new(Scripted::new(turns).in_pieces(size));
    pollster::block_on(async {
        let mut seen = Vec::new();
        let mut reply = worker.stream::<T>(task());
        loop {
            match reply.next().await.expect("an end") {
                Ok(Update::Partial(partial)) => seen.push(partial.to_json()),
                Ok(Update::Restarted(restart)) => seen.push(format!("void: {:?}", restart.outcome).into()),
                Ok(Update::Done(done)) => {
                    assert!(reply.next().await.is_none(), "nothing follows the end");
                    return (seen, Ok(done.value));
                }
                Ok(_) => {}
                Err(error) => {
                    assert!(reply.next().await.is_none(), "nothing follows the end");
                    return (seen, Err(error));
                }
            }
        }
    })
}

#[test]
fn snapshots_come_before_the_value() {
    let (seen, value) = told::<Pet, _>([GOOD], 12);
    assert_eq!(seen, [json!({"name": "Bi"}), json!({"name": "Biscuit"}), json!({"name": "Biscuit", "legs": 4})]);
    assert_eq!(value.expect("a pet").legs, 4);
}

#[test]
fn a_bad_end_voids_what_was_shown_and_begins_anew() {
    let (seen, value) = told::<Pet, _>([BAD, GOOD], 1000);
    assert_eq!(seen[1], "void: Invalid");
    assert_eq!((seen.len(), value.expect("a pet").legs), (3, 4));
    let (seen, value) = told::<Pet, _>([BAD, BAD], 1000);
    assert_eq!(seen.len(), 3);
    let error = value.unwrap_err();
    assert_eq!((error.kind(), error.report().attempts.len()), (ErrorKind::InvalidOutput, 2));
}

#[test]
fn endings_end_a_stream_as_what_they_are() {
    let one = |turn: Turn| told::<Pet, _>([turn], 1000).1.unwrap_err().kind();
    assert_eq!(one(Turn::refused("No.")), ErrorKind::Refused);
    assert_eq!(one(Turn::filtered("policy")), ErrorKind::Filtered);
    assert_eq!(one(Turn::error(CallErrorKind::Transport, "reset")), ErrorKind::Transport);
    let (seen, value) = told::<Pet, _>([Turn::cut(r#"{"name": "Bis"#), GOOD.into()], 1000);
    assert_eq!(seen[1], "void: CutShort");
    assert!(value.is_ok());
}

#[test]
fn noise_before_the_value_is_skipped() {
    let (seen, value) = told::<Pet, _>([format!("<think>{{\"name\": \"x\"}}</think>Here:\n```json\n{GOOD}\n```")], 3);
    assert!(value.is_ok() && seen[1]["name"] == "Bi", "{seen:?}");
}

#[test]
fn a_reply_that_stands_still_or_never_begins_is_given_up() {
    let clock = VirtualClock::new();
    let ask = |worker: Worker<Scripted>| {
        clock.run(async {
            let mut reply = worker.clock(clock.clone()).stream::<Pet>(task()).into_inner_error().await;
            reply.take().expect("an error")
        })
    };
    let silent = || Worker::new(Scripted::new([Turn::silence()]).in_pieces(4));
    for worker in [silent().first_piece_timeout(Duration::from_secs(5)), silent().timeout(Duration::from_secs(5))] {
        let before = clock.elapsed();
        assert_eq!(ask(worker).kind(), ErrorKind::Timeout);
        assert_eq!(clock.elapsed().checked_sub(before).unwrap(), Duration::from_secs(5));
    }
}

/// The error that a stream ends in.
trait IntoInnerError {
    async fn into_inner_error(self) -> Option<Error>;
}

impl<R: response_schema::adapter::Route> IntoInnerError for response_schema::worker::ReplyStream<'_, R, Pet> {
    async fn into_inner_error(mut self) -> Option<Error> {
        while let Some(update) = self.next().await {
            if let Err(error) = update {
                return Some(error);
            }
        }
        None
    }
}

/// It says so in its capabilities, and there is one item: the last.
#[test]
fn a_route_without_pieces_has_one_final_item() {
    let model = Scripted::new([GOOD, GOOD, BAD, GOOD]);
    assert!(!model.capabilities().streaming);
    let any: DynAdapter = model.clone().into();
    let named = any.clone().named("mine");
    pollster::block_on(async {
        let mut reply = model.stream::<Pet>("…");
        assert!(matches!(reply.next().await, Some(Ok(Update::Done(_)))));
        assert!(reply.next().await.is_none());
        let worker = Worker::new(named);
        let mut reply = worker.stream::<Pet>(task());
        assert!(matches!(reply.next().await, Some(Ok(Update::Done(_)))));
        assert!(reply.next().await.is_none());
        // A second attempt is told nevertheless.
        let mut reply = any.stream::<Pet>("…");
        assert!(matches!(reply.next().await, Some(Ok(Update::Restarted(_)))));
        assert!(matches!(reply.next().await, Some(Ok(Update::Done(_)))));
    });
    let worker = Worker::new(Scripted::new([GOOD])).require(Need::any().streaming());
    let error = pollster::block_on(worker.stream::<Pet>(task()).into_inner_error()).expect("refused");
    assert_eq!(error.kind(), ErrorKind::NotEnforced);
}

/// A sampler in the place of a model that streams.
#[test]
fn an_offline_route_streams_if_it_is_told_to() {
    let model = Offline::seeded(7).in_pieces(3);
    assert!(model.capabilities().streaming && !Offline::seeded(7).capabilities().streaming);
    pollster::block_on(async {
        let (mut reply, mut partials) = (model.stream::<Pet>("…"), 0);
        let value = loop {
            match reply.next().await.expect("an end").expect("a pet") {
                Update::Partial(_) => partials += 1,
                Update::Done(reply) => break reply.value,
                other => panic!("{other:?}"),
            }
        };
        assert!(partials > 2, "{partials}");
        assert_eq!(value, model.extract::<Pet>("…").await.expect("the same"));
    });
}

/// A schema that is known at run time only.
#[test]
fn dynamic_values_grow_too() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "kind": {"enum": ["cat", "cats"]}, "legs": {"type": "integer", "maximum": 8}},
        "required": ["name", "kind", "legs"],
        "additionalProperties": false,
    });
    let text = |legs: u8| format!(r#"Here: {{"name": "Biscuit", "kind": "cats", "legs": {legs}}}"#);
    let worker = Worker::new(Scripted::new([text(40), text(4)]).in_pieces(5));
    let mut seen = Vec::new();
    pollster::block_on(async {
        let mut reply = worker.stream_value(task(), ResponseFormat::from_schema(schema.clone()));
        loop {
            match reply.next().await.expect("an end").expect("a value") {
                Update::Partial(partial) => seen.push(partial.to_json()),
                Update::Restarted(restart) => seen.push(format!("{:?}", restart.outcome).into()),
                Update::Done(reply) => {
                    assert_eq!(reply.value, json!({"name": "Biscuit", "kind": "cats", "legs": 4}));
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
    });
    assert_eq!((&seen[0], &seen[1]), (&json!({}), &json!({"name": "Bisc"})));
    let void = seen.iter().position(|seen| *seen == json!("Invalid")).expect("a restart");
    assert_eq!(seen[void - 1]["kind"], "cats");
    assert!(seen.iter().all(|seen| seen.get("kind").is_none_or(|kind| kind == "cats")), "{seen:?}");
}

#[test]
fn a_budget_and_a_need_hold_for_streams() {
    let budget = Budget::new().max_calls(1);
    let worker = Worker::new(Scripted::new([BAD, GOOD]).in_pieces(4)).budget(budget.clone());
    let error = pollster::block_on(worker.stream::<Pet>(task()).into_inner_error()).expect("an error");
    assert_eq!((error.kind(), budget.spent().calls), (ErrorKind::InvalidOutput, 1));
    let model = Scripted::new([GOOD]).guarantee(Enforcement::None);
    let worker = Worker::new(model.clone()).require(Need::enforced());
    let error = pollster::block_on(worker.stream::<Pet>(task()).into_inner_error()).expect("an error");
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::NotEnforced, 0));
}

/// The time of a budget is told apart from that of the task, as for replies that do not stream.
#[test]
fn the_time_of_a_budget_ends_a_stream_as_what_it_is() {
    let clock = VirtualClock::new();
    let silent = Worker::new(Scripted::new([Turn::silence()]).in_pieces(4)).clock(clock.clone());
    let worker = silent.timeout(Duration::from_mins(1)).budget(Budget::new().max_time(Duration::from_secs(5)));
    let error = clock.run(worker.stream::<Pet>(task()).into_inner_error()).expect("an error");
    assert_eq!((error.kind(), clock.elapsed()), (ErrorKind::BudgetExceeded, Duration::from_secs(5)));
    assert_eq!(error.report().attempts.len(), 1);
}

/// What is told of a list: the elements, `void` at a restart, and whether it was had.
fn elements<I>(turns: I, size: usize) -> (Vec<String>, Result<(), Error>)
where
    I: IntoIterator<Item: Into<Turn>>,
{
    let worker = Worker::new(Scripted::new(turns).in_pieces(size));
    pollster::block_on(async {
        let mut seen = Vec::new();
        let mut list = worker.stream_items::<Pet>(task());
        loop {
            match list.next().await.expect("an end") {
                Ok(Item::Element(place, pet)) => seen.push(format!("{place} {}", pet.name)),
                Ok(Item::Restarted(restart)) => {
                    assert_eq!(restart.outcome, Outcome::Invalid);
                    seen.push("void".to_owned());
                }
                Ok(Item::Done(_)) => return (seen, Ok(())),
                Ok(_) => {}
                Err(error) => return (seen, Err(error)),
            }
        }
    })
}

#[test]
fn elements_come_as_soon_as_they_are_complete_and_once() {
    let list = |names: &[(&str, u8)]| {
        let pets: Vec<_> = names.iter().map(|(name, legs)| serde_json::json!({"name": name, "legs": legs})).collect();
        serde_json::json!({ "value": pets }).to_string()
    };
    let good = list(&[("a", 1), ("b", 2), ("c", 3)]);
    for size in [1, 7, 1000] {
        assert_eq!(elements([good.clone()], size).0, ["0 a", "1 b", "2 c"]);
        let bad = list(&[("a", 1), ("b", 99), ("c", 3)]);
        assert_eq!(elements([bad.clone(), good.clone()], size).0, ["0 a", "void", "0 a", "1 b", "2 c"]);
        let (seen, end) = elements([bad.clone(), bad], size);
        assert_eq!((seen.len(), end.unwrap_err().kind()), (3, ErrorKind::InvalidOutput));
    }
    let draft = format!("{} No: {good}", list(&[("x", 1), ("y", 1)]));
    assert_eq!(elements([draft], 5).0, ["0 x", "1 y", "void", "0 a", "1 b", "2 c"]);
    // An element that only decoding mends waits for the whole.
    let noisy = r#"{"value": [{"name": "a", "legs": "4"}, {"name": "b", "legs": 2}]}"#;
    assert_eq!(elements([noisy], 4).0, ["0 a", "1 b"]);
}

#[test]
fn adapters_stream_items() {
    let list = json!({"value": [{"name": "a", "legs": 1}, {"name": "b", "legs": 2}]}).to_string();
    let model = Scripted::new([list.clone(), list]).in_pieces(9);
    let any: DynAdapter = model.clone().into();
    pollster::block_on(async {
        let mut items = any.stream_items::<Pet>("…");
        assert!(matches!(items.next().await, Some(Ok(Item::Element(0, _)))));
        let mut items = model.stream_items::<Pet>("…");
        assert!(matches!(items.next().await, Some(Ok(Item::Element(0, pet))) if pet.legs == 1));
        assert!(matches!(items.next().await, Some(Ok(Item::Element(1, pet))) if pet.legs == 2));
        assert!(matches!(items.next().await, Some(Ok(Item::Done(_)))));
        assert!(items.next().await.is_none());
    });
}

/// 567-labs/instructor#1991: a stream whose value is not valid is asked for once more, with the text that was gathered, as an
/// unstreamed reply is.
#[test]
fn a_retry_within_a_stream_is_that_of_a_whole_reply() {
    let ask = |model: &Scripted| {
        let worker = Worker::new(model.clone());
        let whole = pollster::block_on(worker.run::<Pet>(task())).expect("a pet");
        let asked = model.requests();
        (whole, asked.iter().map(|request| request.messages.to_vec()).collect::<Vec<_>>())
    };
    let (whole, expected) = ask(&Scripted::new([BAD, GOOD]));
    for size in [1, 5, 1000] {
        let model = Scripted::new([BAD, GOOD]).in_pieces(size);
        let worker = Worker::new(model.clone());
        let reply = pollster::block_on(async {
            let mut reply = worker.stream::<Pet>(task());
            let (mut void, mut after) = (0, 0);
            loop {
                match reply.next().await.expect("an end").expect("a pet") {
                    Update::Restarted(restart) => {
                        assert_eq!(restart.violations.len(), 1);
                        assert!(restart.violations[0].to_string().contains("`legs`"), "{:?}", restart.violations);
                        void += 1;
                    }
                    Update::Partial(partial) if void == 1 => {
                        // It begins anew: nothing of the first attempt is in it.
                        assert!(after > 0 || partial.to_json()["legs"].is_null() || size > 20);
                        after += 1;
                    }
                    Update::Done(reply) => {
                        assert_eq!(void, 1);
                        break reply;
                    }
                    _ => {}
                }
            }
        });
        let asked: Vec<_> = model.requests().iter().map(|request| request.messages.to_vec()).collect();
        assert_eq!(asked, expected, "the second request has the text that was gathered, and what is wrong with it");
        assert_eq!(reply.value, whole.value);
        let outcomes = |reply: &response_schema::Reply<Pet>| {
            reply.report.attempts.iter().map(|attempt| (attempt.outcome, attempt.raw_text.clone())).collect::<Vec<_>>()
        };
        assert_eq!(outcomes(&reply), outcomes(&whole));
    }
}
