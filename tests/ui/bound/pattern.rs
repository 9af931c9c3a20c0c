//! Patterns that engines do not read alike.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
struct Ticket {
    #[response(pattern = "[a-z")]
    a: String,
    #[response(pattern = "^(?=a)")]
    b: String,
    #[response(pattern = "(?i)^a")]
    c: String,
    #[response(pattern = r"\Aa\z")]
    d: String,
    #[response(pattern = "(?P<year>[0-9]{4})")]
    e: String,
    #[response(pattern = r"\bword\b")]
    f: String,
}

fn main() {}
