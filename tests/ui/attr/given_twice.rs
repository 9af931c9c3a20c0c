//! A word given twice.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 0, max = 10)]
    #[response(max = 20)]
    confidence: u8,
}

fn main() {}
