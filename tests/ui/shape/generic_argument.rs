//! A generic type used with an argument that has no schema.
use response_schema::ResponseSchema;

struct Mine;

#[derive(ResponseSchema)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(ResponseSchema)]
struct Report {
    page: Page<Mine>,
}

fn main() {}
