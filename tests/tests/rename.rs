//! Keys and names against real serde: what serde writes and reads is what the schema says, for every
//! rule, on fields and on variants.
#![allow(dead_code, missing_docs, non_camel_case_types, non_snake_case, clippy::enum_variant_names)] // names are the point

use response_schema::{ResponseSchema, json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json as value};

/// The keys of an object's schema, in order.
fn keys(schema: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let required = schema["required"].as_array().expect("an object schema");
    required.iter().map(|key| key.as_str().expect("a key").to_owned()).collect()
}

/// The names of a string enum's schema (wrapped in `value` at the root), in order.
fn names(schema: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let names = schema["properties"]["value"]["enum"].as_array().expect("a string enum");
    names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

macro_rules! rules {
    ($($module:ident $rule:literal;)*) => {$(
        mod $module {
            use super::*;

            #[derive(Serialize, Deserialize, ResponseSchema)]
            #[serde(rename_all = $rule)]
            struct Fields {
                plain: u8,
                two_words: u8,
                three_more_words: u8,
                r#type: u8,
                _leading: u8,
                trailing_: u8,
                double__under: u8,
                number_1: u8,
                number2: u8,
                mixedCase: u8,
                x: u8,
                #[serde(rename = "Own Name")]
                renamed: u8,
            }

            #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ResponseSchema)]
            #[serde(rename_all = $rule)]
            enum Variants {
                Plain,
                TwoWords,
                HTTPServer,
                V2,
                X,
                With_Under,
                lower,
                #[serde(rename = "Own Name")]
                Renamed,
            }

            #[derive(Serialize, Deserialize, ResponseSchema)]
            #[serde(rename_all = $rule, rename_all_fields = "SCREAMING-KEBAB-CASE", tag = "tag")]
            enum Mixed {
                FirstOne { some_field: u8 },
                #[serde(rename_all = "camelCase")]
                SecondOne { some_field: u8 },
                #[serde(rename = "3")]
                ThirdOne { some_field: u8 },
            }

            #[test]
            fn fields() {
                let fields = Fields {
                    plain: 0,
                    two_words: 0,
                    three_more_words: 0,
                    r#type: 0,
                    _leading: 0,
                    trailing_: 0,
                    double__under: 0,
                    number_1: 0,
                    number2: 0,
                    mixedCase: 0,
                    x: 0,
                    renamed: 0,
                };
                let text = serde_json::to_string(&fields).expect("serializes");
                let mut at = 0;
                for key in keys(json::<Fields>()) {
                    let quoted = format!("\"{key}\":");
                    at += text[at..].find(&quoted).unwrap_or_else(|| panic!("{key} is not next in {text}")) + quoted.len();
                }
                assert_eq!(keys(json::<Fields>()).len(), 12);
            }

            #[test]
            fn variants() {
                use Variants::{HTTPServer, Plain, Renamed, TwoWords, V2, With_Under, X, lower};
                let all = [Plain, TwoWords, HTTPServer, V2, X, With_Under, lower, Renamed];
                let names = names(json::<Variants>());
                assert_eq!(names.len(), all.len());
                for (name, variant) in names.iter().zip(all) {
                    assert_eq!(serde_json::to_value(variant).expect("serializes"), value!(name));
                    assert_eq!(serde_json::from_value::<Variants>(value!(name)).expect("deserializes"), variant);
                }
            }

            #[test]
            fn fields_of_variants() {
                let schema: Value = serde_json::from_str(json::<Mixed>()).expect("the schema is JSON");
                let cases = schema["properties"]["value"]["anyOf"].as_array().expect("a union");
                let all = [
                    Mixed::FirstOne { some_field: 1 },
                    Mixed::SecondOne { some_field: 1 },
                    Mixed::ThirdOne { some_field: 1 },
                ];
                assert_eq!(cases.len(), all.len());
                for (case, variant) in cases.iter().zip(all) {
                    let written = serde_json::to_value(&variant).expect("serializes");
                    assert_eq!(written["tag"], case["properties"]["tag"]["enum"][0]);
                    for key in case["required"].as_array().expect("an object schema") {
                        assert!(written.get(key.as_str().expect("a key")).is_some(), "{key} in {written}");
                    }
                }
            }
        }
    )*};
}

rules! {
    lower "lowercase";
    upper "UPPERCASE";
    pascal "PascalCase";
    camel "camelCase";
    snake "snake_case";
    screaming_snake "SCREAMING_SNAKE_CASE";
    kebab "kebab-case";
    screaming_kebab "SCREAMING-KEBAB-CASE";
}

#[test]
fn the_side_that_is_read_counts() {
    #[derive(Deserialize, ResponseSchema)]
    #[serde(rename_all(serialize = "kebab-case", deserialize = "camelCase"))]
    struct Sides {
        one_word: u8,
        #[serde(rename(serialize = "written", deserialize = "read"))]
        both: u8,
        #[serde(rename(serialize = "only"))]
        other_one: u8,
    }
    assert_eq!(keys(json::<Sides>()), ["oneWord", "read", "otherOne"]);
    serde_json::from_str::<Sides>(r#"{"oneWord": 1, "read": 2, "otherOne": 3}"#).expect("deserializes");
}

#[test]
fn what_is_skipped_in_reading_is_not_asked_for() {
    #[derive(Serialize, Deserialize, ResponseSchema)]
    struct Skips {
        #[serde(skip)]
        never: std::cell::Cell<u8>,
        #[serde(skip_deserializing)]
        written: std::cell::Cell<u8>,
        #[serde(skip_serializing)]
        read: u8,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sometimes: Option<u8>,
    }
    assert_eq!(keys(json::<Skips>()), ["read", "sometimes"]);
}
