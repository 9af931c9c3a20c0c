//! A flattened enum that refuses unknown keys is shown those of the fields behind it, and the struct's tag.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[serde(flatten)]
    event: Event,
    #[serde(flatten)]
    meta: Meta,
}

#[derive(ResponseSchema)]
#[serde(tag = "type")]
struct Tagged {
    #[serde(flatten)]
    event: Event,
}

#[derive(ResponseSchema)]
struct Report {
    #[serde(flatten)]
    meta: Meta,
    #[serde(flatten)]
    event: Event,
}

#[derive(ResponseSchema)]
#[serde(tag = "kind", deny_unknown_fields)]
enum Event {
    Opened { by: String },
    Closed,
}

#[derive(ResponseSchema)]
struct Meta {
    author: String,
}

fn main() {}
