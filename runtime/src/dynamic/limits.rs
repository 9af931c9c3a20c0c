//! How large a schema may be, counted on the schema that would be sent.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::departure::{Departure, Fate, Rule};
use super::document::Place;
use super::rewrite::Rewriter;
use crate::dialect::Dialect;

/// What a schema amounts to.
#[derive(Debug, Default)]
struct Counts {
    properties: usize,
    enum_values: usize,
    names: usize,
    unions: usize,
    optionals: usize,
}

/// How many unions a schema has.
pub(super) fn unions(schema: &Value) -> usize {
    Counts::of(schema).unions
}

/// The limits that a schema exceeds.
pub(super) fn departures(schema: &Value, dialect: &Dialect) -> Vec<Departure> {
    let limits = &dialect.limits;
    let counts = Counts::of(schema);
    let mut over = Vec::new();
    let mut check = |found: usize, limit: usize, text: String, remedy: &str| {
        if found > limit {
            over.push(Departure::new(String::new(), Rule::Limit, Fate::Stays, text, remedy));
        }
    };
    let Counts { properties, enum_values, names, unions, optionals } = counts;
    check(
        properties,
        limits.properties,
        format!("{properties} parameters exceeds limit of {}", limits.properties),
        "split the schema into several requests",
    );
    let depth = if limits.depth == usize::MAX { 0 } else { Heights::of(schema) };
    check(
        depth,
        limits.depth,
        format!("{depth} levels of nesting exceeds limit of {}", limits.depth),
        "carry inner objects as a list beside each other, linked by an identifier",
    );
    check(
        enum_values,
        limits.enum_values,
        format!("{enum_values} enum values exceeds limit of {}", limits.enum_values),
        "write the values into the description of a plain string",
    );
    check(
        names,
        limits.names,
        format!("{names} bytes of property names, definition names and enum values exceeds limit of {}", limits.names),
        "shorten the names",
    );
    check(
        unions,
        limits.unions,
        format!(
            "too many parameters with union types ({unions} parameters with type arrays or anyOf; limit: {} parameters with unions)",
            limits.unions
        ),
        "let properties be left out instead of being null, or split the schema",
    );
    check(
        optionals,
        limits.optionals,
        format!("too many optional parameters ({optionals}; limit: {})", limits.optionals),
        "require some of the properties, or split the schema",
    );
    if limits.document < usize::MAX {
        let length = schema.to_string().len();
        let text = format!("{length} bytes of schema exceeds limit of {}", limits.document);
        check(length, limits.document, text, "shorten names and descriptions");
    }
    over
}

/// Reports an enum of many values whose text is too long.
pub(super) fn enum_text(rewriter: &mut Rewriter<'_, '_>, place: Place, values: usize, text: usize) {
    let limit = rewriter.dialect.limits.enum_text;
    if text > limit {
        let found = format!("{values} enum values with {text} bytes of text exceeds limit of {limit}");
        rewriter.report(place, Rule::Limit, Fate::Stays, found, "shorten the values");
    }
}

/// The schemas right inside a schema, its properties with their names.
fn inner(map: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let members = ["properties", "$defs"].into_iter().filter_map(|key| map.get(key)?.as_object());
    let lists = ["anyOf", "oneOf", "prefixItems", "items"].into_iter().filter_map(|key| map.get(key)?.as_array());
    let single = ["items", "additionalProperties", "additionalItems"].into_iter().filter_map(|key| map.get(key));
    members.flat_map(Map::values).chain(lists.flatten()).chain(single.filter(|value| value.is_object()))
}

impl Counts {
    fn of(schema: &Value) -> Self {
        let mut counts = Self::default();
        let mut open = vec![schema];
        while let Some(next) = open.pop() {
            let Some(map) = next.as_object() else { continue };
            counts.add(map);
            open.extend(inner(map));
        }
        counts
    }

    fn add(&mut self, map: &Map<String, Value>) {
        if let Some(Value::Object(properties)) = map.get("properties") {
            self.properties += properties.len();
            self.names += properties.keys().map(String::len).sum::<usize>();
            let required = map.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            self.optionals += properties.len().saturating_sub(required);
        }
        if let Some(Value::Object(definitions)) = map.get("$defs") {
            self.names += definitions.keys().map(String::len).sum::<usize>();
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            self.enum_values += values.len();
            self.names += values.iter().map(text_len).sum::<usize>();
        }
        if let Some(value) = map.get("const") {
            self.enum_values += 1;
            self.names += text_len(value);
        }
        let list = matches!(map.get("type"), Some(Value::Array(_)));
        self.unions += usize::from(list || map.contains_key("anyOf") || map.contains_key("oneOf"));
    }
}

fn text_len(value: &Value) -> usize {
    value.as_str().map_or(0, str::len)
}

/// How many objects stand in one another, references followed; no path enters a definition that it is in.
struct Heights<'a> {
    definitions: Option<&'a Map<String, Value>>,
    /// Nothing while a definition is being measured.
    known: HashMap<&'a str, Option<usize>>,
}

impl<'a> Heights<'a> {
    fn of(schema: &'a Value) -> usize {
        let definitions = schema.get("$defs").and_then(Value::as_object);
        let mut heights = Self { definitions, known: HashMap::new() };
        // Definitions that are reached first from the end of a long chain keep the recursion short.
        for name in definitions.iter().flat_map(|map| map.keys().rev()) {
            heights.definition(name, 0);
        }
        heights.below(schema, 0)
    }

    fn definition(&mut self, name: &str, nested: usize) -> usize {
        let Some((name, schema)) = self.definitions.and_then(|map| map.get_key_value(name)) else { return 0 };
        if let Some(known) = self.known.get(name.as_str()) {
            return known.unwrap_or(0);
        }
        self.known.insert(name, None);
        let height = self.below(schema, nested);
        self.known.insert(name, Some(height));
        height
    }

    fn below(&mut self, schema: &'a Value, nested: usize) -> usize {
        let Some(map) = schema.as_object() else { return 0 };
        if nested > super::document::MOST_LEVELS * 2 {
            // No dialect takes a tenth of this.
            return nested;
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return reference.strip_prefix("#/$defs/").map_or(0, |name| self.definition(name, nested + 1));
        }
        let own = usize::from(map.contains_key("properties"));
        let definitions = self.definitions;
        let members = inner(map).filter(|inner| !is_definition(definitions, map, inner));
        own + members.map(|inner| self.below(inner, nested + 1)).max().unwrap_or(0)
    }
}

/// Whether a schema is one of the definitions of the document, which count where they are used.
fn is_definition(definitions: Option<&Map<String, Value>>, map: &Map<String, Value>, schema: &Value) -> bool {
    let here = map.get("$defs").and_then(Value::as_object);
    match (here, definitions) {
        (Some(here), Some(definitions)) if std::ptr::eq(here, definitions) => {
            here.values().any(|definition| std::ptr::eq(definition, schema))
        }
        _ => false,
    }
}
