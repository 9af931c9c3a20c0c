//! Dynamic values against what only a full validator knows.
#![cfg(feature = "jsonschema")]

use response_schema::decode::{DecodeErrorKind, Decoder};
use serde_json::json;

#[test]
fn keywords_beyond_strict_schemas_are_looked_at() {
    let schema = json!({"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}},
                        "required": ["tags"], "minProperties": 1});
    let decoder = Decoder::new();
    assert_eq!(decoder.decode_value("{\"tags\": ['a', 'b']}", &schema).unwrap(), json!({"tags": ["a", "b"]}));
    let error = decoder.decode_value("{\"tags\": ['a', 'a']}", &schema).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Invalid);
    assert_eq!(error.violations()[0].path, "tags");
}
