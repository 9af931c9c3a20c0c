//! Chains of routes: what one has shown when it fails is void, and is said to be.

use response_schema::Worker;
use response_schema::adapter::{CallErrorKind, DynAdapter, Need, Router};
use response_schema::testing::{Scripted, Turn};
use response_schema::worker::{Item, Outcome, Update};
use serde_json::json;

use super::{BAD, GOOD, Part, Pet, Told, task};

/// What is told of a pet, and who had it.
fn told(route: &DynAdapter) -> (Vec<String>, Result<String, String>) {
    let worker = Worker::new(route.clone());
    pollster::block_on(async {
        let (mut told, mut reply) = (Vec::new(), worker.stream::<Pet>(task()));
        loop {
            match reply.next().await.expect("an end") {
                Ok(Update::Partial(partial)) => told.push(partial.to_json().to_string()),
                Ok(Update::Restarted(restart)) => told.push(format!("{:?}: {}", restart.outcome, restart.problem)),
                Ok(Update::Done(reply)) => {
                    let passed: Vec<_> = reply.report.passed_over.iter().map(|over| over.route.clone()).collect();
                    let name = reply.report.name.clone().unwrap_or_default();
                    return (told, Ok(format!("{name} after {passed:?}")));
                }
                Ok(_) => {}
                Err(error) => {
                    let passed: Vec<_> = error.report().passed_over.iter().map(|over| over.route.clone()).collect();
                    return (told, Err(format!("{:?} after {passed:?}", error.kind())));
                }
            }
        }
    })
}

fn chain(first: impl Into<DynAdapter>, second: impl Into<DynAdapter>) -> DynAdapter {
    Router::new().route("fast", first).route("safe", second).fallback(["fast", "safe"]).expect("a chain")
}

fn fails(text: &'static str, kind: CallErrorKind) -> Told {
    Told::new([vec![Part::Text(text), Part::Fault(kind, "the line is dead")]])
}

fn good() -> Told {
    Told::new([vec![Part::Text(r#"{"name": "Bis"#), Part::Text(r#"cuit", "legs": 4}"#), Part::End(GOOD)]])
}

/// What is told of a good one.
fn shown() -> Vec<String> {
    vec![json!({"name": "Bis"}).to_string(), json!({"name": "Biscuit", "legs": 4}).to_string()]
}

#[test]
fn a_chain_streams_and_says_so() {
    assert!(chain(good(), good()).capabilities().streaming);
    assert!(!chain(good(), Scripted::new([GOOD])).capabilities().streaming, "it promises what all of its routes do");
    let (told, end) = told(&chain(good(), good()));
    assert_eq!((told, end), (shown(), Ok("fast after []".to_owned())));
}

#[test]
fn a_fault_after_the_first_piece_is_an_explicit_restart() {
    let (told, end) = told(&chain(fails(r#"{"name": "Rex"#, CallErrorKind::Transport), good()));
    let void = "Failed: `fast` failed: the line is dead; asking `safe`";
    assert_eq!(told[..2], [r#"{"name":"Rex"}"#, void]);
    assert_eq!(told[2..], shown());
    assert_eq!(end, Ok(r#"safe after ["fast"]"#.to_owned()));
}

#[test]
fn a_fault_before_it_is_none() {
    let silent = Told::new([vec![Part::Fault(CallErrorKind::RateLimited, "no room")]]);
    let (told, end) = told(&chain(silent, good()));
    assert_eq!((told, end), (shown(), Ok(r#"safe after ["fast"]"#.to_owned())));
}

#[test]
fn a_stream_that_just_stops_is_a_fault() {
    let (told, end) = told(&chain(Told::new([vec![Part::Text(r#"{"name": "Rex"#)]]), good()));
    assert!(told[1].contains("broke off"), "{told:?}");
    assert_eq!(end, Ok(r#"safe after ["fast"]"#.to_owned()));
}

#[test]
fn where_all_fail_the_last_fault_is_told_once() {
    let (told, end) =
        told(&chain(fails(r#"{"name": "Rex"#, CallErrorKind::Transport), fails("", CallErrorKind::RateLimited)));
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(end, Err(r#"RateLimited after ["fast"]"#.to_owned()));
    // What is meant as an end is none for the chain to mend.
    for kind in [CallErrorKind::InputBlocked, CallErrorKind::Cancelled] {
        let (told, end) = told_once(kind);
        assert_eq!(told.len(), 1);
        assert!(end.is_err_and(|end| end.ends_with("after []")));
    }
}

fn told_once(kind: CallErrorKind) -> (Vec<String>, Result<String, String>) {
    told(&chain(fails(r#"{"name": "Rex"#, kind), good()))
}

#[test]
fn refusals_and_bad_replies_are_replies() {
    let refusing = Scripted::new([Turn::refused("No.")]).in_pieces(4);
    assert_eq!(told(&chain(refusing, good())).1, Err("Refused after []".to_owned()));
    // A bad one is asked for once more, of the first.
    let bad = Scripted::new([BAD, GOOD]).in_pieces(1000);
    let (told, end) = told(&chain(bad, good()));
    assert!(told[1].starts_with("Invalid: "), "{told:?}");
    assert_eq!(end, Ok("fast after []".to_owned()));
}

#[test]
fn a_chain_with_a_route_that_does_not_stream_goes_on_with_it() {
    let (told, end) = told(&chain(fails(r#"{"name": "Rex"#, CallErrorKind::Transport), Scripted::new([GOOD])));
    assert!(told[1].starts_with("Failed: "), "{told:?}");
    assert_eq!(end, Ok(r#"safe after ["fast"]"#.to_owned()));
    // Without any that does, there is one final item.
    let whole = chain(Scripted::new([Turn::error(CallErrorKind::Transport, "reset")]), Scripted::new([GOOD]));
    assert_eq!(self::told(&whole), (Vec::new(), Ok(r#"safe after ["fast"]"#.to_owned())));
}

#[test]
fn routes_are_chosen_by_whether_they_stream() {
    let routes =
        Router::new().route("whole", Scripted::new([GOOD])).route("pieces", Scripted::new([GOOD]).in_pieces(15));
    let chosen = routes.select(Need::enforced().streaming()).expect("a route");
    assert_eq!(chosen.name(), Some("pieces"));
    let (told, end) = told(&chosen);
    assert_eq!((told.len(), end), (2, Ok("pieces after []".to_owned())));
}

/// Elements that were handed over are void, too.
#[test]
fn a_list_begins_anew_with_the_next_route() {
    let list = r#"{"value": [{"name": "a", "legs": 1}, {"name": "b", "legs": 2}]}"#;
    let first = Told::new([vec![Part::Text(&list[..40]), Part::Fault(CallErrorKind::Transport, "reset")]]);
    let worker = Worker::new(chain(first, Scripted::new([list]).in_pieces(10)));
    let mut told = Vec::new();
    pollster::block_on(async {
        let mut items = worker.stream_items::<Pet>(task());
        while let Some(item) = items.next().await {
            match item.expect("a list") {
                Item::Element(place, pet) => told.push(format!("{place} {}", pet.name)),
                Item::Restarted(restart) => {
                    assert_eq!(restart.outcome, Outcome::Failed);
                    told.push("void".to_owned());
                }
                Item::Done(report) => told.push(report.name.clone().unwrap_or_default()),
                other => panic!("{other:?}"),
            }
        }
    });
    assert_eq!(told, ["0 a", "void", "0 a", "1 b", "safe"]);
}
