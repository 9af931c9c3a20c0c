//! Schemas that are made to hurt: judging ends, in time and in order.

use response_schema::dialect::Dialect;
use response_schema::dynamic::{Rule, judge, lower};
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

/// Providers refuse such schemas, or no reply would do.
#[test]
fn what_nothing_satisfies_and_what_is_no_pattern_is_told() {
    let judged = |inner: Value, dialect| {
        let schema =
            json!({"type": "object", "properties": {"a": inner}, "required": ["a"], "additionalProperties": false});
        judge(&schema, dialect).departures().iter().map(|found| found.rule.clone()).collect::<Vec<_>>()
    };
    let patterns = ["(", "a)", "[a", "a\\", "(a[)]", "[^"];
    for dialect in [Dialect::OPENAI, Dialect::GUIDANCE, Dialect::LLAMA_CPP] {
        for inner in [
            json!({"type": "integer", "minimum": 5, "maximum": 1}),
            json!({"type": "number", "exclusiveMinimum": 1, "maximum": 1}),
            json!({"type": "string", "minLength": 2, "maxLength": 1}),
            json!({"allOf": [{"type": "integer", "minimum": 5}, {"type": "integer", "maximum": 1}]}),
        ] {
            assert!(judged(inner.clone(), dialect).contains(&Rule::Satisfiable), "{inner} {}", dialect.name);
        }
        for inner in
            [json!({"type": "integer", "minimum": 1, "maximum": 1}), json!({"type": "number", "minimum": -0.5})]
        {
            assert!(!judged(inner.clone(), dialect).contains(&Rule::Satisfiable), "{inner} {}", dialect.name);
        }
        for pattern in patterns {
            let found = judged(json!({"type": "string", "pattern": pattern}), dialect);
            assert!(found.contains(&Rule::Pattern), "{pattern} {found:?} {}", dialect.name);
        }
    }
    // What an engine says of them; and of those that are not to be refused.
    for pattern in patterns {
        assert!(jsonschema::validator_for(&json!({"pattern": pattern})).is_err(), "{pattern}");
    }
    for pattern in [r"^\(\)$", "^[()]$", r"^[\]\[(]$", r"^(a|(b))$", r"^\\$", "^a]$"] {
        assert!(jsonschema::validator_for(&json!({"pattern": pattern})).is_ok(), "{pattern}");
        assert_eq!(judged(json!({"type": "string", "pattern": pattern}), Dialect::GUIDANCE), [], "{pattern}");
    }
}

#[test]
fn definitions_that_nothing_refers_to_are_left_out() {
    let b = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    let never = json!({"allOf": [{"type": "null"}, {"type": "string"}]});
    for schema in [
        // What is left of the choice stands in its place, and not as a reference.
        json!({"anyOf": [never, {"$ref": "#/$defs/B"}], "$defs": {"B": b}}),
        json!({"anyOf": [{"allOf": [never, {"items": {"$ref": "#/$defs/C"}}]}, {"$ref": "#/$defs/B"}], "$defs": {"B": b, "C": b}}),
    ] {
        for dialect in Dialect::ALL {
            let Ok(written) = lower(&schema, *dialect) else { continue };
            let text = written.to_string();
            let definitions = written.get("$defs").and_then(Value::as_object);
            for name in definitions.into_iter().flatten().map(|(name, _)| name) {
                assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{}: {name} in {text}", dialect.name);
            }
            assert_eq!(lower(&written, *dialect).as_ref(), Ok(&written), "{}", dialect.name);
        }
    }
}

#[test]
fn what_a_choice_leaves_unevaluated_is_refused_by_each_of_its_cases() {
    let case = |kind: &str, key: &str| json!({"type": "object", "properties": {"kind": {"const": kind}, key: {"type": "string"}}, "required": ["kind", key]});
    let schema = json!({
        "type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "unevaluatedProperties": false,
        "oneOf": [case("one", "a"), case("two", "b")], "discriminator": {"propertyName": "kind"},
    });
    let good = [json!({"id": "x", "kind": "one", "a": "y"}), json!({"id": "x", "kind": "two", "b": "y"})];
    let bad =
        [json!({"id": "x", "kind": "one", "a": "y", "b": "z"}), json!({"id": "x", "kind": "two", "b": "y", "more": 1})];
    let before = jsonschema::validator_for(&schema).expect("a schema");
    for dialect in Dialect::ALL {
        let Ok(written) = lower(&schema, *dialect) else { continue };
        assert_eq!(lower(&written, *dialect).as_ref(), Ok(&written), "{}", dialect.name);
        let after = jsonschema::validator_for(&written).expect("a schema");
        for (values, fits) in [(&good, true), (&bad, false)] {
            for value in values {
                assert_eq!(before.is_valid(value), fits, "{value}");
                assert_eq!(after.is_valid(value), fits, "{}: {value}\n{written}", dialect.name);
            }
        }
    }
}
