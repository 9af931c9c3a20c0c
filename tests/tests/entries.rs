//! Maps and free JSON in derived types: one schema, one wire form, and errors that name the place.

use std::collections::{BTreeMap, HashMap};

use response_schema::{ResponseSchema, decode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A tree that holds itself in a map.
#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Node {
    /// Children by name.
    #[serde(with = "response_schema::entries")]
    children: BTreeMap<String, Node>,
    #[serde(with = "response_schema::entries")]
    weights: Option<HashMap<Side, f64>>,
    /// What the tool said.
    #[serde(with = "response_schema::json_text")]
    raw: Value,
}

#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Left,
    Right,
}

fn node() -> Node {
    let leaf = Node { children: BTreeMap::new(), weights: None, raw: Value::Null };
    Node {
        children: BTreeMap::from([("leaf".to_owned(), leaf)]),
        weights: Some(HashMap::from([(Side::Left, 0.5)])),
        raw: json!({"a": [1, "\""]}),
    }
}

#[test]
fn what_is_written_satisfies_the_schema_and_comes_back() {
    let schema: Value = serde_json::from_str(response_schema::json::<Node>()).expect("the schema is JSON");
    let wire = serde_json::to_value(node()).expect("serializes");
    assert!(jsonschema::validator_for(&schema).expect("a schema").is_valid(&wire), "{wire}\n{schema}");
    assert_eq!(wire["weights"], json!([{"key": "left", "value": 0.5}]));
    assert_eq!(wire["raw"], json!(r#"{"a":[1,"\""]}"#));
    assert_eq!(serde_json::from_value::<Node>(wire).expect("comes back"), node());
}

#[test]
fn both_say_in_the_description_what_they_are() {
    let schema: Value = serde_json::from_str(response_schema::json::<Node>()).expect("the schema is JSON");
    let node = if schema["properties"].is_object() { &schema } else { &schema["$defs"]["Node"] };
    assert_eq!(node["properties"]["children"]["description"], "Children by name.");
    assert_eq!(node["properties"]["raw"]["description"], "What the tool said. Must be in the format JSON text.");
}

#[test]
fn a_reply_that_breaks_them_is_refused_in_words() {
    for (reply, said) in [
        (
            r#"{"children": [], "weights": [{"key": "left", "value": 1}, {"key": "left", "value": 2}], "raw": "1"}"#,
            "the key \"left\" occurs twice",
        ),
        (r#"{"children": [], "weights": null, "raw": "{"}"#, "the string must hold JSON text"),
        (r#"{"children": [], "weights": [{"key": "up", "value": 1}], "raw": "1"}"#, "unknown variant `up`"),
    ] {
        let error = decode::decode::<Node>(reply).map(|_| ()).expect_err(reply);
        let told = format!("{error} {error:?}");
        assert!(told.contains(said) || told.contains(&said.replace('"', "\\\"")), "{told}");
    }
}
