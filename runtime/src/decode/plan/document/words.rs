//! The keywords of one schema that are read, found in one pass over its members.

use serde_json::{Map, Value};

use crate::decode::plan::limits::{Edge as Bound, Limits, Pattern};

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    /// A name that JSON Schema does not have.
    pub(super) const OTHER: Self = Self(128);

    fn named(value: &Value) -> Self {
        match value {
            Value::String(name) => match name.as_str() {
                "null" => Self::NULL,
                "boolean" => Self::BOOLEAN,
                "integer" => Self::INTEGER,
                "number" => Self::NUMBER,
                "string" => Self::STRING,
                "array" => Self::ARRAY,
                "object" => Self::OBJECT,
                _ => Self::OTHER,
            },
            Value::Array(names) => {
                let names = names.iter().filter(|name| name.is_string());
                Self(names.fold(0, |all, name| all | Self::named(name).0))
            }
            _ => Self::default(),
        }
    }

    pub(super) fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }

    pub(super) fn without(self, kind: Self) -> Self {
        Self(self.0 & !kind.0)
    }

    /// Each of them by itself.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        (0..8).map(|bit| Self(1 << bit)).filter(move |kind| self.has(*kind))
    }

    pub(super) fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }
}

/// The keywords of a schema.
#[derive(Default)]
pub(super) struct Words<'s> {
    pub(super) reference: Option<&'s str>,
    pub(super) any_of: Option<&'s [Value]>,
    pub(super) one_of: Option<&'s [Value]>,
    pub(super) all_of: Option<&'s [Value]>,
    pub(super) constant: Option<&'s Value>,
    pub(super) choice: Option<&'s [Value]>,
    /// Whether there is `type`, and the types that it names.
    pub(super) typed: bool,
    pub(super) kinds: Kinds,
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
                // What stands in nearly every schema first, for the names are compared in this order.
                "type" => (words.typed, words.kinds) = (true, Kinds::named(value)),
                "properties" => words.properties = value.as_object(),
                "required" => words.required = list().unwrap_or_default(),
                "description" | "title" => {}
                "$ref" => words.reference = value.as_str(),
                "anyOf" => words.any_of = list(),
                "oneOf" => words.one_of = list(),
                "allOf" => words.all_of = list(),
                "const" => words.constant = Some(value),
                "enum" => words.choice = list(),
                "nullable" => words.nullable = *value == Value::Bool(true),
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

    /// Whether `null` is said to be a value.
    pub(super) fn allows_null(&self) -> bool {
        let listed = self.choice.is_some_and(|values| values.iter().any(Value::is_null));
        self.kinds.has(Kinds::NULL) && (self.choice.is_none() || listed)
            || listed && self.kinds == Kinds::default()
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
