//! A word that is almost one.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(titel = "Ticket")]
struct Ticket {
    #[response(desciption = "One sentence.", minLength = 3)]
    summary: String,
}

fn main() {}
