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
    let depth = if limits.depth == usize::MAX { 0 } else { Heights::of(schema) };
    let document = if limits.document == usize::MAX { 0 } else { schema.to_string().len() };
    let Counts { properties, enum_values, names, unions, optionals } = counts;
    let exceeded = [
        (properties, limits.properties, "parameters", "split the schema into several requests"),
        (
            depth,
            limits.depth,
            "levels of nesting",
            "carry inner objects as a list beside each other, linked by an identifier",
        ),
        (enum_values, limits.enum_values, "enum values", "write the values into the description of a plain string"),
        (names, limits.names, "bytes of property names, definition names and enum values", "shorten the names"),
        (document, limits.document, "bytes of schema", "shorten names and descriptions"),
    ];
    let mut over = Vec::new();
    let mut exceeds = |text: String, remedy: &'static str| {
        over.push(Departure::new(String::new(), Rule::Limit, Fate::Stays, text, remedy));
    };
    for (found, limit, what, remedy) in exceeded {
        if found > limit {
            exceeds(format!("{found} {what} exceeds limit of {limit}"), remedy);
        }
    }
    if unions > limits.unions {
        let found = format!(
            "too many parameters with union types ({unions} parameters with type arrays or anyOf; limit: {} parameters with unions)",
            limits.unions
        );
        exceeds(found, "let properties be left out instead of being null, or split the schema");
    }
    if optionals > limits.optionals {
        let found = format!("too many optional parameters ({optionals}; limit: {})", limits.optionals);
        exceeds(found, "require some of the properties, or split the schema");
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

/// Calls `visit` with each schema right inside a schema.
fn inside<'a>(map: &'a Map<String, Value>, mut visit: impl FnMut(&'a str, &'a Value)) {
    // One look at each member is far less than a look-up for each keyword.
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(members)) => members.values().for_each(|one| visit(key, one)),
            ("anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(list)) => {
                for one in list {
                    visit(key, one);
                }
            }
            ("items" | "additionalProperties" | "additionalItems", Value::Object(_)) => visit(key, value),
            _ => {}
        }
    }
}

impl Counts {
    fn of(schema: &Value) -> Self {
        let mut counts = Self::default();
        let mut open = vec![schema];
        while let Some(next) = open.pop() {
            let Some(map) = next.as_object() else { continue };
            counts.add(map);
            inside(map, |_, inner| open.push(inner));
        }
        counts
    }

    fn add(&mut self, map: &Map<String, Value>) {
        let (mut properties, mut required, mut union) = (0, 0, false);
        for (key, value) in map {
            match (key.as_str(), value) {
                ("properties", Value::Object(members)) => {
                    properties = members.len();
                    self.names += members.keys().map(String::len).sum::<usize>();
                }
                ("required", Value::Array(names)) => required = names.len(),
                ("$defs", Value::Object(members)) => self.names += members.keys().map(String::len).sum::<usize>(),
                ("enum", Value::Array(values)) => {
                    self.enum_values += values.len();
                    self.names += values.iter().map(text_len).sum::<usize>();
                }
                ("const", value) => {
                    self.enum_values += 1;
                    self.names += text_len(value);
                }
                ("type", Value::Array(_)) | ("anyOf" | "oneOf", _) => union = true,
                _ => {}
            }
        }
        self.properties += properties;
        self.optionals += properties.saturating_sub(required);
        self.unions += usize::from(union);
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
        let mut most = 0;
        inside(map, |key, inner| {
            // Definitions count where they are used.
            if key != "$defs" {
                most = most.max(self.below(inner, nested + 1));
            }
        });
        own + most
    }
}
