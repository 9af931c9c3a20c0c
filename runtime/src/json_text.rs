//! Any JSON, as text in a string: `#[serde(with = "response_schema::json_text")]`.
//!
//! A strict schema has no way to say "any value". On the wire such a field becomes a string that
//! holds JSON text; in Rust it is a [`serde_json::Value`], or any other type that serde knows:
//!
//! ```
//! # use serde::Deserialize;
//! #[derive(Deserialize)]
//! struct Call {
//!     tool: String,
//!     /// The tool's arguments.
//!     #[serde(with = "response_schema::json_text")]
//!     arguments: serde_json::Value,
//! }
//!
//! let call: Call = serde_json::from_str(r#"{"tool": "add", "arguments": "{\"a\": 1, \"b\": 2}"}"#)?;
//! assert_eq!(call.arguments["b"], 2);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! No value is the text `null`; a field of type `Option<…>` is `None` then.
//!
//! A model that nobody holds to the schema may write the value itself, without the string around it. Where that is no
//! string there is only one thing it can mean, and it is read as that: `"arguments": {"a": 1}`, and `null` for no value. A
//! string always holds JSON text.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::check::{Checks, Path, Violations, shorten};
use crate::schema::ResponseSchema;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema};
use crate::schema::rules::{JSON_TEXT, Rules};

/// The schema of JSON text in a string.
///
/// The derive puts it in the place of a field with `#[serde(with = "response_schema::json_text")]`.
/// It has no values.
#[derive(Debug)]
pub struct JsonText(());

impl ResponseSchema for JsonText {
    const SCHEMA: SchemaRef =
        SchemaRef::new(&Schema::plain("JsonText", Kind::String).rules(&Rules { format: JSON_TEXT, ..Rules::new() }));
}

/// Reads a value from JSON text in a string, or from the value itself if it is no string.
pub fn deserialize<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    if !deserializer.is_human_readable() {
        return deserializer.deserialize_str(TextVisitor(PhantomData));
    }
    match Value::deserialize(deserializer)? {
        Value::String(text) => parse(&text),
        value => T::deserialize(value).map_err(D::Error::custom),
    }
}

/// Writes a value as JSON text in a string.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Serialize + ?Sized,
    S: Serializer,
{
    serializer.serialize_str(&serde_json::to_string(value).map_err(serde::ser::Error::custom)?)
}

/// Adds what is wrong with the text of a value by the rules of its field (`max_length`, `pattern`).
pub fn check_rules<T: Serialize + ?Sized>(value: &T, checks: Checks, at: Path<'_>, found: &mut Violations) {
    if let Ok(text) = serde_json::to_string(value) {
        checks.text(&text, at, found);
    }
}

/// For formats that are not for people, which cannot say what comes next.
struct TextVisitor<T>(PhantomData<T>);

impl<T: DeserializeOwned> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string that holds JSON text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        parse(text)
    }
}

fn parse<T: DeserializeOwned, E: Error>(text: &str) -> Result<T, E> {
    serde_json::from_str(text).map_err(|error| {
        // The place inside the text must not be taken for one in the reply.
        let (line, column) = (error.line(), error.column());
        let full = error.to_string();
        let reason = full.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&full);
        let place = if line > 1 { format!("line {line}, column {column}") } else { format!("column {column}") };
        E::custom(format_args!("the string must hold JSON text, but at its {place}: {reason}; it is {}", shorten(text)))
    })
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, from_str, json, to_value};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Free {
        #[serde(with = "crate::json_text")]
        any: Value,
        #[serde(with = "crate::json_text")]
        maybe: Option<Vec<u8>>,
    }

    #[test]
    fn values_come_back_as_they_went() {
        for (wire, free) in [
            (
                json!({"any": "{\"a\":[1,null]}", "maybe": "[1,2]"}),
                Free { any: json!({"a": [1, null]}), maybe: Some(vec![1, 2]) },
            ),
            (json!({"any": "null", "maybe": "null"}), Free { any: Value::Null, maybe: None }),
            (json!({"any": "\"text\"", "maybe": "[]"}), Free { any: json!("text"), maybe: Some(vec![]) }),
        ] {
            assert_eq!(serde_json::from_value::<Free>(wire.clone()).expect("free JSON"), free);
            assert_eq!(to_value(&free).expect("json"), wire);
        }
    }

    #[test]
    fn a_value_without_the_string_around_it_is_read() {
        for (wire, free) in [
            (
                json!({"any": {"a": [1, null]}, "maybe": [1, 2]}),
                Free { any: json!({"a": [1, null]}), maybe: Some(vec![1, 2]) },
            ),
            (json!({"any": null, "maybe": null}), Free { any: Value::Null, maybe: None }),
            (json!({"any": true, "maybe": []}), Free { any: json!(true), maybe: Some(vec![]) }),
            (json!({"any": -1.5, "maybe": "[3]"}), Free { any: json!(-1.5), maybe: Some(vec![3]) }),
        ] {
            assert_eq!(from_str::<Free>(&wire.to_string()).expect("free JSON"), free);
        }
    }

    #[test]
    fn what_is_no_json_text_is_refused_in_words() {
        for (wire, said) in [
            (
                r#"{"any": "{broken", "maybe": "null"}"#,
                "must hold JSON text, but at its column 2: key must be a string; it is \"{broken\"",
            ),
            (r#"{"any": "", "maybe": "null"}"#, "EOF while parsing a value"),
            (r#"{"any": 1, "maybe": [300]}"#, "expected u8"),
            (r#"{"any": "1", "maybe": "[300]"}"#, "expected u8"),
        ] {
            let error = from_str::<Free>(wire).expect_err(wire).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
