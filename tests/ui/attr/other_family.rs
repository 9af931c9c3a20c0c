//! A word of serde in `response`, and the other way round.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(rename = "text")]
    summary: String,
    #[serde(max_length = 10)]
    build: String,
}

fn main() {}
