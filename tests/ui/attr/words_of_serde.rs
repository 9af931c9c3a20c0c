//! What serde says, said in `response`: each is answered with serde's way to write it.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
#[response(rename_all = "camelCase", tag = "kind")]
struct Job {
    #[response(default = 3)]
    retries: u8,
    #[response(skip)]
    done: bool,
    #[response(alias = "secs")]
    seconds: u32,
}

fn main() {}
