//! A call that asks for a type which the route's provider refuses, for it contains itself.
use response_schema::ResponseSchema;
use response_schema::adapter::Adapter;
use response_schema::http::{Anthropic, Gemini, OpenAi};
use response_schema::{SubTask, Worker};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    replies: Vec<Comment>,
}

fn main() {
    let anthropic = Anthropic::new("a key").unwrap();
    drop(anthropic.extract::<Comment>("…"));
    let worker = Worker::new(Gemini::new("a key").unwrap());
    drop(worker.run::<Comment>(SubTask::new("…")));
    // Where the provider takes it, it compiles.
    let openai = OpenAi::new("a key").unwrap();
    drop(openai.extract::<Comment>("…"));
}
