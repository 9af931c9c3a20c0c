//! Replies that were had before.

use std::path::PathBuf;

use response_schema::adapter::{
    Adapter as _, CallRequest, DynAdapter, Fleet, Message, Parameters, ResponseFormat, Router,
};
use response_schema::many::{Cached, Source};
use response_schema::testing::VirtualClock;
use response_schema::worker::{Budget, Prices};
use response_schema::{SubTask, Worker};
use serde_json::json;

use super::{Echo, Numbers, Say, numbers};

fn files(directory: &tempfile::TempDir) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for part in std::fs::read_dir(directory.path()).expect("a directory").flatten() {
        files.extend(std::fs::read_dir(part.path()).expect("a directory").flatten().map(|file| file.path()));
    }
    files
}

#[test]
fn what_was_answered_well_is_not_asked_again_and_costs_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, _| match number {
        0 => Say::Refused(0),
        1 => Say::Bad(0),
        _ => Say::Good(0),
    });
    let cached = Cached::new(model.clone(), directory.path());
    let ask = || {
        let worker = Worker::new(cached.clone()).clock(clock.clone());
        let budget = Budget::new().prices(Prices::per_million(1.0, 1.0));
        let mut results = worker.many::<Echo>(numbers(10)).budget(budget).start().expect("starts");
        let mut kept = 0;
        clock.run(async {
            while let Some(item) = results.next().await {
                kept += u64::from(item.source == Source::Cache);
                if let Ok(reply) = item.outcome {
                    assert_eq!(reply.value.number, item.index);
                }
            }
        });
        assert_eq!(kept, results.summary().from_cache);
        results.summary().clone()
    };
    assert_eq!((ask().from_cache, files(&directory).len()), (0, 8));
    let calls = model.calls();
    let again = ask();
    // The refusal once, and the bad one with its retry.
    assert_eq!((again.valid, again.from_cache, model.calls() - calls), (8, 8, 3));
    assert_eq!(again.usage.input_tokens, 300);
    assert!(cached.hits() == 8 && cached.problem().is_none());
}

#[test]
fn all_that_a_reply_depends_on_is_in_the_key_and_the_deadline_is_not() {
    let directory = tempfile::tempdir().expect("a directory");
    let model = Numbers::good();
    let cached = Cached::new(model.clone(), directory.path());
    let plain = || CallRequest::new(vec![Message::user("7")]);
    let schema = |title: &str| ResponseFormat::from_schema(json!({"title": title, "type": "object"}));
    let mut seeded = Parameters::default();
    seeded.seed = Some(1);
    let mut requests = vec![
        plain(),
        plain().with_response_schema(schema("A")),
        plain().with_response_schema(schema("B")),
        CallRequest::new(vec![Message::system("s"), Message::user("7")]),
        plain(),
    ];
    requests[4].parameters = seeded;
    for (at, request) in requests.iter().enumerate() {
        assert!(!pollster::block_on(cached.call(request.clone())).expect("a reply").cached, "{at}");
    }
    for (at, mut request) in requests.into_iter().enumerate() {
        request.deadline = std::time::Instant::now().checked_add(std::time::Duration::from_secs(at as u64 + 1));
        assert!(pollster::block_on(cached.call(request)).expect("a reply").cached, "{at}");
    }
    assert_eq!(model.calls(), 5);
}

#[test]
fn a_file_that_is_no_reply_is_replaced_and_a_directory_that_is_none_loses_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let model = Numbers::good();
    let ask = |cached: &Cached<Numbers>| {
        let worker = Worker::new(cached.clone());
        pollster::block_on(worker.run::<Echo>(SubTask::new("7"))).expect("an echo").report.cached
    };
    let cached = Cached::new(model.clone(), directory.path());
    assert!(!ask(&cached) && ask(&cached));
    let file = files(&directory).remove(0);
    let whole = std::fs::read(&file).expect("bytes");
    for torn in [&whole[..whole.len() / 2], b"", b"{\"version\": 99}"] {
        std::fs::write(&file, torn).expect("is written");
        assert!(!ask(&cached) && ask(&cached));
        assert_eq!(std::fs::read(&file).expect("bytes"), whole);
    }
    let nowhere = Cached::new(model, &file);
    assert!(!ask(&nowhere) && !ask(&nowhere));
    assert!(nowhere.problem().expect("a problem").contains("cannot be used"));
}

#[test]
fn two_models_of_one_route_have_each_their_own_replies() {
    use response_schema::adapter::OpenAi;
    let route = |model: &str| OpenAi::new("sk-not-a-key-of-anyone").expect("a route").model(model);
    let (one, other) = (route("gpt-5.6"), route("gpt-5.6-luna"));
    assert_ne!(one.identity(), other.identity());
    assert_ne!(one.identity(), route("gpt-5.6").base_url("http://localhost:1/v1").identity());
    assert_eq!(one.identity(), route("gpt-5.6").identity());
    assert!(!one.identity().contains("not-a-key"), "{}", one.identity());
}

#[test]
fn a_route_whose_type_is_forgotten_keeps_its_replies_where_the_same_route_finds_them() {
    let directory = tempfile::tempdir().expect("a directory");
    let model = Numbers::good();
    let forgotten = Cached::new(DynAdapter::new(model.clone()).named("mine"), directory.path());
    let again = DynAdapter::from(forgotten.clone());
    let ask = |number: &str| {
        let report = |reply: response_schema::worker::Reply<Echo>| (reply.report.cached, reply.report.name);
        let run = pollster::block_on(Worker::new(forgotten.clone()).run::<Echo>(SubTask::new(number)));
        let erased = pollster::block_on(Worker::new(again.clone()).run::<Echo>(SubTask::new(number)));
        [report(run.expect("an echo")), report(erased.expect("an echo"))]
    };
    let mine = || Some("mine".to_owned());
    assert_eq!(ask("7"), [(false, mine()), (true, mine())]);
    assert_eq!(ask("7"), [(true, mine()), (true, mine())]);
    let typed = Worker::new(Cached::new(model.clone(), directory.path()));
    assert!(pollster::block_on(typed.run::<Echo>(SubTask::new("7"))).expect("an echo").report.cached);
    assert_eq!((model.calls(), forgotten.hits(), forgotten.misses()), (1, 3, 1));
}

#[test]
fn routes_made_of_routes_are_known_by_all_of_them() {
    use response_schema::adapter::OpenAi;
    let route = |model: &str| OpenAi::new("sk-not-a-key-of-anyone").expect("a route").model(model);
    let fleet = |models: [&str; 2]| Fleet::new(models.map(route)).identity();
    let chain = |models: [&str; 2]| {
        let router = models.iter().fold(Router::new(), |router, model| router.route(*model, route(model)));
        router.fallback(models).expect("a chain").identity()
    };
    for identity in [&fleet as &dyn Fn([&str; 2]) -> String, &chain] {
        let one = identity(["gpt-5.6", "gpt-5.6-luna"]);
        assert_eq!(one, identity(["gpt-5.6", "gpt-5.6-luna"]));
        assert_ne!(one, identity(["gpt-5.6", "gpt-5.6-mini"]));
        assert_ne!(one, identity(["gpt-5.6-mini", "gpt-5.6-luna"]));
    }
}
