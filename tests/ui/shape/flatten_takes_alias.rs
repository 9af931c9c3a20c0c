//! An alias that takes a flattened key away.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[serde(alias = "author")]
    reporter: String,
    #[serde(flatten)]
    meta: Meta,
}

#[derive(ResponseSchema)]
struct Both {
    #[serde(flatten)]
    first: Meta,
    #[serde(flatten)]
    second: More,
}

#[derive(ResponseSchema)]
struct Meta {
    #[serde(alias = "id")]
    number: u64,
    author: String,
}

#[derive(ResponseSchema)]
struct More {
    id: u64,
}

fn main() {}
