//! Jobs that go through the providers' batch services, on the loopback server.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use response_schema::adapter::{Anthropic, CallRequest, ChatCompletions, Gemini, Message, OpenAi, ResponseFormat};
use response_schema::http::Retry;
use response_schema::http::batch::{Batch, Handle, Job, Limits, State};
use response_schema::worker::{Budget, Outcome, Prices, RetryPolicy};
use response_schema::{Error, ErrorKind, Reply, ResponseSchema, SubTask};
use response_schema_tests_routes::again;
use response_schema_tests_routes::loopback::{BatchScript, Ending, Exchange, Fail, Loopback, Tokens, Wire};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Pet {
    name: String,
    #[response(max = 8)]
    legs: u8,
}

const GOOD: &str = r#"{"name": "Biscuit", "legs": 4}"#;
const BAD: &str = r#"{"name": "Biscuit", "legs": 40}"#;
const MODEL: &str = "gpt-5.6";

/// The batches of every service, with pauses that tests can wait for.
fn services(server: &Loopback) -> Vec<(Wire, Batch<Pet>)> {
    let quick = Retry::never().with_max_retries(2).with_pauses(Duration::from_millis(1), Duration::from_millis(2));
    let openai = OpenAi::new("key-openai").unwrap().base_url(server.base_url(Wire::Responses));
    let chat = ChatCompletions::openai("key-openai").unwrap().base_url(server.base_url(Wire::Chat));
    let anthropic = Anthropic::new("key-anthropic").unwrap().base_url(server.base_url(Wire::Anthropic));
    let gemini = Gemini::new("key-gemini").unwrap().base_url(server.base_url(Wire::Gemini));
    vec![
        (Wire::Responses, Batch::new(openai.model(MODEL).retry(quick))),
        (Wire::Chat, Batch::new(chat.model(MODEL).retry(quick))),
        (Wire::Anthropic, Batch::new(anthropic.model("claude-sonnet-5").retry(quick))),
        (Wire::Gemini, Batch::new(gemini.model("gemini-3-pro").retry(quick))),
    ]
    .into_iter()
    .map(|(wire, batch)| (wire, batch.every(Duration::from_millis(1))))
    .collect()
}

/// Each service with a server of its own.
fn each(script: impl Fn() -> Vec<Exchange>, test: impl Fn(Wire, &Loopback, &Batch<Pet>)) {
    for index in 0..4 {
        let server = Loopback::start(script());
        let (wire, batch) = services(&server).swap_remove(index);
        test(wire, &server, &batch);
    }
}

fn wait<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn tasks(count: usize) -> Vec<(String, SubTask)> {
    (0..count)
        .map(|number| (format!("id {number}/ü"), SubTask::new(format!("Pet <{number}>")).system("Describe.")))
        .collect()
}

fn good() -> Vec<Exchange> {
    vec![Exchange::text(GOOD).always()]
}

fn result(job: &Job<Pet>, number: usize) -> &Result<Reply<Pet>, Error> {
    job.results().nth(number).and_then(|(_, result)| result).expect("a result")
}

fn assert_all_good(job: &Job<Pet>, count: usize) {
    let found: Vec<_> = job.results().collect();
    assert_eq!(found.len(), count);
    for (number, (id, result)) in found.into_iter().enumerate() {
        assert_eq!(id, format!("id {number}/ü"));
        let reply = result.expect("a result").as_ref().unwrap_or_else(|error| panic!("{id}: {error:?}"));
        assert_eq!(reply.value.legs, 4);
    }
}

/// How often each task stands in a batch.
fn sent(server: &Loopback, count: usize) -> Vec<usize> {
    let all: Vec<String> = server
        .batches()
        .iter()
        .flat_map(|batch| batch.requests.iter().map(|(_, body)| body.to_string()).collect::<Vec<_>>())
        .collect();
    (0..count).map(|number| all.iter().filter(|body| body.contains(&format!("Pet <{number}>"))).count()).collect()
}

