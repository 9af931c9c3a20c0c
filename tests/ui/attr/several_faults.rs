//! Several faults in one type are reported together.
use response_schema::ResponseSchema;

use std::collections::HashMap;

#[derive(ResponseSchema)]
#[response(tittle = "Ticket")]
struct Ticket {
    #[response(min_length = 5, max_length = 3)]
    summary: String,
    #[response(format = "datetime")]
    since: String,
}

#[derive(ResponseSchema)]
struct Report {
    counts: HashMap<String, u32>,
    pair: (u8, String),
    tickets: Vec<Ticket>,
}

fn main() {}
