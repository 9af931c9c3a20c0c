//! `entries` on something that is no map.
use std::collections::HashMap;

use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Report {
    #[serde(with = "response_schema::entries")]
    counts: Vec<u32>,
}

#[derive(ResponseSchema)]
enum Change {
    Swap(
        #[serde(with = "response_schema::entries")] Vec<HashMap<String, u8>>,
        #[serde(with = "response_schema::entries")] Vec<HashMap<String, u8>>,
    ),
}

fn main() {}
