//! A transparent struct of two fields.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(transparent)]
struct Pair {
    first: u8,
    second: u8,
}

fn main() {}
