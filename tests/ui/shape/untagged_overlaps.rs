//! An untagged variant that an earlier one takes.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(untagged)]
enum Found {
    Short { name: String },
    Long { name: String, place: String },
}

#[derive(ResponseSchema)]
#[serde(untagged)]
enum Fine {
    Long { name: String, place: String },
    Short { name: String },
}

fn main() {}
