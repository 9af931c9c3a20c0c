//! One type between its schema, a validator and serde.

use jsonschema::Validator;
use response_schema::ResponseSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::pool::pool;

/// A row of the table, tried.
pub(crate) struct Row {
    /// The type, as the table spells it.
    pub(crate) name: &'static str,
    /// Its schema, as the code renders it.
    pub(crate) schema: String,
    /// Its name on the wire, as part of the name of a generic type.
    pub(crate) wire_name: &'static str,
}

/// Rows: a type, values of it, JSON that neither side takes, and JSON that the schema takes and
/// serde does not.
macro_rules! rows {
    ($($name:literal: $type:ty = $values:expr; not [$($refused:tt),*] $(but [$($excepted:tt),*])?)*) => {
        vec![$($crate::trial::trial::<$type>($name, Vec::from($values), vec![$(serde_json::json!($refused)),*], &[$($(serde_json::json!($excepted)),*)?])),*]
    };
}

pub(crate) use rows;

/// Tries a type: on values of it, on JSON that both sides must refuse, and on a pool of JSON in
/// which the schema must take nothing that serde refuses, but for what `excepted` names.
#[track_caller]
pub(crate) fn trial<T>(name: &'static str, values: Vec<T>, refused: Vec<Value>, excepted: &[Value]) -> Row
where
    T: ResponseSchema + Serialize + DeserializeOwned,
{
    trial_by(name, values, refused, excepted, serde_json::from_value::<T>)
}

/// [`trial`] with another way to read the type.
#[track_caller]
pub(crate) fn trial_by<T, R>(
    name: &'static str,
    values: Vec<T>,
    refused: Vec<Value>,
    excepted: &[Value],
    read: impl Fn(Value) -> serde_json::Result<R>,
) -> Row
where
    T: ResponseSchema + Serialize,
{
    let (schema, validator) = schema_of::<T>();
    let takes = |value: &Value| validator.is_valid(value);
    for value in values {
        let wire = serde_json::to_value(&value).expect("serializes");
        assert!(takes(&wire), "the schema of {name} refuses its own {wire}\n{schema}");
        assert!(read(wire.clone()).is_ok(), "{name} does not come back from {wire}");
    }
    for value in refused {
        assert!(!takes(&value), "the schema of {name} takes {value}\n{schema}");
        assert!(read(value.clone()).is_err(), "{name} takes {value}");
    }
    for value in excepted {
        assert!(takes(value) && read(value.clone()).is_err(), "{value} is no exception of {name}");
    }
    for value in pool() {
        if takes(&value)
            && !excepted.contains(&value)
            && let Err(error) = read(value.clone())
        {
            panic!("the schema of {name} takes {value}, serde does not: {error}\n{schema}");
        }
    }
    Row { name, schema, wire_name: response_schema::name::<T>() }
}

/// A type's schema without the object that is wrapped around it at the root, and a validator for it.
fn schema_of<T: ResponseSchema>() -> (String, Validator) {
    let document = response_schema::json::<T>();
    let parsed: Value = serde_json::from_str(document).expect("the schema is JSON");
    let opening = r#"{"type":"object","properties":{"value":"#;
    let closing = r#"},"required":["value"],"additionalProperties":false}"#;
    let inner = document.strip_prefix(opening).and_then(|rest| rest.strip_suffix(closing));
    let schema = match inner {
        Some(_) => parsed["properties"]["value"].clone(),
        None => parsed,
    };
    let dialect = json!("https://json-schema.org/draft/2020-12/schema");
    let mut with_dialect = schema;
    with_dialect["$schema"] = dialect;
    let validator = jsonschema::options().should_validate_formats(true).build(&with_dialect).expect("a schema");
    (inner.unwrap_or(document).to_owned(), validator)
}
