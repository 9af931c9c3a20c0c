//! A `schema_of` that is no type.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(schema_of = "Vec<")]
    build: u32,
}

fn main() {}
