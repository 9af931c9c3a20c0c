//! Every error message that a provider or an engine was seen to send (they are recorded in the sources of the dialects), with
//! a schema that provokes it: the schema is refused here, at that place, for that reason. Where a type can be written
//! that has the fault, the type is refused too; where the dialect writes such a type otherwise, the document lacks what
//! was complained of.
//!
//! Not here are three messages without a known limit, which nobody can see coming: Anthropic's "Schema is too complex for
//! compilation" and "The compiled grammar is too large", and Gemini's "too many states for serving".

use response_schema::dialect::{Anthropic, Dialect, Gemini, Guidance, OpenAi, Refusal, Spec, Xgrammar};
use response_schema::dynamic::{Fate, Rule, judge};
use response_schema::{ResponseSchema, json_for};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A message and a schema that provokes it.
struct Recorded {
    who: Dialect,
    /// The message, as it was recorded.
    said: &'static str,
    /// What is said here too: the keyword, the key, the number found and the number allowed.
    same: &'static [&'static str],
    schema: Value,
    at: &'static str,
    rule: Rule,
}

fn recorded(
    who: Dialect,
    said: &'static str,
    same: &'static [&'static str],
    (schema, at, rule): (Value, &'static str, Rule),
) -> Recorded {
    Recorded { who, said, same, schema, at, rule }
}

/// An object with the property `x`.
fn with(x: impl Into<Value>) -> Value {
    json!({"type": "object", "properties": {"x": x.into()}, "required": ["x"], "additionalProperties": false})
}

/// The schema `x` of a property, which has the fault.
fn x(x: Value, rule: Rule) -> (Value, &'static str, Rule) {
    (with(x), "/properties/x", rule)
}

/// A schema with the fault at its root.
fn root(schema: Value, rule: Rule) -> (Value, &'static str, Rule) {
    (schema, "", rule)
}

fn keyword(name: &str) -> Rule {
    Rule::Keyword(name.to_owned())
}

fn text() -> Value {
    json!({"type": "string"})
}

/// Objects in one another.
fn nest(levels: usize) -> Value {
    (1..levels).fold(with(text()), |inner, _| with(inner))
}

fn flat(properties: usize, property: &Value) -> Value {
    let properties: Map<_, _> = (0..properties).map(|i| (format!("p{i}"), property.clone())).collect();
    let required: Vec<_> = properties.keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// [`flat`], with nothing required.
fn optional(properties: usize) -> Value {
    let mut schema = flat(properties, &text());
    schema["required"] = json!([]);
    schema
}

/// A reference with something beside it.
fn beside(keyword: &str, value: Value) -> Value {
    let mut schema = with(json!({"$ref": "#/$defs/T", keyword: value}));
    schema["$defs"] = json!({"T": text()});
    schema
}

/// A list of itself.
fn circle() -> Value {
    let next = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]});
    let mut schema = with(json!({"$ref": "#/$defs/A"}));
    schema["$defs"] = json!({"A": {"type": "object", "properties": {"next": next}, "required": ["next"],
        "additionalProperties": false}});
    schema
}

const IN_CIRCLE: &str = "/$defs/A/properties/next/anyOf/0";

