//! Rules of the user's own with another signature.
use response_schema::ResponseSchema;
use serde::Deserialize;

mod rules {
    pub fn not_empty(text: &String) -> Result<(), String> {
        if text.is_empty() { Err("some text".to_owned()) } else { Ok(()) }
    }

    pub fn is_even(number: &u8) -> bool {
        number % 2 == 0
    }

    pub fn is_short(text: String) -> Result<(), String> {
        if text.len() < 9 { Ok(()) } else { Err("a short text".to_owned()) }
    }
}

#[derive(Deserialize, ResponseSchema)]
struct Order {
    #[response(validate = rules::not_empty)]
    count: u8,
    #[response(validate = rules::is_even)]
    pairs: u8,
    #[response(validate = rules::is_odd)]
    rest: u8,
    #[response(validate = rules::is_short)]
    name: String,
}

fn main() {}
