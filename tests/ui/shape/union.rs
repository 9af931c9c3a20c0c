//! A union.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
union Number {
    whole: u64,
    float: f64,
}

fn main() {}
