//! A struct flattened into itself.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    #[serde(flatten)]
    reply: Option<Box<Comment>>,
}

fn main() {}
