//! A tuple struct.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Point(f64, f64);

fn main() {}