fn openai() -> Vec<Recorded> {
    let says = |said, same, fault| recorded(Dialect::OPENAI, said, same, fault);
    let open = json!({"type": "object", "properties": {"x": text()}, "required": ["x"]});
    vec![
        says(
            "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"array\"'",
            &["schema must be a JSON Schema of 'type: \"object\"', got 'type: \"array\"'"],
            root(json!({"type": "array", "items": text()}), Rule::Root),
        ),
        says(
            "'required' is required to be supplied and to be an array including every key in properties. Missing 'x'.",
            &["'required' is required to be supplied", "Missing 'x'"],
            (
                json!({"type": "object", "properties": {"x": text()}, "required": [], "additionalProperties": false}),
                "/properties/x",
                Rule::Required,
            ),
        ),
        says(
            "'additionalProperties' is required to be supplied and to be false.",
            &["'additionalProperties' is required to be supplied and to be false"],
            root(open.clone(), Rule::Closed),
        ),
        recorded(
            Dialect::CODEX_CLI,
            "Invalid schema for response_format 'codex_output_schema': In context=(), 'additionalProperties' is required \
             to be supplied and to be false.",
            &["'additionalProperties' is required to be supplied and to be false"],
            root(open, Rule::Closed),
        ),
        says(
            "In context=('properties', 'x'), 'additionalProperties' is required to be supplied and to be false.",
            &["'additionalProperties' is required to be supplied and to be false"],
            x(json!({"type": "object", "additionalProperties": text()}), Rule::Map),
        ),
        says(
            "schema must have a 'type' key",
            &["schema must have a 'type' key"],
            x(json!({"enum": ["a"]}), Rule::Type),
        ),
        says("schema must have a 'type' key", &["schema must have a 'type' key"], x(json!({"const": "a"}), Rule::Type)),
        says(
            "schema must have a 'type' key",
            &["schema must have a 'type' key"],
            x(json!({"maxLength": 1}), Rule::Type),
        ),
        says("schema must have a 'type' key", &["schema must have a 'type' key"], x(json!({}), Rule::Anything)),
        says("Please ensure it is a valid JSON Schema", &[], x(json!(true), Rule::Anything)),
        says(
            "enum values must be of the same type",
            &["enum values must be of the same type"],
            x(json!({"type": ["string", "integer"], "enum": ["a", 1]}), Rule::Enum),
        ),
        says(
            "In context=('properties', 'x'), 'oneOf' is not permitted.",
            &["'oneOf'", "is not permitted"],
            x(json!({"oneOf": [text(), {"type": "null"}]}), Rule::OneOf),
        ),
        says(
            "context=('properties', 'x'), $ref cannot have keywords {'description'}",
            &["$ref cannot have keywords {'description'}"],
            (beside("description", json!("d")), "/properties/x", Rule::ReferenceAlone),
        ),
        says(
            "context=('properties', 'x'), $ref cannot have keywords {'default'}",
            &["$ref cannot have keywords {'default'}"],
            (beside("default", json!("d")), "/properties/x", Rule::ReferenceAlone),
        ),
        says(
            "'minLength' is not permitted",
            &["minLength", "is not permitted"],
            x(json!({"type": "string", "minLength": 1}), keyword("minLength")),
        ),
        says(
            "'uniqueItems' is not permitted",
            &["uniqueItems", "is not permitted"],
            x(json!({"type": "array", "items": text(), "uniqueItems": true}), keyword("uniqueItems")),
        ),
        says(
            "'uri' is not a valid format",
            &["uri", "is not a valid format"],
            x(json!({"type": "string", "format": "uri"}), Rule::Format("uri".to_owned())),
        ),
        says(
            "14 levels of nesting exceeds limit of 10.",
            &["14 levels of nesting exceeds limit of 10"],
            root(nest(14), Rule::Limit),
        ),
        recorded(
            Dialect::AZURE,
            "13 levels of nesting exceeds limit of 10",
            &["13 levels of nesting exceeds limit of 10"],
            root(nest(13), Rule::Limit),
        ),
        says(
            "6000 parameters exceeds limit of 5000.",
            &["6000 parameters exceeds limit of 5000"],
            root(flat(6_000, &text()), Rule::Limit),
        ),
    ]
}

fn anthropic() -> Vec<Recorded> {
    let says = |said, same, fault| recorded(Dialect::ANTHROPIC, said, same, fault);
    let nullable = json!({"type": ["string", "null"]});
    vec![
        says(
            "For 'object' type, 'additionalProperties' must be explicitly set to false",
            &["'additionalProperties'", "false"],
            root(json!({"type": "object", "properties": {}}), Rule::Closed),
        ),
        says(
            "Schema type 'oneOf' is not supported",
            &["'oneOf'"],
            x(json!({"oneOf": [text(), {"type": "null"}]}), Rule::OneOf),
        ),
        recorded(
            Dialect::BEDROCK,
            "ValidationException: output_config.format.schema: Schema type 'oneOf' is not supported",
            &["'oneOf'"],
            x(json!({"oneOf": [text(), {"type": "null"}]}), Rule::OneOf),
        ),
        says(
            "Circular reference detected in schema definitions: A -> A",
            &["Circular reference detected in schema definitions: A -> A"],
            (circle(), IN_CIRCLE, Rule::Recursion),
        ),
        says(
            "For 'string' type, property 'maxLength' is not supported",
            &["maxLength"],
            x(json!({"type": "string", "maxLength": 3}), keyword("maxLength")),
        ),
        says(
            "For 'string' type, property 'pattern' is not supported",
            &["pattern"],
            x(json!({"type": "string", "pattern": "^a$"}), keyword("pattern")),
        ),
        says(
            "For 'integer' type, properties maximum, minimum are not supported",
            &["maximum"],
            x(json!({"type": "integer", "maximum": 3, "minimum": 1}), keyword("maximum")),
        ),
        says(
            "For 'integer' type, properties maximum, minimum are not supported",
            &["minimum"],
            x(json!({"type": "integer", "maximum": 3, "minimum": 1}), keyword("minimum")),
        ),
        says(
            "'minItems' values other than 0 or 1 are not supported (got: [6, ∞])",
            &["minItems", "6"],
            x(json!({"type": "array", "items": text(), "minItems": 6}), keyword("minItems")),
        ),
        says(
            "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
            &["maxItems"],
            x(json!({"type": "array", "items": text(), "maxItems": 6}), keyword("maxItems")),
        ),
        says(
            "Schemas contains too many optional parameters (31), which would make grammar compilation inefficient. \
             Reduce the number of optional parameters in your tool schemas (limit: 24).",
            &["too many optional parameters (31", "limit: 24"],
            root(optional(31), Rule::Limit),
        ),
        says(
            "Schemas contains too many parameters with union types (32 parameters with type arrays or anyOf). This causes \
             exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters \
             with unions).",
            &[
                "too many parameters with union types (32 parameters with type arrays or anyOf",
                "limit: 16 parameters with unions",
            ],
            root(flat(32, &nullable), Rule::Limit),
        ),
        // Not a message, but what Gemini's own documentation says of the same fault.
        recorded(
            Dialect::GEMINI,
            "only within non-required properties. (Nullable properties are not sufficient.)",
            &["required"],
            (circle(), IN_CIRCLE, Rule::Recursion),
        ),
    ]
}

