#[serde(untagged)]
enum OneOrMany {
    /// Several.
    Many(Vec<Item>),
    One(Item),
    None,
}
