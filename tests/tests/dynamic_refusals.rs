//! Error messages that providers and engines sent, and schemas that provoke them: each is judged loose for that reason.

use response_schema::dialect::Dialect;
use response_schema::dynamic::{Rule, judge};
use serde_json::{Map, Value, json};

/// An object with the property `x`.
fn with(x: impl Into<Value>) -> Value {
    json!({"type": "object", "properties": {"x": x.into()}, "required": ["x"], "additionalProperties": false})
}

fn keyword(name: &str) -> Rule {
    Rule::Keyword(name.to_owned())
}

/// The verdict on `schema` has a departure at `pointer` by `rule`, and says all of `words`.
#[track_caller]
fn loose(dialect: Dialect, schema: &Value, pointer: &str, rule: &Rule, words: &[&str]) {
    let verdict = judge(schema, dialect);
    let found = verdict.departures().iter().find(|departure| departure.rule == *rule && departure.pointer == pointer);
    let Some(found) = found else { panic!("{}: {schema}\n{:#?}", dialect.name, verdict.departures()) };
    let text = found.to_string();
    for word in words {
        assert!(text.contains(word), "{text} lacks {word}");
    }
}

#[test]
fn openai() {
    let at = "/properties/x";
    let text = json!({"type": "string"});
    for (schema, pointer, rule, words) in [
        // schema must be a JSON Schema of 'type: "object"', got 'type: "array"'
        (json!({"type": "array", "items": text}), "", Rule::Root, &["'type: \"object\"'", "'type: \"array\"'"][..]),
        (json!({"anyOf": [with(text.clone())]}), "", Rule::Root, &["'type: \"object\"'"]),
        // 'required' is required to be supplied and to be an array including every key in properties. Missing 'x'.
        (
            json!({"type": "object", "properties": {"x": text}, "required": [], "additionalProperties": false}),
            at,
            Rule::Required,
            &["'required' is required to be supplied", "Missing 'x'"],
        ),
        // 'additionalProperties' is required to be supplied and to be false.
        (
            json!({"type": "object", "properties": {"x": text}, "required": ["x"]}),
            "",
            Rule::Closed,
            &["'additionalProperties' is required to be supplied and to be false"],
        ),
        (with(json!({"type": "object", "additionalProperties": text})), at, Rule::Map, &["'additionalProperties'"]),
        (with(json!({"type": "object"})), at, Rule::Map, &["'additionalProperties'"]),
        // schema must have a 'type' key
        (with(json!({"enum": ["a"]})), at, Rule::Type, &["schema must have a 'type' key"]),
        (with(json!({"const": "a"})), at, Rule::Type, &["schema must have a 'type' key"]),
        (with(json!({"minLength": 1})), at, Rule::Type, &["schema must have a 'type' key"]),
        (with(json!({})), at, Rule::Anything, &["schema must have a 'type' key"]),
        (with(true), at, Rule::Anything, &[]),
        // enum values must be of the same type
        (with(json!({"type": ["string", "integer"], "enum": ["a", 1]})), at, Rule::Enum, &["of the same type"]),
        // In context=('properties', 'x'), 'oneOf' is not permitted.
        (with(json!({"oneOf": [text]})), at, Rule::OneOf, &["'oneOf'", "is not permitted"]),
        (with(json!({"allOf": [text]})), at, Rule::AllOf, &["`allOf` is not permitted"]),
        // $ref cannot have keywords {'description'}
        (
            json!({
                "type": "object", "properties": {"x": {"$ref": "#/$defs/T", "description": "d"}}, "required": ["x"],
                "additionalProperties": false, "$defs": {"T": {"type": "string"}}
            }),
            at,
            Rule::ReferenceAlone,
            &["$ref cannot have keywords {'description'}"],
        ),
        // 'minLength' is not permitted, 'uniqueItems' is not permitted
        (with(json!({"type": "string", "minLength": 1})), at, keyword("minLength"), &["is not permitted"]),
        (with(json!({"type": "array", "items": text, "uniqueItems": true})), at, keyword("uniqueItems"), &[]),
        (with(json!({"type": "string", "default": null})), at, keyword("default"), &["is not permitted"]),
        (with(json!({"type": "string", "not": {"const": "a"}})), at, keyword("not"), &[]),
        (with(json!({"type": "array", "items": text, "contains": text})), at, keyword("contains"), &[]),
        // 'uri' is not a valid format
        (
            with(json!({"type": "string", "format": "uri"})),
            at,
            Rule::Format("uri".to_owned()),
            &["is not a valid format"],
        ),
        (with(json!({"type": "string", "pattern": "^(?=a)a$"})), at, Rule::Pattern, &[]),
        (with(json!({"type": "array"})), at, Rule::Items, &[]),
        (with(json!({"type": "array", "prefixItems": [text, {"type": "null"}]})), at, Rule::Tuple, &[]),
        (with(json!({"type": "array", "items": [text, {"type": "null"}]})), at, Rule::Tuple, &[]),
        (with(json!({"$ref": "https://e.example/schema"})), at, Rule::Reference, &["leads out of the document"]),
    ] {
        loose(Dialect::OPENAI, &schema, pointer, &rule, words);
    }
}

