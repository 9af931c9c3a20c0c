//! A JSON value that keeps its numbers as they were written.
//!
//! `serde_json::Value` would round numbers beyond 64 bits, drop all but one of several equal
//! keys, and has no place for what is not quite JSON. Here a number is its text until serde
//! reads it into the type that is asked for, so nothing passes through a float on the way.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::check::{Violation, shorten};

/// A member of an object.
pub(super) type Entry<'t> = (Cow<'t, str>, Tree<'t>);

/// A JSON value, or nearly one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree<'t> {
    Null,
    Bool(bool),
    /// A number's JSON text.
    Number(Cow<'t, str>),
    Text(Cow<'t, str>),
    /// A bare token that is not JSON: `high`, `NaN`, `007`, `12,500`. Only a schema can give it a
    /// reading.
    Word(Cow<'t, str>),
    List(Vec<Self>),
    /// The members in order, equal keys included.
    Object(Vec<Entry<'t>>),
}

impl Tree<'_> {
    /// The value in a few words, for messages and records.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(text) => cut(text),
            Self::Word(text) => format!("the bare word `{}`", cut(text)),
            Self::Text(text) => shorten(text),
            Self::List(list) if list.is_empty() => "an empty list".to_owned(),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Object(entries) if entries.is_empty() => "an empty object".to_owned(),
            Self::Object(entries) => {
                let keys: Vec<_> = entries.iter().take(4).map(|(key, _)| cut(key)).collect();
                format!("an object with {}{}", keys.join(", "), if entries.len() > 4 { ", …" } else { "" })
            }
        }
    }

    /// Appends the value as JSON text. A [`Word`](Self::Word) is written as text: callers look
    /// first whether there is any.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) | Self::Word(text) => write_text(text, out),
            Self::List(list) => {
                out.push('[');
                for (i, item) in list.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(entries) => {
                out.push('{');
                for (i, (key, value)) in entries.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The value as `serde_json` has it.
    ///
    /// # Errors
    ///
    /// If a number is too large for it.
    pub(super) fn to_value(&self) -> Result<Value, Violation> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(text) => match number(text) {
                Some(number) => Value::Number(number),
                None => return Err(Violation::new("", "numbers within 64 bits", cut(text))),
            },
            Self::Text(text) | Self::Word(text) => Value::String(text.clone().into_owned()),
            Self::List(list) => Value::Array(list.iter().map(Tree::to_value).collect::<Result<_, _>>()?),
            Self::Object(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    map.insert(key.clone().into_owned(), value.to_value()?);
                }
                Value::Object(map)
            }
        })
    }

    /// How many values there are, this one included.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.iter().map(Tree::count).sum::<usize>(),
            Self::Object(entries) => 1 + entries.iter().map(|(_, value)| value.count()).sum::<usize>(),
            _ => 1,
        }
    }

    /// The value of the member `key`.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Text that holds nothing on the reply, for trees that outlive it.
impl Tree<'_> {
    pub(super) fn into_owned(self) -> Tree<'static> {
        match self {
            Self::Null => Tree::Null,
            Self::Bool(value) => Tree::Bool(value),
            Self::Number(text) => Tree::Number(Cow::Owned(text.into_owned())),
            Self::Text(text) => Tree::Text(Cow::Owned(text.into_owned())),
            Self::Word(text) => Tree::Word(Cow::Owned(text.into_owned())),
            Self::List(list) => Tree::List(list.into_iter().map(Tree::into_owned).collect()),
            Self::Object(entries) => Tree::Object(
                entries.into_iter().map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect(),
            ),
        }
    }
}

impl<'v> From<&'v Value> for Tree<'v> {
    fn from(value: &'v Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(Cow::Owned(number.to_string())),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            Value::Object(map) => {
                Self::Object(map.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), Self::from(value))).collect())
            }
        }
    }
}

/// A number as `serde_json` reads it.
fn number(text: &str) -> Option<Number> {
    // What is nearly always there, without the machinery of a reader.
    match text.parse::<u32>() {
        Ok(number) => Some(Number::from(number)),
        Err(_) => serde_json::from_str(text).ok(),
    }
}

/// Appends a string as JSON text.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let (special, tail) = tail.split_at(1);
        match special.as_bytes()[0] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            byte => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(HEX[usize::from(byte >> 4)] as char);
                out.push(HEX[usize::from(byte & 15)] as char);
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    out.push('"');
}

/// A token, cut to a length that fits a message.
pub(super) fn cut(text: &str) -> String {
    const KEEP: usize = 40;
    let end = if text.len() > KEEP { text.char_indices().nth(KEEP) } else { None };
    match end {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
