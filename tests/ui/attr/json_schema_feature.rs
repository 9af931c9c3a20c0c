//! `json_schema` without the crate's feature `schemars`.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(json_schema)]
struct Ticket {
    summary: String,
}

fn main() {}
