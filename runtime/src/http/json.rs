//! What the parsers of replies share.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::adapter::CallError;
use crate::http::body::raw;

/// `null` as the default: servers write it for what is absent.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The text at a key; empty where there is none.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The arguments of a tool call as JSON text. Some send nothing for no arguments, and some an object.
pub(crate) fn arguments(value: &Value) -> String {
    match value {
        Value::Null => "{}".to_owned(),
        Value::String(text) if text.trim().is_empty() => "{}".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The arguments of a tool call for a wire that takes nothing but an object. What is none stands in one as text, so that
/// the model sees what it wrote.
pub(crate) fn object(arguments: &str) -> Result<Box<RawValue>, CallError> {
    let text = arguments.trim();
    if text.is_empty() {
        return raw("{}");
    }
    if text.starts_with('{') && serde_json::from_str::<&RawValue>(text).is_ok() {
        return raw(text);
    }
    raw(json!({ "unparsed": arguments }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_an_object_and_nothing_is_lost() {
        let object = |text| object(text).unwrap().get().to_owned();
        assert_eq!(object(" "), "{}");
        assert_eq!(object(r#" {"a": 1.50} "#), r#"{"a": 1.50}"#);
        assert_eq!(object(r#"{"a":"#), r#"{"unparsed":"{\"a\":"}"#);
        assert_eq!(object("[1]"), r#"{"unparsed":"[1]"}"#);
    }
}
