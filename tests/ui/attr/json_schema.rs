//! `json_schema` with a value, twice, and where it says nothing.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(json_schema = true)]
struct Ticket {
    summary: String,
}

#[derive(ResponseSchema)]
#[response(json_schema, json_schema)]
struct Note {
    text: String,
}

#[derive(ResponseSchema)]
struct Page {
    #[response(json_schema)]
    notes: Vec<String>,
}

#[derive(ResponseSchema)]
#[serde(json_schema)]
struct Leaf {
    text: String,
}

fn main() {}
