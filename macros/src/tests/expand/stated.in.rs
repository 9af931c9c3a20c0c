#[serde(try_from = "Raw<'a>")]
struct Checked<'a> {
    raw: &'a Other,
}
