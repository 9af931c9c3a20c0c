//! What providers say about schemas, as far as their words are recorded.
//!
//! Only faults whose refusal is known stand here: the server must not refuse what a provider takes.

use serde_json::{Map, Value};

use super::judge::object;

const LEVELS: usize = 10;
const PROPERTIES: usize = 5_000;
/// Formats of strict mode.
const OPENAI_FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const OPENAI_REFUSES: &[&str] = &[
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
];

/// What strict mode says about a schema, without the words before the context.
pub(super) fn openai(schema: &Value) -> Result<(), String> {
    let of_type = schema.get("type").and_then(Value::as_str);
    if of_type != Some("object") {
        let found = of_type.map_or_else(|| "None".to_owned(), |name| format!("\"{name}\""));
        return Err(format!("schema must be a JSON Schema of 'type: \"object\"', got 'type: {found}'."));
    }
    openai_node(schema, &mut Vec::new())?;
    let (properties, levels) = (count(schema), depth(schema, schema, &mut Vec::new()));
    if properties > PROPERTIES {
        return Err(format!("{properties} parameters exceeds limit of {PROPERTIES}."));
    }
    if levels > LEVELS {
        return Err(format!("{levels} levels of nesting exceeds limit of {LEVELS}."));
    }
    Ok(())
}

fn context(at: &[String]) -> String {
    match at {
        [] => "In context=()".to_owned(),
        [one] => format!("In context=('{one}',)"),
        _ => format!("In context=({})", at.iter().map(|key| format!("'{key}'")).collect::<Vec<_>>().join(", ")),
    }
}

fn openai_node(schema: &Value, at: &mut Vec<String>) -> Result<(), String> {
    let Some(map) = schema.as_object() else {
        return Err("Please ensure it is a valid JSON Schema.".to_owned());
    };
    let fault = |at: &[String], what: String| Err(format!("{}, {what}", context(at)));
    if map.contains_key("$ref") {
        let beside: Vec<&str> =
            map.keys().map(String::as_str).filter(|key| !["$ref", "$defs", "definitions"].contains(key)).collect();
        if let Some(key) = beside.first() {
            return Err(format!("context=({}), $ref cannot have keywords {{'{key}'}}.", at.join(", ")));
        }
        return Ok(());
    }
    if let Some(key) = OPENAI_REFUSES.iter().find(|key| map.contains_key(**key)) {
        return fault(at, format!("'{key}' is not permitted."));
    }
    if at.is_empty() && map.contains_key("anyOf") {
        return fault(at, "'anyOf' is not permitted.".to_owned());
    }
    if !["type", "anyOf", "allOf"].iter().any(|key| map.contains_key(*key)) {
        return fault(at, "schema must have a 'type' key.".to_owned());
    }
    if let Some(format) = map.get("format").and_then(Value::as_str)
        && !OPENAI_FORMATS.contains(&format)
    {
        return fault(at, format!("'{format}' is not a valid format."));
    }
    if map.get("type").and_then(Value::as_str) == Some("object") {
        openai_object(map, at)?;
    }
    if map.get("type").and_then(Value::as_str) == Some("array") && !map.contains_key("items") {
        return fault(at, "array schema missing items.".to_owned());
    }
    children(map, at, openai_node)
}

fn openai_object(map: &Map<String, Value>, at: &[String]) -> Result<(), String> {
    if map.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err(format!("{}, 'additionalProperties' is required to be supplied and to be false.", context(at)));
    }
    let required: Vec<&str> =
        map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = map.get("properties").and_then(Value::as_object);
    for key in properties.into_iter().flat_map(Map::keys) {
        if !required.contains(&key.as_str()) {
            return Err(format!(
                "{}, 'required' is required to be supplied and to be an array including every key in properties. Missing '{key}'.",
                context(at)
            ));
        }
    }
    Ok(())
}

type Visit = fn(&Value, &mut Vec<String>) -> Result<(), String>;

/// Visits the schemas inside a schema, each with its path.
fn children(map: &Map<String, Value>, at: &mut Vec<String>, visit: Visit) -> Result<(), String> {
    for group in ["properties", "$defs", "definitions"] {
        for (key, schema) in map.get(group).and_then(Value::as_object).into_iter().flatten() {
            at.extend([group.to_owned(), key.clone()]);
            visit(schema, at)?;
            at.truncate(at.len() - 2);
        }
    }
    for group in ["anyOf", "allOf", "oneOf"] {
        for (i, schema) in map.get(group).and_then(Value::as_array).into_iter().flatten().enumerate() {
            at.extend([group.to_owned(), i.to_string()]);
            visit(schema, at)?;
            at.truncate(at.len() - 2);
        }
    }
    if let Some(items) = map.get("items") {
        at.push("items".to_owned());
        visit(items, at)?;
        at.pop();
    }
    Ok(())
}

