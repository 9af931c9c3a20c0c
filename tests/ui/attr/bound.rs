//! A bound that is no where clause.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(bound = "where T")]
struct Page<T> {
    items: Vec<T>,
}

fn main() {}
