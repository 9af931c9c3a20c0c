//! Representations that exclude each other.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind", untagged)]
enum Step {
    Go { by: u8 },
}

#[derive(ResponseSchema)]
#[serde(content = "data")]
enum Other {
    Go { by: u8 },
}

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
struct Percent(u8);

fn main() {}
