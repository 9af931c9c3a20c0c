//! Runs that go on where another one was broken off.

use std::fs;
use std::path::{Path, PathBuf};

use response_schema::adapter::{CallErrorKind, ResponseFormat};
use response_schema::many::journal::{Header, Journal};
use response_schema::many::{Source, Summary};
use response_schema::testing::VirtualClock;
use response_schema::{ErrorKind, ResponseSchema, SubTask, Worker};
use serde::Deserialize;
use serde_json::Value;

use super::{Adapter as _, Echo, Numbers, Say, numbers};

fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("numbers.jsonl");
    (directory, path)
}

/// Runs over so many numbers, checks that each has its one right result, and says what came of it.
fn run(model: &Numbers, count: u64, path: &Path) -> Summary {
    let mut results = model.extract_many::<Echo>(numbers(count)).concurrency(4).journal(path).start().expect("starts");
    let mut seen = vec![0; usize::try_from(count).expect("small")];
    pollster::block_on(async {
        while let Some(item) = results.next().await {
            seen[usize::try_from(item.index).expect("small")] += 1;
            assert_eq!(item.id, format!("n{}", item.index));
            if let Ok(reply) = item.outcome {
                assert_eq!(reply.value.number, item.index);
                assert_eq!(reply.report.attempts.last().expect("an attempt").usage.input_tokens, 100);
            }
        }
    });
    assert!(seen.iter().all(|times| *times == 1), "{seen:?}");
    results.summary().clone()
}

fn entries(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("text");
    text.lines().skip(1).filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn a_run_that_was_cut_at_any_byte_asks_for_what_is_not_whole_and_for_nothing_else() {
    let (_directory, path) = place();
    let count = 4;
    run(&Numbers::good(), count, &path);
    let whole = fs::read(&path).expect("bytes");
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("is written");
        // A line that lacks its end and nothing else is whole.
        let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        let kept = (ends.filter(|end| *end <= cut).count() as u64).saturating_sub(1);
        let model = Numbers::good();
        let summary = run(&model, count, &path);
        assert_eq!((model.calls(), summary.from_journal, summary.valid), (count - kept, kept, count), "cut at {cut}");
        // And once more: now all is there.
        if cut % 50 == 0 {
            let model = Numbers::good();
            assert_eq!((run(&model, count, &path).from_journal, model.calls()), (count, 0), "cut at {cut}");
        }
    }
}

#[test]
fn what_is_reported_is_in_the_journal_and_what_is_dropped_is_asked_again() {
    let (_directory, path) = place();
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, _| Say::Good(number % 7));
    for reported in [0, 1, 5, 20] {
        let worker = Worker::new(model.clone()).clock(clock.clone());
        let mut results = worker.many::<Echo>(numbers(100)).concurrency(10).journal(&path).start().expect("starts");
        pollster::block_on(async {
            for _ in 0..reported {
                // The disk is real, and the clock is not.
                let item = std::future::poll_fn(|context| {
                    let polled = futures_util::Stream::poll_next(std::pin::Pin::new(&mut results), context);
                    clock.advance(std::time::Duration::from_millis(1));
                    context.waker().wake_by_ref();
                    polled
                });
                let item = item.await.expect("an item");
                let kept = entries(&path);
                assert!(
                    kept.iter().any(|entry| entry["id"] == item.id.as_str()),
                    "{} is reported and not kept",
                    item.id
                );
            }
        });
        // Dropped in the middle: what is under way is cancelled.
        drop(results);
    }
    let before = model.asked();
    let kept: Vec<_> =
        entries(&path).iter().map(|entry| entry["value"]["number"].as_u64().expect("a number")).collect();
    let plain = Numbers { answer: std::sync::Arc::new(|_, _| Say::Good(0)), ..model };
    run(&plain, 100, &path);
    for number in 0..100 {
        let again = plain.asked()[&number] - before.get(&number).copied().unwrap_or(0);
        assert_eq!(again, u64::from(!kept.contains(&number)), "{number}");
    }
    let mut ids: Vec<_> = entries(&path).iter().map(|entry| entry["id"].to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), entries(&path).len()), (100, 100), "one entry for each");
}

#[test]
fn an_input_that_changed_is_asked_again() {
    let (_directory, path) = place();
    let model = Numbers::good();
    let ask = |inputs: [(&'static str, &'static str); 2]| {
        let run = model.extract_many::<Echo>(inputs).journal(&path).start().expect("starts");
        pollster::block_on(run.finish()).from_journal
    };
    assert_eq!(ask([("a", "1"), ("b", "2")]), 0);
    assert_eq!(ask([("b", "2"), ("a", "3")]), 1, "b is found, wherever it stands");
    assert_eq!(ask([("a", "1"), ("a", "3")]), 2, "both are kept");
    // What the model is told beside the text is input, too.
    let told = model.extract_many::<Echo>([("a", SubTask::new("1").system("s"))]).journal(&path).start();
    assert_eq!(pollster::block_on(told.expect("starts").finish()).from_journal, 0);
}

