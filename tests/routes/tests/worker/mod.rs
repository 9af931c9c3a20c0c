mod answer;
mod behaviour;
mod budget;
mod cost;
mod feedback;
mod kit;
mod report;
mod reports;
mod router;
mod soak;

use std::time::Duration;

use response_schema::adapter::{CallRequest, Message, Role};
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::{Error, Reply, ResponseSchema, SubTask, Worker};
use serde::{Deserialize, Serialize};

/// What most tests ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Pet {
    name: String,
    #[response(max = 8)]
    legs: u8,
    mood: Mood,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Happy,
    Grumpy,
}

const GOOD: &str = r#"{"name": "Biscuit", "legs": 4, "mood": "grumpy"}"#;
/// Too many legs.
const BAD: &str = r#"{"name": "Biscuit", "legs": 40, "mood": "grumpy"}"#;
/// As bad, and to be told from the first.
const WORSE: &str = r#"{"name": "Biscuit", "legs": 90, "mood": "grumpy"}"#;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn task() -> SubTask {
    SubTask::new("My cat Biscuit …").system("Describe the pet.")
}

/// A script on a clock, and a worker on the script with a timeout of ten seconds.
fn scripted<I>(turns: I) -> (VirtualClock, Scripted, Worker<Scripted>)
where
    I: IntoIterator,
    I::Item: Into<Turn>,
{
    let clock = VirtualClock::new();
    let model = Scripted::new(turns).clock(&clock);
    let worker = Worker::new(model.clone()).timeout(seconds(10)).clock(clock.clone());
    (clock, model, worker)
}

/// What a worker makes of these turns, and what it asked for them.
fn pet<I>(turns: I) -> (Result<Reply<Pet>, Error>, Vec<CallRequest>)
where
    I: IntoIterator,
    I::Item: Into<Turn>,
{
    let (clock, model, worker) = scripted(turns);
    let result = clock.run(worker.run::<Pet>(task()));
    (result, model.requests())
}

/// Who speaks in a conversation, and what.
fn spoken(request: &CallRequest) -> Vec<(Role, &str)> {
    request.messages.iter().map(|message| (message.role(), message.text())).collect()
}

/// What a retry tells the model.
fn told(request: &CallRequest) -> &str {
    let last = request.messages.last().expect("a conversation");
    assert_eq!(last.role(), Role::User);
    Message::text(last)
}
