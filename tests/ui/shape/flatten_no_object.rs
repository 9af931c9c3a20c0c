//! Flattened fields that are no objects.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[serde(flatten)]
    text: String,
    #[serde(flatten)]
    severity: Severity,
}

#[derive(ResponseSchema)]
enum Severity {
    Low,
    High,
}

fn main() {}
