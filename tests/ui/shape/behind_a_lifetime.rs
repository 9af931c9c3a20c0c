//! A type without a schema behind a lifetime.
use response_schema::ResponseSchema;

struct Mine<'a>(&'a str);

#[derive(ResponseSchema)]
struct Report<'a> {
    mine: Mine<'a>,
}

fn main() {}
