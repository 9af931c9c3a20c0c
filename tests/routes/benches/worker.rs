//! What a worker costs over a bare call of its adapter: time, allocations, throughput, memory.
//!
//! `cargo bench -p response-schema-tests-routes --features http --bench worker`
#![allow(clippy::print_stdout)] // a benchmark's business

use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use allocation_counter::measure;
use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, Enforcement, Message, OpenAi, ResponseFormat, Usage,
};
use response_schema::dialect::Guidance;
use response_schema::{ResponseSchema, SubTask, Worker};
use response_schema_tests_routes::loopback::{Exchange, Loopback, Wire};
use response_schema_tests_routes::measure::{Contender, compare};
use serde::Deserialize;

#[derive(Debug, Deserialize, ResponseSchema)]
struct Ticket {
    summary: String,
    #[response(pattern = r"^\d+(\.\d+)*$")]
    build: Option<String>,
    #[response(max = 100)]
    confidence: u8,
}

const SYSTEM: &str = "Turn the user's report into a ticket. Say in one sentence what is wrong, and in which build.";
const PROMPT: &str = "Since build 4.2.0 nobody on our team can sign in any more. This is blocking us completely. \
                      The page says that the certificate has expired, on all machines, in all browsers.";
const REPLY: &str = r#"{"summary": "Nobody can sign in since build 4.2.0.", "build": "4.2.0", "confidence": 90}"#;

/// Answers at once.
struct Instantly;

impl Adapter for Instantly {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("instantly", Enforcement::Enforced)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        std::hint::black_box(request);
        let mut response = CallResponse::new(REPLY, Enforcement::Enforced);
        response.usage = Usage::new(80, 30);
        "instant-1".clone_into(&mut response.model);
        Ok(response)
    }
}

fn request() -> CallRequest {
    let messages = vec![Message::system(SYSTEM), Message::user(PROMPT)];
    CallRequest::new(messages).with_response_schema(ResponseFormat::of::<Ticket>())
}

fn task() -> SubTask {
    SubTask::new(PROMPT).system(SYSTEM)
}

/// A bare call, its reply read by serde alone.
fn bare(adapter: &impl Adapter) -> Ticket {
    let response = pollster::block_on(adapter.call(request())).expect("a reply");
    serde_json::from_str(&response.text).expect("a ticket")
}

fn worked(worker: &Worker<impl Adapter>) -> Ticket {
    pollster::block_on(worker.run::<Ticket>(task())).expect("a ticket").value
}

/// The median time of one call, in microseconds.
fn time(mut call: impl FnMut() -> Ticket) -> f64 {
    const BATCH: u32 = 1_000;
    let mut times: Vec<f64> = (0..41)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..BATCH {
                std::hint::black_box(call());
            }
            start.elapsed().as_secs_f64() * 1e6 / f64::from(BATCH)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Never answers.
struct Never;

impl Adapter for Never {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("never", Enforcement::Enforced)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let _held = request;
        std::future::pending().await
    }
}

/// The heap of one of so many calls that wait.
fn waiting<C: Future>(call: impl Fn() -> C) -> f64 {
    const MANY: usize = 10_000;
    let mut calls: Vec<Pin<Box<C>>> = Vec::with_capacity(MANY);
    let held = measure(|| {
        for _ in 0..MANY {
            let mut call = Box::pin(call());
            assert!(call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            calls.push(call);
        }
    });
    #[allow(clippy::cast_precision_loss)] // a few megabytes
    let each = held.bytes_current as f64 / MANY as f64;
    each
}

/// Calls of a route over HTTP, alone and by workers.
fn over_http() -> [Contender; 3] {
    let server: &'static Loopback = Box::leak(Box::new(Loopback::start([Exchange::text(REPLY).always()])));
    server.keep_requests(0);
    let base = server.base_url(Wire::Responses);
    let route = OpenAi::new("sk-bench").expect("a key").model("gpt-5.6").base_url(base);
    let worker = Worker::new(route.clone());
    let timed = worker.clone().timeout(Duration::from_mins(1));
    let alone = Contender::new("bare adapter", move || {
        let route = route.clone();
        async move {
            let response = route.call(request()).await.expect("a reply");
            let _: Ticket = serde_json::from_str(&response.text).expect("a ticket");
        }
    });
    let by = |name, worker: Worker<OpenAi>| {
        Contender::new(name, move || {
            let worker = worker.clone();
            async move { drop(worker.run::<Ticket>(task()).await.expect("a ticket")) }
        })
    };
    [alone, by("worker", worker), by("worker, with a timeout", timed)]
}

fn main() {
    let plain = Worker::new(Instantly);
    let timed = Worker::new(Instantly).timeout(Duration::from_mins(1));
    worked(&plain); // the first use compiles the pattern
    let (base, run, with_timeout) = (time(|| bare(&Instantly)), time(|| worked(&plain)), time(|| worked(&timed)));
    println!("one call   bare {base:.2} µs, worker {run:.2} µs, with a timeout {with_timeout:.2} µs");
    println!("overhead   {:.2} µs, with a timeout {:.2} µs (bound: 20)", run - base, with_timeout - base);

    let count = |call: &dyn Fn() -> Ticket| measure(|| drop(call())).count_total;
    let (base, run) = (count(&|| bare(&Instantly)), count(&|| worked(&timed)));
    println!("allocations  bare {base}, worker {run}, overhead {} (bound: 5)", run.saturating_sub(base));

    let worker = Worker::new(&Never).timeout(Duration::from_mins(1));
    let (base, run) = (waiting(|| Never.call(request())), waiting(|| worker.run::<Ticket>(task())));
    println!("10,000 at once  bare {base:.0} bytes each, worker {run:.0}");

    for at_once in [64, 512] {
        println!("{at_once} at a time over HTTP (bound: 0.95 of the throughput)");
        for took in compare(&over_http(), at_once, 1_024, 61) {
            println!("  {took}");
        }
    }
}
