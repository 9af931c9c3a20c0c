//! Tuple structs that are no list of up to eight equal elements.
use response_schema::ResponseSchema;
use serde::Deserialize;

#[derive(Deserialize, ResponseSchema)]
struct Reading(f64, String);

#[derive(Deserialize, ResponseSchema)]
struct Week(u8, u8, u8, u8, u8, u8, u8, u8, u8);

#[derive(Deserialize, ResponseSchema)]
struct Nothing();

#[derive(Deserialize, ResponseSchema)]
struct Cached(f64, #[serde(skip)] f64);

#[derive(Deserialize, ResponseSchema)]
struct Rgb(#[response(max = 100)] u8, u8, u8);

fn main() {}
