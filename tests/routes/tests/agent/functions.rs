//! Functions as tools.

use std::collections::BTreeMap;

use response_schema::adapter::ToolCall;
use response_schema::tool;
use serde_json::json;

struct Store(BTreeMap<&'static str, u32>);

/// Says how many there are.
///
/// Of one thing at a time.
#[tool]
async fn count_things(
    store: &Store,
    /// What to count.
    #[response(min_length = 1)]
    thing: String,
    r#where: Option<String>,
) -> Result<u32, String> {
    let place = r#where.as_deref().unwrap_or("anywhere");
    store.0.get(&*thing).copied().ok_or_else(|| format!("no {thing} {place}"))
}

#[tool(name = "now")]
pub(super) async fn time() -> &'static str {
    "12:00"
}

#[test]
fn a_function_is_a_tool() {
    let store = Store(BTreeMap::from([("pears", 3)]));
    let tool = count_things_tool(&store);
    assert_eq!(tool.name(), "count_things");
    assert_eq!(tool.description(), "Says how many there are.\n\nOf one thing at a time.");
    let schema = tool.spec().input.wire(&response_schema::dialect::Dialect::OPENAI).expect("strict");
    let schema: serde_json::Value = serde_json::from_str(&schema.json).expect("JSON");
    assert_eq!(schema["required"], json!(["thing", "where"]));
    assert_eq!(schema["properties"]["thing"]["description"], "What to count. Must have at least 1 character.");
    let told = |arguments: &str| pollster::block_on(tool.call(&ToolCall::new("1", "count_things", arguments)));
    let good = told(r#"{"thing": "pears", "where": null}"#);
    assert_eq!((good.text.as_str(), good.is_error), ("3", false));
    let bad = told(r#"{"thing": "", "where": null}"#);
    assert!(bad.is_error && bad.text.contains("`thing`"), "{}", bad.text);
    assert_eq!(told(r#"{"thing": "figs", "where": "here"}"#).text, "the tool failed: no figs here");
    assert_eq!(pollster::block_on(time_tool().call(&ToolCall::new("1", "now", ""))).text, "12:00");
}
