//! The rules of `OpenAI`'s strict mode, over the JSON alone.
//!
//! Written from the provider's guide and its live error texts, without a look at the code that makes
//! the schemas: what is refused there is a fault here.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Every fault that strict mode would find in a schema, with its place.
#[must_use]
pub fn openai_faults(schema: &str) -> Vec<String> {
    let root: Value = match serde_json::from_str(schema) {
        Ok(root) => root,
        Err(error) => return vec![format!("not JSON: {error}")],
    };
    let mut judge = Judge { root: &root, faults: Vec::new(), used: BTreeSet::new(), counts: Counts::default() };
    judge.document();
    judge.faults
}

const PROPERTIES: usize = 5_000;
const LEVELS: usize = 10;
const ENUM_VALUES: usize = 1_000;
const NAMES: usize = 120_000;
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_TEXT: usize = 15_000;

/// Keywords that may stand anywhere.
const ANYWHERE: &[&str] = &["type", "enum", "anyOf", "description"];
/// Keywords that belong to one type.
const OF_TYPE: &[(&str, &[&str])] = &[
    ("object", &["properties", "required", "additionalProperties"]),
    ("array", &["items", "minItems", "maxItems"]),
    ("string", &["pattern", "format"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ("integer", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ("boolean", &[]),
    ("null", &[]),
];
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

#[derive(Default)]
struct Counts {
    properties: usize,
    enum_values: usize,
    names: usize,
}

struct Judge<'a> {
    root: &'a Value,
    faults: Vec<String>,
    used: BTreeSet<String>,
    counts: Counts,
}

impl<'a> Judge<'a> {
    fn fault(&mut self, at: &str, what: impl std::fmt::Display) {
        self.faults.push(format!("#{at}: {what}"));
    }

    fn document(&mut self) {
        let Some(root) = self.root.as_object() else { return self.fault("", "the root is no object") };
        if root.get("type") != Some(&Value::from("object")) || root.contains_key("anyOf") || root.contains_key("enum") {
            self.fault("", "the root is not of type object");
        }
        let definitions = root.get("$defs").map_or_else(Map::new, |defs| defs.as_object().cloned().unwrap_or_default());
        if root.contains_key("$defs") && definitions.is_empty() {
            self.fault("/$defs", "there are no definitions");
        }
        self.node(self.root, "", true);
        if let Some(Value::Object(definitions)) = root.get("$defs") {
            for (name, definition) in definitions {
                self.counts.names += name.chars().count();
                if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                    self.fault("/$defs", format!("the name {name:?} has characters that providers refuse"));
                }
                self.node(definition, &format!("/$defs/{name}"), false);
            }
        }
        for name in definitions.keys() {
            if !self.used.contains(name) {
                self.fault("/$defs", format!("nothing refers to {name:?}"));
            }
        }
        let depth = self.depth(self.root, &mut Vec::new());
        for (count, limit, what) in [
            (self.counts.properties, PROPERTIES, "properties"),
            (self.counts.enum_values, ENUM_VALUES, "enum values"),
            (self.counts.names, NAMES, "characters of names"),
            (depth, LEVELS, "levels of nesting"),
        ] {
            if count > limit {
                self.fault("", format!("{count} {what} exceed the limit of {limit}"));
            }
        }
    }

    fn node(&mut self, node: &'a Value, at: &str, is_root: bool) {
        let Some(map) = node.as_object() else { return self.fault(at, "a schema must be an object") };
        if let Some(target) = map.get("$ref") {
            if map.len() > 1 {
                self.fault(at, "$ref cannot have keywords beside it");
            }
            return self.reference(target, at);
        }
        let kind = match map.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            None if map.contains_key("anyOf") => "",
            None => return self.fault(at, "schema must have a 'type' key"),
            Some(_) => return self.fault(at, "type must be one name"),
        };
        let own: &[&str] = match OF_TYPE.iter().find(|(name, _)| *name == kind) {
            Some((_, own)) => own,
            None if kind.is_empty() => &[],
            None => return self.fault(at, format!("there is no type {kind:?}")),
        };
        for key in map.keys().map(String::as_str) {
            let known = ANYWHERE.contains(&key) || own.contains(&key) || (is_root && key == "$defs");
            if !known {
                self.fault(at, format!("'{key}' is not permitted"));
            }
        }
        if map.contains_key("type") && map.contains_key("anyOf") {
            self.fault(at, "'anyOf' stands beside a type");
        }
        if map.get("description").is_some_and(|text| text.as_str().is_none_or(str::is_empty)) {
            self.fault(at, "a description must be text");
        }
        match kind {
            "object" => self.object(map, at),
            "array" => match map.get("items") {
                Some(items) => self.node(items, &format!("{at}/items"), false),
                None => self.fault(at, "array schema missing items"),
            },
            "string" => self.string(map, at),
            _ => {}
        }
        if let Some(values) = map.get("enum") {
            self.values(values, kind, at);
        }
        match map.get("anyOf") {
            Some(Value::Array(forms)) if !forms.is_empty() => {
                for (i, form) in forms.iter().enumerate() {
                    self.node(form, &format!("{at}/anyOf/{i}"), false);
                }
            }
            Some(_) => self.fault(at, "anyOf must be a list that is not empty"),
            None => {}
        }
    }

    fn reference(&mut self, target: &Value, at: &str) {
        let target = target.as_str().unwrap_or_default();
        if target == "#" {
            return;
        }
        match target.strip_prefix("#/$defs/") {
            Some(name) if self.root["$defs"].get(name).is_some() => {
                self.used.insert(name.to_owned());
            }
            _ => {
                self.fault(at, format!("reference can only point to definitions defined at the top level: {target:?}"));
            }
        }
    }

    fn object(&mut self, map: &'a Map<String, Value>, at: &str) {
        if map.get("additionalProperties") != Some(&Value::Bool(false)) {
            self.fault(at, "'additionalProperties' is required to be supplied and to be false");
        }
        let Some(Value::Object(properties)) = map.get("properties") else {
            return self.fault(at, "object schema missing properties");
        };
        let required: Vec<&str> =
            map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        for key in properties.keys() {
            if !required.contains(&key.as_str()) {
                self.fault(at, format!("'required' must include every key in properties. Missing '{key}'"));
            }
        }
        if required.len() != properties.len() {
            self.fault(at, "'required' names what is not in properties, or one key twice");
        }
        self.counts.properties += properties.len();
        for (key, value) in properties {
            self.counts.names += key.chars().count();
            self.node(value, &format!("{at}/properties/{key}"), false);
        }
    }

    fn string(&mut self, map: &Map<String, Value>, at: &str) {
        if let Some(format) = map.get("format")
            && !format.as_str().is_some_and(|format| FORMATS.contains(&format))
        {
            self.fault(at, format!("{format} is not a valid format"));
        }
        if let Some(pattern) = map.get("pattern") {
            let pattern = pattern.as_str().unwrap_or_default();
            if pattern.is_empty() || ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look)) {
                self.fault(at, format!("the pattern {pattern:?} looks around, or is empty"));
            }
        }
    }

    fn values(&mut self, values: &Value, kind: &str, at: &str) {
        let Some(values) = values.as_array().filter(|values| !values.is_empty()) else {
            return self.fault(at, "enum must be a list that is not empty");
        };
        if !values.iter().all(|value| kind == "string" && value.is_string()) {
            self.fault(at, "enum values must be of the schema's type");
        }
        let distinct: BTreeSet<_> = values.iter().map(Value::to_string).collect();
        if distinct.len() < values.len() {
            self.fault(at, "an enum value stands twice");
        }
        let text: usize = values.iter().filter_map(Value::as_str).map(|value| value.chars().count()).sum();
        self.counts.enum_values += values.len();
        self.counts.names += text;
        if values.len() > LARGE_ENUM && text > LARGE_ENUM_TEXT {
            self.fault(at, format!("{text} characters in one enum exceed the limit of {LARGE_ENUM_TEXT}"));
        }
    }

    /// Objects on the longest path; a path does not enter a definition that it is in.
    fn depth(&self, node: &Value, inside: &mut Vec<String>) -> usize {
        if let Some(target) = node.get("$ref").and_then(Value::as_str) {
            if target == "#" || inside.iter().any(|name| name == target) {
                return 0;
            }
            inside.push(target.to_owned());
            let depth = self.root.pointer(&target[1..]).map_or(0, |node| self.depth(node, inside));
            inside.pop();
            return depth;
        }
        let own = usize::from(node.get("type") == Some(&Value::from("object")));
        let properties = node.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(_, node)| node);
        let forms = node.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        let below = properties.chain(forms).chain(node.get("items")).map(|node| self.depth(node, inside)).max();
        own + below.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::openai_faults;

    #[test]
    fn a_strict_schema_has_no_faults() {
        let schema = r##"{"type":"object","properties":{
            "a":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"description":"one"},
            "b":{"type":"array","items":{"$ref":"#/$defs/B"},"maxItems":3}
        },"required":["a","b"],"additionalProperties":false,"$defs":{
            "B":{"type":"object","properties":{"c":{"type":"string","enum":["x"]},"d":{"$ref":"#/$defs/B"}},
                "required":["c","d"],"additionalProperties":false}
        }}"##;
        assert_eq!(openai_faults(schema), Vec::<String>::new());
    }

    /// One fault each, named by a word of the message.
    #[test]
    fn each_rule_is_held() {
        let object = |inner: &str| {
            format!(r#"{{"type":"object","properties":{{"a":{inner}}},"required":["a"],"additionalProperties":false}}"#)
        };
        for (schema, word) in [
            (r#"{"type":"array","items":{"type":"string"}}"#.to_owned(), "root"),
            (
                r#"{"type":"object","properties":{"a":{"type":"null"}},"additionalProperties":false}"#.to_owned(),
                "Missing 'a'",
            ),
            (r#"{"type":"object","properties":{},"required":[]}"#.to_owned(), "additionalProperties"),
            (object("{}"), "'type' key"),
            (object("true"), "must be an object"),
            (object(r#"{"enum":["a"]}"#), "'type' key"),
            (object(r#"{"type":["string","null"]}"#), "one name"),
            (object(r#"{"type":"string","minLength":1}"#), "'minLength' is not permitted"),
            (object(r#"{"type":"string","minimum":1}"#), "'minimum' is not permitted"),
            (object(r#"{"type":"string","format":"uri"}"#), "not a valid format"),
            (object(r#"{"type":"string","pattern":"(?=a)"}"#), "looks around"),
            (object(r#"{"type":"string","enum":[]}"#), "not empty"),
            (object(r#"{"type":"string","enum":["a","a"]}"#), "twice"),
            (object(r#"{"type":"integer","enum":["a"]}"#), "schema's type"),
            (object(r#"{"type":"array"}"#), "missing items"),
            (object(r##"{"$ref":"#","description":"x"}"##), "beside it"),
            (object(r##"{"$ref":"#/$defs/X"}"##), "top level"),
            (object(r#"{"oneOf":[{"type":"null"}]}"#), "'type' key"),
            (object(r#"{"anyOf":[{"type":"null"}],"oneOf":[]}"#), "'oneOf' is not permitted"),
            ((0..10).fold(object(r#"{"type":"null"}"#), |inner, _| object(&inner)), "levels of nesting"),
        ] {
            let faults = openai_faults(&schema);
            assert!(faults.iter().any(|fault| fault.contains(word)), "{word}: {faults:?} in {schema}");
        }
    }
}
