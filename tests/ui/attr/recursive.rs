//! A `recursive` that nothing needs.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Tree {
    #[response(recursive)]
    children: Vec<Tree>,
}

fn main() {}
