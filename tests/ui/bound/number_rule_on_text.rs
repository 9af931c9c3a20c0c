//! A rule for numbers on text.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 1)]
    summary: String,
    #[response(multiple_of = 2)]
    build: Option<String>,
}

fn main() {}
