/// A note.
#[response(partial(Debug, Clone))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// Plain words.
    Plain {
        #[serde(alias = "words")]
        text: String,
        #[response(stream = "not_null")]
        page: u32,
        #[serde(with = "response_schema::json_text")]
        more: Value,
    },
    Linked(Link),
    Empty,
}
