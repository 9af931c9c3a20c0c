//! The schema of a type as plain `'static` data.
//!
//! A [`Schema`] is one node: what kind of JSON value it stands for, its name, what people wrote
//! about it. Edges are [`SchemaRef`]s. Every walk over the tree (render, measure, accept, sample,
//! validate) reads the same nodes; those needed in const evaluation are `const fn`s.
//!
//! Text in nodes is **already JSON-escaped** (the derive does that), so const code only copies
//! bytes. Two kinds of text carry their JSON surroundings with them, so that const code
//! copies few long pieces instead of many short ones: a [`Key`] is stored as `"name":` and a
//! [`Doc`] as `,"description":"text` without the closing quote.
//!
//! # How serde's shapes look here
//!
//! | Rust | node |
//! |---|---|
//! | struct | [`Kind::Object`]; a flattened field is a [`Field`] with `flatten` |
//! | newtype | [`Kind::Transparent`], with its own rules and description |
//! | enum of unit variants | [`Kind::Enum`] |
//! | other enum | [`Kind::Union`]: its unit variants (externally tagged) together as one [`Kind::Enum`] case, each other variant as a case |
//! | tag | a field whose schema is an [`Kind::Enum`] of one value |
//! | internally tagged newtype variant | an object of the tag and a flattened field |
//! | `Option<T>` | [`Kind::Nullable`] |
//!
//! Flattening is resolved by the walks, not by the derive, for only they know the types: see
//! [`shape`](super::shape).

use super::edge::SchemaRef;
use super::rules::Rules;

/// One node of the schema tree.
#[allow(clippy::struct_excessive_bools)] // independent facts, each asked for on its own
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// The type's short name, fit for a definition (`[A-Za-z0-9_-]`), without its generic arguments.
    pub name: &'static str,
    /// The type's name in Rust, for messages.
    pub ident: &'static str,
    /// Tells types apart that share a name: made from where the type is defined. Zero for
    /// types that are told apart by name and arguments alone (those of std).
    pub place: u128,
    /// The generic arguments that the schema depends on.
    pub args: &'static [Arg],
    /// Whether the type is one that a user derived, and so may stand in `$defs`.
    pub named: bool,
    /// Whether the derive has checked this type where it was defined. Generic types are
    /// checked where they are used.
    pub checked: bool,
    /// Whether serde writes the type in another form than it reads it from
    /// (`skip_serializing`, a one-sided `rename`, `serialize_with`, …).
    pub one_sided: bool,
    /// Whether the schema, or that of a field, is another type's (`schema_of`, `from`, `try_from`): the
    /// value then has rules that its Rust type cannot check, so decoding checks the JSON.
    pub stated: bool,
    /// What the type is for.
    pub doc: Doc,
    /// Rules on the value beyond its kind.
    pub rules: &'static Rules,
    /// Whether `rules` holds any: a flag costs const code less than a look at each rule.
    pub ruled: bool,
    /// Which JSON values these are.
    pub kind: Kind,
}

/// A generic argument, as part of a type's identity and name.
#[derive(Debug, Clone, Copy)]
pub enum Arg {
    /// A type.
    Type(SchemaRef),
    /// A const argument's value.
    Const(u128),
}

/// The kind of JSON value that a schema stands for.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `null`: units.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Text.
    String,
    /// One of a list of strings.
    Enum(&'static [Unit]),
    /// A list.
    Array(SchemaRef),
    /// A closed object.
    Object(Object),
    /// Exactly one of several cases.
    Union(Union),
    /// The inner schema, or `null`.
    Nullable(SchemaRef),
    /// The inner schema under another name, description or further rules: a newtype.
    Transparent(SchemaRef),
    /// A reference back to an enclosing generic type, by its name, place and arguments
    /// (all three in the node that holds this kind).
    Back,
}

/// One value of a string enum.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    /// The value as JSON text, quotes included.
    pub value: &'static str,
    /// What it stands for, escaped; empty if nobody said.
    pub doc: &'static str,
    /// Other spellings (JSON text, quotes included) that decoding may map to this value.
    pub aliases: &'static [&'static str],
    /// What else serde reads as this value.
    pub unknown: Unknown,
}

/// What serde does with a value that no schema has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is an error.
    Refused,
    /// Any name is read as this value: `other`.
    Other,
    /// It is not looked at, and need not be there: the tag of a struct.
    Ignored,
}

impl Unit {
    /// The value, JSON-escaped, without quotes.
    #[must_use]
    pub const fn bare(&self) -> &'static str {
        cut(self.value, 1, 1)
    }
}

/// A closed object.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// The members, in declaration order.
    pub fields: &'static [Field],
    /// Whether any field is flattened.
    pub flattens: bool,
    /// Whether serde refuses unknown keys (`deny_unknown_fields`); without it serde skips them.
    pub denies_unknown: bool,
}