#[test]
fn every_service_answers_in_its_own_order_and_requests_are_those_of_calls() {
    each(good, |wire, server, batch| {
        server.batch_script(BatchScript { polls: 2, ..BatchScript::default() });
        let mut job = batch.job(tasks(5)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 5);
        assert!(job.oddities().is_empty(), "{:?}", job.oddities());
        assert_eq!((server.batches().len(), sent(server, 5)), (1, vec![1; 5]));
        let reply = result(&job, 3).as_ref().unwrap();
        assert_eq!((reply.report.attempts.len(), reply.report.usage.output_tokens), (1, 10));
        assert!(job.batches().all(|(id, state)| id.is_some() && state == Some(&State::Completed)));

        let request = CallRequest::new(vec![Message::system("Describe."), Message::user("Pet <3>")])
            .with_response_schema(ResponseFormat::of::<Pet>());
        let openai = OpenAi::new("k-123456").unwrap().model(MODEL).dry_run(&request);
        let dry = match wire {
            Wire::Responses => openai,
            Wire::Chat => ChatCompletions::openai("k-123456").unwrap().model(MODEL).dry_run(&request),
            Wire::Anthropic => Anthropic::new("k-123456").unwrap().model("claude-sonnet-5").dry_run(&request),
            _ => Gemini::new("k-123456").unwrap().model("gemini-3-pro").dry_run(&request),
        };
        let body: Value = serde_json::from_str(&dry.unwrap().body).unwrap();
        assert_eq!(server.batches()[0].requests[3].1, body, "{wire:?}");
    });
}

#[test]
fn bad_replies_are_asked_again_in_a_second_batch_with_what_was_wrong() {
    let script = || vec![Exchange::text(BAD).when("Pet <1>"), Exchange::text(GOOD).always()];
    each(script, |wire, server, batch| {
        let mut job = batch.job(tasks(3)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 3);
        let batches = server.batches();
        assert_eq!(batches.iter().map(|batch| batch.requests.len()).collect::<Vec<_>>(), [3, 1]);
        let again = batches[1].requests[0].1.to_string();
        assert!(again.contains("found 40, expected at most 8") && again.contains("Pet <1>"), "{again}");
        let report = &result(&job, 1).as_ref().unwrap().report;
        assert_eq!(report.attempts.len(), 2);
        assert_eq!((report.attempts[0].outcome, report.attempts[1].outcome), (Outcome::Invalid, Outcome::Valid));
    });
    // Both attempts bad, or a policy without a second one.
    each(
        || vec![Exchange::text(BAD).always()],
        |_, server, batch| {
            let mut job = batch.job(tasks(1)).unwrap();
            wait(job.run()).unwrap();
            let error = result(&job, 0).as_ref().unwrap_err();
            assert_eq!((error.kind(), error.report().attempts.len()), (ErrorKind::InvalidOutput, 2));
            assert_eq!(error.violations()[0].to_string(), "`legs`: expected at most 8, found 40");
            let mut job = batch.clone().retry(RetryPolicy::NEVER).job(tasks(1)).unwrap();
            wait(job.run()).unwrap();
            assert_eq!(result(&job, 0).as_ref().unwrap_err().report().attempts.len(), 1);
            assert_eq!(server.batches().len(), 3);
        },
    );
}

#[test]
fn missing_doubled_expired_and_unknown_results_are_told_apart() {
    each(good, |wire, server, batch| {
        let text = |number: usize| vec![format!("Pet <{number}>")];
        server.batch_script(BatchScript {
            missing: text(0),
            twice: text(1),
            expired: text(2),
            stranger: true,
            ..BatchScript::default()
        });
        let mut job = batch.job(tasks(4)).unwrap();
        wait(async {
            job.submit().await.unwrap();
            let progress = job.poll().await.unwrap();
            assert_eq!((progress.batches, progress.ended, progress.tasks, progress.finished), (1, 1, 4, 0));
            job.collect().await.unwrap();
        });
        assert_eq!(job.progress().finished, 2, "{wire:?}");
        assert!(result(&job, 1).is_ok() && result(&job, 3).is_ok());
        let odd = job.oddities().join("\n");
        assert!(odd.contains("another answer to `rs") && odd.contains("`nobody-0`, which nobody asked"), "{odd}");
        assert_eq!(job.oddities().len(), 2, "{odd}");
        // Those that were lost are sent again, as they were.
        server.batch_script(BatchScript::default());
        wait(job.run()).unwrap();
        assert_all_good(&job, 4);
        assert_eq!(sent(server, 4), [2, 1, 2, 1]);
        let report = &result(&job, 2).as_ref().unwrap().report;
        assert_eq!((report.attempts.len(), report.attempts[0].transport_retries), (1, 1));

        // And are errors where that is of no use.
        server.batch_script(BatchScript { missing: text(0), expired: text(1), ..BatchScript::default() });
        let mut job = batch.job(tasks(3)).unwrap();
        wait(job.run()).unwrap();
        let (missing, expired) = (result(&job, 0).as_ref().unwrap_err(), result(&job, 1).as_ref().unwrap_err());
        if wire != Wire::Gemini {
            assert_eq!(expired.kind(), ErrorKind::Timeout, "{wire:?} {expired:?}");
        }
        let why = std::error::Error::source(missing).expect("a cause").to_string();
        assert!(why.contains("hold") && why.contains("nothing for it"), "{why}");
        assert!(result(&job, 2).is_ok());
    });
}

