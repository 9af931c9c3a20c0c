//! The keywords of one schema that are read, found in one pass over its members.

use serde_json::{Map, Value};

use crate::decode::plan::limits::{Edge as Bound, Limits, Pattern};

/// The keywords of a schema.
#[derive(Default)]
pub(super) struct Words<'s> {
    pub(super) reference: Option<&'s str>,
    pub(super) any_of: Option<&'s [Value]>,
    pub(super) one_of: Option<&'s [Value]>,
    pub(super) all_of: Option<&'s [Value]>,
    pub(super) constant: Option<&'s Value>,
    pub(super) choice: Option<&'s [Value]>,
    pub(super) kind: Option<&'s Value>,
    pub(super) nullable: bool,
    pub(super) properties: Option<&'s Map<String, Value>>,
    pub(super) required: &'s [Value],
    pub(super) extra: Option<&'s Value>,
    pub(super) key_patterns: bool,
    pub(super) items: Option<&'s Value>,
    /// Whether there is any limit, and the schema that it is in.
    limited: Option<&'s Map<String, Value>>,
}

impl<'s> Words<'s> {
    pub(super) fn of(schema: &'s Map<String, Value>) -> Self {
        let mut words = Self::default();
        for (key, value) in schema {
            let list = || value.as_array().map(Vec::as_slice);
            match key.as_str() {
                "$ref" => words.reference = value.as_str(),
                "anyOf" => words.any_of = list(),
                "oneOf" => words.one_of = list(),
                "allOf" => words.all_of = list(),
                "const" => words.constant = Some(value),
                "enum" => words.choice = list(),
                "type" => words.kind = Some(value),
                "nullable" => words.nullable = *value == Value::Bool(true),
                "properties" => words.properties = value.as_object(),
                "required" => words.required = list().unwrap_or_default(),
                "additionalProperties" => words.extra = Some(value),
                "patternProperties" => words.key_patterns = true,
                "items" => words.items = Some(value),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minLength"
                | "maxLength" | "minItems" | "maxItems" | "pattern" | "format" => words.limited = Some(schema),
                _ => {}
            }
        }
        words
    }

    /// The cases of a union, whichever keyword they stand under.
    pub(super) fn cases(&self) -> Option<&'s [Value]> {
        self.any_of.or(self.one_of)
    }

    /// The names of types.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &'s str> + Clone {
        let several = self.kind.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        self.kind.and_then(Value::as_str).into_iter().chain(several)
    }

    /// Whether `null` is said to be a value.
    pub(super) fn allows_null(&self) -> bool {
        let listed = self.choice.is_some_and(|values| values.iter().any(Value::is_null));
        let typed = self.kinds().any(|kind| kind == "null");
        typed && (self.choice.is_none() || listed)
            || listed && self.kinds().next().is_none()
            || self.constant == Some(&Value::Null)
            || self.nullable
    }

    /// The one case of a union that is a case only because of `null` beside it, or of an `allOf`; and
    /// whether there is `null` beside it.
    pub(super) fn sole_case(&self) -> Option<(&'s Value, bool)> {
        if self.properties.is_some() {
            return None;
        }
        let cases = self.any_of.or(self.one_of).or(self.all_of)?;
        let mut others = cases.iter().filter(|case| !is_null(case));
        let sole = others.next().filter(|_| others.next().is_none())?;
        Some((sole, cases.len() > 1))
    }

    pub(super) fn limits(&self) -> Option<Box<Limits<'s>>> {
        let schema = self.limited?;
        let bound = |key: &str| match schema.get(key) {
            Some(Value::Number(number)) => Bound::of(number.to_string()),
            _ => None,
        };
        let count = |key: &str| schema.get(key).and_then(Value::as_u64);
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        let range = text("format").and_then(range);
        Some(Box::new(Limits {
            least: bound("minimum").or_else(|| Bound::of(range?.0)),
            most: bound("maximum").or_else(|| Bound::of(range?.1)),
            above: bound("exclusiveMinimum"),
            below: bound("exclusiveMaximum"),
            multiple: bound("multipleOf"),
            length: (count("minLength"), count("maxLength")),
            items: (count("minItems"), count("maxItems")),
            pattern: text("pattern").map(|source| Pattern::new(source.into())),
            format: text("format").map(Into::into),
        }))
    }
}

/// Whether a schema admits `null` only.
pub(super) fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null") || schema.get("const") == Some(&Value::Null)
}

/// What `OpenAPI`'s formats of integers admit.
fn range(format: &str) -> Option<(&'static str, &'static str)> {
    Some(match format {
        "int32" => ("-2147483648", "2147483647"),
        "int64" => ("-9223372036854775808", "9223372036854775807"),
        "uint8" => ("0", "255"),
        "uint16" => ("0", "65535"),
        "uint32" => ("0", "4294967295"),
        "uint64" | "uint" => ("0", "18446744073709551615"),
        _ => return None,
    })
}
