//! A tuple variant beside an internal tag.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
enum Step {
    Stop,
    Go(u8, u8),
}

fn main() {}
