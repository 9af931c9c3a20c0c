//! Sets of the types of JSON Schema.

use serde_json::Value;

/// A set of types. Whole numbers and others are two members, so that `integer` lies within `number`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const NUMBER: Self = Self(4 | 8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// The types by name, as they are listed; `null` last, and `number` before `integer`, which is part of it.
    const NAMED: [(&'static str, Self); 7] = [
        ("object", Self::OBJECT),
        ("array", Self::ARRAY),
        ("string", Self::STRING),
        ("number", Self::NUMBER),
        ("integer", Self::INTEGER),
        ("boolean", Self::BOOLEAN),
        ("null", Self::NULL),
    ];

    /// The type of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    /// The types that a `type` keyword lists.
    pub(super) fn listed(value: &Value) -> Option<Self> {
        match value {
            Value::String(name) => Self::named(name),
            Value::Array(names) => {
                names.iter().try_fold(Self::NONE, |types, name| Some(types | Self::named(name.as_str()?)?))
            }
            _ => None,
        }
    }

    /// The type of a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) => {
                let whole = !number.is_f64() || number.as_f64().is_some_and(|value| value.fract() == 0.0);
                if whole { Self::INTEGER } else { Self(8) }
            }
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// Each type of the set, alone. A set of fractions alone has no name and is `number`.
    pub(super) fn each(self) -> impl Iterator<Item = (&'static str, Self)> {
        let mut rest = self;
        Self::NAMED.into_iter().filter_map(move |(name, types)| {
            let taken = if types == Self::NUMBER { rest.has(Self(8)) } else { rest.has(types) };
            rest = if taken { rest.without(types) } else { rest };
            taken.then_some((name, types))
        })
    }

    /// The name of a set that has one.
    pub(super) fn name(self) -> Option<&'static str> {
        // Fractions alone have the name of all numbers.
        let named = if self == Self(8) { Self::NUMBER } else { self };
        Self::NAMED.iter().find(|(_, types)| *types == named).map(|(name, _)| *name)
    }

    /// How many names the set has.
    pub(super) fn count(self) -> usize {
        self.each().count()
    }

    /// Whether all of `other` is in the set.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether both sets have a type in common.
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl std::ops::BitOr for Types {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::BitAnd for Types {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
