//! A tag that is also a key.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
enum Step {
    Go { kind: String },
}

#[derive(ResponseSchema)]
#[serde(tag = "t", content = "t")]
enum Other {
    Go { by: String },
}

fn main() {}
