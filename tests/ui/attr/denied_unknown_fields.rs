//! `deny_unknown_fields` where serde would refuse its own output.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(deny_unknown_fields)]
struct Ticket {
    #[serde(flatten)]
    head: Head,
}

#[derive(ResponseSchema)]
#[serde(tag = "type", deny_unknown_fields)]
struct Head {
    summary: String,
}

fn main() {}
