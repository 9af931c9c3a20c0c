//! A struct flattened into itself.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Comment {
    text: String,
    #[serde(flatten)]
    reply: Option<Box<Comment>>,
}

#[derive(Deserialize, ResponseSchema)]
#[serde(tag = "type")]
enum Block {
    Text { text: String },
    Quote(Box<Block>),
    Indented {
        by: u8,
        #[serde(flatten)]
        block: Box<Block>,
    },
}

fn main() {}
