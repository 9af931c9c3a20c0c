//! A call that asks for a type which the route's provider takes. Programs are built to the end for its sake: what a call
//! says is said only then.
use response_schema::ResponseSchema;
use response_schema::adapter::Adapter;
use response_schema::http::Anthropic;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    replies: Vec<String>,
}

fn main() {
    let anthropic = Anthropic::new("a key").unwrap();
    drop(anthropic.extract::<Comment>("…"));
}
