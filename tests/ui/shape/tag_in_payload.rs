//! A newtype variant whose content has the tag as a key.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
enum Step {
    Go(Target),
}

#[derive(ResponseSchema)]
struct Target {
    kind: String,
}

fn main() {}
