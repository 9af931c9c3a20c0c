//! Schemas that are made to hurt, and what a fuzzer runs.

use response_schema::dialect::Dialect;
use response_schema::dynamic::{judge, lower, make_strict};
use serde_json::{Value, json};

/// Judges and rewrites a schema for every dialect.
///
/// # Panics
///
/// If a promise is broken.
pub fn dynamic(schema: &Value) {
    for dialect in Dialect::ALL {
        let verdict = judge(schema, *dialect);
        for departure in verdict.departures() {
            assert!(schema.pointer(&departure.pointer).is_some(), "{departure} points nowhere in {schema}");
        }
        for written in [make_strict(schema, *dialect), lower(schema, *dialect)].into_iter().flatten() {
            let verdict = judge(&written, *dialect);
            assert!(verdict.is_strict(), "{}: {schema}\n{written}\n{:?}", dialect.name, verdict.departures());
            assert_eq!(lower(&written, *dialect).as_ref(), Ok(&written), "{}: {schema}", dialect.name);
        }
    }
}

/// Where a fuzzer may begin.
#[must_use]
pub fn schemas() -> Vec<Value> {
    vec![
        json!(null),
        json!(7),
        json!([{}]),
        json!(false),
        json!({"$ref": "#"}),
        json!({"$ref": 1}),
        json!({"$ref": "#/$ref"}),
        json!({"$ref": "#/%"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"allOf": [{"$ref": "#"}], "type": "object"}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "null"}], "type": "object"}),
        json!({"oneOf": [{"$ref": "#"}]}),
        json!({"type": "object", "properties": {"x": {"$ref": "#", "minProperties": 1}}}),
        json!({"type": [], "enum": [], "anyOf": [], "allOf": [], "oneOf": []}),
        json!({"type": "object", "properties": 1, "required": {}, "additionalProperties": []}),
        json!({"type": "array", "items": [], "prefixItems": {}, "minItems": -1, "maxItems": 1e300}),
        json!({"type": "string", "pattern": 1, "format": [], "minLength": "x"}),
        json!({"type": "integer", "minimum": 1e300, "multipleOf": "x", "exclusiveMinimum": true}),
        json!({"type": "array", "minItems": 3, "maxItems": 1, "items": {"type": "string"}}),
        json!({"enum": [1, 1.0, [], {}, null, "\u{0}"], "nullable": true}),
        json!({"properties": {"~/%": {"$ref": "#/properties/~0~1%25"}}, "patternProperties": {"(": {}}}),
        json!({"definitions": {"": {"$ref": "#/definitions/"}}, "$ref": "#/definitions/"}),
    ]
}
