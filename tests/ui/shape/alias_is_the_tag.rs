//! serde gives the tag of a struct to a field with that alias.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
struct Ticket {
    #[serde(alias = "kind")]
    sort: String,
}

fn main() {}
