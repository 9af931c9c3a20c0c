//! A flattened key that is there already.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    id: u64,
    #[serde(flatten)]
    meta: Meta,
}

#[derive(ResponseSchema)]
struct Meta {
    author: String,
    #[serde(flatten)]
    more: More,
}

#[derive(ResponseSchema)]
struct More {
    id: u64,
}

fn main() {}
