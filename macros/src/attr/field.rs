//! Attributes of a field.

use proc_macro2::Span;
use syn::{Attribute, LitStr, Path, Type};

use super::rules::RuleSet;
use super::{Family, Word, read};
use crate::faults::Faults;
use crate::symbol::On;

/// What the attributes of a field say.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) default: bool,
    pub(crate) flatten: Option<Span>,
    pub(crate) skip: bool,
    pub(crate) recursive: Option<Recursive>,
    pub(crate) content: Content,
}

/// What is said about the value itself, on a field or a newtype variant.
#[derive(Default)]
pub(crate) struct Content {
    pub(crate) with: Option<With>,
    pub(crate) schema_of: Option<Type>,
    pub(crate) rules: RuleSet,
    pub(crate) validators: Vec<Validator>,
    pub(crate) description: Option<LitStr>,
    pub(crate) examples: Vec<String>,
}

/// A reference back to an enclosing generic type.
pub(crate) struct Recursive {
    pub(crate) key: Span,
    /// The type that is referred to, where it is named: `recursive = "Tree<T>"`.
    pub(crate) target: Option<Type>,
}

/// A deserializer of the field's own.
pub(crate) enum With {
    /// `response_schema::entries`.
    Entries,
    /// `response_schema::json_text`.
    JsonText,
    /// Any other: the word, and what it names.
    Other(Span),
}

/// A rule of the user's own.
pub(crate) struct Validator {
    pub(crate) function: Path,
    /// Whether it takes the context too.
    pub(crate) with_context: bool,
}

impl FieldAttrs {
    pub(crate) fn read(attrs: &[Attribute], faults: &Faults) -> Self {
        let mut found = Self::default();
        for word in &read(attrs, On::Field, faults) {
            if !found.content.take(word, faults) {
                found.take(word, faults);
            }
        }
        found
    }

    fn take(&mut self, word: &Word, faults: &Faults) {
        match word.symbol.word {
            "rename" => self.rename = word.read_side(faults),
            "alias" => self.aliases.extend(word.text(faults)),
            "default" => self.default = true,
            "flatten" => self.flatten = Some(word.key.span()),
            "skip" | "skip_deserializing" => self.skip = true,
            "recursive" => {
                let target = match word.value {
                    super::Value::Flag => None,
                    _ => word.parsed("the enclosing type in a string", faults),
                };
                self.recursive = Some(Recursive { key: word.key.span(), target });
            }
            other => unreachable!("`{other}` is in the table for fields but is not read"),
        }
    }
}

impl Content {
    /// Takes the word if it is about the value.
    pub(crate) fn take(&mut self, word: &Word, faults: &Faults) -> bool {
        if word.family == Family::Serde {
            match word.symbol.word {
                "with" => self.with = word.text(faults).map(|path| With::named(&path, word.key.span())),
                "deserialize_with" => {
                    self.with = word.text(faults).map(|path| With::function(&path, word.key.span()));
                }
                _ => return false,
            }
            return true;
        }
        match word.symbol.word {
            "schema_of" => self.schema_of = word.parsed("a type in a string", faults),
            "description" => self.description = word.text(faults),
            "examples" => self.examples.extend(word.samples(faults)),
            "validate" | "validate_with" => self.validators.extend(Validator::read(word, faults)),
            _ => return self.rules.take(word, faults),
        }
        true
    }

    /// Adds what another place says about the same value; a word in both is a fault.
    pub(crate) fn is_silent(&self) -> bool {
        self.with.is_none() && self.schema_of.is_none() && self.rules.is_empty() && self.validators.is_empty()
    }
}

impl Validator {
    pub(crate) fn read(word: &Word, faults: &Faults) -> Option<Self> {
        let function = word.function(faults)?;
        Some(Self { function, with_context: word.symbol.word == "validate_with" })
    }
}

impl With {
    fn named(path: &LitStr, key: Span) -> Self {
        match last_two(path).as_ref().map(|(module, name)| (module.as_str(), name.as_str())) {
            Some((_, "entries")) => Self::Entries,
            Some((_, "json_text")) => Self::JsonText,
            _ => Self::Other(key),
        }
    }

    fn function(path: &LitStr, key: Span) -> Self {
        match last_two(path).as_ref().map(|(module, name)| (module.as_str(), name.as_str())) {
            Some(("entries", "deserialize")) => Self::Entries,
            Some(("json_text", "deserialize")) => Self::JsonText,
            _ => Self::Other(key),
        }
    }
}

/// The last two segments of a path of at least two.
fn last_two(path: &LitStr) -> Option<(String, String)> {
    let path: Path = path.parse().ok()?;
    let mut from_end = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let last = from_end.next()?;
    Some((from_end.next()?, last))
}
