//! Decoding against the format of a request: of a type, and of a schema known at run time only.

#[path = "decode_types/mod.rs"]
mod types;

use response_schema::adapter::ResponseFormat;
use response_schema::decode::{DecodeErrorKind, Decoder};
use serde_json::json;
use types::{Animal, Severity};

#[test]
fn the_format_of_a_type_yields_what_serde_takes_for_it() {
    let decoder = Decoder::new();
    let animal = ResponseFormat::of::<Animal>();
    let done = decoder.decode_value("Sure: {\"name\": \"Rex\", \"legs\": \"4\"}", &animal).unwrap();
    assert_eq!(done, json!({"name": "Rex", "legs": 4}));
    assert_eq!(serde_json::from_value::<Animal>(done.value).unwrap(), Animal { name: "Rex".into(), legs: 4 });
    // Roots that are no objects come without their wrapper, as the typed value does.
    for text in ["{\"value\": \"in_review\"}", "{\"value\": \"In Review\"}", "\"in-review\""] {
        let done = decoder.decode_value(text, &ResponseFormat::of::<Severity>()).unwrap();
        assert_eq!(done, json!("in_review"), "{text}");
        assert_eq!(serde_json::from_value::<Severity>(done.value).unwrap(), Severity::InReview);
    }
    let animals = ResponseFormat::of::<Vec<Animal>>();
    let done = decoder.decode_value("{\"value\": [{'name': 'Rex', 'legs': 4}]}", &animals).unwrap();
    assert_eq!(done, json!([{"name": "Rex", "legs": 4}]));
    // A rule on the type's field is a keyword of its schema.
    let error = decoder.decode_value("{\"name\": \"Rex\", \"legs\": 101}", &animal).unwrap_err();
    assert_eq!(error.to_string(), "the reply does not fit the schema: `legs`: expected at most 100, found 101");
    let error = decoder.decode_value("{\"value\": [{\"name\": \"Rex\", \"legs\": -1}]}", &animals).unwrap_err();
    assert_eq!(error.violations()[0].path, "value[0].legs");
}

#[test]
fn a_dynamic_format_is_its_schema() {
    let schema =
        json!({"title": "Pet", "type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]});
    let format = ResponseFormat::from_schema(schema.clone());
    for text in ["{\"value\": 1}", "`{value: '1'}`"] {
        let done = Decoder::new().decode_value(text, &format).unwrap();
        assert_eq!(done, json!({"value": 1}), "{text}");
        assert_eq!(done, Decoder::new().decode_value(text, &schema).unwrap());
    }
    let error = Decoder::new().decode_value("{\"value\": \"one\"}", &format).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Invalid);
}
