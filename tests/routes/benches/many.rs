//! What a run over many inputs costs over a loop written by hand, and what it costs to go on with one.
//!
//! ```text
//! cargo bench -p response-schema-tests-routes --features http,many --bench many
//! ```
//!
//! 1. A run with a journal against `buffer_unordered` over the same worker's calls, 512 at once, on the loopback server in this
//!    process; turn about, each compared with the loop of its round, by the clock and in processor time (that of the server
//!    included, that of the kernel's own threads not); medians. With a server that answers at once, so that nothing of the
//!    machine is left over: on the runtime that `#[tokio::main]` starts, and on one with a single thread, which does all but
//!    the server's and the journal's work. And with a server that takes 100 ms, as little as any model does.
//! 2. A million items that are all in the journal, decoded and reported again.
//! 3. Memory (the process's largest, each in a process of its own): a run of 10,000 items and one of a million, with a
//!    journal, on a route that answers at once; and the second time, when all of it is in the journal.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the person who runs it")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use futures_util::{StreamExt as _, stream};
use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, Enforcement, OpenAi, Usage,
};
use response_schema::{ResponseSchema, SubTask, Worker, dialect};
use response_schema_tests_routes::loopback::{Exchange, Fault, Loopback, Wire};
use serde::Deserialize;
use tokio::runtime::Builder;

const ROUNDS: usize = 31;
const SLOW_ROUNDS: usize = 5;
const SLOW_MS: u64 = 100;
const CALLS: usize = 10_000;
const CONCURRENT: usize = 512;
const PART: &str = "MANY_BENCH_PART";

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Ticket {
    /// One sentence.
    summary: String,
    /// Build in which it was first seen.
    build: Option<String>,
    /// From 0 to 100.
    #[response(min = 0, max = 100)]
    confidence: u8,
    labels: Vec<String>,
}

const REPLY: &str = r#"{"summary":"Nobody can log in.","build":"2.14.3","confidence":90,"labels":["login","outage"]}"#;

fn tasks(count: usize) -> impl Iterator<Item = (String, SubTask)> + Send {
    (0..count).map(|number| {
        let text = "Since 2.14.3 nobody can log in any more! ".repeat(20);
        (format!("mail-{number}"), SubTask::new(format!("{number}: {text}")))
    })
}

/// Answers at once.
struct AtOnce;

impl Adapter for AtOnce {
    type Dialect = dialect::Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("at-once", Enforcement::Enforced)
    }

    async fn call(&self, _: CallRequest) -> Result<CallResponse, CallError> {
        let mut response = CallResponse::new(REPLY, Enforcement::Enforced);
        response.usage = Usage::new(250, 30);
        "at-once-1".clone_into(&mut response.model);
        response.id = Some("resp_0123456789abcdef0123456789abcdef".to_owned());
        Ok(response)
    }
}

fn main() {
    if let Ok(part) = std::env::var(PART) {
        memory_of(&part);
    } else {
        let at_once = || Exchange::text(REPLY).always();
        println!("a server that answers at once, a thread for each core");
        throughput(&mut Builder::new_multi_thread(), at_once(), ROUNDS);
        println!("a server that answers at once, one thread");
        throughput(&mut Builder::new_current_thread(), at_once(), ROUNDS);
        println!("a server that takes {SLOW_MS} ms, one thread");
        let slow = Exchange::text(REPLY).fault(Fault::Delay(SLOW_MS)).always();
        throughput(&mut Builder::new_current_thread(), slow, SLOW_ROUNDS);
        memory();
    }
}

/// Items a second: by hand, and runs without and with a journal.
#[allow(clippy::cast_precision_loss, reason = "small")]
fn throughput(runtime: &mut Builder, exchange: Exchange, rounds: usize) {
    let server = Loopback::start([exchange]);
    server.keep_requests(0);
    let route = OpenAi::new("sk-bench").unwrap().model("gpt-5.6").base_url(server.base_url(Wire::Responses));
    let worker = Worker::new(route);
    let runtime = runtime.enable_all().build().unwrap();
    let mut took = Vec::new();
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for round in 0..=rounds {
        let by_hand = timed(|| {
            runtime.block_on(async {
                let mut results = stream::iter(tasks(CALLS))
                    .map(|(id, task)| {
                        let worker = &worker;
                        async move { (id, worker.run::<Ticket>(task).await) }
                    })
                    .buffer_unordered(CONCURRENT);
                while let Some((_, result)) = results.next().await {
                    assert_eq!(result.unwrap().value.confidence, 90);
                }
            });
        });
        let run = |journal: Option<&Path>| {
            timed(|| {
                runtime.block_on(async {
                    let mut many = worker.many::<Ticket>(tasks(CALLS)).concurrency(CONCURRENT);
                    if let Some(path) = journal {
                        many = many.journal(path);
                    }
                    let mut results = many.start().unwrap();
                    while let Some(item) = results.next().await {
                        assert_eq!(item.outcome.unwrap().value.confidence, 90);
                    }
                });
            })
        };
        let without = run(None);
        let with = run(Some(&directory.path().join(format!("{round}.jsonl"))));
        // The first round opens the connections.
        if round > 0 {
            took.push([by_hand, without, with]);
        }
    }
    for (at, what) in ["by hand", "a run", "a run with a journal"].into_iter().enumerate() {
        let median = |of: fn(&[Took; 3], usize) -> f64| {
            let mut all: Vec<_> = took.iter().map(|round| of(round, at)).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        println!(
            "  {what:<20} {:>6.0} items a second, {:.3} of by hand; {:>5.1} us of processor an item, {:.3}",
            median(|round, at| CALLS as f64 / round[at].0),
            median(|round, at| round[0].0 / round[at].0),
            median(|round, at| round[at].1 / CALLS as f64 * 1e6),
            median(|round, at| round[at].1 / round[0].1),
        );
    }
}

/// Seconds by the clock, and of processor time of all threads.
type Took = (f64, f64);

fn timed(work: impl FnOnce()) -> Took {
    let (begun, before) = (Instant::now(), processor());
    work();
    (begun.elapsed().as_secs_f64(), processor() - before)
}

/// Processor time of this process, in hundredths of a second, as Linux counts it; 0 elsewhere.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything; user and system time are the 14th and 15th of all.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Memory and time of runs in processes of their own.
fn memory() {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for count in [10_000, 1_000_000] {
        let path = directory.path().join(format!("{count}.jsonl"));
        for what in ["asked for", "in the journal"] {
            let part = format!("{count} {}", path.display());
            let output = Command::new(std::env::current_exe().unwrap()).env(PART, part).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            println!("{count:>9} items, {what:<14}: {}", String::from_utf8_lossy(&output.stdout).trim());
        }
        println!("{:>9}   journal of {} MB", "", std::fs::metadata(&path).unwrap().len() >> 20);
    }
}

fn memory_of(part: &str) {
    let (count, path) = part.split_once(' ').unwrap();
    let worker = Worker::new(AtOnce);
    let begun = Instant::now();
    let summary = pollster::block_on(async {
        let many = worker.many::<Ticket>(tasks(count.parse().unwrap())).concurrency(CONCURRENT);
        let mut results = many.journal(path).start().unwrap();
        while let Some(item) = results.next().await {
            assert_eq!(item.outcome.unwrap().value.confidence, 90);
        }
        results.summary().clone()
    });
    let (took, processor) = (begun.elapsed().as_secs_f64(), processor());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let largest = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    println!(
        "{took:.2} s ({processor:.2} s of processor), largest memory {largest}, {} from the journal",
        summary.from_journal
    );
}
