//! An enum of ten levels as a whole reply, which its wrapper makes eleven.
use response_schema::{ResponseSchema, json};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct In<T> {
    inner: T,
}

type Five<T> = In<In<In<In<In<T>>>>>;

#[derive(Deserialize, ResponseSchema)]
#[serde(untagged)]
enum Ten {
    Deep(Five<Five<String>>),
    Nothing,
}

const JSON: &str = json::<Ten>();

fn main() {}
