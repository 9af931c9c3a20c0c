//! From a JSON Schema document.
//!
//! Read is what guides repairs and what makes up the schemas of the strict dialects: types, members,
//! items, choices, unions, references, bounds. What else a document may say (conditions, counts of
//! keys, patterns of keys) is left to a full validator behind the feature `jsonschema`.

mod cases;

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::limits::Edge as Bound;
use super::{Edge, Extra, Form, Limits, Member, Members, Node, Pick, Plan, Shape, Variant};
use crate::decode::tree::Tree;

/// How many references lead to one another at most.
const MOST_HOPS: usize = 32;

impl Plan {
    /// The plan of a JSON Schema.
    pub(in crate::decode) fn read(schema: &Value) -> Self {
        let mut reader = Reader { document: schema, nodes: Vec::new(), known: HashMap::new() };
        let root = reader.edge(schema, 0);
        Self { nodes: reader.nodes, root, wrapped: false, dynamic: true, trusts_serde: false }
    }
}

struct Reader<'s> {
    document: &'s Value,
    nodes: Vec<Node>,
    /// Schemas by their place in memory, for those that contain themselves.
    known: HashMap<*const Value, Edge>,
}

impl<'s> Reader<'s> {
    fn push(&mut self, shape: Shape, limits: Limits) -> Edge {
        let limits = Box::new(limits);
        self.nodes.push(Node { shape, limits });
        Edge { node: self.nodes.len() - 1, ..Edge::default() }
    }

    fn edge(&mut self, schema: &'s Value, hops: usize) -> Edge {
        let Value::Object(map) = schema else {
            let shape = if schema == &Value::Bool(false) { Shape::Never } else { Shape::Any };
            return self.push(shape, Limits::default());
        };
        if let Some(known) = self.known.get(&std::ptr::from_ref(schema)) {
            return known.clone();
        }
        if let Some(target) = map.get("$ref").and_then(Value::as_str).and_then(|target| self.target(target))
            && hops < MOST_HOPS
        {
            return self.edge(target, hops + 1);
        }
        if let Some((case, nullable)) = sole_case(map)
            && hops < MOST_HOPS
        {
            let mut edge = self.edge(case, hops + 1);
            edge.nullable |= nullable;
            return edge;
        }
        let mut edge = self.push(Shape::Any, Limits::default());
        edge.nullable = is_nullable(map);
        self.known.insert(std::ptr::from_ref(schema), edge.clone());
        let (shape, nullable) = self.shape(map, hops);
        self.nodes[edge.node] = Node { shape, limits: Box::new(limits(map)) };
        if nullable && !edge.nullable {
            edge.nullable = true;
            self.known.insert(std::ptr::from_ref(schema), edge.clone());
        }
        edge
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.document.pointer(&pointer.replace("%25", "%"))
    }

    /// The shape, and whether `null` turned out to be among it.
    fn shape(&mut self, map: &'s Map<String, Value>, hops: usize) -> (Shape, bool) {
        if let Some(value) = map.get("const") {
            return (Shape::Choice(vec![pick(value)]), false);
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return (Shape::Choice(values.iter().filter(|value| !value.is_null()).map(pick).collect()), false);
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            return self.all_of(map, parts, hops);
        }
        if let Some(Value::Array(cases)) = map.get("anyOf").or_else(|| map.get("oneOf")) {
            return self.any_of(map, cases, hops);
        }
        let mut shapes: Vec<_> = types(map).into_iter().map(|kind| self.of_type(kind, map, hops)).collect();
        match (shapes.len(), shapes.pop()) {
            (1, Some(shape)) => (shape, false),
            (0, _) | (_, None) if map.contains_key("properties") => (self.of_type("object", map, hops), false),
            (0, _) | (_, None) if map.contains_key("items") => (self.of_type("array", map, hops), false),
            (0, _) | (_, None) => (if types_named(map).is_empty() { Shape::Any } else { Shape::Null }, false),
            (_, Some(last)) => {
                shapes.push(last);
                let variants = shapes.into_iter().map(|shape| bare(self.push(shape, Limits::default())));
                (Shape::Union(variants.collect()), false)
            }
        }
    }

    fn of_type(&mut self, kind: &str, map: &'s Map<String, Value>, hops: usize) -> Shape {
        match kind {
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer,
            "number" => Shape::Number,
            "string" => Shape::Text,
            "array" => match map.get("items") {
                Some(items) => Shape::List(self.edge(items, hops)),
                None => Shape::List(self.push(Shape::Any, Limits::default())),
            },
            "object" => Shape::Object(self.members(map, hops)),
            _ => Shape::Any,
        }
    }

