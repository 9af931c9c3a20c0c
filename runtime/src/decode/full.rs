//! A dynamic value against all of its JSON Schema, by a validator made for that.
//!
//! The plan knows what guides repairs. What else a schema may say (conditions, `not`, counts of keys,
//! look-ahead in patterns) is looked at here, after repair.

use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;

use super::error::{DecodeError, DecodeErrorKind};
use crate::check::{Violation, Violations, push_index, push_key};

/// The validator of a schema, made when the first value is there; or why there is none.
#[derive(Debug, Default)]
pub(super) struct Full(OnceLock<Result<Validator, String>>);

impl Full {
    /// Holds a value to its schema, the same at each call.
    ///
    /// # Errors
    ///
    /// If anything is wrong with the value, or the schema itself is none.
    pub(super) fn check(&self, value: &Value, schema: &Value) -> Result<(), DecodeError> {
        let mut violations = Violations::new();
        match self.0.get_or_init(|| jsonschema::validator_for(schema).map_err(|error| error.to_string())) {
            Ok(validator) => {
                for error in validator.iter_errors(value) {
                    let path = path(value, &error.instance_path().to_string());
                    violations.push(Violation::says(path, error.to_string()));
                }
            }
            Err(why) => violations.push(Violation::says("", format!("the schema is not valid: {why}"))),
        }
        if violations.is_empty() { Ok(()) } else { Err(DecodeError::because(DecodeErrorKind::Invalid, violations)) }
    }
}

/// A JSON pointer in the words of our paths.
fn path(root: &Value, pointer: &str) -> String {
    let mut path = String::new();
    let mut here = Some(root);
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        match (here, step.parse()) {
            (Some(Value::Array(items)), Ok(index)) => {
                push_index(&mut path, index);
                here = items.get(index);
            }
            (value, _) => {
                push_key(&mut path, &step);
                here = value.and_then(|value| value.get(&step));
            }
        }
    }
    path
}
