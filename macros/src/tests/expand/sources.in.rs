#[response(crate = "toolkit::schema")]
struct Sources {
    #[serde(with = "response_schema::entries")]
    #[response(min_items = 1)]
    map: HashMap<String, Value>,
    #[serde(deserialize_with = "toolkit::schema::json_text::deserialize")]
    free: Option<Value>,
    #[serde(deserialize_with = "parse")]
    #[response(schema_of = "String")]
    own: Thing,
    #[serde(flatten)]
    rest: Rest,
}
