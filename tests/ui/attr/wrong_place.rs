//! A word in the wrong place.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(min_items = 1)]
struct Ticket {
    #[response(title = "Summary")]
    summary: String,
}

fn main() {}