/// A member of an object.
#[allow(clippy::struct_excessive_bools)] // independent facts, each asked for on its own
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The key; of a flattened field, its Rust name (for messages).
    pub key: Key,
    /// What the field is for.
    pub doc: Doc,
    /// The value's schema.
    pub schema: SchemaRef,
    /// Rules on the value beyond its type's own.
    pub rules: &'static Rules,
    /// Whether `rules` holds any.
    pub ruled: bool,
    /// Other keys (escaped, without quotes) that serde accepts for it.
    pub aliases: &'static [&'static str],
    /// Whether serde fills the field in when the key is missing (`default`).
    pub fills: bool,
    /// Whether serde reads a missing key as `None`.
    pub optional: bool,
    /// Whether the members of the value stand in this object in the field's place.
    pub flatten: bool,
}

/// A choice between cases.
#[derive(Debug, Clone, Copy)]
pub struct Union {
    /// How serde tells the cases apart.
    pub tagging: Tagging,
    /// The cases, in declaration order.
    pub cases: &'static [Case],
}

/// How serde tells the variants of an enum apart.
#[derive(Debug, Clone, Copy)]
pub enum Tagging {
    /// `{"Variant": …}`, and a plain string for unit variants.
    External,
    /// `{"tag": "Variant", …}`.
    Internal {
        /// The tag's key.
        tag: Key,
    },
    /// `{"tag": "Variant", "content": …}`.
    Adjacent {
        /// The tag's key.
        tag: Key,
        /// The content's key.
        content: Key,
    },
    /// Not at all: serde tries one after the other.
    Untagged,
}

/// One case of a union.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The variant's Rust name, for messages; several unit variants in one case have none.
    pub name: &'static str,
    /// The schema of the whole case, tag included.
    pub schema: SchemaRef,
    /// Other names (escaped, without quotes) that serde accepts for the variant.
    pub aliases: &'static [&'static str],
}

/// An object key, stored as `"name":`.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// `"name":`
    pub lead: &'static str,
    /// The hash of `name`, escaped; see [`key_hash`].
    pub hash: u64,
}

impl Key {
    /// From the text `"name":`, for keys that are not made by the derive.
    #[must_use]
    pub const fn of(lead: &'static str) -> Self {
        Self { lead, hash: key_hash(cut(lead, 1, 2)) }
    }

    /// `"name":`
    #[must_use]
    pub const fn lead(&self) -> &'static str {
        self.lead
    }

    /// `"name"`
    #[must_use]
    pub const fn quoted(&self) -> &'static str {
        cut(self.lead, 0, 1)
    }

    /// `name`, JSON-escaped.
    #[must_use]
    pub const fn escaped(&self) -> &'static str {
        cut(self.lead, 1, 2)
    }

    /// `name`, as the wire means it.
    #[must_use]
    pub fn text(&self) -> String {
        unquote(self.quoted())
    }

    /// How many bytes `name` has, JSON-escaped.
    #[must_use]
    pub const fn escaped_len(&self) -> usize {
        self.lead.len() - r#""":"#.len()
    }

    /// Whether both are the same key.
    #[must_use]
    pub const fn same(&self, other: &Self) -> bool {
        self.hash == other.hash && self.lead.len() == other.lead.len()
    }
}

/// A description, stored as `,"description":"text` (no closing quote), or empty.
#[derive(Debug, Clone, Copy)]
pub struct Doc(pub &'static str);

impl Doc {
    /// Nothing was said.
    pub const NONE: Self = Self("");
    /// What stands before the text.
    pub const LEAD: &'static str = ",\"description\":\"";

    /// Whether nothing was said.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        // One call less than `is_empty`, for every field of every type.
        #[allow(clippy::len_zero)]
        {
            self.0.len() == 0
        }
    }

    /// `,"description":"text`
    #[must_use]
    pub const fn joined(&self) -> &'static str {
        self.0
    }

    /// The text, JSON-escaped; empty for none.
    #[must_use]
    pub const fn escaped(&self) -> &'static str {
        if self.is_none() { "" } else { cut(self.0, Self::LEAD.len(), 0) }
    }

    /// The text, as people wrote it.
    #[must_use]
    pub fn text(&self) -> String {
        if self.0.is_empty() { String::new() } else { unquote(&format!("\"{}\"", cut(self.0, Self::LEAD.len(), 0))) }
    }
}

/// `text` without `front` bytes at its start and `back` bytes at its end.
const fn cut(text: &'static str, front: usize, back: usize) -> &'static str {
    text.split_at(text.len() - back).0.split_at(front).1
}

/// What a JSON string literal means. Literals are the derive's, so there is no surrogate in them.
pub(crate) fn unquote(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('u') => {
                let code = rest.by_ref().take(4).try_fold(0, |code, c| Some(code * 16 + c.to_digit(16)?));
                text.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(escaped) => text.push(escaped),
            None => {}
        }
    }
    text
}

/// The hash of a key's escaped name (FNV-1a, 64 bits); the derive computes the same.
#[must_use]
pub const fn key_hash(escaped: &str) -> u64 {
    let bytes = escaped.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::unquote;

    #[test]
    fn literals_mean_what_json_says() {
        for literal in [r#""""#, r#""plain""#, r#""\\ \" \/ \b\f\n\r\t""#, r#""\u001f\u00e9\u2028""#, r#""é😀""#] {
            assert_eq!(unquote(literal), serde_json::from_str::<String>(literal).expect("a literal"));
        }
    }
}
