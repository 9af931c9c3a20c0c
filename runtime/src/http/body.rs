//! The body of a request, written field by field.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::adapter::{CallError, CallErrorKind};

/// A JSON object that is written field by field, straight into its text. The caller's extra fields replace those of
/// the same name.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    text: Vec<u8>,
    extra: &'a Map<String, Value>,
}

impl<'a> Body<'a> {
    pub(crate) fn new(extra: &'a Map<String, Value>) -> Self {
        Self { text: Vec::with_capacity(1024), extra }
    }

    /// One more field.
    pub(crate) fn field(&mut self, name: &str, value: impl Serialize) -> Result<(), CallError> {
        if self.extra.contains_key(name) { Ok(()) } else { self.write(name, value) }
    }

    /// One more field, if there is a value.
    pub(crate) fn optional(&mut self, name: &str, value: Option<impl Serialize>) -> Result<(), CallError> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    fn write(&mut self, name: &str, value: impl Serialize) -> Result<(), CallError> {
        let unwritable = |error| {
            CallError::new(CallErrorKind::InvalidRequest, format!("the field `{name}` cannot be written as JSON"))
                .with_source(error)
        };
        self.text.push(if self.text.is_empty() { b'{' } else { b',' });
        serde_json::to_writer(&mut self.text, name).map_err(unwritable)?;
        self.text.push(b':');
        serde_json::to_writer(&mut self.text, &value).map_err(unwritable)
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, CallError> {
        for (name, value) in self.extra {
            self.write(name, value)?;
        }
        if self.text.is_empty() {
            self.text.push(b'{');
        }
        self.text.push(b'}');
        Ok(self.text)
    }
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
}