#[test]
fn errors_of_single_requests_do_not_end_the_others() {
    let script = || {
        vec![
            Exchange::failure(Fail::InvalidRequest).when("Pet <0>").always(),
            Exchange::text("").ending(Ending::CutShort).when("Pet <1>").always(),
            Exchange::failure(Fail::ServerError).when("Pet <2>").times(1),
            Exchange::failure(Fail::ServerError).when("Pet <3>").always(),
            Exchange::text(GOOD).always(),
        ]
    };
    each(script, |wire, server, batch| {
        let mut job = batch.job(tasks(5)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        let kind = |number| result(&job, number).as_ref().err().map(Error::kind);
        let kinds: Vec<_> = (0..5).map(kind).collect();
        assert_eq!(
            kinds,
            [Some(ErrorKind::InvalidRequest), Some(ErrorKind::Truncated), None, Some(ErrorKind::Provider), None],
            "{wire:?}"
        );
        assert_eq!(sent(server, 5), [1, 2, 2, 2, 1], "{wire:?}");
    });
    let refused = || vec![Exchange::text("").ending(Ending::Refused("No.".to_owned())).always()];
    let server = Loopback::start(refused());
    let (_, batch) = services(&server).swap_remove(0);
    let mut job = batch.job(tasks(1)).unwrap();
    wait(job.run()).unwrap();
    let error = result(&job, 0).as_ref().unwrap_err();
    assert_eq!((error.kind(), error.words()), (ErrorKind::Refused, Some("No.")));
}

#[test]
fn too_many_or_too_large_for_one_batch_become_several() {
    each(good, |_, server, batch| {
        let mut job = batch.clone().at_most(Limits::new(2, usize::MAX)).job(tasks(5)).unwrap();
        wait(job.run()).unwrap();
        assert_all_good(&job, 5);
        let sizes = |from: usize| server.batches()[from..].iter().map(|batch| batch.requests.len()).collect::<Vec<_>>();
        assert_eq!(sizes(0), [2, 2, 1]);

        // Room for two and a half, beside what the envelope takes.
        let one = serde_json::to_string(&server.batches()[0].requests[0].1).unwrap().len();
        let mut job = batch.clone().at_most(Limits::new(100, 4096 + 3 * one)).job(tasks(5)).unwrap();
        wait(job.run()).unwrap();
        assert_all_good(&job, 5);
        assert_eq!(sizes(3), [2, 2, 1]);

        let mut large = tasks(2);
        large.push(("large".to_owned(), SubTask::new("x".repeat(9000))));
        let mut job = batch.clone().at_most(Limits::new(100, 9000)).job(large).unwrap();
        wait(job.run()).unwrap();
        assert!(result(&job, 0).is_ok() && result(&job, 1).is_ok());
        assert_eq!(result(&job, 2).as_ref().unwrap_err().kind(), ErrorKind::InputBlocked);
    });
}

#[test]
fn a_creation_whose_answer_is_lost_is_found_and_never_sent_again() {
    each(good, |wire, server, batch| {
        // Others stand before it in the list.
        for _ in 0..4 {
            let mut other = batch.job(tasks(1)).unwrap();
            wait(other.run()).unwrap();
        }
        server.batch_script(BatchScript { lose_creation: 1, polls: 3, ..BatchScript::default() });
        let mut job = batch.job(tasks(3)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 3);
        assert_eq!(server.batches().len(), 5, "{wire:?}");
    });
    each(good, |wire, server, batch| {
        server.batch_script(BatchScript { drop_creation: 2, ..BatchScript::default() });
        let mut job = batch.job(tasks(3)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 3);
        assert_eq!(server.batches().len(), 1, "{wire:?}");
    });
}

#[test]
fn results_that_break_off_are_read_again() {
    each(good, |wire, server, batch| {
        server.batch_script(BatchScript { break_results: 2, ..BatchScript::default() });
        let mut job = batch.job(tasks(20)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 20);
        assert!(job.oddities().is_empty(), "{:?}", job.oddities());
    });
}

#[test]
fn a_job_goes_on_from_every_line_of_its_journal() {
    each(
        || vec![Exchange::text(BAD).when("Pet <1>").times(1), Exchange::text(GOOD).always()],
        |wire, server, batch| {
            let home = tempfile::tempdir().unwrap();
            let whole = home.path().join("whole.jsonl");
            let mut job = batch.job(tasks(4)).unwrap().journal(&whole).unwrap();
            wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
            drop(job);
            assert_eq!(sent(server, 4), [1, 2, 1, 1]);
            let text = std::fs::read_to_string(&whole).unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let begun: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].contains("\"begun\"")).collect();
            assert_eq!(begun.len(), 2);
            for end in begun[0] + 1..=lines.len() {
                // Killed behind this line. What the provider has is all that it ever had.
                for torn in ["", "{\"note\":\"bat"] {
                    if end == begun[1] {
                        // The second batch is not begun yet for this journal, and there for the provider.
                        continue;
                    }
                    let part = home.path().join(format!("{end}-{}.jsonl", torn.len()));
                    std::fs::write(&part, lines[..end].concat() + torn).unwrap();
                    let mut job = batch.job(tasks(4)).unwrap().journal(&part).unwrap();
                    let before = server.batches().len();
                    wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}, line {end}: {error:?}"));
                    assert_all_good(&job, 4);
                    // From before the second batch it is begun anew, by another mark.
                    let new = usize::from(end < begun[1]);
                    assert!(server.batches().len() - before <= new, "{wire:?}, line {end}");
                }
            }
            // Finished, it asks nobody.
            let asked = server.served();
            let mut job = batch.job(tasks(4)).unwrap().journal(&whole).unwrap();
            wait(job.run()).unwrap();
            assert_all_good(&job, 4);
            assert_eq!(server.served(), asked);
        },
    );
}

