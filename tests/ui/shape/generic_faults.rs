//! Faults of a generic type show where it is used.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Page<T> {
    number: u32,
    #[serde(flatten)]
    content: T,
}

#[derive(ResponseSchema)]
struct Report {
    page: Page<String>,
}

#[derive(ResponseSchema)]
struct Rated<T> {
    #[response(max = 10)]
    rating: T,
}

#[derive(ResponseSchema)]
struct Review {
    text: Rated<String>,
}

fn main() {}
