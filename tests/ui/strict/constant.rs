//! A schema that is too deep, asked for in a constant.
use response_schema::{ResponseSchema, dialect, json, json_for, verify};
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct In<T> {
    inner: T,
}

type Five<T> = In<In<In<In<In<T>>>>>;
type Eleven = Five<Five<In<String>>>;

const JSON: &str = json::<Eleven>();
const OPEN_AI: &str = json_for::<Eleven, dialect::OpenAi>();
const _: () = verify::<Eleven, dialect::OpenAi>();

fn main() {}
