//! Bounds that no value of the type can keep.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 300)]
    a: u8,
    #[response(max = -1)]
    b: u64,
    #[response(min_items = 4)]
    c: [u8; 3],
}

fn main() {}
