//! What comes of a run.

#![allow(clippy::cast_precision_loss, reason = "counts in tests are small")]

use std::time::Duration;

use futures_util::stream;
use response_schema::adapter::{CallErrorKind, DynAdapter, ResponseFormat};
use response_schema::many::{Ended, Input, Source};
use response_schema::testing::{Offline, VirtualClock};
use response_schema::worker::{Budget, Prices};
use response_schema::{ErrorKind, SubTask, Worker};
use serde_json::json;

use super::{Adapter as _, Echo, Numbers, Say, numbers};

#[test]
fn every_input_has_one_result_and_no_failure_ends_the_run() {
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, before| match number % 6 {
        0 => Say::Good(number * 37 % 900),
        // Mended by the worker's retry, or not.
        1 if before == 0 => Say::Bad(5),
        2 => Say::Bad(3),
        3 => Say::Refused(0),
        4 => Say::Fault(CallErrorKind::Transport, 0),
        _ => Say::Good(0),
    });
    let worker = Worker::new(model.clone()).clock(clock.clone());
    let mut results = worker.many::<Echo>(numbers(600)).concurrency(32).start().expect("starts");
    let mut seen = vec![0; 600];
    clock.run(async {
        while let Some(item) = results.next().await {
            let number = item.index;
            assert!(results.under_way() <= 32);
            assert_eq!((item.id.as_str(), item.source), (format!("n{number}").as_str(), Source::Fresh));
            seen[usize::try_from(number).expect("small")] += 1;
            match (number % 6, item.outcome) {
                (0 | 1 | 5, Ok(reply)) => assert_eq!(reply.value, Echo { number, part: number % 10 }),
                (2, Err(error)) => assert_eq!(error.kind(), ErrorKind::InvalidOutput),
                (3, Err(error)) => assert_eq!(error.kind(), ErrorKind::Refused),
                (4, Err(error)) => assert_eq!(error.kind(), ErrorKind::Transport),
                (_, other) => panic!("{number}: {other:?}"),
            }
        }
    });
    assert!(seen.iter().all(|times| *times == 1), "{seen:?}");
    let summary = results.summary();
    assert_eq!((summary.items(), summary.valid, summary.retries), (600, 300, 200));
    let mut failed = summary.failed.clone();
    failed.sort_by_key(|(kind, _)| format!("{kind:?}"));
    assert_eq!(failed, [(ErrorKind::InvalidOutput, 100), (ErrorKind::Refused, 100), (ErrorKind::Transport, 100)]);
    assert_eq!(summary.ended, Some(Ended::Complete));
    // Two calls for those that were asked twice, none for those that were not reached.
    assert_eq!(summary.usage.input_tokens, 100 * 7 * 100);
    assert_eq!(summary.latency.count(), 600);
    let shown = summary.to_string();
    assert!(shown.starts_with("items      600: 300 valid, ") && shown.contains("100 invalid output"), "{shown}");
    let written = serde_json::to_value(summary).expect("JSON");
    assert_eq!(written["failed"]["refused"], 100);
    assert_eq!(written["ended"]["why"], "complete");
}

#[test]
fn ordered_results_are_in_the_order_of_the_inputs_whatever_takes_long() {
    let clock = VirtualClock::new();
    let model =
        Numbers::new(&clock, |number, _| Say::Good(if number % 50 == 0 { 60_000 } else { number * 7919 % 100 }));
    let worker = Worker::new(model).clock(clock.clone());
    let mut results = worker.many::<Echo>(numbers(200)).concurrency(8).ordered().start().expect("starts");
    clock.run(async {
        for index in 0..200 {
            assert_eq!(results.next().await.expect("an item").index, index);
        }
        assert!(results.next().await.is_none());
        assert!(results.next().await.is_none());
    });
    // While one takes a minute, others go on: four minutes, and not two hundred turns in line behind it.
    assert!(clock.elapsed() < Duration::from_secs(4 * 60 + 30), "{:?}", clock.elapsed());
}

#[test]
fn inputs_are_anything_that_can_be_asked() {
    let model = Numbers::good();
    let ids = |run: response_schema::many::Many<'_, Numbers, Echo>| {
        let mut results = run.ordered().start().expect("starts");
        let mut ids = Vec::new();
        pollster::block_on(async {
            while let Some(item) = results.next().await {
                ids.push((item.id, item.outcome.map(|reply| reply.value.number).map_err(|error| error.to_string())));
            }
        });
        ids
    };
    let texts = ids(model.extract_many(["1", "2", "1"]));
    assert_eq!(texts.iter().map(|(_, number)| number.clone()).collect::<Vec<_>>(), [Ok(1), Ok(2), Ok(1)]);
    assert!(texts[0].0 == texts[2].0 && texts[0].0 != texts[1].0 && texts[0].0.len() == 32, "{texts:?}");
    assert_eq!(ids(model.extract_many([("a", SubTask::new("1").system("s"))]))[0].0, "a");
    assert_eq!(ids(model.extract_many(vec![Input::new(SubTask::new("3")).with_id("x")])), [("x".to_owned(), Ok(3))]);
    let read: [Result<(&str, &str), &str>; 2] = [Ok(("a", "7")), Err("line 2: no number")];
    let read = ids(model.extract_many(read));
    assert_eq!(read[0], ("a".to_owned(), Ok(7)));
    assert_eq!(read[1], ("input 2".to_owned(), Err("the input could not be read: line 2: no number".to_owned())));
    let worker = Worker::new(model.clone());
    assert_eq!(ids(worker.many_streamed(stream::iter(["5", "6"]))).len(), 2);
}