fn count(schema: &Value) -> usize {
    match schema {
        Value::Object(map) => {
            let own = map.get("properties").and_then(Value::as_object).map_or(0, Map::len);
            own + map.values().map(count).sum::<usize>()
        }
        Value::Array(list) => list.iter().map(count).sum(),
        _ => 0,
    }
}

/// Objects on the longest path, the root included.
fn depth(root: &Value, schema: &Value, inside: &mut Vec<String>) -> usize {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        if inside.iter().any(|name| name == target) {
            return 0;
        }
        inside.push(target.to_owned());
        let below = target.strip_prefix('#').and_then(|at| root.pointer(at)).map_or(0, |at| depth(root, at, inside));
        inside.pop();
        return below;
    }
    let own = usize::from(schema.get("properties").is_some());
    let properties = object(schema, "properties").into_iter().flat_map(Map::values);
    let forms = ["anyOf", "allOf"].iter().filter_map(|key| schema.get(key).and_then(Value::as_array)).flatten();
    let below = properties.chain(forms).chain(schema.get("items")).map(|node| depth(root, node, inside)).max();
    own + below.unwrap_or(0)
}

const ANTHROPIC_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
const ANTHROPIC_UNIONS: usize = 16;
const ANTHROPIC_OPTIONALS: usize = 24;

/// What Anthropic says about a schema.
pub(super) fn anthropic(schema: &Value) -> Result<(), String> {
    anthropic_node(schema, &mut Vec::new())?;
    circles(schema)?;
    let (unions, optionals) = (unions(schema), optionals(schema));
    if unions > ANTHROPIC_UNIONS {
        return Err(format!(
            "Schemas contains too many parameters with union types ({unions} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: {ANTHROPIC_UNIONS} parameters with unions)."
        ));
    }
    if optionals > ANTHROPIC_OPTIONALS {
        return Err(format!(
            "Schemas contains too many optional parameters ({optionals}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: {ANTHROPIC_OPTIONALS})."
        ));
    }
    Ok(())
}

fn anthropic_node(schema: &Value, at: &mut Vec<String>) -> Result<(), String> {
    let Some(map) = schema.as_object() else {
        return Err("Schema must be an object".to_owned());
    };
    if map.contains_key("$ref") {
        return Ok(());
    }
    if map.contains_key("oneOf") {
        return Err("Schema type 'oneOf' is not supported".to_owned());
    }
    let kinds: Vec<&str> = match map.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for kind in kinds {
        let refused: &[&str] = match kind {
            "string" => &["maxLength", "minLength"],
            "integer" | "number" => &["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"],
            "array" => &["maxItems", "uniqueItems", "contains", "prefixItems"],
            "object" => &["patternProperties", "propertyNames", "minProperties", "maxProperties"],
            _ => &[],
        };
        let found: Vec<&str> = refused.iter().copied().filter(|key| map.contains_key(*key)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Err(format!("For '{kind}' type, property '{one}' is not supported")),
            several => return Err(format!("For '{kind}' type, properties {} are not supported", several.join(", "))),
        }
        if kind == "object" && map.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err("For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned());
        }
        if kind == "string"
            && let Some(format) = map.get("format").and_then(Value::as_str)
            && !ANTHROPIC_FORMATS.contains(&format)
        {
            return Err(format!("For 'string' type, format '{format}' is not supported"));
        }
        if let Some(least) = map.get("minItems").and_then(Value::as_u64).filter(|least| *least > 1) {
            return Err(format!("'minItems' values other than 0 or 1 are not supported (got: [{least}, ∞])"));
        }
    }
    children(map, at, anthropic_node)
}

/// Definitions that lead back to themselves.
fn circles(root: &Value) -> Result<(), String> {
    fn walk(root: &Value, schema: &Value, inside: &mut Vec<String>) -> Result<(), String> {
        match schema {
            Value::Object(map) => {
                if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                    let name = target.rsplit('/').next().unwrap_or_default().to_owned();
                    if let Some(first) = inside.iter().position(|one| *one == name) {
                        let circle = [&inside[first..], &[name]].concat().join(" -> ");
                        return Err(format!("Circular reference detected in schema definitions: {circle}"));
                    }
                    let found = target.strip_prefix('#').and_then(|at| root.pointer(at));
                    let Some(found) = found else { return Err(format!("Reference '{target}' cannot be resolved")) };
                    inside.push(name);
                    walk(root, found, inside)?;
                    inside.pop();
                    return Ok(());
                }
                map.iter()
                    .filter(|(key, _)| *key != "$defs" && *key != "definitions")
                    .try_for_each(|(_, inner)| walk(root, inner, inside))
            }
            Value::Array(list) => list.iter().try_for_each(|inner| walk(root, inner, inside)),
            _ => Ok(()),
        }
    }
    walk(root, root, &mut Vec::new())
}

