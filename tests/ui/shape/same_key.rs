//! Two fields under one key.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(rename_all = "camelCase")]
struct Ticket {
    build_number: String,
    #[serde(rename = "buildNumber")]
    build: String,
    #[serde(alias = "buildNumber")]
    old: String,
}

fn main() {}