/// Objects in one another.
fn nest(levels: usize) -> Value {
    (1..levels).fold(with(json!({"type": "string"})), |inner, _| with(inner))
}

fn flat(properties: usize, property: &Value) -> Value {
    let properties: Map<_, _> = (0..properties).map(|i| (format!("p{i}"), property.clone())).collect();
    let required: Vec<_> = properties.keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[test]
fn limits() {
    let limit = |dialect, schema: &Value, words: &[&str]| loose(dialect, schema, "", &Rule::Limit, words);
    limit(Dialect::OPENAI, &nest(14), &["14 levels of nesting exceeds limit of 10"]);
    assert!(judge(&nest(10), Dialect::OPENAI).is_strict());
    let text = json!({"type": "string"});
    limit(Dialect::OPENAI, &flat(6_000, &text), &["6000 parameters exceeds limit of 5000"]);
    assert!(judge(&flat(5_000, &text), Dialect::OPENAI).is_strict());
    let many = |values: usize| json!({"type": "integer", "enum": (0..values).collect::<Vec<_>>()});
    limit(Dialect::OPENAI, &with(many(1_001)), &["1001 enum values", "1000"]);
    let long: Vec<_> = (0..300).map(|i| format!("{i:060}")).collect();
    loose(
        Dialect::OPENAI,
        &with(json!({"type": "string", "enum": long})),
        "/properties/x",
        &Rule::Limit,
        &["18000", "15000"],
    );

    // Schemas contains too many parameters with union types (32 parameters with type arrays or anyOf). … (limit: 16 …)
    let nullable = json!({"type": ["string", "null"]});
    limit(
        Dialect::ANTHROPIC,
        &flat(32, &nullable),
        &["too many parameters with union types (32 parameters", "limit: 16"],
    );
    assert!(judge(&flat(16, &nullable), Dialect::ANTHROPIC).is_strict());
    // Schemas contains too many optional parameters (31) … (limit: 24)
    let mut optional = flat(31, &text);
    optional["required"] = json!([]);
    limit(Dialect::ANTHROPIC, &optional, &["too many optional parameters (31", "limit: 24"]);
    let described = json!({"type": "string", "description": "d".repeat(5_000)});
    limit(Dialect::CEREBRAS, &with(described), &["exceeds limit of 5000"]);
}

#[test]
fn anthropic() {
    let at = "/properties/x";
    let text = json!({"type": "string"});
    for (schema, rule, words) in [
        // For 'string' type, property 'maxLength' is not supported
        (json!({"type": "string", "maxLength": 3}), keyword("maxLength"), &[][..]),
        // For 'integer' type, properties maximum, minimum are not supported
        (json!({"type": "integer", "maximum": 3}), keyword("maximum"), &[]),
        // 'minItems' values other than 0 or 1 are not supported (got: [6, ∞])
        (json!({"type": "array", "items": text, "minItems": 6}), keyword("minItems"), &["6"]),
        // For 'array' type, property 'maxItems' is not supported
        (json!({"type": "array", "items": text, "maxItems": 6}), keyword("maxItems"), &[]),
        // Schema type 'oneOf' is not supported
        (json!({"oneOf": [text]}), Rule::OneOf, &["'oneOf'"]),
    ] {
        loose(Dialect::ANTHROPIC, &with(schema), at, &rule, words);
    }
    // For 'object' type, 'additionalProperties' must be explicitly set to false
    loose(
        Dialect::ANTHROPIC,
        &json!({"type": "object", "properties": {}}),
        "",
        &Rule::Closed,
        &["'additionalProperties'"],
    );
    // Circular reference detected in schema definitions: A -> A
    let next = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]});
    let mut list = with(json!({"$ref": "#/$defs/A"}));
    list["$defs"] = json!({"A": {"type": "object", "properties": {"next": next}, "required": ["next"], "additionalProperties": false}});
    let place = "/$defs/A/properties/next/anyOf/0";
    loose(
        Dialect::ANTHROPIC,
        &list,
        place,
        &Rule::Recursion,
        &["Circular reference detected in schema definitions: A -> A"],
    );
    assert!(judge(&list, Dialect::OPENAI).is_strict());
    // Gemini: only through properties that are not required.
    loose(Dialect::GEMINI, &list, place, &Rule::Recursion, &["A -> A"]);
    list["$defs"]["A"]["required"] = json!([]);
    assert!(judge(&list, Dialect::GEMINI).is_strict());
    // Two uses of one type are no recursion.
    let twice = json!({
        "type": "object", "properties": {"from": {"$ref": "#/$defs/P"}, "to": {"$ref": "#/$defs/P"}}, "required": ["from", "to"],
        "additionalProperties": false, "$defs": {"P": with(json!({"type": "number"}))}
    });
    assert!(judge(&twice, Dialect::ANTHROPIC).is_strict());
}

