//! A word that is none.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(colour = "red")]
    summary: String,
}

fn main() {}