#[test]
fn a_job_that_is_dropped_at_any_moment_pays_once() {
    each(good, |wire, server, batch| {
        server.batch_script(BatchScript { polls: 1, ..BatchScript::default() });
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("job.jsonl");
        let mut patience = Duration::from_micros(50);
        loop {
            let mut job =
                batch.clone().at_most(Limits::new(2, usize::MAX)).job(tasks(6)).unwrap().journal(&path).unwrap();
            let done = wait(async { tokio::time::timeout(patience, job.run()).await });
            if let Ok(result) = done {
                result.unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
                assert_all_good(&job, 6);
                break;
            }
            patience = patience.mul_f64(1.2);
        }
        assert_eq!((server.batches().len(), sent(server, 6)), (3, vec![1; 6]), "{wire:?}");
    });
}

/// What [`a_killed_process_pays_once`] kills: itself, in another process.
fn hundred_pets(url: &str, journal: &str) {
    let model = OpenAi::new("key-openai").unwrap().base_url(format!("{url}/v1")).model(MODEL);
    let batch = Batch::<Pet>::new(model).every(Duration::from_millis(1)).at_most(Limits::new(10, usize::MAX));
    let mut job = batch.job(tasks(100)).unwrap().journal(Path::new(journal)).unwrap();
    wait(job.run()).unwrap();
    assert_all_good(&job, 100);
}

