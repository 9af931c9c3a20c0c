//! A format that JSON Schema does not know.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(format = "datetime")]
    since: String,
    #[response(format = "phone")]
    call: String,
    #[response(format = "regex")]
    filter: String,
}

fn main() {}
