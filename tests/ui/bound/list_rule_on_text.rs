//! A rule for lists on text, and for text on a list.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(max_items = 80)]
    summary: String,
    #[response(max_length = 5)]
    labels: Vec<String>,
}

fn main() {}
