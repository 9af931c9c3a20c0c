//! Schemas as people and tools write them, and instances of them, made from a seed.
//!
//! The schemas have all that a schema may have, also what makes no sense; the instances are a guess
//! at what satisfies one, for a validator to sort. A fuzzer's bytes make schemas, too.

use serde_json::{Map, Value, json};

use crate::noise::Choices;

/// Numbers from a seed (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Seeded(u64);

impl Seeded {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Choices for Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or_default() % end.max(1)
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

const KEYS: &[&str] = &["a", "b", "kind", "properties", "$ref", "required", "type", "x/y", "t~u", "enum"];
const NAMES: &[&str] = &["A", "B", "a/b", "c d"];

/// A schema.
#[must_use]
pub fn schema(random: &mut impl Choices) -> Value {
    let mut root = if random.once_in(8) { node(random, 3) } else { object(random, 3) };
    if let Value::Object(map) = &mut root {
        if random.once_in(2) {
            let definitions: Map<_, _> = NAMES.iter().map(|name| ((*name).to_owned(), node(random, 2))).collect();
            map.insert("$defs".to_owned(), definitions.into());
        }
        if random.once_in(4) {
            map.insert("definitions".to_owned(), json!({"A": object(random, 1)}));
        }
        if random.once_in(3) {
            map.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        }
    }
    root
}

fn node(random: &mut impl Choices, depth: usize) -> Value {
    let mut schema = match random.below(if depth == 0 { 8 } else { 16 }) {
        0 => text(random),
        1 => number(random),
        2 => json!({"type": "boolean"}),
        3 => json!({"type": ["string", "null"]}),
        4 => values(random),
        5 => reference(random),
        6 => json!({"type": "null"}),
        7 => odd(random),
        8 | 9 => object(random, depth - 1),
        10 => array(random, depth - 1),
        11 => json!({"anyOf": [node(random, depth - 1), {"type": "null"}]}),
        12 => union(random, depth - 1, "anyOf"),
        13 => union(random, depth - 1, "oneOf"),
        14 => union(random, depth - 1, "allOf"),
        _ => tagged(random, depth - 1),
    };
    if let Value::Object(map) = &mut schema {
        if random.once_in(5) {
            map.insert("description".to_owned(), "What it is.".into());
        }
        if random.once_in(12) {
            map.insert("title".to_owned(), "T".into());
        }
        if random.once_in(12) {
            map.insert("default".to_owned(), Value::Null);
        }
        if random.once_in(14) {
            map.insert("x-order".to_owned(), 1.into());
        }
        if random.once_in(14) {
            map.insert("nullable".to_owned(), random.once_in(2).into());
        }
        if depth > 0 && random.once_in(8) {
            // Whatever is beside it, another schema holds too.
            let Value::Object(more) = node(random, depth - 1) else { return schema };
            for (key, value) in more {
                map.entry(key).or_insert(value);
            }
        }
    }
    schema
}

fn object(random: &mut impl Choices, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..random.below(4) {
        properties.insert((*random.pick(KEYS)).to_owned(), node(random, depth));
    }
    let mut required: Vec<Value> =
        properties.keys().filter(|_| !random.once_in(5)).map(|key| key.clone().into()).collect();
    if random.once_in(30) {
        required.push("undeclared".into());
    }
    let mut map = Map::new();
    map.insert("type".to_owned(), "object".into());
    map.insert("properties".to_owned(), properties.into());
    map.insert("required".to_owned(), required.into());
    match random.below(12) {
        0..5 => drop(map.insert("additionalProperties".to_owned(), false.into())),
        5 => drop(map.insert("additionalProperties".to_owned(), true.into())),
        6 => drop(map.insert("additionalProperties".to_owned(), node(random, depth.saturating_sub(1)))),
        _ => {}
    }
    match random.below(40) {
        0 => drop(map.remove("type")),
        1 => drop(map.remove("properties")),
        2 => drop(map.insert("patternProperties".to_owned(), json!({"^x": {"type": "string"}}))),
        3 => drop(map.insert("minProperties".to_owned(), random.below(3).into())),
        4 => drop(map.insert("maxProperties".to_owned(), random.below(4).into())),
        5 => drop(map.insert("dependentRequired".to_owned(), json!({"a": ["b"]}))),
        6 => drop(map.insert("unevaluatedProperties".to_owned(), false.into())),
        7 => drop(map.insert("type".to_owned(), json!(["object", "null"]))),
        _ => {}
    }
    map.into()
}

fn array(random: &mut impl Choices, depth: usize) -> Value {
    let mut map = Map::new();
    map.insert("type".to_owned(), "array".into());
    match random.below(8) {
        0 => {}
        1 => {
            let one = node(random, depth);
            map.insert("prefixItems".to_owned(), json!([one, one]));
            map.insert("items".to_owned(), false.into());
        }
        2 => drop(map.insert("prefixItems".to_owned(), json!([node(random, depth), node(random, depth)]))),
        _ => drop(map.insert("items".to_owned(), node(random, depth))),
    }
    match random.below(8) {
        0 => drop(map.insert("minItems".to_owned(), random.below(3).into())),
        1 => drop(map.insert("maxItems".to_owned(), random.below(4).into())),
        2 => drop(map.insert("uniqueItems".to_owned(), true.into())),
        3 => drop(map.insert("contains".to_owned(), json!({"type": "string"}))),
        _ => {}
    }
    map.into()
}

fn text(random: &mut impl Choices) -> Value {
    let mut map = Map::new();
    map.insert("type".to_owned(), "string".into());
    match random.below(8) {
        0 => drop(map.insert("minLength".to_owned(), random.below(3).into())),
        1 => drop(map.insert("maxLength".to_owned(), random.below(6).into())),
        2 => drop(map.insert("pattern".to_owned(), (*random.pick(&["^[a-z]+$", "a", r"^\d$", "^(?:b|c)$"])).into())),
        3 => drop(map.insert("format".to_owned(), (*random.pick(&["date", "uri", "uint32", "ipv4"])).into())),
        _ => {}
    }
    map.into()
}

fn number(random: &mut impl Choices) -> Value {
    let mut map = Map::new();
    map.insert("type".to_owned(), (*random.pick(&["integer", "number"])).into());
    match random.below(8) {
        0 => drop(map.insert("minimum".to_owned(), random.below(4).into())),
        1 => drop(map.insert("maximum".to_owned(), random.below(9).into())),
        2 => drop(map.insert("exclusiveMinimum".to_owned(), json!(0.5))),
        3 => drop(map.insert("multipleOf".to_owned(), 2.into())),
        4 => drop(map.insert("format".to_owned(), "int64".into())),
        _ => {}
    }
    map.into()
}

fn values(random: &mut impl Choices) -> Value {
    let schemas = [
        json!({"type": "string", "enum": ["a", "b"]}),
        json!({"enum": ["a", 1, null]}),
        json!({"const": "a"}),
        json!({"type": "integer", "enum": [1, 2, 2]}),
        json!({"type": "string", "const": "kind"}),
        json!({"type": ["string", "null"], "enum": ["a", null]}),
        json!({"enum": [true, {"a": 1}]}),
        json!({"const": 1.0}),
    ];
    random.pick(&schemas).clone()
}

fn reference(random: &mut impl Choices) -> Value {
    let targets = [
        "#/$defs/A",
        "#/$defs/B",
        "#/$defs/a~1b",
        "#/$defs/c%20d",
        "#/definitions/A",
        "#/properties/a",
        "#",
        "#/$defs/None",
    ];
    json!({ "$ref": *random.pick(&targets) })
}

fn union(random: &mut impl Choices, depth: usize, keyword: &str) -> Value {
    let branches: Vec<_> = (0..=random.below(3)).map(|_| node(random, depth)).collect();
    json!({ keyword: branches })
}

fn tagged(random: &mut impl Choices, depth: usize) -> Value {
    let mut branch = |tag: &str| {
        let content = node(random, depth);
        json!({"type": "object", "properties": {"kind": {"const": tag}, "a": content}, "required": ["kind", "a"]})
    };
    let branches = [branch("one"), branch("two")];
    json!({"oneOf": branches, "discriminator": {"propertyName": "kind"}})
}

fn odd(random: &mut impl Choices) -> Value {
    let schemas = [
        json!(true),
        json!(false),
        json!({}),
        json!({"not": {"type": "string"}}),
        json!({"minimum": 3}),
        json!({"type": "string", "contentEncoding": "base64"}),
        json!({"if": {"type": "string"}, "then": {"minLength": 2}}),
        json!({"type": "object"}),
        json!({"type": ["integer", "array"], "items": {"type": "string"}}),
    ];
    random.pick(&schemas).clone()
}

/// A value that may be an instance of the schema `node` of the document `root`.
#[must_use]
pub fn instance(random: &mut Seeded, root: &Value, node: &Value, depth: usize) -> Value {
    let Some(map) = node.as_object().filter(|_| depth > 0) else { return any(random) };
    if random.once_in(40) {
        return any(random);
    }
    if let Some(target) = map.get("$ref").and_then(Value::as_str) {
        let pointer = target.trim_start_matches('#').replace("%20", " ");
        let target = root.pointer(&pointer).unwrap_or(&Value::Null);
        return instance(random, root, target, depth - 1);
    }
    if let Some(value) = map.get("const") {
        return value.clone();
    }
    if let Some(Value::Array(values)) = map.get("enum")
        && !values.is_empty()
    {
        return random.pick(values).clone();
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let Some(Value::Array(branches)) = map.get(keyword) else { continue };
        if branches.is_empty() || (keyword != "anyOf" && random.once_in(4)) {
            continue;
        }
        let value = instance(random, root, random.clone().pick(branches), depth - 1);
        random.below(2);
        // With what the schema itself and, of `allOf`, the others ask for.
        let mut own = map.clone();
        own.remove(keyword);
        return match (value, keyword) {
            (Value::Object(mut members), _) => {
                let others = if keyword == "allOf" { branches.as_slice() } else { &[] };
                for other in others.iter().chain([&Value::Object(own)]) {
                    if let Value::Object(more) = instance(random, root, other, depth - 1) {
                        for (key, value) in more {
                            members.entry(key).or_insert(value);
                        }
                    }
                }
                members.into()
            }
            (value, _) => value,
        };
    }
    let kind = match map.get("type") {
        Some(Value::Array(names)) if !names.is_empty() => random.pick(names).as_str().unwrap_or("null"),
        Some(Value::String(name)) => name,
        _ if map.contains_key("properties") => "object",
        _ => return any(random),
    };
    match kind {
        "object" => members(random, root, map, depth),
        "array" => elements(random, root, map, depth),
        "string" => (*random.pick(&["a", "abc", "b", "1", "", "2026-11-30", "10.0.0.1", "https://e.example/"])).into(),
        "integer" => (*random.pick(&[0_i64, 1, 2, 4, 7, -3])).into(),
        "number" => (*random.pick(&[0.0, 1.0, 2.5, 6.0, -0.5])).into(),
        "boolean" => random.once_in(2).into(),
        _ => Value::Null,
    }
}

fn members(random: &mut Seeded, root: &Value, map: &Map<String, Value>, depth: usize) -> Value {
    let mut members = Map::new();
    let required =
        |key: &str| map.get("required").and_then(Value::as_array).is_some_and(|list| list.iter().any(|n| n == key));
    if let Some(Value::Object(properties)) = map.get("properties") {
        for (key, schema) in properties {
            if required(key) && !random.once_in(30) || random.once_in(2) {
                members.insert(key.clone(), instance(random, root, schema, depth - 1));
            }
        }
    }
    if random.once_in(12) {
        members.insert("other".to_owned(), any(random));
    }
    members.into()
}

fn elements(random: &mut Seeded, root: &Value, map: &Map<String, Value>, depth: usize) -> Value {
    let mut list = Vec::new();
    let prefix = map.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for schema in prefix {
        list.push(instance(random, root, schema, depth - 1));
    }
    let rest = map.get("items").unwrap_or(&Value::Null);
    for _ in 0..random.below(3) {
        list.push(instance(random, root, rest, depth - 1));
    }
    list.into()
}

/// Any small value.
fn any(random: &mut Seeded) -> Value {
    let values = [
        Value::Null,
        json!(true),
        json!(1),
        json!(2.5),
        json!("a"),
        json!("kind"),
        json!([]),
        json!([1, "a"]),
        json!({}),
        json!({"a": 1}),
        json!({"kind": "one", "a": "b"}),
    ];
    random.pick(&values).clone()
}
