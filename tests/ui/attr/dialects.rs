//! Dialects that are unknown.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[response(for = "openai, opnai, gemini")]
struct Ticket {
    summary: String,
}

#[derive(ResponseSchema)]
#[response(for = "watson")]
struct Note {
    text: String,
}

#[derive(ResponseSchema)]
#[response(for = "gpt, claude")]
struct Page {
    text: String,
}

fn main() {}
