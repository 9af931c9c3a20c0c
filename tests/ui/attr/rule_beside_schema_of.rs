//! A rule that nobody would check.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(schema_of = "String", max_length = 10)]
    build: u32,
}

fn main() {}
