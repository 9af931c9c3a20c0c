//! An attribute of serde that the derive does not know.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[serde(shape = "round")]
    summary: String,
}

fn main() {}