    fn members(&mut self, map: &'s Map<String, Value>, hops: usize) -> Members {
        let required: Vec<&str> =
            map.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut list = Vec::new();
        for (key, schema) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let required = required.contains(&key.as_str());
            list.push(Member { key: key.clone(), aliases: Vec::new(), edge: self.edge(schema, hops), required });
        }
        for key in required {
            if !list.iter().any(|member| member.key == key) {
                let edge = self.push(Shape::Any, Limits::default());
                list.push(Member { key: key.to_owned(), aliases: Vec::new(), edge, required: true });
            }
        }
        let extra = match map.get("additionalProperties") {
            Some(Value::Bool(false)) if !map.contains_key("patternProperties") => Extra::Refused,
            Some(schema @ Value::Object(_)) => Extra::Of(Box::new(self.edge(schema, hops))),
            _ => Extra::Allowed,
        };
        Members::new(list, extra)
    }

    fn any_of(&mut self, map: &'s Map<String, Value>, cases: &'s [Value], hops: usize) -> (Shape, bool) {
        let mut nullable = false;
        let mut edges = Vec::new();
        for case in cases {
            if is_null_schema(case) {
                nullable = true;
                continue;
            }
            // Members beside the union belong to each of its cases.
            let edge = self.edge(case, hops);
            nullable |= edge.nullable;
            edges.push(edge);
        }
        if map.contains_key("properties") {
            let outer = self.members(map, hops);
            let edge = self.push(Shape::Object(outer), Limits::default());
            return (Shape::Union(vec![bare(edge)]), nullable);
        }
        let variants = self.variants(&edges);
        (Shape::Union(variants), nullable)
    }

    fn all_of(&mut self, map: &'s Map<String, Value>, parts: &'s [Value], hops: usize) -> (Shape, bool) {
        let own = if map.contains_key("properties") { Some(self.members(map, hops)) } else { None };
        let mut merged = own.unwrap_or_default();
        let mut nullable = !parts.is_empty();
        let mut objects = true;
        let mut single = None;
        for part in parts {
            let edge = self.edge(part, hops);
            nullable &= edge.nullable;
            match &self.nodes[edge.node].shape {
                Shape::Object(members) => {
                    for member in &members.list {
                        match merged.list.iter_mut().find(|known| known.key == member.key) {
                            Some(known) => known.required |= member.required,
                            None => merged.list.push(Member {
                                key: member.key.clone(),
                                aliases: Vec::new(),
                                edge: member.edge.clone(),
                                required: member.required,
                            }),
                        }
                    }
                }
                Shape::Any => {}
                _ => objects = false,
            }
            single = Some(edge);
        }
        match single {
            Some(edge) if parts.len() == 1 && merged.list.is_empty() || !objects => {
                (Shape::Union(vec![bare(edge)]), nullable)
            }
            _ => (Shape::Object(Members::new(merged.list, merged.extra)), nullable),
        }
    }
}

/// The one case of a union that is a case only because of `null` beside it, or of an `allOf`.
fn sole_case(map: &Map<String, Value>) -> Option<(&Value, bool)> {
    if map.contains_key("properties") {
        return None;
    }
    let cases = ["anyOf", "oneOf", "allOf"].iter().find_map(|key| map.get(*key)).and_then(Value::as_array)?;
    let mut others = cases.iter().filter(|case| !is_null_schema(case));
    let sole = others.next().filter(|_| others.next().is_none())?;
    Some((sole, cases.len() > 1))
}

fn is_null_schema(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null") || schema.get("const") == Some(&Value::Null)
}

fn bare(edge: Edge) -> Variant {
    Variant { name: String::new(), aliases: Vec::new(), edge, form: Form::Bare }
}

fn pick(value: &Value) -> Pick {
    Pick { value: Tree::from(value), aliases: Vec::new() }
}

fn types_named(map: &Map<String, Value>) -> Vec<&str> {
    match map.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn types(map: &Map<String, Value>) -> Vec<&str> {
    let mut kinds = types_named(map);
    kinds.retain(|kind| *kind != "null");
    // Every whole number is a number.
    if kinds.contains(&"number") {
        kinds.retain(|kind| *kind != "integer");
    }
    kinds
}

fn is_nullable(map: &Map<String, Value>) -> bool {
    let listed = |key| map.get(key).and_then(Value::as_array).is_some_and(|values| values.iter().any(Value::is_null));
    let typed = types_named(map);
    let choice = map.contains_key("enum");
    let null_type = typed.contains(&"null") && (!choice || listed("enum"));
    null_type
        || listed("enum") && typed.is_empty()
        || map.get("const") == Some(&Value::Null)
        || map.get("nullable") == Some(&Value::Bool(true))
}

fn limits(map: &Map<String, Value>) -> Limits {
    let bound = |key: &str| match map.get(key) {
        Some(Value::Number(number)) => Bound::of(&number.to_string()),
        _ => None,
    };
    let count = |key: &str| map.get(key).and_then(Value::as_u64);
    let format = map.get("format").and_then(Value::as_str).map(str::to_owned);
    let range = match format.as_deref() {
        Some("int32") => Some(("-2147483648", "2147483647")),
        Some("int64") => Some(("-9223372036854775808", "9223372036854775807")),
        Some("uint8") => Some(("0", "255")),
        Some("uint16") => Some(("0", "65535")),
        Some("uint32") => Some(("0", "4294967295")),
        Some("uint64" | "uint") => Some(("0", "18446744073709551615")),
        _ => None,
    };
    Limits {
        least: bound("minimum").or_else(|| Bound::of(range?.0)),
        most: bound("maximum").or_else(|| Bound::of(range?.1)),
        above: bound("exclusiveMinimum"),
        below: bound("exclusiveMaximum"),
        multiple: bound("multipleOf"),
        length: (count("minLength"), count("maxLength")),
        items: (count("minItems"), count("maxItems")),
        pattern: map.get("pattern").and_then(Value::as_str).map(str::to_owned),
        format,
    }
}
