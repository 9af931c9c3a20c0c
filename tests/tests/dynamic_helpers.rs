//! What the official SDKs make of schemas (`data/helpers.jsonl`, observed), against ours: where they are right, both take
//! the same instances; where they are wrong, ours is what is expected here.

use jsonschema::Validator;
use response_schema::dialect::Dialect;
use response_schema::dynamic::{Rule, judge, lower, make_strict};
use response_schema_tests::schemas::{Seeded, instance};
use serde_json::Value;

fn records() -> Vec<Value> {
    include_str!("data/helpers.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Schemas that no strict schema has all and only the instances of, with the reason.
fn refused(name: &str) -> Option<Rule> {
    Some(match name {
        "optional_missing_from_required"
        | "dependent_required"
        | "nested_objects"
        | "type_object_or_null"
        | "implicit_object" => Rule::Required,
        "map_typed" | "pattern_properties" | "property_names" => Rule::Map,
        "any_true" => Rule::Anything,
        "oneof_external_serde" | "anyof_root" | "array_root" => Rule::Root,
        "string_constraints" => Rule::Keyword("minLength".to_owned()),
        "array_constraints" => Rule::Keyword("uniqueItems".to_owned()),
        "if_then_else" => Rule::Keyword("if".to_owned()),
        "array_no_items" => Rule::Items,
        "tuple_prefixitems" | "tuple_items_array" => Rule::Tuple,
        _ => return None,
    })
}

fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::draft202012::options().build(schema).ok()
}

/// Whether both take the same of what each of them suggests.
fn agree(ours: &Value, theirs: &Value, name: &str) {
    let (Some(one), Some(other)) = (validator(ours), validator(theirs)) else { panic!("{name}: {ours} {theirs}") };
    let random = &mut Seeded::new(7);
    let mut taken = 0;
    for round in 0..200 {
        let from = if round % 2 == 0 { ours } else { theirs };
        let value = instance(random, from, from, 8);
        assert_eq!(one.is_valid(&value), other.is_valid(&value), "{name}: {value}\n{ours}\n{theirs}");
        taken += usize::from(one.is_valid(&value));
    }
    // A schema that refers to itself in a required member has no instance.
    assert!(taken > 20 || name == "recursive_described_self", "{name}: {taken}");
}

#[test]
fn openai() {
    for record in records() {
        let (name, input) = (record["name"].as_str().unwrap(), &record["input"]);
        match (make_strict(input, Dialect::OPENAI), refused(name)) {
            (Ok(ours), None) => {
                assert!(judge(&ours, Dialect::OPENAI).is_strict(), "{name}");
                // The TypeScript helper refuses what it cannot write, and so is right where it writes something; it
                // leaves in keywords that are refused, and these restrict nothing.
                let theirs = &record["openai_node"];
                if theirs.get("__error__").is_none() {
                    agree(&ours, theirs, name);
                }
            }
            (Err(departures), Some(rule)) => {
                assert!(departures.iter().any(|departure| departure.rule == rule), "{name}: {departures}");
            }
            (made, expected) => panic!("{name}: {made:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn anthropic() {
    for record in records() {
        let (name, input) = (record["name"].as_str().unwrap(), &record["input"]);
        let theirs = &record["anthropic_node"];
        // Closed empty maps, `allOf` of closed objects, definitions in the description, a list of types without its
        // properties, properties beside `anyOf`: DIALECTS.md 6.3. What it lets through, the API refuses.
        let wrong = [
            "map_typed",
            "pattern_properties",
            "property_names",
            "allof_two",
            "ref_definitions_draft7",
            "type_object_or_null",
            "anyof_type_sibling",
            "any_true",
            "recursive_list",
            "recursive_ref_described",
            "recursive_described_self",
            "array_no_items",
            "array_root",
            "anyof_root",
            "oneof_external_serde",
            "tuple_items_array",
            "tuple_prefixitems",
            "allof_single_ref",
        ];
        match lower(input, Dialect::ANTHROPIC) {
            Ok(ours) => {
                assert!(judge(&ours, Dialect::ANTHROPIC).is_strict(), "{name}");
                if theirs.get("__error__").is_none() && !wrong.contains(&name) {
                    agree(&ours, theirs, name);
                }
            }
            Err(departures) => assert!(wrong.contains(&name), "{name}: {departures}"),
        }
    }
}

#[test]
fn where_the_helpers_are_wrong() {
    let record = |name: &str| records().into_iter().find(|record| record["name"] == name).unwrap()["input"].clone();
    let strict = |name: &str| make_strict(&record(name), Dialect::OPENAI).unwrap();
    let address = serde_json::json!({"anyOf": [{"$ref": "#/$defs/Addr"}], "description": "home"});
    assert_eq!(strict("ref_with_description")["properties"]["addr"], address);
    assert_eq!(strict("allof_single_ref")["properties"]["addr"], address);
    assert_eq!(strict("ref_pointer_escape")["properties"]["x"]["anyOf"][0]["$ref"], "#/$defs/a_b");
    assert_eq!(strict("recursive_described_self")["$defs"]["N"]["properties"]["n"]["description"], "next");
    assert_eq!(strict("const_untyped")["properties"]["k"], serde_json::json!({"type": "string", "enum": ["v1"]}));
    assert!(strict("unused_def").get("$defs").is_none());
    let union = strict("oneof_discriminated");
    assert!(union["properties"]["item"].get("oneOf").is_none());
    assert_eq!(union["properties"]["item"]["anyOf"][1]["additionalProperties"], false);
    // Nothing of what the description gets is lost by Anthropic's.
    let told = lower(&record("ref_with_description"), Dialect::ANTHROPIC).unwrap();
    assert_eq!(told["description"], "`addr`: home");
    let told = lower(&record("string_constraints"), Dialect::ANTHROPIC).unwrap();
    assert_eq!(
        told["properties"]["s"]["description"],
        "slug Must have between 1 and 8 characters. Must match the regular expression ^[a-z]+$ ."
    );
}
