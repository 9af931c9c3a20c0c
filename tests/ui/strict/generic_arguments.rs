//! A generic type is checked where it is used, each use on its own field.

use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Ranked<T> {
    #[response(min = 1)]
    rank: T,
}

#[derive(Deserialize, ResponseSchema)]
struct Bounded<T>(#[response(min = 0)] T);

#[derive(Deserialize, ResponseSchema)]
struct Fields {
    right: Ranked<u8>,
    text: Ranked<String>,
    list: Vec<Ranked<bool>>,
    newtype: Bounded<String>,
}

#[derive(Deserialize, ResponseSchema)]
struct Flattened {
    #[serde(flatten)]
    ranked: Ranked<String>,
}

fn main() {}
