//! An enum that no value fits.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
enum Never {
    #[serde(skip)]
    Hidden,
}

fn main() {}
