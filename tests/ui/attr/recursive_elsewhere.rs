//! A `recursive` that leads nowhere, and one on a type that cannot be led back to.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Root<T> {
    branch: Option<Box<Branch<T>>>,
    value: T,
}

#[derive(ResponseSchema)]
struct Branch<T> {
    #[response(recursive)]
    roots: Vec<Root<T>>,
}

#[derive(ResponseSchema)]
struct Report {
    branch: Branch<u8>,
}

#[derive(ResponseSchema)]
struct Page<T> {
    #[response(recursive)]
    items: Vec<T>,
}

fn main() {}