#[test]
fn engines_and_command_lines() {
    let at = "/properties/x";
    let text = json!({"type": "string"});
    // llguidance: Unimplemented keys: ["uniqueItems"], and its like; Unknown format: phone.
    for (key, value) in [
        ("uniqueItems", json!(true)),
        ("contains", text.clone()),
        ("not", text.clone()),
        ("propertyNames", text.clone()),
        ("dependentRequired", json!({"a": ["b"]})),
    ] {
        let kind = if ["uniqueItems", "contains"].contains(&key) { "array" } else { "object" };
        loose(Dialect::GUIDANCE, &with(json!({"type": kind, key: value})), at, &keyword(key), &[key]);
    }
    loose(
        Dialect::GUIDANCE,
        &with(json!({"type": "string", "format": "phone"})),
        at,
        &Rule::Format("phone".to_owned()),
        &[],
    );
    loose(Dialect::GUIDANCE, &with(json!({"type": "string", "pattern": "^(?=a)[a-c]+$"})), at, &Rule::Pattern, &[]);
    // oneOf constraints are not supported. Enable 'coerce_one_of' …
    loose(Dialect::GUIDANCE, &with(json!({"oneOf": [text, {"type": "string"}]})), at, &Rule::OneOf, &[]);
    // llama.cpp: unsupported $ref #
    let itself = json!({"type": "object", "properties": {"x": {"$ref": "#"}}, "additionalProperties": false});
    loose(Dialect::LLAMA_CPP, &itself, at, &Rule::Reference, &["`#`"]);
    // The claude command line drops these in silence.
    for (key, value) in
        [("x-order", json!(1)), ("discriminator", json!({})), ("propertyOrdering", json!([])), ("example", json!("a"))]
    {
        let rule = keyword(key);
        let schema = with(json!({"type": "string", key: value}));
        let verdict = judge(&schema, Dialect::CLAUDE_CLI);
        let found = verdict.departures().iter().any(|departure| departure.rule == rule && departure.pointer == at);
        assert!(found || key == "example", "{key}: {:?}", verdict.departures());
    }
    loose(
        Dialect::CLAUDE_CLI,
        &with(json!({"type": "string", "format": "date-time"})),
        at,
        &Rule::Format("date-time".to_owned()),
        &[],
    );
    loose(
        Dialect::CLAUDE_CLI,
        &with(json!({"type": "integer", "format": "int64"})),
        at,
        &Rule::Format("int64".to_owned()),
        &[],
    );
    loose(Dialect::CLAUDE_CLI, &with(json!({"type": "string", "pattern": "(?i)a"})), at, &Rule::Pattern, &[]);
    loose(Dialect::CLAUDE_CLI, &with(json!({"$ref": "#/$defs/None"})), at, &Rule::Reference, &["leads to nothing"]);
    loose(Dialect::CLAUDE_CLI, &with(json!({"type": "string", "enum": ["a", "a"]})), at, &Rule::Enum, &["twice"]);
    let mut dated = with(text.clone());
    dated["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    loose(Dialect::CLAUDE_CLI, &dated, "", &keyword("$schema"), &[]);
    assert!(judge(&dated, Dialect::OPENAI).is_strict());
}
