//! A rule on a struct.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(min = 1)]
    author: Author,
}

#[derive(ResponseSchema)]
struct Author {
    name: String,
}

fn main() {}
