//! A map.
use response_schema::ResponseSchema;

use std::collections::HashMap;

#[derive(ResponseSchema)]
struct Report {
    counts: HashMap<String, u32>,
    nested: Vec<Option<HashMap<String, u32>>>,
}

fn main() {}
