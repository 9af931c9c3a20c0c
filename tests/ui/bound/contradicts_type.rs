//! Bounds that no value of the type can keep.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Tens(#[response(multiple_of = 10)] i64);

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 300)]
    a: u8,
    #[response(max = -1)]
    b: u64,
    #[response(min_items = 4)]
    c: [u8; 3],
    #[response(multiple_of = 4)]
    d: Tens,
}

fn main() {}
