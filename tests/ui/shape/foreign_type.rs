//! A type from another crate, and one of your own without the derive.
use response_schema::ResponseSchema;

struct Mine;

#[derive(ResponseSchema)]
struct Report {
    since: std::time::Instant,
    mine: Option<Mine>,
}

#[derive(ResponseSchema)]
struct Page<T> {
    items: Vec<T>,
    mine: Mine,
}

#[derive(ResponseSchema)]
enum Step {
    Go(Mine),
    Turn { by: Mine },
}

fn main() {}