#[test]
fn schemas_of_run_time_and_erased_routes_will_do() {
    let model = DynAdapter::new(Offline::seeded(3));
    let schema = json!({"title": "Tags", "type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["tags"], "additionalProperties": false});
    let worker = Worker::new(model.clone());
    let run = worker.many_values(["a", "b"], ResponseFormat::from_schema(schema)).ordered();
    pollster::block_on(async {
        let mut results = run.start().expect("starts");
        while let Some(item) = results.next().await {
            assert!(item.outcome.expect("a value").value["tags"].is_array());
        }
        let summary = model.extract_many::<Echo>(["a"]).start().expect("starts").finish().await;
        assert_eq!(summary.valid, 1);
        let broken = worker.many_values(["a"], ResponseFormat::from_schema(json!({"type": "nonsense"}))).start();
        let summary = broken.expect("starts").finish().await;
        assert_eq!(summary.valid, 0);
    });
}

#[test]
fn a_budget_that_is_used_up_starts_no_further_item() {
    let clock = VirtualClock::new();
    for concurrency in [1, 7, 64] {
        let model = Numbers::new(&clock, |number, _| Say::Good(number % 5));
        let budget = Budget::new().max_calls(100);
        let worker = Worker::new(model.clone()).clock(clock.clone());
        let run = worker.many::<Echo>(numbers(1000)).concurrency(concurrency).budget(budget);
        let summary = clock.run(run.start().expect("starts").finish());
        assert_eq!((model.calls(), summary.valid, summary.failures()), (100, 100, 0));
        let Some(Ended::Budget(words)) = summary.ended else { panic!("{:?}", summary.ended) };
        assert!(words.contains("100 of 100 calls are made"), "{words}");
    }
    // A ceiling of money: what is under way comes to its end.
    let model = Numbers::new(&clock, |_, _| Say::Good(5));
    let budget = Budget::new().max_cost_usd(0.05).prices(Prices::per_million(5.0, 25.0));
    let worker = Worker::new(model.clone()).clock(clock.clone());
    let run = worker.many::<Echo>(numbers(1000)).concurrency(10).budget(budget);
    let summary = clock.run(run.start().expect("starts").finish());
    // 0.001 USD an item: 50 of them, and those that were under way then.
    assert!((50..60).contains(&summary.valid), "{summary}");
    assert!((summary.usage.cost_usd.expect("priced") - summary.valid as f64 * 0.001).abs() < 1e-9);
    assert!(matches!(summary.ended, Some(Ended::Budget(_))));
}

#[test]
fn a_provider_that_is_down_ends_the_run() {
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, _| match number {
        0..40 => Say::Good(0),
        _ => Say::Fault(CallErrorKind::Unauthorized, 0),
    });
    let worker = Worker::new(model.clone()).clock(clock.clone());
    let run = worker.many::<Echo>(numbers(10_000)).concurrency(4).give_up_after(Some(20));
    let summary = clock.run(run.start().expect("starts").finish());
    assert!(
        matches!(&summary.ended, Some(Ended::GaveUp(words)) if words.contains("credentials") && words.contains("as it was told")),
        "{summary}"
    );
    assert!((20..25).contains(&summary.failures()), "{summary}");
    let run = worker.many::<Echo>(numbers(100)).give_up_after(None);
    assert_eq!(clock.run(run.start().expect("starts").finish()).items(), 100);
}

#[test]
fn a_run_that_is_told_to_stop_brings_what_is_under_way_to_its_end() {
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, _| Say::Good(1 + number % 3));
    let worker = Worker::new(model.clone()).clock(clock.clone());
    let mut results = worker.many::<Echo>(numbers(1000)).concurrency(8).start().expect("starts");
    let mut count = 0;
    clock.run(async {
        while let Some(item) = results.next().await {
            assert!(item.outcome.is_ok());
            count += 1;
            if count == 10 {
                results.stop();
            }
        }
    });
    assert_eq!(results.summary().ended, Some(Ended::Stopped));
    assert_eq!(count, model.calls(), "what was asked is reported");
    assert!((10..=18).contains(&count), "{count}");
}
