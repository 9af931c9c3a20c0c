//! What the loop costs over bare calls of its adapter: time a turn, and whether a long conversation costs linear work.
//!
//! `cargo bench -p response-schema-tests-routes --bench agent`
#![allow(clippy::print_stdout)] // a benchmark's business

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use allocation_counter::{AllocationInfo, measure};
use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, Ending, Enforcement, Message, ToolCall,
};
use response_schema::dialect::Guidance;
use response_schema::{AgentLoop, ResponseSchema, Tool};
use serde::Deserialize;

const PROMPT: &str = "Since build 4.2.0 nobody on our team can sign in any more. What shall we do?";
const REPLY: &str = "Roll back to 4.1.9, and ask for the certificate's date.";

/// Looks a build up.
#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    build: u32,
}

/// Answers at once: first with so many calls of a tool, then with text.
#[derive(Default)]
struct Instantly {
    calls: AtomicU32,
}

impl Instantly {
    fn calling(times: u32) -> Self {
        Self { calls: AtomicU32::new(times) }
    }
}

impl Adapter for Instantly {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("instantly", Enforcement::Enforced)
            .with_tools(Enforcement::Enforced)
            .with_tools_beside_schema()
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        std::hint::black_box(request);
        let mut response = CallResponse::new(REPLY, Enforcement::None);
        let left = self.calls.load(Ordering::Relaxed);
        if left > 0 {
            self.calls.store(left - 1, Ordering::Relaxed);
            response.text.clear();
            response.ending = Ending::ToolCalls;
            response.tool_calls =
                vec![ToolCall::new(format!("call-{left}"), "lookup", format!(r#"{{"build": {left}}}"#))];
        }
        Ok(response)
    }
}

fn bare(adapter: &Instantly) -> String {
    let request = CallRequest::new(vec![Message::user(PROMPT)]);
    pollster::block_on(adapter.call(request)).expect("a reply").text
}

fn looped(adapter: &Instantly) -> String {
    let mut agent = AgentLoop::new(adapter);
    pollster::block_on(agent.run(PROMPT)).expect("an answer").value
}

/// A run with so many turns that call a tool.
fn turns(times: u32) {
    let adapter = Instantly::calling(times);
    let lookup = Tool::new("lookup", |input: Lookup| async move { input.build });
    let mut agent = AgentLoop::new(&adapter).tool(lookup).max_turns(times + 1);
    pollster::block_on(agent.run(PROMPT)).expect("an answer");
    assert_eq!(agent.history().messages().len(), 2 * times as usize + 2);
}

/// A conversation of so many runs of one turn.
fn runs(times: u32) {
    let adapter = Instantly::default();
    let mut agent = AgentLoop::new(&adapter);
    for _ in 0..times {
        pollster::block_on(agent.run(PROMPT)).expect("an answer");
    }
    assert_eq!(agent.history().messages().len(), 2 * times as usize);
}

/// The median of rounds, in microseconds.
fn time(rounds: usize, batch: u32, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            (0..batch).for_each(|_| work());
            start.elapsed().as_secs_f64() * 1e6 / f64::from(batch)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let adapter = Instantly::default();
    let base = time(41, 1_000, || drop(std::hint::black_box(bare(&adapter))));
    let run = time(41, 1_000, || drop(std::hint::black_box(looped(&adapter))));
    println!("a turn without tools  bare {base:.2} µs, loop {run:.2} µs, overhead {:.2} µs (bound: 50)", run - base);

    // Linear work is the same a turn, however many there are. Bytes tell of copies that a count does not.
    for (name, work) in [("turns with a tool", turns as fn(u32)), ("runs of one turn", runs)] {
        for times in [250, 500, 1_000] {
            let AllocationInfo { count_total, bytes_total, .. } = measure(|| work(times));
            let took = time(9, 1, || work(times));
            let each = f64::from(times);
            #[allow(clippy::cast_precision_loss)] // figures
            let (count, bytes) = (count_total as f64 / each, bytes_total as f64 / each);
            println!("{times:>5} {name}  each {:.2} µs, {count:.1} allocations, {bytes:.0} bytes", took / each);
        }
    }
}
