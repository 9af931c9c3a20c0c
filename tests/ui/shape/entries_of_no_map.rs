//! `entries` on something that is no map.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Report {
    #[serde(with = "response_schema::entries")]
    counts: Vec<u32>,
}

fn main() {}
