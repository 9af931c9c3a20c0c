//! A rule for text on a number.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min_length = 1, pattern = "^[0-9]+$")]
    confidence: u8,
}

fn main() {}
