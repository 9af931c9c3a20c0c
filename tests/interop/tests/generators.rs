//! Derived types in schemars' own hands: generators with other settings, beside its own types.

use response_schema::ResponseSchema;
use response_schema::dynamic::schema_for;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[response(json_schema)]
struct Tree<T> {
    value: T,
    children: Vec<Tree<T>>,
}

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[response(json_schema)]
enum Shape {
    Empty,
    Circle {
        radius: f64,
    },
    #[serde(rename = "$ref")]
    Link(String),
}

mod other {
    use super::*;

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    #[response(json_schema)]
    pub(super) struct Tree {
        pub(super) height: u8,
    }
}

/// Of schemars, with ours inside.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Forest {
    /// The oldest.
    oldest: Tree<u8>,
    named: Tree<String>,
    tallest: other::Tree,
    shapes: Vec<Shape>,
    again: Tree<u8>,
}

fn forest() -> Value {
    json!({
        "oldest": {"value": 1, "children": [{"value": 2, "children": []}]},
        "named": {"value": "x", "children": [{"value": "y", "children": []}]},
        "tallest": {"height": 3},
        "shapes": ["Empty", {"Circle": {"radius": 1.5}}, {"$ref": "x"}],
        "again": {"value": 1, "children": []},
    })
}

#[test]
fn every_setting_of_a_generator_makes_a_sound_schema() {
    for settings in [SchemaSettings::draft07(), SchemaSettings::draft2019_09(), SchemaSettings::draft2020_12()] {
        let schema = settings.into_generator().into_root_schema_for::<Forest>().to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&forest()), "{schema:#}");
        for (pointer, wrong) in [
            ("/oldest/children/0/value", json!("text")),
            ("/named/children/0/value", json!(2)),
            ("/tallest", json!({"value": 1, "children": []})),
            ("/shapes/1", json!({"Circle": {"radius": "wide"}})),
        ] {
            let mut instance = forest();
            *instance.pointer_mut(pointer).unwrap() = wrong;
            assert!(!validator.is_valid(&instance), "{pointer} in {schema:#}");
        }
    }
    serde_json::from_value::<Forest>(forest()).unwrap();
}

#[test]
fn nothing_is_wrapped_for_others() {
    let schema = SchemaGenerator::default().into_root_schema_for::<Shape>().to_value();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for shape in [json!("Empty"), json!({"Circle": {"radius": 2.0}})] {
        assert!(validator.is_valid(&shape), "{schema}");
        serde_json::from_value::<Shape>(shape).unwrap();
    }
    assert!(!validator.is_valid(&json!({"value": "Empty"})));

    let alone = schema_for::<Tree<u8>>().to_value();
    let validator = jsonschema::validator_for(&alone).unwrap();
    assert!(validator.is_valid(&forest()["oldest"]), "{alone}");
    assert!(!validator.is_valid(&forest()["named"]));
    assert_eq!(alone["title"], "Tree_of_u8");
}
