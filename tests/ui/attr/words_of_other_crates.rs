//! Words that other crates have for the same.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
#[response(name = "Order")]
struct Order {
    #[response(length(min = 3))]
    customer: String,
    #[response(range(min = 1, max = 10))]
    count: u8,
    #[response(regex = "^[A-Z]{3}$")]
    currency: String,
    #[response(email)]
    contact: String,
    #[response(optional)]
    note: String,
    #[response(unique_items)]
    labels: Vec<String>,
    #[response(rename = "type")]
    kind: String,
}

fn main() {}
