//! Ten thousand tasks, 256 at a time, on a route that does everything wrong that routes do.

use allocation_counter::measure;
use futures_util::{StreamExt, stream};
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, ToolCall, Usage,
};
use response_schema::testing::VirtualClock;
use response_schema::worker::Clock;
use response_schema::{ErrorKind, ResponseSchema, SubTask, Worker, dialect};
use serde::Deserialize;

use super::seconds;

#[derive(Debug, Deserialize, ResponseSchema)]
struct Echo {
    task: u64,
    #[response(max = 99)]
    part: u64,
}

/// A route that answers each task after its own fashion, and says which task it answers.
struct Faulty {
    clock: VirtualClock,
}

/// A number that looks like chance and is the same each time.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ (number >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

impl Adapter for Faulty {
    type Dialect = dialect::Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("faulty", Enforcement::Hint)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let task: u64 = request.messages[0].text().parse().expect("the task's number");
        let attempt = request.messages.len() as u64;
        let chance = mixed(task * 7 + attempt);
        self.clock.sleep_until(self.clock.now() + std::time::Duration::from_millis(chance % 900)).await;
        let good = format!("{{\"task\": {task}, \"part\": {}}}", chance % 100);
        let mut response = CallResponse::new(good, Enforcement::Hint);
        response.usage = Usage::new(10, 10);
        let fail = |kind, words: &str| Err(CallError::new(kind, words));
        match (chance / 1000) % 16 {
            0 => return fail(CallErrorKind::Transport, "reset"),
            1 => return fail(CallErrorKind::RateLimited, "429"),
            2 => return fail(CallErrorKind::Provider, "overloaded").map_err(|error: CallError| error.with_status(529)),
            3 => return fail(CallErrorKind::Provider, "it died"),
            4 => std::future::pending::<()>().await,
            5 => self.clock.sleep_until(self.clock.now() + seconds(15)).await,
            6 => "I think that …".clone_into(&mut response.text),
            7 => response.text = format!("{{\"task\": {task}, \"part\": 1000}}"),
            8 => response.text = String::new(),
            9 => response.ending = Ending::Refused("no".to_owned()),
            10 => response.ending = Ending::Filtered("no".to_owned()),
            11 => response.ending = Ending::CutShort,
            12 => {
                response.ending = Ending::ToolCalls;
                response.tool_calls = vec![ToolCall::new("1", "search", "{")];
            }
            _ => {}
        }
        Ok(response)
    }
}

/// How many of so many tasks brought a value, and how many a typed error of each kind.
fn run(tasks: u64) -> (u64, Vec<(ErrorKind, u64)>) {
    let clock = VirtualClock::new();
    let worker = Worker::new(Faulty { clock: clock.clone() }).timeout(seconds(20)).clock(clock.clone());
    let mut values = 0;
    let mut errors: Vec<(ErrorKind, u64)> = Vec::new();
    clock.run(async {
        let mut results = stream::iter(0..tasks)
            .map(|task| {
                let worker = &worker;
                async move { (task, worker.run::<Echo>(SubTask::new(task.to_string())).await) }
            })
            .buffer_unordered(256);
        while let Some((task, result)) = results.next().await {
            match result {
                Ok(reply) => {
                    assert_eq!(reply.value.task, task, "a reply of another task");
                    assert!(reply.value.part <= 99);
                    values += 1;
                }
                Err(error) => {
                    assert!((1..=2).contains(&error.report().attempts.len()));
                    if let Some(raw) = error.raw_text().filter(|raw| raw.starts_with('{')) {
                        assert!(raw.contains(&format!("\"task\": {task},")), "a report of another task");
                    }
                    match errors.iter_mut().find(|(kind, _)| *kind == error.kind()) {
                        Some((_, count)) => *count += 1,
                        None => errors.push((error.kind(), 1)),
                    }
                }
            }
        }
    });
    (values, errors)
}

#[test]
fn ten_thousand_tasks_end_each_in_a_value_or_a_typed_error_in_flat_memory() {
    let (values, errors) = run(500);
    assert!(values > 0 && errors.len() >= 6, "{values} {errors:?}");
    let small = measure(|| drop(run(2_000)));
    let large = measure(|| {
        let (values, errors) = run(10_000);
        let failed: u64 = errors.iter().map(|(_, count)| count).sum();
        assert_eq!(values + failed, 10_000);
        // A quarter is good at once, and of what can be mended, a quarter is.
        assert!((3_000..4_000).contains(&values), "{values} values");
    });
    assert_eq!(large.bytes_current, 0, "something stays behind");
    assert!(
        large.bytes_max < small.bytes_max + small.bytes_max / 10,
        "{} against {}",
        large.bytes_max,
        small.bytes_max
    );
}
