//! A map that takes what is left.
use std::collections::HashMap;

use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Event {
    kind: String,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

#[derive(Deserialize, ResponseSchema)]
struct Entry {
    kind: String,
    #[serde(flatten, with = "response_schema::entries")]
    rest: HashMap<String, String>,
}

fn main() {}
