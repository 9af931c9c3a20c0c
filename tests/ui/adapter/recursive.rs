//! A call that asks for a type which the route's provider refuses, for it contains itself.
use response_schema::ResponseSchema;
use response_schema::adapter::Adapter;
use response_schema::dialect::{Anthropic, Gemini, OpenAi};
use response_schema::testing::Offline;
use response_schema::{SubTask, Worker};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    replies: Vec<Comment>,
}

fn main() {
    let anthropic = Offline::seeded(7).as_dialect::<Anthropic>();
    drop(anthropic.extract::<Comment>("…"));
    let worker = Worker::new(Offline::seeded(7).as_dialect::<Gemini>());
    drop(worker.run::<Comment>(SubTask::new("…")));
    // Where the provider takes it, it compiles.
    let openai = Offline::seeded(7).as_dialect::<OpenAi>();
    drop(openai.extract::<Comment>("…"));
}
