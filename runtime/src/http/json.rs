//! What the parsers of replies share.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

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
