//! Values of the wrong kind.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(description = 3, min_length = "1", max_length = -1)]
    summary: String,
    #[response(min = "0", max = 100u8, multiple_of)]
    confidence: u8,
    #[response(validate = |text| text.is_empty())]
    build: String,
}

fn main() {}
