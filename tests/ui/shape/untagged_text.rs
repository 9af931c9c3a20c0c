//! Untagged variants that only their names would tell apart.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
enum Known {
    Low,
    High,
}

#[derive(Deserialize, ResponseSchema)]
#[serde(untagged)]
enum Level {
    Known(Known),
    Other(String),
}

#[derive(Deserialize, ResponseSchema)]
#[serde(untagged)]
enum Amount {
    Exact(f64),
    Rounded(i64),
}

#[derive(Deserialize, ResponseSchema)]
#[serde(untagged)]
enum Place {
    Home { street: String, city: String },
    Work { street: String, city: String },
    Nowhere,
}

#[derive(Deserialize, ResponseSchema)]
#[serde(untagged)]
enum Answer {
    Free(#[serde(with = "response_schema::json_text")] serde_json::Value),
    Count { count: u8 },
}

fn main() {}
