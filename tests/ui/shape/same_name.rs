//! Two variants under one name.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    LOW,
    #[serde(alias = "low")]
    Small,
}

fn main() {}
