//! The rules of providers other than `OpenAI`, over the JSON alone.
//!
//! Written from the providers' documentation and their recorded error texts, without a look at the code that makes
//! the schemas or at its data: what a provider would refuse, or would silently ignore, is a fault here. `OpenAI`'s own
//! rules are in [`strict`](super::strict), which is stricter still about what this project sends.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The rules of one provider.
#[derive(Debug)]
pub struct Provider {
    /// The name that the library gives it.
    pub name: &'static str,
    /// Every keyword that may stand in a schema, beside the words of every schema.
    words: &'static [&'static str],
    /// The formats that hold.
    formats: &'static [&'static str],
    /// Whether every property is required.
    all_required: bool,
    /// Whether a definition may lead to itself.
    recursion: Cycle,
    /// Whether words may stand beside `$ref`.
    siblings: bool,
    properties: usize,
    depth: usize,
    enum_values: usize,
    characters: usize,
    unions: usize,
    optionals: usize,
    own: fn(&Map<String, Value>) -> Result<(), String>,
}

#[derive(Debug, PartialEq)]
enum Cycle {
    Taken,
    /// Only where a property on the way is not required.
    Optional,
    Refused,
}

const ALL_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
const NUMBERS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// A provider with few rules, to start from.
const LOOSE: Provider = Provider {
    name: "",
    words: &[],
    formats: &[],
    all_required: false,
    recursion: Cycle::Taken,
    siblings: true,
    properties: usize::MAX,
    depth: usize::MAX,
    enum_values: usize::MAX,
    characters: usize::MAX,
    unions: usize::MAX,
    optionals: usize::MAX,
    own: |_| Ok(()),
};

/// Every provider with rules of its own.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        name: "Anthropic",
        words: &["format", "minItems"],
        formats: ALL_FORMATS,
        recursion: Cycle::Refused,
        siblings: false,
        unions: 16,
        optionals: 24,
        own: |map| match map.get("minItems").and_then(Value::as_u64) {
            Some(2..) => Err("'minItems' values other than 0 or 1 are not supported".to_owned()),
            _ => Ok(()),
        },
        ..LOOSE
    },
    Provider {
        name: "Bedrock",
        words: &["format", "minItems", "pattern"],
        formats: ALL_FORMATS,
        recursion: Cycle::Refused,
        siblings: false,
        unions: 16,
        optionals: 24,
        own: |map| match map.get("minItems").and_then(Value::as_u64) {
            Some(2..) => Err("minItems above 1".to_owned()),
            _ => simple_pattern(map),
        },
        ..LOOSE
    },
    Provider {
        name: "Gemini",
        words: &["format", "minItems", "maxItems", "minimum", "maximum"],
        formats: &["date-time", "date", "time"],
        recursion: Cycle::Optional,
        siblings: false,
        ..LOOSE
    },
    Provider {
        name: "xAI",
        words: &[
            "format",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "pattern",
        ],
        formats: &["date-time", "time", "date", "email", "uuid", "ipv4", "ipv6", "uri"],
        recursion: Cycle::Refused,
        siblings: false,
        own: |map| {
            for (word, most) in [("minLength", 2048), ("maxLength", 2048), ("minItems", 256), ("maxItems", 256)] {
                if map.get(word).and_then(Value::as_u64).is_some_and(|value| value > most) {
                    return Err(format!("{word} above {most} is not enforced"));
                }
            }
            held_pattern(map).and_then(|()| simple_pattern(map))
        },
        ..LOOSE
    },
    Provider {
        name: "Cerebras",
        recursion: Cycle::Refused,
        all_required: true,
        siblings: false,
        properties: 500,
        depth: 10,
        enum_values: 500,
        characters: 5000,
        ..LOOSE
    },
    Provider { name: "Groq", recursion: Cycle::Refused, all_required: true, siblings: false, ..LOOSE },
    Provider { name: "Mistral", recursion: Cycle::Refused, all_required: true, siblings: false, ..LOOSE },
    Provider { name: "OpenRouter", recursion: Cycle::Refused, all_required: true, siblings: false, ..LOOSE },
    Provider { name: "the portable subset", recursion: Cycle::Refused, all_required: true, siblings: false, ..LOOSE },
    // llama.cpp: what it would ignore is a fault.
    Provider {
        name: "llama.cpp",
        words: LLAMA_CPP_WORDS,
        formats: &["date-time", "date", "time", "uuid"],
        own: llama_cpp,
        ..LOOSE
    },
    Provider {
        name: "Ollama",
        words: LLAMA_CPP_WORDS,
        formats: &["date-time", "date", "time", "uuid"],
        own: llama_cpp,
        ..LOOSE
    },
    // What vLLM and SGLang refuse before xgrammar would ignore it.
    Provider {
        name: "xgrammar",
        words: &[
            "format",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minLength",
            "maxLength",
            "pattern",
        ],
        formats: ALL_FORMATS,
        own: |map| {
            let said = [
                map.contains_key("pattern"),
                map.contains_key("format"),
                map.contains_key("minLength") || map.contains_key("maxLength"),
            ];
            if said.into_iter().filter(|said| *said).count() > 1 {
                return Err("more than one of pattern, format and length".to_owned());
            }
            let odd = |key: &String| key.contains(['"', '\\']) || key.chars().any(char::is_control);
            if map.get("properties").and_then(Value::as_object).into_iter().flatten().any(|(key, _)| odd(key)) {
                return Err("a key that the engine does not escape".to_owned());
            }
            held_pattern(map)
        },
        ..LOOSE
    },
    // AJV, draft 7, strict mode, no formats: any word that it does not know, and any format, makes the client drop
    // the whole schema. Measured: which words survive.
    Provider {
        name: "the claude command line",
        words: &[
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "uniqueItems",
            "title",
            "default",
            "examples",
        ],
        characters: 131_071,
        own: |map| {
            let pattern = map.get("pattern").and_then(Value::as_str).unwrap_or_default();
            if ["(?i", "(?s", "(?m", "(?x", "(?P", "\\A", "\\z", "\\x{", "[["].iter().any(|part| pattern.contains(part))
            {
                return Err(format!("JavaScript does not read {pattern:?}"));
            }
            Ok(())
        },
        ..LOOSE
    },
];

