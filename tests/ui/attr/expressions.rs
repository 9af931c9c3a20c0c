//! Values that the compiler would have to compute.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Limits {
    #[response(max = 10 * 60)]
    seconds: u32,
    #[response(description = include_str!("seconds.md"))]
    label: String,
    #[response(max = u8::MAX)]
    percent: u32,
    #[response(min = 1 max = 5)]
    stars: u8,
}

fn main() {}
