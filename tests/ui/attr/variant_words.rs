//! Words about a value, on a variant that has none.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
enum Step {
    #[response(min = 1)]
    Stop,
    #[response(aliases("walk"))]
    Go(u8),
}

fn main() {}
