//! A call that asks for a type with more members that may be absent than the route's provider takes.
use response_schema::ResponseSchema;
use response_schema::adapter::Adapter;
use response_schema::http::Anthropic;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Form {
    person: Person,
    house: House,
}

#[derive(Deserialize, ResponseSchema)]
struct Person {
    a: Option<u8>, b: Option<u8>, c: Option<u8>, d: Option<u8>, e: Option<u8>, f: Option<u8>, g: Option<u8>,
    h: Option<u8>, i: Option<u8>, j: Option<u8>, k: Option<u8>, l: Option<u8>, m: Option<u8>, n: Option<u8>,
    o: Option<u8>, p: Option<u8>, q: Option<u8>, r: Option<u8>, s: Option<u8>, t: Option<u8>, u: Option<u8>,
}

#[derive(Deserialize, ResponseSchema)]
struct House {
    a: Option<u8>, b: Option<u8>, c: Option<u8>, d: Option<u8>, e: Option<u8>, f: Option<u8>, g: Option<u8>,
    h: Option<u8>, i: Option<u8>, j: Option<u8>, k: Option<u8>, l: Option<u8>, m: Option<u8>, n: Option<u8>,
    o: Option<u8>, p: Option<u8>, q: Option<u8>, r: Option<u8>, s: Option<u8>, t: Option<u8>, u: Option<u8>,
}

fn main() {
    let anthropic = Anthropic::new("a key").unwrap();
    drop(anthropic.stream::<Form>("…"));
}
