//! A call that asks for a type which the route's provider takes. Programs are built to the end for its sake: what a call
//! says is said only then.
use response_schema::ResponseSchema;
use response_schema::adapter::Adapter;
use response_schema::dialect::Anthropic;
use response_schema::testing::Offline;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    replies: Vec<String>,
}

fn main() {
    let anthropic = Offline::seeded(7).as_dialect::<Anthropic>();
    drop(anthropic.extract::<Comment>("…"));
}
