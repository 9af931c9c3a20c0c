//! Dialects that are unknown, and that cannot be checked yet.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(for = "openai, opnai, gemini")]
struct Ticket {
    summary: String,
}

fn main() {}
