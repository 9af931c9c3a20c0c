//! A JSON Schema validator: the crate `jsonschema`, draft 2020-12, formats asserted.

use std::fmt;

use serde_json::Value;

/// A schema to judge instances by.
pub struct Validator(jsonschema::Validator);

impl Validator {
    /// From a schema's text; refuses what the draft's meta-schema does not admit.
    pub fn new(schema: &str) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(schema).map_err(|error| format!("not JSON: {error}"))?;
        jsonschema::draft202012::meta::validate(&schema).map_err(|error| format!("not a schema: {error}"))?;
        let validator = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(false)
            .build(&schema)
            .map_err(|error| format!("not a usable schema: {error}"))?;
        Ok(Self(validator))
    }

    /// Whether an instance satisfies the schema; or why not, and where.
    pub fn judge(&self, instance: &str) -> Result<(), String> {
        let instance: Value = serde_json::from_str(instance).map_err(|error| format!("not JSON: {error}"))?;
        self.0.validate(&instance).map_err(|error| format!("at {:?}: {error}", error.instance_path().to_string()))
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").finish_non_exhaustive()
    }
}
