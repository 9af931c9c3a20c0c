//! A call that asks for a type which the route's provider refuses, for it contains itself.
use response_schema::ResponseSchema;
use response_schema::adapter::{Adapter, Anthropic, Gemini, OpenAi};
use response_schema::{SubTask, Worker};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    replies: Vec<Comment>,
}

fn main() {
    let anthropic = Anthropic::new("key").unwrap().model("claude-sonnet-5");
    drop(anthropic.extract::<Comment>("…"));
    let worker = Worker::new(Gemini::new("key").unwrap().model("gemini-3"));
    drop(worker.run::<Comment>(SubTask::new("…")));
    // Where the provider takes it, it compiles.
    drop(OpenAi::new("key").unwrap().extract::<Comment>("…"));
}
