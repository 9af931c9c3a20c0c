//! How a reply's text becomes a value: typed, dynamic, or as it stands.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::policy::Verification;
use crate::adapter::ResponseFormat;
use crate::check::CheckContext;
use crate::decode::{DecodeError, DecodeErrorKind, Decoded, Decoder, Finish};
use crate::dialect::{Dialect, Refusal};
use crate::schema::ResponseSchema;

/// How a reply's text becomes a value.
#[allow(unreachable_pub, reason = "a bound of a sealed trait that is public")]
pub trait Read: Send + Sync {
    /// The value.
    type Value: Send;

    /// The value of a text that ended so, or what is wrong with it.
    fn read(&self, text: &str, finish: Finish, context: CheckContext) -> Result<Decoded<Self::Value>, DecodeError>;
}

/// Into a type.
pub(crate) struct Typed<T>(std::marker::PhantomData<fn() -> T>);

impl<T> Typed<T> {
    pub(crate) const fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T: ResponseSchema + DeserializeOwned + Send> Read for Typed<T> {
    type Value = T;

    fn read(&self, text: &str, finish: Finish, context: CheckContext) -> Result<Decoded<T>, DecodeError> {
        Decoder::new().finish(finish).context(context).decode(text)
    }
}

/// Into a JSON value.
pub(crate) struct Dynamic<'s>(Cow<'s, Value>);

impl<'s> Dynamic<'s> {
    /// Values of this format, looked at this closely.
    pub(crate) fn new(format: &'s ResponseFormat, verification: Verification) -> Result<Self, Refusal> {
        schema_of(format).map(|schema| Self::of(schema, verification))
    }

    fn of(schema: Cow<'s, Value>, verification: Verification) -> Self {
        Self(match verification {
            Verification::Full => schema,
            Verification::Envelope => Cow::Owned(envelope(&schema)),
        })
    }
}

#[cfg(feature = "many")]
impl Dynamic<'_> {
    /// The same, with its schema for its own.
    pub(crate) fn into_owned(self) -> Dynamic<'static> {
        Dynamic(Cow::Owned(self.0.into_owned()))
    }
}

impl Read for Dynamic<'_> {
    type Value = Value;

    fn read(&self, text: &str, finish: Finish, context: CheckContext) -> Result<Decoded<Value>, DecodeError> {
        Decoder::new().finish(finish).context(context).decode_value(text, &*self.0)
    }
}

/// Reads a text, with the schema if that is known at run time only.
type ReadWith<T> = fn(&Value, &str, Finish, CheckContext) -> Result<Decoded<T>, DecodeError>;

/// One of the above, for those who hold a reader: the function says nothing of how long a `T` lives.
pub(crate) struct Reader<T> {
    schema: Value,
    read: ReadWith<T>,
}

impl<T: ResponseSchema + DeserializeOwned + Send> Reader<T> {
    /// Into a type.
    pub(crate) fn typed() -> Self {
        Self { schema: Value::Null, read: |_, text, finish, context| Typed::new().read(text, finish, context) }
    }
}

impl Reader<Value> {
    /// Into a value of this JSON Schema, looked at this closely.
    pub(crate) fn dynamic(schema: Value, verification: Verification) -> Self {
        Self {
            schema: Dynamic::of(Cow::Owned(schema), verification).0.into_owned(),
            read: |schema, text, finish, context| Dynamic(Cow::Borrowed(schema)).read(text, finish, context),
        }
    }
}

impl<T: Send> Read for Reader<T> {
    type Value = T;

    fn read(&self, text: &str, finish: Finish, context: CheckContext) -> Result<Decoded<T>, DecodeError> {
        (self.read)(&self.schema, text, finish, context)
    }
}

/// The text as it stands; with a schema, only if it holds a value of that.
pub(crate) struct Text<'s>(pub(crate) Option<Dynamic<'s>>);

impl Read for Text<'_> {
    type Value = String;

    fn read(&self, text: &str, finish: Finish, context: CheckContext) -> Result<Decoded<String>, DecodeError> {
        let repairs = match &self.0 {
            Some(dynamic) => dynamic.read(text, finish, context)?.repairs,
            None if finish == Finish::Length => return Err(DecodeError::new(DecodeErrorKind::CutShort)),
            None if text.trim().is_empty() => return Err(DecodeError::new(DecodeErrorKind::Empty)),
            None => Vec::new(),
        };
        Ok(Decoded { value: text.to_owned(), repairs, span: 0..text.len() })
    }
}

/// The schema of a format as a document: what was given, or the type's with every rule in it.
pub(crate) fn schema_of(format: &ResponseFormat) -> Result<Cow<'_, Value>, Refusal> {
    if let Some(schema) = format.given() {
        return Ok(Cow::Borrowed(schema));
    }
    let text = format.wire(&Dialect::GUIDANCE)?.json;
    Ok(Cow::Owned(serde_json::from_str(&text).unwrap_or(Value::Bool(true))))
}

/// What an envelope is held to: the kind of the root, an object if nothing else is said, and the keys that
/// must be there.
fn envelope(schema: &Value) -> Value {
    let mut required = Vec::new();
    let root = target(schema, schema);
    gather(schema, root, 0, &mut required);
    let members: Map<String, Value> = required.iter().map(|key| ((*key).to_owned(), json!({}))).collect();
    let kind = root.get("type").cloned().unwrap_or_else(|| json!("object"));
    json!({ "type": kind, "properties": members, "required": required })
}

/// Adds the keys that a schema requires of its object, those of its `allOf` included.
fn gather<'s>(document: &'s Value, schema: &'s Value, depth: usize, required: &mut Vec<&'s str>) {
    const DEEP: usize = 16;
    let keys = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for key in keys {
        if !required.contains(&key) {
            required.push(key);
        }
    }
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    for part in parts.filter(|_| depth < DEEP) {
        gather(document, target(document, part), depth + 1, required);
    }
}

/// What a reference inside the document leads to; the schema itself if it is none.
fn target<'s>(document: &'s Value, schema: &'s Value) -> &'s Value {
    const HOPS: usize = 32;
    let mut here = schema;
    for _ in 0..HOPS {
        let reference = here.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        match reference.and_then(|pointer| document.pointer(pointer)) {
            Some(next) => here = next,
            None => break,
        }
    }
    here
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::envelope;

    #[test]
    fn an_envelope_asks_for_keys_and_no_more() {
        let schema = json!({
            "$ref": "#/$defs/Plan",
            "$defs": {
                "Plan": {"allOf": [{"$ref": "#/$defs/Named"}, {"required": ["steps", "name"]}], "required": ["goal"]},
                "Named": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
            },
        });
        assert_eq!(envelope(&schema)["required"], json!(["goal", "name", "steps"]));
        assert_eq!(envelope(&json!({"type": "array"}))["type"], "array");
        assert_eq!(envelope(&json!(true))["type"], "object");
        // A reference to itself has an end.
        assert_eq!(envelope(&json!({"$ref": "#"}))["required"], json!([]));
    }
}
