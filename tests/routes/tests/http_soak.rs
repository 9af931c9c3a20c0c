//! Ten thousand workers at once against a server that does everything that goes wrong: each task ends in one value or
//! one typed error, its own, and nothing is left of it.
//!
//! Descriptors and memory are those of a whole process, so this test has one of its own.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use peak_alloc::PeakAlloc;
use response_schema::adapter::ChatCompletions;
use response_schema::dialect::OpenAi;
use response_schema::http::{Retry, Timeouts};
use response_schema::{Error, ErrorKind, Reply, ResponseSchema, SubTask, Worker};
use response_schema_tests_routes::loopback::{Ending, Exchange, Fail, Failure, Fault, Loopback, Recorded, Wire};
use serde::Deserialize;

const AT_ONCE: usize = 256;

/// Counts what all threads hold: the workers' one, the one that keeps deadlines, and the server's.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[derive(Debug, Deserialize, ResponseSchema)]
struct Echo {
    task: u64,
    #[response(max = 99)]
    part: u64,
}

/// A number that looks like chance and is the same each time.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ (number >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// What the server makes of a request: by its task, and whether it is asked for the second time.
fn answer(request: &Recorded) -> Exchange {
    let messages = request.body["messages"].as_array().expect("messages");
    let task: u64 = messages[0]["content"].as_str().and_then(|text| text.parse().ok()).expect("the task's number");
    // An empty reply leaves no turn, so the turns alone do not tell a second attempt; a further one of the
    // transport is served like the first, so that some tasks have no luck at all.
    let chance = mixed(task * 7 + messages.len() as u64);
    let good = Exchange::text(format!("{{\"task\": {task}, \"part\": {}}}", chance % 100));
    match (chance / 1000) % 40 {
        0 | 20 => good.fault(Fault::ResetAtOnce),
        1 | 21 => good.fault(Fault::Reset(30)),
        2 | 22 => good.fault(Fault::Close(30)),
        3 => good.fault(Fault::Stall(30)),
        4 => good.fault(Fault::Silence),
        5 | 25 => Failure::new(Fail::RateLimited).retry_after("0").into(),
        6 | 26 => Exchange::failure(Fail::Overloaded),
        7 | 27 => good.fault(Fault::Garbage),
        8 | 28 => good.fault(Fault::Body("{\"choices\": [".to_owned())),
        9 | 29 => good.fault(Fault::CloseAfter),
        10 | 30 => good.ending(Ending::Refused("no".to_owned())),
        11 | 31 => good.ending(Ending::Filtered),
        12 | 32 => good.ending(Ending::CutShort),
        13 | 33 => Exchange::text("I think that …"),
        14 | 34 => Exchange::text(""),
        15 | 35 => Exchange::text(format!("{{\"task\": {task}, \"part\": 1000}}")),
        16 | 36 => good.fault(Fault::Drip { bytes: 60, pause_ms: 1 }),
        _ => good,
    }
}

/// What became of the tasks.
#[derive(Debug, Default)]
struct Tally {
    values: u64,
    mended: u64,
    retries: u64,
    errors: BTreeMap<String, u64>,
}

impl Tally {
    fn count(&mut self, task: u64, result: &Result<Reply<Echo>, Error>) {
        let report = result.as_ref().map_or_else(Error::report, |reply| &reply.report);
        assert!((1..=2).contains(&report.attempts.len()), "{} attempts", report.attempts.len());
        for raw in report.attempts.iter().filter_map(|attempt| attempt.raw_text.as_deref()) {
            let own = raw.contains(&format!("\"task\": {task},"));
            assert!(own || !raw.contains("task"), "task {task} has a reply of another: {raw}");
        }
        self.retries += report.attempts.iter().map(|attempt| u64::from(attempt.transport_retries)).sum::<u64>();
        match result {
            Ok(reply) => {
                assert_eq!(reply.value.task, task, "a reply of another task");
                assert!(reply.value.part <= 99);
                self.values += 1;
                self.mended += u64::from(report.attempts.len() == 2);
            }
            Err(error) => {
                assert_ne!(error.kind(), ErrorKind::Unauthorized);
                *self.errors.entry(format!("{:?}", error.kind())).or_default() += 1;
            }
        }
    }
}

fn run(server: &Loopback, tasks: std::ops::Range<u64>) -> Tally {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let retry = Retry::never().with_max_retries(1).with_pauses(Duration::from_millis(1), Duration::from_millis(2));
    // Long enough for all that is only slow, on a machine with other work, too.
    let limits = Timeouts::default().with_first_byte(Duration::from_secs(1)).with_idle(Duration::from_secs(1));
    let model: ChatCompletions<OpenAi> = ChatCompletions::openai("sk-soak")
        .expect("a key")
        .model("gpt-5.6")
        .base_url(server.base_url(Wire::Chat))
        .retry(retry)
        .timeouts(limits);
    let worker = Worker::new(model).timeout(Duration::from_secs(20));
    let mut tally = Tally::default();
    runtime.block_on(async {
        let metrics = tokio::runtime::Handle::current().metrics();
        {
            let mut results = stream::iter(tasks)
                .map(|task| {
                    let worker = worker.clone();
                    let run = async move { worker.run::<Echo>(SubTask::new(task.to_string())).await };
                    let run = tokio::spawn(run);
                    async move { (task, run.await.expect("no panic")) }
                })
                .buffer_unordered(AT_ONCE);
            while let Some((task, result)) = results.next().await {
                tally.count(task, &result);
            }
        }
        // What is idle in the pool is no leak; it goes with the client.
        drop(worker);
        for _ in 0..10_000 {
            if metrics.num_alive_tasks() == 0 && server.open() == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("{} tasks and {} connections are left", metrics.num_alive_tasks(), server.open());
    });
    tally
}

/// The most memory that was held at once since it was asked the last time.
fn peak() -> usize {
    let most = MEMORY.peak_usage();
    MEMORY.reset_peak_usage();
    most
}

/// Open files and sockets of this process, where the system tells.
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn ten_thousand_tasks_end_each_in_its_own_value_or_error_and_leave_nothing() {
    let server = Loopback::answering(answer);
    server.keep_requests(0);
    // The first round starts what lives as long as the program.
    let (_, most_of_few) = (run(&server, 0..1_500), peak());
    let (files, bytes) = (descriptors(), MEMORY.current_usage());
    let (tally, most) = (run(&server, 0..10_000), peak());
    let failed: u64 = tally.errors.values().sum();
    assert_eq!(tally.values + failed, 10_000, "{tally:?}");
    assert!(tally.values > 3_000 && tally.mended > 100 && tally.retries > 1_000, "{tally:?}");
    for kind in ["Refused", "Filtered", "Transport", "Truncated", "InvalidOutput", "RateLimited", "Provider"] {
        assert!(tally.errors.contains_key(kind), "{kind} in {tally:?}");
    }
    assert!(descriptors() <= files, "{} descriptors, {files} before", descriptors());
    // Many times the work, the same memory.
    assert!(most < most_of_few + most_of_few / 4, "{most} against {most_of_few}");
    drop(tally);
    // A list that has grown may keep its room; ten thousand tasks that leave a byte each do not fit.
    let left = MEMORY.current_usage();
    assert!(left < bytes + 4_096, "{left} bytes, {bytes} before");
}