fn engines() -> Vec<Recorded> {
    let guidance = |said, same, fault| recorded(Dialect::GUIDANCE, said, same, fault);
    let of = |kind: &str, name: &str, value: Value| x(json!({"type": kind, name: value}), keyword(name));
    vec![
        guidance("Unimplemented keys: [\"uniqueItems\"]", &["uniqueItems"], of("array", "uniqueItems", json!(true))),
        guidance("Unimplemented keys: [\"contains\"]", &["contains"], of("array", "contains", text())),
        guidance("Unimplemented keys: [\"propertyNames\"]", &["propertyNames"], of("object", "propertyNames", text())),
        guidance("Unimplemented keys: [\"not\"]", &["not"], of("string", "not", json!({"const": "a"}))),
        guidance(
            "Unimplemented keys: [\"if\", \"then\"]",
            &["if"],
            x(json!({"type": "string", "if": {"minLength": 1}, "then": {"maxLength": 2}}), keyword("if")),
        ),
        guidance(
            "Unimplemented keys: [\"dependentRequired\"]",
            &["dependentRequired"],
            of("object", "dependentRequired", json!({"a": ["b"]})),
        ),
        guidance(
            "Unimplemented keys: [\"unevaluatedProperties\"]",
            &["unevaluatedProperties"],
            of("object", "unevaluatedProperties", json!(false)),
        ),
        guidance(
            "Unknown format: phone",
            &["format", "phone"],
            x(json!({"type": "string", "format": "phone"}), Rule::Format("phone".to_owned())),
        ),
        guidance(
            "oneOf constraints are not supported. Enable 'coerce_one_of' option to approximate oneOf with anyOf",
            &["oneOf"],
            x(json!({"oneOf": [{"type": "string", "minLength": 1}, {"type": "string", "maxLength": 5}]}), Rule::OneOf),
        ),
        guidance(
            "regex parse error: ^(?=a)[a-c]+$ ^^^ error: look-around, including look-ahead and look-behind, is not supported",
            &["^(?=a)[a-c]+$", "look-around"],
            x(json!({"type": "string", "pattern": "^(?=a)[a-c]+$"}), Rule::Pattern),
        ),
        guidance(
            "Failed to generate regex for integer range: min=Some(-9223372036854775808), max=Some(9223372036854775807)",
            &["-9223372036854775808"],
            x(json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX}), keyword("minimum")),
        ),
        recorded(
            Dialect::XGRAMMAR,
            "json_schema_converter.cc:974: Check failed: (value <= max) maximum 18446744073709551615",
            &["maximum", "18446744073709551615"],
            x(json!({"type": "integer", "maximum": u64::MAX}), keyword("maximum")),
        ),
        recorded(
            Dialect::XGRAMMAR,
            "JSON Schema at #/properties/x is not supported by xgrammar: keyword(s) multipleOf would be ignored",
            &["multipleOf"],
            x(json!({"type": "integer", "multipleOf": 3}), keyword("multipleOf")),
        ),
        recorded(
            Dialect::XGRAMMAR,
            "json_schema_converter.cc:5082: items must be a boolean or an object",
            &["items"],
            x(json!({"type": "array", "items": [text(), {"type": "null"}]}), Rule::Tuple),
        ),
        recorded(
            Dialect::LLAMA_CPP,
            "JSON schema conversion failed: unsupported $ref #, only references into #/$defs are supported",
            &["#"],
            (
                json!({"type": "object", "properties": {"x": {"$ref": "#"}}, "additionalProperties": false}),
                "/properties/x",
                Rule::Reference,
            ),
        ),
        recorded(
            Dialect::LLAMA_CPP,
            "JSON schema conversion failed: JSON schema error at #/properties/x: schema must be an object",
            &[],
            x(json!(true), Rule::Anything),
        ),
        recorded(
            Dialect::LLAMA_CPP,
            "WARNING: JSON schema conversion was incomplete: pattern ^\\D{3}$ is not supported (unsupported escape: \\D), \
             accepting any string",
            &["pattern", "^\\D{3}$"],
            x(json!({"type": "string", "pattern": "^\\D{3}$"}), Rule::Pattern),
        ),
        // xAI answers these with 400.
        recorded(
            Dialect::XAI,
            "minContains and maxContains are not supported",
            &["minContains"],
            x(json!({"type": "array", "items": text(), "contains": text(), "minContains": 1}), keyword("minContains")),
        ),
        recorded(Dialect::XAI, "a boolean as a property's schema", &[], x(json!(true), Rule::Anything)),
        recorded(
            Dialect::XAI,
            "items as a list of schemas",
            &["items"],
            x(json!({"type": "array", "items": [text(), {"type": "null"}]}), Rule::Tuple),
        ),
        recorded(
            Dialect::OLLAMA,
            "invalid format: expected \"json\" or a valid JSON Schema object",
            &[],
            root(json!(true), Rule::Anything),
        ),
    ]
}

