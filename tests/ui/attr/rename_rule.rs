//! A `rename_all` rule that serde does not have.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(rename_all = "snakecase")]
struct Ticket {
    summary_text: String,
}

fn main() {}
