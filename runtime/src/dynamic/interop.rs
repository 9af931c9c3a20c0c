//! The way to schemars and back.
//!
//! `schemars::Schema`s are judged and written like any JSON. A derived type gives one ([`schema_for`]), and with
//! `#[response(json_schema)]` implements `schemars::JsonSchema`, so that what is written for that trait takes it. What
//! others read is not wrapped: an enum at the root stands there as serde reads it.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::AsSchema;
use crate::dialect::Prompt;
use crate::schema::shape::is_plain_object;
use crate::schema::{ResponseSchema, json_for, name};

impl super::sealed::Sealed for Schema {}

impl AsSchema for Schema {
    fn as_schema(&self) -> &Value {
        self.as_value()
    }
}

/// The schema of a type as schemars has it: with every rule, and not wrapped in an object.
///
/// Its `title` is the schema's name. Properties are in the order of `serde_json`'s map; see the feature `preserve_order`
/// of schemars.
///
/// ```
/// let schema = response_schema::dynamic::schema_for::<Vec<bool>>();
/// assert_eq!(schema.get("type"), Some(&"array".into()));
/// ```
#[must_use]
pub fn schema_for<T: ResponseSchema + ?Sized>() -> Schema {
    let (mut schema, definitions) = plain::<T>();
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema.entry("title").or_insert_with(|| Value::from(name::<T>()));
    schema.into()
}

/// The schema of a type for a generator, which gets the definitions behind it.
pub(crate) fn add_to<T: ResponseSchema + ?Sized>(generator: &mut SchemaGenerator) -> Schema {
    let (schema, definitions) = plain::<T>();
    let path = generator.settings().definitions_path.trim_start_matches('#').trim_end_matches('/').to_owned();
    let known = generator.definitions_mut();
    let mut names = Map::new();
    for (name, definition) in &definitions {
        // Another type may have taken the name; the same definition is shared.
        let taken = |name: &str| known.get(name).is_some_and(|other| *other != moved(definition, &path, &Map::new()));
        let mut free = name.clone();
        let mut suffix = 2;
        while taken(&free) || (free != *name && definitions.contains_key(&free)) {
            free = format!("{name}{suffix}");
            suffix += 1;
        }
        names.insert(name.clone(), Value::String(free));
    }
    for (name, definition) in &definitions {
        let free = names.get(name).and_then(Value::as_str).unwrap_or(name);
        known.insert(free.to_owned(), moved(definition, &path, &names));
    }
    match moved(&Value::Object(schema), &path, &names) {
        Value::Object(schema) => schema.into(),
        _ => true.into(),
    }
}

/// Tells types apart.
pub(crate) fn schema_id<T: ResponseSchema + ?Sized>() -> String {
    format!("{}@{:x}", name::<T>(), T::SCHEMA.get().place)
}

/// The schema, and the definitions that it refers to as `#/$defs/…`.
fn plain<T: ResponseSchema + ?Sized>() -> (Map<String, Value>, Map<String, Value>) {
    let text = json_for::<T, Prompt>();
    let Ok(Value::Object(mut document)) = serde_json::from_str(text) else {
        return (Map::new(), Map::new());
    };
    let definitions = match document.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    if !is_plain_object(T::SCHEMA)
        && let Some(Value::Object(properties)) = document.get_mut("properties")
        && let Some(Value::Object(value)) = properties.remove("value")
    {
        return (value, definitions);
    }
    (document, definitions)
}

/// A schema with its references leading to where a generator keeps definitions.
fn moved(schema: &Value, path: &str, names: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(map) => {
            let member = |(key, value): (&String, &Value)| {
                let value = match (key.as_str(), value) {
                    ("$ref", Value::String(reference)) => match reference.strip_prefix("#/$defs/") {
                        Some(name) => {
                            format!("#{path}/{}", names.get(name).and_then(Value::as_str).unwrap_or(name)).into()
                        }
                        None => value.clone(),
                    },
                    // Names, and values that are no schemas.
                    ("properties", Value::Object(properties)) => {
                        properties.iter().map(|(key, value)| (key.clone(), moved(value, path, names))).collect()
                    }
                    ("enum", _) => value.clone(),
                    _ => moved(value, path, names),
                };
                (key.clone(), value)
            };
            map.iter().map(member).collect()
        }
        Value::Array(list) => list.iter().map(|value| moved(value, path, names)).collect(),
        _ => schema.clone(),
    }
}
