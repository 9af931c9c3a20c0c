//! The body of a request, written field by field.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::adapter::{CallError, CallErrorKind};

/// A JSON object that is written field by field, straight into its text.
///
/// The caller's extra fields replace those of the same name, with one exception: the field that carries a schema, for
/// a schema must not vanish unseen. Objects inside ([`nested`](Self::nested)) take extra fields of their own, so that
/// `text.verbosity` goes beside the `text.format` that is written here.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    text: Vec<u8>,
    extra: Cow<'a, Map<String, Value>>,
    /// Extra fields that were written in their place.
    done: Vec<&'static str>,
    /// A schema was written.
    has_schema: bool,
}

impl<'a> Body<'a> {
    pub(crate) fn new(extra: &'a Map<String, Value>) -> Self {
        Self { text: Vec::with_capacity(1024), extra: Cow::Borrowed(extra), done: Vec::new(), has_schema: false }
    }

    /// Whether an extra field stands in for the one of this name.
    pub(crate) fn is_replaced(&self, name: &str) -> bool {
        self.extra.contains_key(name)
    }

    /// One more field.
    pub(crate) fn field(&mut self, name: &str, value: impl Serialize) -> Result<(), CallError> {
        if self.extra.contains_key(name) { Ok(()) } else { self.write(name, value) }
    }

    /// One more field, if there is a value.
    pub(crate) fn optional(&mut self, name: &str, value: Option<impl Serialize>) -> Result<(), CallError> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    /// The field that carries the schema of the reply, or the tools.
    pub(crate) fn schema(&mut self, name: &str, value: impl Serialize) -> Result<(), CallError> {
        if self.extra.contains_key(name) {
            return Err(CallError::new(
                CallErrorKind::InvalidRequest,
                format!("the extra field `{name}` would replace the one that carries a schema; leave one of them out"),
            ));
        }
        self.has_schema = true;
        self.write(name, value)
    }

    /// An object for the field of this name, with its extra fields; [`object`](Self::object) puts it in.
    pub(crate) fn nested(&self, name: &str) -> Body<'a> {
        let extra = match &self.extra {
            Cow::Borrowed(extra) => extra.get(name).and_then(Value::as_object).map(Cow::Borrowed),
            Cow::Owned(extra) => extra.get(name).and_then(Value::as_object).cloned().map(Cow::Owned),
        };
        Body { text: Vec::new(), extra: extra.unwrap_or_default(), done: Vec::new(), has_schema: false }
    }

    /// Puts an object in, if there is anything in it.
    pub(crate) fn object(&mut self, name: &'static str, nested: Body<'_>) -> Result<(), CallError> {
        if self.extra.get(name).is_some_and(|extra| !extra.is_object()) {
            // It is replaced as a whole.
            return if nested.has_schema { self.schema(name, ()) } else { Ok(()) };
        }
        if nested.text.is_empty() && nested.extra.is_empty() {
            return Ok(());
        }
        self.done.push(name);
        let text = nested.finish()?;
        self.key(name)?;
        self.text.extend_from_slice(&text);
        Ok(())
    }

    fn write(&mut self, name: &str, value: impl Serialize) -> Result<(), CallError> {
        self.key(name)?;
        serde_json::to_writer(&mut self.text, &value).map_err(|error| unwritable(name, error))
    }

    fn key(&mut self, name: &str) -> Result<(), CallError> {
        self.text.push(if self.text.is_empty() { b'{' } else { b',' });
        serde_json::to_writer(&mut self.text, name).map_err(|error| unwritable(name, error))?;
        self.text.push(b':');
        Ok(())
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, CallError> {
        let extra = std::mem::take(&mut self.extra);
        for (name, value) in extra.iter().filter(|(name, _)| !self.done.contains(&name.as_str())).collect::<Vec<_>>() {
            self.write(name, value)?;
        }
        if self.text.is_empty() {
            self.text.push(b'{');
        }
        self.text.push(b'}');
        Ok(self.text)
    }
}

fn unwritable(name: &str, error: serde_json::Error) -> CallError {
    CallError::new(CallErrorKind::InvalidRequest, format!("the field `{name}` cannot be written as JSON"))
        .with_source(error)
}

/// The text of a schema as a part of a body: its bytes go out as they are, in the order of its properties.
pub(crate) fn raw(json: impl Into<String>) -> Result<Box<RawValue>, CallError> {
    RawValue::from_string(json.into())
        .map_err(|error| CallError::new(CallErrorKind::InvalidRequest, "the schema is not JSON").with_source(error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn extra_fields_replace_ours_and_schemas_keep_their_order() {
        let extra = json!({"seed": {"own": true}, "zoo": null});
        let mut body = Body::new(extra.as_object().unwrap());
        body.field("model", "a\"b").unwrap();
        body.field("seed", 4).unwrap();
        body.optional("stop", None::<u8>).unwrap();
        body.field("schema", raw(r#"{"z": 1.50, "a": "\u00e9"}"#).unwrap()).unwrap();
        let text = String::from_utf8(body.finish().unwrap()).unwrap();
        assert_eq!(text, r#"{"model":"a\"b","schema":{"z": 1.50, "a": "\u00e9"},"seed":{"own":true},"zoo":null}"#);
        assert_eq!(Body::new(&Map::new()).finish().unwrap(), b"{}");
        assert!(raw("{").is_err());
    }

    #[test]
    fn extra_fields_go_beside_ours_and_never_replace_a_schema() {
        let extra = json!({"text": {"verbosity": "low"}, "format": 1, "plain": 2});
        let mut body = Body::new(extra.as_object().unwrap());
        let mut text = body.nested("text");
        text.schema("format", json!({"strict": true})).unwrap();
        body.object("text", text).unwrap();
        let none = body.nested("reasoning");
        body.object("reasoning", none).unwrap();
        assert!(body.schema("format", ()).unwrap_err().to_string().contains("`format`"));
        let mut plain = body.nested("plain");
        plain.field("a", 1).unwrap();
        body.object("plain", plain).unwrap();
        let mut plain = body.nested("plain");
        plain.schema("a", 1).unwrap();
        assert!(body.object("plain", plain).is_err());
        let text = String::from_utf8(body.finish().unwrap()).unwrap();
        assert_eq!(text, r#"{"text":{"format":{"strict":true},"verbosity":"low"},"format":1,"plain":2}"#);
    }
}
