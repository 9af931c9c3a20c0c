//! A newtype variant beside an internal tag whose content is no object.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
enum Step {
    Stop,
    Go(u8),
    List(Vec<String>),
}

fn main() {}