#[test]
fn what_providers_said_is_said_here_too() {
    let mut faults = Vec::new();
    for Recorded { who, said, same, schema, at, rule } in openai().into_iter().chain(anthropic()).chain(engines()) {
        let verdict = judge(&schema, who);
        let found = verdict.departures().iter().find(|found| found.rule == rule && found.pointer == at);
        let Some(found) = found else {
            faults.push(format!("{}: {said}: {rule:?} at {at:?} is not among {:#?}", who.name, verdict.departures()));
            continue;
        };
        let text = found.to_string();
        for part in same {
            if !said.contains(part) || !text.contains(part) {
                faults.push(format!("{}: {said}: {text:?} lacks {part:?}", who.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// On the other side of each limit the schema is taken.
#[test]
fn what_is_within_the_limits_is_taken() {
    let nullable = json!({"type": ["string", "null"]});
    for (who, schema) in [
        (Dialect::OPENAI, nest(10)),
        (Dialect::OPENAI, flat(5_000, &text())),
        (Dialect::ANTHROPIC, flat(16, &nullable)),
        (Dialect::ANTHROPIC, optional(24)),
        (Dialect::OPENAI, circle()),
        (Dialect::GUIDANCE, circle()),
    ] {
        assert!(judge(&schema, who).is_strict(), "{}: {:?}", who.name, judge(&schema, who).departures());
    }
}

/// No message was recorded for these: the claude command line drops the schema in silence.
#[test]
fn what_the_claude_command_line_drops_is_not_sent_to_it() {
    for (property, rule) in [
        (json!({"type": "string", "format": "date-time"}), Rule::Format("date-time".to_owned())),
        (json!({"type": "string", "format": "uuid"}), Rule::Format("uuid".to_owned())),
        (json!({"type": "integer", "format": "int64"}), Rule::Format("int64".to_owned())),
        (json!({"$ref": "#/$defs/None"}), Rule::Reference),
        (json!({"type": "string", "enum": ["a", "a"]}), Rule::Enum),
        (json!({"type": "string", "discriminator": {}}), keyword("discriminator")),
        (json!({"type": "string", "pattern": "(?i)a"}), Rule::Pattern),
        (json!({"type": "array", "prefixItems": [text(), {"type": "null"}]}), Rule::Tuple),
        (json!({"type": "array", "items": text(), "contains": text()}), keyword("contains")),
        (json!({"type": "string", "x-order": 1}), keyword("x-order")),
        (json!({"type": "string", "propertyOrdering": []}), keyword("propertyOrdering")),
    ] {
        let schema = with(property);
        let verdict = judge(&schema, Dialect::CLAUDE_CLI);
        assert!(verdict.departures().iter().any(|found| found.rule == rule), "{schema}: {:?}", verdict.departures());
    }
    let mut dated = with(text());
    dated["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    assert!(judge(&dated, Dialect::CLAUDE_CLI).departures().iter().any(|found| found.rule == keyword("$schema")));
    assert!(judge(&dated, Dialect::OPENAI).departures().iter().all(|found| found.fate() == Fate::Same));
}

// Types with the same faults.

macro_rules! nested {
    ($outer:ident) => {
        #[derive(Deserialize, ResponseSchema)]
        #[allow(dead_code)] // its schema is what counts
        struct $outer<T> {
            inner: T,
        }
    };
}
nested!(Level);

/// Fourteen objects in one another; generic, so that it is checked where it is used.
type Fourteen = Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<Level<bool>>>>>>>>>>>>>>;

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct A {
    next: Option<Box<A>>,
}

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct Holder {
    list: Vec<Holder>,
}

macro_rules! fields {
    ($name:ident: $type:ty; $($field:ident)*) => {
        #[derive(Deserialize, ResponseSchema)]
        #[allow(dead_code)] // its schema is what counts
        struct $name { $($field: $type,)* }
    };
}

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
enum Either {
    Text(String),
    Whole { number: i64 },
}

fields! { Unions: Vec<Option<String>>;
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1
}
fields! { Options: Option<String>;
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5 d6 d7 d8 d9
    e0 e1 e2 e3 e4 e5 e6
}

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct OddKey {
    #[serde(rename = "a\"b")]
    a: bool,
}

#[test]
fn types_with_the_same_faults_are_refused_too() {
    type Accepts = fn() -> Result<(), Refusal>;
    let types: [(Accepts, &str, &[&str]); 6] = [
        (OpenAi::accepts::<Fourteen>, "14 levels of nesting exceeds limit of 10.", &["10"]),
        (Anthropic::accepts::<A>, "Circular reference detected in schema definitions: A -> A", &["A"]),
        (Gemini::accepts::<Holder>, "only within non-required properties", &[]),
        (
            Anthropic::accepts::<Unions>,
            "(32 parameters with type arrays or anyOf) … (limit: 16 parameters with unions)",
            &["32", "16"],
        ),
        (Anthropic::accepts::<Options>, "too many optional parameters (31) … (limit: 24)", &["24"]),
        (Xgrammar::accepts::<OddKey>, "the engine's process ends", &[]),
    ];
    for (accepts, said, same) in types {
        let refusal = accepts().expect_err(said).to_string();
        for part in same {
            assert!(said.contains(part), "{said:?} lacks {part:?}");
            assert!(refusal.contains(part), "{said}: {refusal:?} lacks {part:?}");
        }
    }
}

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct Everything {
    /// Said of a reference.
    one: Part,
    two: Part,
    either: Either,
    #[serde(default)]
    missing: Option<String>,
    #[response(min_length = 2, max_length = 3)]
    text: String,
    #[response(pattern = "^[a-z]+$")]
    code: String,
    #[response(format = "uri")]
    link: String,
    #[response(min = -9223372036854775807, max = 9223372036854775806, multiple_of = 7)]
    number: i64,
    #[response(min_items = 6, max_items = 7)]
    list: std::collections::BTreeSet<String>,
    pair: (bool, bool),
}

#[derive(Deserialize, ResponseSchema)]
#[allow(dead_code)] // its schema is what counts
struct Part {
    kind: Kind,
}

#[derive(Deserialize, ResponseSchema)]
enum Kind {
    Only,
}

/// What the messages complain of is in no document: the rule is in the description instead.
#[test]
fn types_are_written_so_that_nobody_complains() {
    fn written<D: Spec>(complaints: &[&str]) {
        let schema: Value = serde_json::from_str(json_for::<Everything, D>()).expect("JSON");
        let departures = judge(&schema, D::DIALECT);
        assert!(departures.is_strict(), "{}: {:?}", D::DIALECT.name, departures.departures());
        for word in complaints {
            assert!(!json_for::<Everything, D>().contains(&format!("\"{word}\":")), "{}: {word}", D::DIALECT.name);
        }
    }
    written::<OpenAi>(&["oneOf", "allOf", "minLength", "uniqueItems", "uri", "default", "const", "prefixItems"]);
    written::<Anthropic>(&[
        "oneOf",
        "maxLength",
        "pattern",
        "maximum",
        "minimum",
        "maxItems",
        "minItems",
        "multipleOf",
    ]);
    written::<Guidance>(&["uniqueItems", "minimum", "maximum"]);
    written::<Xgrammar>(&["multipleOf", "uniqueItems"]);
}
