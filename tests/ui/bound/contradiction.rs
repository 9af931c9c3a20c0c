//! Bounds that no value can keep.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 5, max = 3)]
    a: u8,
    #[response(exclusive_min = 3, max = 3)]
    b: f64,
    #[response(min_length = 2, max_length = 1)]
    c: String,
    #[response(min_items = 2, max_items = 1)]
    d: Vec<u8>,
    #[response(multiple_of = 0)]
    e: u8,
}

fn main() {}
