//! Faulty attributes and types without a schema are told in one go, each on its own field.
use response_schema::ResponseSchema;

use std::collections::HashMap;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min_lenght = 5)]
    summary: String,
    counts: HashMap<String, u32>,
    // Only the misspelling: what was meant gives it a schema.
    #[serde(wiht = "response_schema::entries")]
    labels: HashMap<String, u32>,
    raw: serde_json::Value,
}

fn main() {}
