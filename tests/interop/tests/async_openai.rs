//! Requests by async-openai's types, for derived types and for those of schemars.

use async_openai::types::chat::{
    ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs, ResponseFormat, ResponseFormatJsonSchema,
};
use response_schema::ResponseSchema;
use response_schema::dialect::Dialect;
use response_schema::dynamic::{Rule, judge, make_strict};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::{Value, json};

/// What programs with async-openai have: a format for any `JsonSchema` type.
fn format_of<T: JsonSchema>() -> Result<ResponseFormat, response_schema::dynamic::Departures> {
    let schema = make_strict(&schema_for!(T), Dialect::OPENAI)?;
    let json_schema =
        ResponseFormatJsonSchema { description: None, name: T::schema_name().into_owned(), schema, strict: Some(true) };
    Ok(ResponseFormat::JsonSchema { json_schema })
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[response(json_schema)]
struct Ticket {
    /// One sentence.
    summary: String,
    severity: Severity,
    labels: Vec<Label>,
    first: Option<Label>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    High,
}

/// A label.
#[derive(Debug, Deserialize, ResponseSchema, PartialEq)]
struct Label {
    name: String,
}

#[test]
fn a_derived_type_goes_into_a_request() {
    let message = ChatCompletionRequestUserMessageArgs::default().content("Login fails.").build().unwrap();
    let request = CreateChatCompletionRequestArgs::default()
        .model("gpt-5.6")
        .messages(vec![message.into()])
        .response_format(format_of::<Ticket>().unwrap())
        .build()
        .unwrap();
    let wire = serde_json::to_value(&request).unwrap();
    let format = &wire["response_format"]["json_schema"];
    assert_eq!(format["name"], "Ticket");
    assert_eq!(format["strict"], true);
    let schema = &format["schema"];
    assert!(judge(schema, Dialect::OPENAI).is_strict());
    // What OpenAI gets by the other way, but for the title.
    let mut own: Value = serde_json::from_str(response_schema::json::<Ticket>()).unwrap();
    own["title"] = "Ticket".into();
    assert_eq!(*schema, own);
}

/// As users of schemars write them.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)] // its schema is what counts
struct Loose {
    /// A doc comment beside a reference.
    inner: Inner,
    maybe: Option<String>,
    choice: Choice,
    count: u32,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)] // its schema is what counts
struct Inner {
    value: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "type")]
#[allow(dead_code)] // its schema is what counts
enum Choice {
    One { one: bool },
    Two { two: Vec<Inner> },
}

#[test]
fn a_type_of_schemars_is_made_strict() {
    let ResponseFormat::JsonSchema { json_schema } = format_of::<Loose>().unwrap() else { unreachable!() };
    assert!(judge(&json_schema.schema, Dialect::OPENAI).is_strict());
    let instance = json!({
        "inner": {"value": 1.5}, "maybe": null, "choice": {"type": "Two", "two": [{"value": 2.0}]}, "count": 3
    });
    let given: Schema = schema_for!(Loose);
    for schema in [given.as_value(), &json_schema.schema] {
        assert!(jsonschema::validator_for(schema).unwrap().is_valid(&instance), "{schema}");
    }
    let without = json!({"inner": {"value": 1.5}, "choice": {"type": "One", "one": true}, "count": 3});
    assert!(!jsonschema::validator_for(&json_schema.schema).unwrap().is_valid(&without));
}

/// A member that may be missing and may not be null: a model would have to invent it.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)] // its schema is what counts
struct Defaults {
    #[serde(default)]
    retries: u32,
}

#[test]
fn what_would_be_invented_is_refused() {
    let departures = format_of::<Defaults>().unwrap_err();
    assert_eq!(departures[0].pointer, "/properties/retries");
    assert!(departures.iter().any(|departure| departure.rule == Rule::Required));
}
