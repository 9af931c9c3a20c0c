//! Schemas that are made to hurt: judging ends, in time and in order.

use response_schema::dialect::Dialect;
use response_schema::dynamic::{Rule, judge};
use response_schema_tests::hostile::{dynamic, schemas};
use response_schema_tests::noise::Choices;
use response_schema_tests::schemas::{Seeded, schema};
use serde_json::{Map, Value, json};

#[test]
fn nothing_panics() {
    for schema in schemas() {
        dynamic(&schema);
    }
    for seed in 0..200 {
        let mut text = schema(&mut Seeded::new(seed)).to_string().into_bytes();
        let random = &mut Seeded::new(seed);
        for _ in 0..8 {
            let at = random.below(text.len());
            text[at] = b"{}[]\":,0nt$"[random.below(11)];
            if let Ok(schema) = serde_json::from_slice(&text) {
                dynamic(&schema);
            }
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let mut deep = json!({"type": "string"});
    for _ in 0..2_000 {
        deep = json!({"type": "array", "items": deep});
    }
    let verdict = judge(&deep, Dialect::OPENAI);
    assert_eq!(verdict.departures()[0].rule, Rule::Nesting);
    // Dropping so deep a value would overflow the stack.
    std::mem::forget(deep);

    // Through references, each a level.
    let definitions: Map<String, Value> = (0..5_000)
        .map(|i| (format!("d{i}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", i + 1)}], "type": "object"})))
        .collect();
    let chain = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    assert!(!judge(&chain, Dialect::OPENAI).is_strict());
}

#[test]
fn what_doubles_is_refused() {
    // Written out, this has 2^40 parts.
    let definitions: Map<String, Value> = (0..40)
        .map(|i| {
            let next = json!({"$ref": format!("#/$defs/d{}", i + 1), "minProperties": 0});
            let schema = json!({"type": "object", "properties": {"a": next, "b": next}, "required": ["a", "b"]});
            (format!("d{i}"), schema)
        })
        .collect();
    let doubling = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let verdict = judge(&doubling, Dialect::PORTABLE);
    assert!(
        verdict.departures().iter().any(|departure| departure.rule == Rule::Limit),
        "{:?}",
        verdict.departures().first()
    );
}
