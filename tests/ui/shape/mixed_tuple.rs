//! A tuple of different types.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Report {
    first: (String, u8),
}

#[derive(ResponseSchema)]
enum Step {
    Go(String, u8),
}

fn main() {}
