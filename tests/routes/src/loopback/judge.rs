//! Reading a request as a provider reads it.

use serde_json::{Map, Value};

use super::exchange::{Fail, Failure};

pub(super) type Judged<T> = Result<T, Failure>;

/// The request is wrong, in these words.
pub(super) fn wrong<T>(message: impl Into<String>) -> Judged<T> {
    Err(invalid(message))
}

pub(super) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(Fail::InvalidRequest).message(message)
}

/// The fields of an object that are not null.
pub(super) fn present(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.as_str(), value))
}

/// The first field that is not among the known ones, and is not null.
pub(super) fn unknown<'a>(value: &'a Value, known: &[&str]) -> Option<&'a str> {
    present(value).map(|(key, _)| key).find(|key| !known.contains(key))
}

/// A field that is there and is not null.
pub(super) fn field<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|value| !value.is_null())
}

/// A field that is text.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// A field that is a list.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A field that is an object.
pub(super) fn object<'a>(value: &'a Value, key: &str) -> Option<&'a Map<String, Value>> {
    value.get(key).and_then(Value::as_object)
}

/// Whether a name fits `[A-Za-z0-9_-]{1,64}`.
pub(super) fn name_fits(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}