const LLAMA_CPP_WORDS: &[&str] = &[
    "format",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
];

fn llama_cpp(map: &Map<String, Value>) -> Result<(), String> {
    if map.get("type") == Some(&Value::from("number")) && NUMBERS.iter().any(|word| map.contains_key(*word)) {
        return Err("bounds of numbers that are not integers are ignored".to_owned());
    }
    if map.contains_key("pattern") && (map.contains_key("minLength") || map.contains_key("maxLength")) {
        return Err("lengths beside a pattern are ignored".to_owned());
    }
    let pattern = map.get("pattern").and_then(Value::as_str).unwrap_or_default();
    if ["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "(?=", "(?!", "(?<"].iter().any(|part| pattern.contains(part))
    {
        return Err(format!("the pattern {pattern:?} is ignored"));
    }
    held_pattern(map)
}

/// Engines that hold every pattern at both ends.
fn held_pattern(map: &Map<String, Value>) -> Result<(), String> {
    match map.get("pattern").and_then(Value::as_str) {
        Some(pattern) if !pattern.starts_with('^') || !pattern.ends_with('$') => {
            Err(format!("the pattern {pattern:?} is read from end to end, or not at all"))
        }
        _ => Ok(()),
    }
}

/// No look-around, no back-references, no `\b`.
fn simple_pattern(map: &Map<String, Value>) -> Result<(), String> {
    let pattern = map.get("pattern").and_then(Value::as_str).unwrap_or_default();
    match ["(?=", "(?!", "(?<", "\\b", "\\p", "\\1"].iter().find(|part| pattern.contains(**part)) {
        Some(part) => Err(format!("the pattern {pattern:?} has {part}")),
        None => Ok(()),
    }
}

impl Provider {
    /// Every fault that the provider would find in a schema, with its place; and what it would not hold to.
    #[must_use]
    pub fn faults(&self, schema: &str) -> Vec<String> {
        let root: Value = match serde_json::from_str(schema) {
            Ok(root) => root,
            Err(error) => return vec![format!("not JSON: {error}")],
        };
        let mut walk = Walk { provider: self, root: &root, counts: Counts::default(), faults: Vec::new() };
        if root.get("type") != Some(&Value::from("object")) || root.get("anyOf").is_some() {
            walk.fault("", "the root must be an object");
        }
        walk.node(&root, "", true);
        for (name, definition) in root.get("$defs").and_then(Value::as_object).into_iter().flatten() {
            walk.node(definition, &format!("/$defs/{name}"), false);
            if self.recursion != Cycle::Taken && walk.circles(definition, name, &mut BTreeSet::new()) {
                walk.fault(&format!("/$defs/{name}"), format!("circular reference: {name} -> {name}"));
            }
        }
        let depth = walk.depth(&root, &mut Vec::new());
        for (count, limit, what) in [
            (walk.counts.properties, self.properties, "properties"),
            (walk.counts.enum_values, self.enum_values, "enum values"),
            (schema.chars().count(), self.characters, "characters"),
            (depth, self.depth, "levels"),
            (walk.counts.unions, self.unions, "parameters with type arrays or anyOf"),
            (walk.counts.optionals, self.optionals, "optional parameters"),
        ] {
            if count > limit {
                walk.fault("", format!("{count} {what} exceed the limit of {limit}"));
            }
        }
        walk.faults
    }
}

#[derive(Default)]
struct Counts {
    properties: usize,
    enum_values: usize,
    unions: usize,
    optionals: usize,
}

struct Walk<'a> {
    provider: &'a Provider,
    root: &'a Value,
    counts: Counts,
    faults: Vec<String>,
}

impl<'a> Walk<'a> {
    fn fault(&mut self, at: &str, what: impl Into<String>) {
        self.faults.push(format!("{}: at {at:?}: {}", self.provider.name, what.into()));
    }

    fn node(&mut self, node: &'a Value, at: &str, is_root: bool) {
        let Some(map) = node.as_object() else { return self.fault(at, "a schema must be an object") };
        if let Some(target) = map.get("$ref") {
            if map.len() > 1 && !self.provider.siblings {
                self.fault(at, "words beside $ref");
            }
            let target = target.as_str().unwrap_or_default();
            if target.strip_prefix("#/$defs/").is_none_or(|name| self.root["$defs"].get(name).is_none()) {
                self.fault(at, format!("{target} leads nowhere"));
            }
            return;
        }
        for word in map.keys().map(String::as_str) {
            let known = match word {
                "type"
                | "description"
                | "properties"
                | "required"
                | "additionalProperties"
                | "items"
                | "enum"
                | "anyOf" => true,
                "$defs" => is_root,
                word => self.provider.words.contains(&word),
            };
            if !known {
                self.fault(at, format!("'{word}' is refused or ignored"));
            }
        }
        if map.contains_key("enum") && map.get("type") != Some(&Value::from("string")) {
            self.fault(at, "an enum without its type");
        }
        if let Some(format) = map.get("format").and_then(Value::as_str)
            && !self.provider.formats.contains(&format)
        {
            self.fault(at, format!("the format {format} is refused or ignored"));
        }
        if let Err(fault) = (self.provider.own)(map) {
            self.fault(at, fault);
        }
        self.counts.enum_values += map.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
        if let Some(Value::Object(properties)) = map.get("properties") {
            if map.get("additionalProperties") != Some(&Value::Bool(false)) {
                self.fault(at, "'additionalProperties' must be explicitly set to false");
            }
            let required: Vec<&str> =
                map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            self.counts.properties += properties.len();
            for (key, value) in properties {
                if !required.contains(&key.as_str()) {
                    self.counts.optionals += 1;
                    if self.provider.all_required {
                        self.fault(at, format!("'{key}' is not required"));
                    }
                }
                if value.get("anyOf").is_some() {
                    self.counts.unions += 1;
                }
                self.node(value, &format!("{at}/properties/{key}"), false);
            }
        } else if map.get("type") == Some(&Value::from("object")) {
            self.fault(at, "an object without properties");
        }
        if let Some(items) = map.get("items") {
            self.node(items, &format!("{at}/items"), false);
        }
        for (i, form) in map.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
            self.node(form, &format!("{at}/anyOf/{i}"), false);
        }
    }

    /// Whether a definition leads to itself, through required properties alone where others are allowed.
    fn circles(&self, node: &'a Value, name: &str, seen: &mut BTreeSet<&'a str>) -> bool {
        if let Some(target) =
            node.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix("#/$defs/"))
        {
            return target == name || seen.insert(target) && self.circles(&self.root["$defs"][target], name, seen);
        }
        let required = |key: &str| {
            node.get("required").and_then(Value::as_array).into_iter().flatten().any(|name| name.as_str() == Some(key))
        };
        let through = |key: &str| self.provider.recursion == Cycle::Refused || required(key);
        node.get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .any(|(key, value)| through(key) && self.circles(value, name, seen))
            || node
                .get("anyOf")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .any(|form| self.circles(form, name, seen))
            || node.get("items").is_some_and(|items| self.circles(items, name, seen))
    }

    /// Objects on the longest path; a path does not enter a definition that it is in.
    fn depth(&self, node: &Value, inside: &mut Vec<String>) -> usize {
        if let Some(target) = node.get("$ref").and_then(Value::as_str) {
            if inside.iter().any(|name| name == target) {
                return 0;
            }
            inside.push(target.to_owned());
            let depth = self.root.pointer(&target[1..]).map_or(0, |node| self.depth(node, inside));
            inside.pop();
            return depth;
        }
        let own = usize::from(node.get("properties").is_some());
        let properties = node.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(_, node)| node);
        let forms = node.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        let below = properties.chain(forms).chain(node.get("items")).map(|node| self.depth(node, inside)).max();
        own + below.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::PROVIDERS;

    /// Schemas that providers refused, with the words of their errors; each is a fault here.
    #[test]
    fn recorded_refusals_are_found() {
        let object = |inner: &str, required: &str| {
            format!(
                r#"{{"type":"object","properties":{{"a":{inner}}},"required":[{required}],"additionalProperties":false}}"#
            )
        };
        let wide = |n: usize, inner: &str, required: bool| {
            let keys: Vec<_> = (0..n).map(|i| format!("\"a{i}\"")).collect();
            let properties: Vec<_> = keys.iter().map(|key| format!("{key}:{inner}")).collect();
            let required = if required { keys.join(",") } else { String::new() };
            format!(
                r#"{{"type":"object","properties":{{{}}},"required":[{required}],"additionalProperties":false}}"#,
                properties.join(",")
            )
        };
        for (provider, schema, word) in [
            ("Anthropic", object(r#"{"type":"integer","minimum":1}"#, "\"a\""), "'minimum'"),
            ("Anthropic", object(r#"{"type":"string","maxLength":1}"#, "\"a\""), "'maxLength'"),
            ("Anthropic", object(r#"{"type":"array","items":{"type":"null"},"minItems":6}"#, "\"a\""), "minItems"),
            ("Anthropic", object(r#"{"type":"array","items":{"type":"null"},"maxItems":6}"#, "\"a\""), "'maxItems'"),
            ("Anthropic", object(r#"{"oneOf":[{"type":"null"}]}"#, "\"a\""), "'oneOf'"),
            ("Anthropic", wide(17, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, true), "anyOf"),
            ("Anthropic", wide(25, r#"{"type":"string"}"#, false), "optional"),
            ("Anthropic", r#"{"type":"object","properties":{},"required":[]}"#.to_owned(), "additionalProperties"),
            ("Gemini", object(r#"{"type":"integer","exclusiveMinimum":1}"#, "\"a\""), "exclusiveMinimum"),
            ("Cerebras", object(r#"{"type":"string","pattern":"^a$"}"#, "\"a\""), "'pattern'"),
            ("Cerebras", object(r#"{"type":"string"}"#, ""), "not required"),
            ("llama.cpp", object(r#"{"type":"string","pattern":"^\\d$"}"#, "\"a\""), "ignored"),
            ("llama.cpp", object(r#"{"type":"number","minimum":0}"#, "\"a\""), "ignored"),
            ("xgrammar", object(r#"{"type":"string","pattern":"^a$","maxLength":3}"#, "\"a\""), "more than one"),
            ("the claude command line", object(r#"{"type":"string","format":"date-time"}"#, "\"a\""), "format"),
            ("the claude command line", object(r#"{"type":"string","x-a":1}"#, "\"a\""), "x-a"),
        ] {
            let provider = PROVIDERS.iter().find(|other| other.name == provider).expect("a provider");
            let faults = provider.faults(&schema);
            assert!(faults.iter().any(|fault| fault.contains(word)), "{word}: {faults:?} in {schema}");
        }
    }

    #[test]
    fn circles_are_found_through_definitions() {
        let schema = |required: &str| {
            format!(
                r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/A"}}}},"required":["a"],"additionalProperties":false,
                "$defs":{{"A":{{"type":"object","properties":{{"a":{{"type":"array","items":{{"$ref":"#/$defs/A"}}}}}},
                "required":[{required}],"additionalProperties":false}}}}}}"##
            )
        };
        let found = |name: &str, required: &str| {
            let provider = PROVIDERS.iter().find(|other| other.name == name).expect("a provider");
            provider.faults(&schema(required)).iter().any(|fault| fault.contains("circular"))
        };
        assert!(found("Anthropic", "\"a\"") && found("Anthropic", ""));
        assert!(found("Gemini", "\"a\"") && !found("Gemini", ""));
        assert!(!found("llama.cpp", "\"a\""));
    }
}
