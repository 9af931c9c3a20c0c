//! A schema as a value against the same schema as a type: both ways to a dialect lead to the same place.

use response_schema::adapter::ResponseFormat;
use response_schema::dialect::Dialect;
use response_schema::dynamic::{judge, lower, prepare};
use response_schema::{ResponseSchema, SchemaRef};
use serde_json::{Value, json};

#[derive(ResponseSchema, serde::Deserialize)]
#[allow(dead_code)] // its schema is what counts
struct Order {
    /// What it is called.
    #[response(min_length = 1, max_length = 40, pattern = "^[a-z]+$")]
    name: String,
    #[response(min = 1, max = 10)]
    count: u8,
    #[response(exclusive_min = 0, multiple_of = 0.5)]
    price: f64,
    #[response(min_items = 2, max_items = 5)]
    lines: Vec<Line>,
    /// The first of them.
    first: Line,
    note: Option<String>,
    state: State,
}

/// A line.
#[derive(ResponseSchema, serde::Deserialize)]
#[allow(dead_code)] // its schema is what counts
struct Line {
    #[response(format = "date")]
    day: String,
    #[response(format = "uri")]
    link: String,
}

#[derive(ResponseSchema, serde::Deserialize)]
#[serde(tag = "kind")]
#[allow(dead_code)] // its schema is what counts
enum State {
    Open,
    Closed { by: String },
}

fn text<T: ResponseSchema>(dialect: &Dialect) -> Value {
    serde_json::from_str(&ResponseFormat::of::<T>().wire(dialect).unwrap().json).unwrap()
}

#[test]
fn every_schema_of_a_type_is_taken_by_its_dialect() {
    let _: SchemaRef = Order::SCHEMA;
    for dialect in Dialect::ALL {
        let schema = text::<Order>(dialect);
        let verdict = judge(&schema, *dialect);
        assert!(verdict.is_strict(), "{}: {}\n{schema:#}", dialect.name, verdict.departures()[0]);
    }
}

#[test]
fn lowering_a_value_says_what_rendering_a_type_says() {
    let whole = text::<Order>(&Dialect::PROMPT);
    for dialect in [Dialect::OPENAI, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::GROQ, Dialect::CLAUDE_CLI] {
        assert_eq!(lower(&whole, dialect).unwrap(), text::<Order>(&dialect), "{}", dialect.name);
    }
}

#[test]
fn the_wire_gets_strict_schemas_or_hints() {
    let open = json!({"type": "object", "title": "T", "properties": {"a": {"type": "string", "minLength": 1}}, "required": ["a"]});
    let format = ResponseFormat::from_schema(open.clone());
    assert_eq!(format.name(), "T");
    let wire = format.wire(&Dialect::OPENAI).unwrap();
    assert!(!wire.strict);
    assert_eq!(serde_json::from_str::<Value>(&wire.json).unwrap(), open);

    let mut closed = open.clone();
    closed["additionalProperties"] = false.into();
    let wire = ResponseFormat::from_schema(closed).wire(&Dialect::OPENAI).unwrap();
    assert!(wire.strict);
    let sent: Value = serde_json::from_str(&wire.json).unwrap();
    assert_eq!(sent["properties"]["a"], json!({"type": "string", "description": "Must have at least 1 character."}));

    // Anthropic takes no hints: what can be written is, and what cannot is refused before it is sent.
    let wire = ResponseFormat::from_schema(open).wire(&Dialect::ANTHROPIC).unwrap();
    assert!(wire.strict && wire.json.contains("\"additionalProperties\":false"));
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let refusal = ResponseFormat::from_schema(map.clone()).wire(&Dialect::ANTHROPIC).unwrap_err();
    assert!(refusal.to_string().contains("open maps are refused"), "{refusal}");
    assert!(!prepare(&map, Dialect::OPENAI).unwrap().strict);
}