#[test]
fn items_that_are_the_same_have_each_their_own_result() {
    let (_directory, path) = place();
    let model = Numbers::good();
    let ask = |count: usize| {
        let run = model.extract_many::<Echo>(vec!["7"; count]).journal(&path).start().expect("starts");
        pollster::block_on(run.finish())
    };
    assert_eq!(ask(3).from_journal, 0);
    let summary = ask(5);
    assert_eq!((summary.from_journal, summary.valid, model.calls()), (3, 5, 5));
    assert_eq!(ask(5).from_journal, 5);
}

#[test]
fn what_the_model_said_for_good_is_kept_and_what_went_wrong_on_the_way_is_not() {
    let (_directory, path) = place();
    let clock = VirtualClock::new();
    let model = Numbers::new(&clock, |number, _| match number {
        0 => Say::Refused(0),
        1 => Say::Bad(0),
        2 => Say::Fault(CallErrorKind::Transport, 0),
        3 => Say::Fault(CallErrorKind::Unauthorized, 0),
        _ => Say::Good(0),
    });
    run(&model, 5, &path);
    assert_eq!(entries(&path).len(), 3);
    let good = Numbers::good();
    let mut results = good.extract_many::<Echo>(numbers(5)).ordered().journal(&path).start().expect("starts");
    pollster::block_on(async {
        let refused = results.next().await.expect("an item");
        assert_eq!(refused.source, Source::Journal);
        let error = refused.outcome.expect_err("refused");
        assert_eq!((error.kind(), error.words()), (ErrorKind::Refused, Some("I would rather not")));
        let bad = results.next().await.expect("an item").outcome.expect_err("bad");
        assert_eq!(bad.kind(), ErrorKind::InvalidOutput);
        assert_eq!(bad.violations()[0].to_string(), "`part`: expected at most 9, found 10");
        assert_eq!(bad.report().attempts.len(), 2);
        assert!(bad.raw_text().expect("the reply").contains("10"));
        assert!(results.next().await.expect("an item").outcome.is_ok());
        while results.next().await.is_some() {}
    });
    assert_eq!(good.asked().keys().copied().collect::<Vec<_>>(), [2, 3]);
    drop(results);
    let again = good.extract_many::<Echo>(numbers(5)).journal(&path).retry_failed().start().expect("starts");
    let summary = pollster::block_on(again.finish());
    assert_eq!((summary.valid, summary.from_journal, good.calls()), (5, 3, 4));
    // Good replies stand for the failures from then on.
    assert_eq!(run(&good, 5, &path).from_journal, 5);
}

#[test]
fn a_reply_that_a_rule_refuses_now_is_asked_again() {
    #[derive(Debug, Deserialize, ResponseSchema)]
    #[allow(dead_code, reason = "only its rule is used")]
    struct Ruled {
        number: u64,
        #[response(max = 9, validate = is_even)]
        part: u64,
    }

    thread_local! { static STRICT: std::cell::Cell<bool> = const { std::cell::Cell::new(false) }; }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the form of a rule")]
    fn is_even(part: &u64) -> Result<(), &'static str> {
        if STRICT.get() && part % 2 == 1 { Err("must be even") } else { Ok(()) }
    }

    let (_directory, path) = place();
    let model = Numbers::good();
    let ask = || {
        let run = model.extract_many::<Ruled>(numbers(4)).journal(&path).start().expect("starts");
        pollster::block_on(run.finish())
    };
    assert_eq!(ask().valid, 4);
    STRICT.set(true);
    let summary = ask();
    assert_eq!((summary.from_journal, summary.valid), (2, 2));
    // Now that they failed for good, that is what is known of them.
    let calls = model.calls();
    assert_eq!((ask().from_journal, model.calls()), (4, calls));
}

#[test]
fn a_journal_of_another_type_or_of_another_run_is_refused() {
    #[derive(Debug, Deserialize, ResponseSchema)]
    #[allow(dead_code, reason = "only its schema is used")]
    struct Other {
        number: u64,
    }
    let (_directory, path) = place();
    let model = Numbers::good();
    let running = model.extract_many::<Echo>(numbers(1)).journal(&path).start().expect("starts");
    let error = model.extract_many::<Echo>(numbers(1)).journal(&path).start().expect_err("in use");
    assert_eq!(error.kind(), ErrorKind::Journal);
    assert!(error.to_string().contains("is in use"), "{error}");
    drop(running);
    let error = model.extract_many::<Other>(numbers(1)).journal(&path).start().expect_err("another type");
    assert!(error.to_string().contains("has values of `Echo`"), "{error}");
    let echoes = Journal::open(&path, &Header::of(&ResponseFormat::of::<Echo>()).expect("a schema")).expect("opens");
    let error = model.extract_many::<Other>(numbers(1)).with_journal(echoes.clone()).start().expect_err("another type");
    assert!(error.to_string().contains("has values of `Echo`"), "{error}");
    assert!(model.extract_many::<Echo>(numbers(1)).with_journal(echoes).start().is_ok());
    assert_eq!(model.calls(), 0);
}
