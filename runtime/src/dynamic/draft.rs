//! The schema that is being written, before it is JSON.
//!
//! Most of what goes into it stands in the document, and is borrowed. It becomes JSON once it is known that
//! somebody gets it: making the maps of JSON takes longer than finding out what goes into them.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::definitions::Definitions;

/// The members of an object, each name once.
pub(super) type Fields<'a> = Vec<(&'a str, Draft<'a>)>;

/// A part of the schema that is being written.
#[derive(Debug)]
pub(super) enum Draft<'a> {
    Bool(bool),
    Size(u64),
    Number(&'a Number),
    Text(Cow<'a, str>),
    /// A value of the document, as it stands there.
    Given(&'a Value),
    /// A list of values of the document.
    Values(Vec<&'a Value>),
    List(Vec<Draft<'a>>),
    Object(Fields<'a>),
    /// `{"$ref": …}` to a node of the graph of references; see [`Definitions::reference`].
    Reference(usize),
}

impl Draft<'_> {
    /// `{"type": "null"}`
    pub(super) fn null() -> Self {
        Self::Object(vec![("type", "null".into())])
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Object(fields) if matches!(&fields[..], [("type", Self::Text(name))] if name == "null"))
    }

    /// Whether every value satisfies it.
    pub(super) fn is_any(&self) -> bool {
        match self {
            Self::Bool(any) => *any,
            Self::Object(fields) => fields.is_empty(),
            _ => false,
        }
    }

    pub(super) fn to_value(&self, definitions: &Definitions<'_>) -> Value {
        match self {
            Self::Bool(value) => Value::Bool(*value),
            Self::Size(size) => Value::from(*size),
            Self::Number(number) => Value::Number((*number).clone()),
            Self::Text(text) => Value::from(text.as_ref()),
            Self::Given(value) => (*value).clone(),
            Self::Values(values) => values.iter().map(|value| (*value).clone()).collect(),
            Self::List(list) => list.iter().map(|one| one.to_value(definitions)).collect(),
            Self::Object(fields) => {
                let mut map = Map::with_capacity(fields.len());
                for (key, value) in fields {
                    map.insert((*key).to_owned(), value.to_value(definitions));
                }
                Value::Object(map)
            }
            Self::Reference(node) => {
                Value::Object(Map::from_iter([("$ref".to_owned(), Value::String(definitions.reference(*node)))]))
            }
        }
    }

    /// How many bytes it has as JSON text.
    pub(super) fn text_len(&self, definitions: &Definitions<'_>) -> usize {
        match self {
            Self::Bool(value) => value.to_string().len(),
            Self::Size(size) => size.to_string().len(),
            Self::Number(number) => number.to_string().len(),
            Self::Text(text) => quoted_len(text),
            Self::Given(value) => value.to_string().len(),
            Self::Values(values) => list_len(values.iter().map(|value| value.to_string().len())),
            Self::List(list) => list_len(list.iter().map(|one| one.text_len(definitions))),
            Self::Object(fields) => {
                list_len(fields.iter().map(|(key, value)| quoted_len(key) + 1 + value.text_len(definitions)))
            }
            Self::Reference(node) => r#"{"$ref":""}"#.len() + definitions.reference(*node).len(),
        }
    }
}

fn quoted_len(text: &str) -> usize {
    Value::from(text).to_string().len()
}

/// The length of a list or object, given those of its elements.
pub(super) fn list_len(elements: impl Iterator<Item = usize>) -> usize {
    let (count, all) = elements.fold((0, 0), |(count, all), one| (count + 1, all + one));
    // The brackets, and a comma between each two.
    2 + all + usize::saturating_sub(count, 1)
}

impl From<bool> for Draft<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u64> for Draft<'_> {
    fn from(size: u64) -> Self {
        Self::Size(size)
    }
}

impl<'a> From<&'a Number> for Draft<'a> {
    fn from(number: &'a Number) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Draft<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Draft<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<Vec<Draft<'a>>> for Draft<'a> {
    fn from(list: Vec<Draft<'a>>) -> Self {
        Self::List(list)
    }
}

impl<'a> From<Fields<'a>> for Draft<'a> {
    fn from(fields: Fields<'a>) -> Self {
        Self::Object(fields)
    }
}
