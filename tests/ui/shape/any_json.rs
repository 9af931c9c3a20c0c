//! Any JSON.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Call {
    arguments: serde_json::Value,
}

fn main() {}