#[test]
fn a_killed_process_pays_once() {
    if let (Ok(url), Ok(journal)) = (std::env::var("BATCHES_URL"), std::env::var("BATCHES_JOURNAL")) {
        return hundred_pets(&url, &journal);
    }
    let server = Loopback::start(good());
    server.batch_script(BatchScript { polls: 1, ..BatchScript::default() });
    let home = tempfile::tempdir().unwrap();
    let mut kills = 0;
    loop {
        let mut child = again("a_killed_process_pays_once")
            .env("BATCHES_URL", server.url())
            .env("BATCHES_JOURNAL", home.path().join("job.jsonl"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // After a few requests more than the last time, wherever it is then.
        let until = server.served() + 2 + kills;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if server.served() >= until {
                break None;
            }
            assert!(start.elapsed() < Duration::from_mins(1), "it gets on");
            std::thread::yield_now();
        };
        if let Some(status) = status {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(kills < 200);
    }
    assert!(kills > 3, "{kills}");
    assert_eq!((server.batches().len(), sent(&server, 100)), (10, vec![1; 100]), "{kills} kills");
}

#[test]
fn a_handle_goes_on_in_another_process() {
    each(good, |wire, server, batch| {
        let mut job = batch.job(tasks(3)).unwrap();
        wait(job.submit()).unwrap();
        let text = serde_json::to_string(&job.handle().unwrap()).unwrap();
        assert!(!text.contains("key-"), "{text}");
        drop(job);
        let handle: Handle = serde_json::from_str(&text).unwrap();
        let mut job = batch.resume(&handle, tasks(3)).unwrap();
        wait(job.run()).unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        assert_all_good(&job, 3);
        assert_eq!(server.batches().len(), 1);

        let mut other: Value = serde_json::from_str(&text).unwrap();
        other["schema"] = json!("0".repeat(32));
        let other: Handle = serde_json::from_value(other).unwrap();
        let error = batch.resume(&other, tasks(3)).unwrap_err();
        assert!(error.to_string().contains("another schema"), "{error}");
    });
    // Another model is another batch.
    let server = Loopback::start(good());
    let mut all = services(&server);
    let (_, chat) = all.swap_remove(1);
    let (_, openai) = all.swap_remove(0);
    let mut job = openai.job(tasks(1)).unwrap();
    wait(job.submit()).unwrap();
    let error = chat.resume(&job.handle().unwrap(), tasks(1)).unwrap_err();
    assert!(error.to_string().contains("`openai-payg`"), "{error}");
}

#[test]
fn a_cancelled_job_keeps_what_was_answered() {
    each(good, |wire, server, batch| {
        server.batch_script(BatchScript { polls: 1000, ..BatchScript::default() });
        let mut job = batch.job(tasks(4)).unwrap();
        wait(async {
            job.submit().await.unwrap();
            assert_eq!(job.poll().await.unwrap().ended, 0);
            job.cancel().await.unwrap();
            job.run().await.unwrap_or_else(|error| panic!("{wire:?}: {error:?}"));
        });
        let kinds: Vec<_> = job.results().map(|(_, result)| result.unwrap().as_ref().err().map(Error::kind)).collect();
        assert_eq!(kinds[2..], [None, None], "{wire:?}");
        assert!(kinds[..2].iter().all(Option::is_some), "{wire:?}: {kinds:?}");
        if wire != Wire::Gemini {
            assert_eq!(kinds[0], Some(ErrorKind::Cancelled));
        }
        assert_eq!(server.batches().len(), 1);
    });
}

#[test]
fn a_batch_that_is_refused_as_a_whole_says_so() {
    let server = Loopback::start(good());
    let (_, batch) = services(&server).swap_remove(0);
    server.batch_script(BatchScript {
        failed: Some("The model `x` does not exist.".to_owned()),
        ..BatchScript::default()
    });
    let mut job = batch.job(tasks(2)).unwrap();
    wait(async {
        job.submit().await.unwrap();
        job.poll().await.unwrap();
        job.collect().await.unwrap();
        // The other is sent again without the one that was at fault.
        server.batch_script(BatchScript::default());
        job.run().await.unwrap();
    });
    let error = result(&job, 0).as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    let why = std::error::Error::source(error).unwrap().to_string();
    assert!(why.contains("The model `x` does not exist. (invalid_request)"), "{why}");
    assert!(result(&job, 1).is_ok());
}

#[test]
fn what_cannot_be_sent_at_all_is_an_error_and_can_be_tried_again() {
    // Nobody listens there.
    let gone = Loopback::start([]).url();
    let model = OpenAi::new("key-openai").unwrap().base_url(format!("{gone}/v1")).model(MODEL).retry(Retry::never());
    let mut job = Batch::<Pet>::new(model).job(tasks(2)).unwrap();
    let error = wait(job.run()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transport);
    assert!(!job.is_finished());

    let server = Loopback::start(good());
    let (_, batch) = services(&server).swap_remove(0);
    let twice = vec![("a", SubTask::new("x")), ("a", SubTask::new("y"))];
    let error = batch.job(twice).unwrap_err();
    assert!(error.to_string().contains("two tasks have the id `a`"), "{error}");
}

#[test]
fn a_budget_counts_batches_at_half_the_price() {
    let tokens = Tokens { input: 1000, output: 100, ..Tokens::default() };
    let server = Loopback::start([Exchange::text(GOOD).usage(tokens).always()]);
    let (_, batch) = services(&server).swap_remove(0);
    let budget = Budget::new().max_calls(3).max_cost_usd(1.0).prices(Prices::per_million(10.0, 20.0).halved());
    let mut job = batch.budget(budget.clone()).job(tasks(5)).unwrap();
    wait(job.run()).unwrap();
    let spent = budget.spent();
    let cost = spent.usage.cost_usd.unwrap();
    assert_eq!(spent.calls, 3);
    assert!((cost - 3.0 * (0.005 + 0.001)).abs() < 1e-9, "{cost}");
    let over = (3..5).all(|number| result(&job, number).as_ref().unwrap_err().kind() == ErrorKind::BudgetExceeded);
    assert!(over && (0..3).all(|number| result(&job, number).is_ok()));
}
