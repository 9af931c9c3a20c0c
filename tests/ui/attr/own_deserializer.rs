//! A field with a deserializer of its own.
use response_schema::ResponseSchema;

mod text {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(_: D) -> Result<u32, D::Error> {
        Ok(0)
    }
}

#[derive(serde::Deserialize, ResponseSchema)]
struct Ticket {
    #[serde(with = "text")]
    build: u32,
    #[serde(deserialize_with = "text::deserialize")]
    since: u32,
}

fn main() {}
