//! What stands between a schema and a dialect.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Whether a dialect takes a schema as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It takes the schema and holds replies to all that it says.
    Strict,
    /// It does not, for these reasons.
    Loose(Departures),
}

impl Verdict {
    pub(super) fn of(found: Vec<Departure>) -> Self {
        if found.is_empty() { Self::Strict } else { Self::Loose(Departures(found)) }
    }

    /// Whether the schema is taken as it is.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        matches!(self, Self::Strict)
    }

    /// What stands in the way; nothing if the schema is taken as it is.
    #[must_use]
    pub fn departures(&self) -> &[Departure] {
        match self {
            Self::Strict => &[],
            Self::Loose(departures) => departures,
        }
    }
}

/// One place of a schema that a dialect does not take, or takes and does not enforce.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Departure {
    /// Where: a JSON pointer (RFC 6901) into the schema that was given, `""` for its root.
    pub pointer: String,
    /// Which rule the schema departs from.
    pub rule: Rule,
    /// What stands there, with the number found and the number allowed where the rule is a limit.
    pub found: Cow<'static, str>,
    /// What to write instead.
    pub remedy: Cow<'static, str>,
    pub(super) fate: Fate,
}

/// Text of a departure, which is made when it is reported to somebody.
pub(super) trait Words {
    fn words(self) -> Cow<'static, str>;
}

impl Words for &'static str {
    fn words(self) -> Cow<'static, str> {
        Cow::Borrowed(self)
    }
}

impl Words for String {
    fn words(self) -> Cow<'static, str> {
        Cow::Owned(self)
    }
}

impl Words for fmt::Arguments<'_> {
    fn words(self) -> Cow<'static, str> {
        Cow::Owned(self.to_string())
    }
}

impl Departure {
    pub(super) fn new(
        pointer: String,
        rule: Rule,
        fate: Fate,
        found: impl Into<Cow<'static, str>>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { pointer, rule, found: found.into(), remedy: remedy.into(), fate }
    }

    /// What can be done about it without a person.
    #[must_use]
    pub fn fate(&self) -> Fate {
        self.fate
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        write!(f, "{place}: {}: {}; {}", self.rule, self.found, self.remedy)
    }
}

/// What can be done about a departure without a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It can be written in another form that means the same.
    Same,
    /// It can be written so that fewer instances fit, all of them instances of the original.
    Narrower,
    /// It can be said in the description alone, to be checked after parsing: more instances fit.
    Wider,
    /// Nothing.
    Stays,
}

/// What a schema may depart from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A schema is an object of keywords, or a boolean.
    Schema,
    /// The root is an object, not a union, list or scalar.
    Root,
    /// Every object says `additionalProperties: false`.
    Closed,
    /// Every property is in `required`.
    Required,
    /// Every name in `required` is a property.
    Declared,
    /// Objects have no members beyond their properties.
    Map,
    /// Property names are of the kind that the provider reads.
    Key,
    /// Every schema says its type.
    Type,
    /// `type` is one name, not a list.
    TypeList,
    /// Every schema restricts its value: `{}` and `true` do not.
    Anything,
    /// Every schema has an instance.
    Satisfiable,
    /// `enum` has values of the kind that the provider takes.
    Enum,
    /// `oneOf` is not taken.
    OneOf,
    /// `allOf` is not taken.
    AllOf,
    /// Nothing stands beside `anyOf`.
    Union,
    /// `nullable` is not taken.
    Nullable,
    /// This keyword is not taken, or not enforced.
    Keyword(String),
    /// This value of `format` is not taken, or not enforced.
    Format(String),
    /// The regular expression is of the kind that the provider reads.
    Pattern,
    /// Every array says what its elements are.
    Items,
    /// Arrays have elements of one schema.
    Tuple,
    /// References lead to a definition of the document itself.
    Reference,
    /// Nothing stands beside `$ref`.
    ReferenceAlone,
    /// No type contains itself.
    Recursion,
    /// A limit on the size of a schema.
    Limit,
    /// Schemas nest no deeper than this crate reads.
    Nesting,
}

impl Rule {
    /// Whether the rule is about the structure of objects and unions, which is what makes a schema
    /// strict-compatible, and not about a keyword that can be said in the description.
    pub(super) fn is_structural(&self) -> bool {
        matches!(self, Self::Closed | Self::Required | Self::Declared | Self::Map | Self::OneOf | Self::AllOf)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Schema => "a schema must be an object or a boolean",
            Self::Root => "the root must be a plain object",
            Self::Closed => "every object must be closed",
            Self::Required => "every property must be required",
            Self::Declared => "what is required must be a property",
            Self::Map => "open maps are refused",
            Self::Key => "the property's name is not taken",
            Self::Type => "a schema must have a `type`",
            Self::TypeList => "a list of types is not permitted",
            Self::Anything => "a schema must restrict its value",
            Self::Satisfiable => "nothing satisfies the schema",
            Self::Enum => "the values of the `enum` are not taken",
            Self::OneOf => "`oneOf` is not permitted",
            Self::AllOf => "`allOf` is not permitted",
            Self::Union => "nothing may stand beside `anyOf`",
            Self::Nullable => "`nullable` has no meaning here",
            Self::Keyword(keyword) => return write!(f, "`{keyword}` is not permitted"),
            Self::Format(format) => return write!(f, "`{format}` is not a valid format"),
            Self::Pattern => "the `pattern` is not read as it is meant",
            Self::Items => "an array must have `items`",
            Self::Tuple => "tuples are refused",
            Self::Reference => "the reference cannot be followed",
            Self::ReferenceAlone => "nothing may stand beside `$ref`",
            Self::Recursion => "recursion is refused",
            Self::Limit => "the schema is too large",
            Self::Nesting => "the schema nests too deep",
        })
    }
}

/// All departures of a schema, in the order in which they stand in it: the root with what is inside it, then each
/// definition in the order of first use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departures(Vec<Departure>);

impl Departures {
    pub(super) fn new(list: Vec<Departure>) -> Self {
        Self(list)
    }
}

impl Deref for Departures {
    type Target = [Departure];

    fn deref(&self) -> &[Departure] {
        &self.0
    }
}

impl IntoIterator for Departures {
    type Item = Departure;
    type IntoIter = std::vec::IntoIter<Departure>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Departures {
    type Item = &'a Departure;
    type IntoIter = std::slice::Iter<'a, Departure>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Departures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, departure) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            departure.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Departures {}
