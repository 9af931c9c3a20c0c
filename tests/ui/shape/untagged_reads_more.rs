//! serde reads more into a variant than its schema says: an alias, unknown names, a struct whatever its tag, a short list.
use response_schema::ResponseSchema;

#[derive(ResponseSchema)]
#[serde(untagged)]
enum VariantAlias {
    First(Event),
    Second { opened: String },
}

#[derive(ResponseSchema)]
enum Event {
    #[serde(alias = "opened")]
    Open(String),
}

#[derive(ResponseSchema)]
#[serde(untagged)]
enum ValueAlias {
    First(Level),
    Second(Other),
}

#[derive(ResponseSchema)]
#[serde(untagged)]
enum AnyName {
    First(Other),
    Second(Level),
}

#[derive(ResponseSchema)]
enum Level {
    #[serde(alias = "Lowest")]
    Low,
}

#[derive(ResponseSchema)]
enum Other {
    Lowest,
    #[serde(other)]
    Unknown,
}

#[derive(ResponseSchema)]
#[serde(untagged)]
enum StructTags {
    First(Cat),
    Second(Dog),
}

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
struct Cat {
    name: String,
}

#[derive(ResponseSchema)]
#[serde(tag = "kind")]
struct Dog {
    name: String,
}

#[derive(ResponseSchema)]
#[serde(untagged)]
enum ShortList {
    First(Sizes),
    Second(Vec<String>),
}

#[derive(Default, ResponseSchema)]
#[serde(default)]
struct Sizes {
    width: u32,
    height: u32,
}

fn main() {}