/// Properties in the schema as it stands, definitions not among them: only those reached without a
/// reference are counted.
fn properties(schema: &Value, each: &mut impl FnMut(&Map<String, Value>, &str, &Value)) {
    match schema {
        Value::Object(map) => {
            for (key, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
                each(map, key, property);
            }
            for (key, inner) in map {
                match key.as_str() {
                    "$defs" | "definitions" | "enum" | "const" | "required" => {}
                    "properties" => {
                        inner.as_object().into_iter().flatten().for_each(|(_, inner)| properties(inner, each));
                    }
                    _ => properties(inner, each),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| properties(inner, each)),
        _ => {}
    }
}

fn unions(schema: &Value) -> usize {
    let mut count = 0;
    properties(schema, &mut |_, _, property| {
        count += usize::from(property.get("anyOf").is_some() || property.get("type").is_some_and(Value::is_array));
    });
    count
}

fn optionals(schema: &Value) -> usize {
    let mut count = 0;
    properties(schema, &mut |object, key, _| {
        let required = object.get("required").and_then(Value::as_array);
        count += usize::from(!required.is_some_and(|keys| keys.iter().any(|one| one == key)));
    });
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object_of(property: &Value) -> Value {
        json!({"type": "object", "properties": {"x": property}, "required": ["x"], "additionalProperties": false})
    }

    /// The texts as users and projects recorded them.
    #[test]
    fn openai_says_what_is_recorded() {
        for (schema, said) in [
            (json!({"type": "array"}), "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"array\"'."),
            (
                object_of(&json!({"type": "string", "oneOf": []})),
                "In context=('properties', 'x'), 'oneOf' is not permitted.",
            ),
            (
                json!({"type": "object", "properties": {}}),
                "In context=(), 'additionalProperties' is required to be supplied and to be false.",
            ),
            (
                json!({"type": "object", "properties": {"x": {"type": "null"}}, "additionalProperties": false}),
                "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'x'.",
            ),
            (
                object_of(&json!({"type": "string", "format": "uri"})),
                "In context=('properties', 'x'), 'uri' is not a valid format.",
            ),
            (object_of(&json!({})), "In context=('properties', 'x'), schema must have a 'type' key."),
            (
                (0..13).fold(object_of(&json!({"type": "null"})), |inner, _| object_of(&inner)),
                "14 levels of nesting exceeds limit of 10.",
            ),
        ] {
            assert_eq!(openai(&schema), Err(said.to_owned()));
        }
        assert_eq!(openai(&object_of(&json!({"type": ["string", "null"]}))), Ok(()));
    }

    #[test]
    fn anthropic_says_what_is_recorded() {
        let options: Map<String, Value> = (0..31).map(|i| (format!("p{i}"), json!({"type": "string"}))).collect();
        let unions: Map<String, Value> =
            (0..32).map(|i| (format!("p{i}"), json!({"type": ["string", "null"]}))).collect();
        let names: Vec<&String> = unions.keys().collect();
        for (schema, said) in [
            (object_of(&json!({"oneOf": []})), "Schema type 'oneOf' is not supported"),
            (
                object_of(&json!({"type": "string", "maxLength": 3})),
                "For 'string' type, property 'maxLength' is not supported",
            ),
            (
                object_of(&json!({"type": "integer", "minimum": 1, "maximum": 3})),
                "For 'integer' type, properties maximum, minimum are not supported",
            ),
            (
                object_of(&json!({"type": "array", "items": {"type": "null"}, "minItems": 6})),
                "'minItems' values other than 0 or 1 are not supported (got: [6, ∞])",
            ),
            (
                json!({"type": "object", "properties": {}}),
                "For 'object' type, 'additionalProperties' must be explicitly set to false",
            ),
            (
                json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/A"}}, "additionalProperties": false,
                    "$defs": {"A": {"type": "object", "properties": {"x": {"$ref": "#/$defs/A"}}, "additionalProperties": false}}}),
                "Circular reference detected in schema definitions: A -> A",
            ),
            (
                json!({"type": "object", "properties": options, "required": [], "additionalProperties": false}),
                "Schemas contains too many optional parameters (31), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).",
            ),
            (
                json!({"type": "object", "properties": unions, "required": names, "additionalProperties": false}),
                "Schemas contains too many parameters with union types (32 parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters with unions).",
            ),
        ] {
            assert_eq!(anthropic(&schema), Err(said.to_owned()));
        }
    }
}
