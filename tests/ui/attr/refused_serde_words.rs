//! Attributes of serde that no strict schema can follow.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
enum Step {
    Stop,
    #[serde(untagged)]
    Other(Rest),
}

#[derive(ResponseSchema)]
#[serde(field_identifier)]
enum Key {
    First,
    Second,
}

#[derive(ResponseSchema)]
struct Rest {
    text: String,
}

fn main() {}
