//! Attributes of a field.

use proc_macro2::Span;
use syn::{Attribute, Ident, LitStr, Path, Type};

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
    pub(crate) appears: Option<Appears>,
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

/// When a field appears in the partial form of its type; the word is kept for faults.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Appears {
    /// Once it is complete.
    Done(Span),
    /// It is what the whole waits for.
    NotNull(Span),
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
    /// Any other: the word, and the function that reads.
    Other(Span, Option<Path>),
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
            "stream" => {
                let span = word.key.span();
                self.appears = word.text(faults).and_then(|text| match text.value().as_str() {
                    "done" => Some(Appears::Done(span)),
                    "not_null" => Some(Appears::NotNull(span)),
                    _ => {
                        faults.on(&text, "`stream` is `\"done\"` or `\"not_null\"`");
                        None
                    }
                });
            }
            other => unreachable!("`{other}` is in the table for fields but is not read"),
        }
    }
}

impl Content {
    /// Takes the word if it is about the value.
    pub(crate) fn take(&mut self, word: &Word, faults: &Faults) -> bool {
        if word.family == Family::Serde {
            if !matches!(word.symbol.word, "with" | "deserialize_with") {
                return false;
            }
            self.with = With::read(word, faults);
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

    /// Knows the runtime's own modules among deserializers.
    pub(crate) fn resolve(&mut self, crate_path: Option<&Path>) {
        if let Some(with) = &mut self.with {
            with.resolve(crate_path);
        }
    }

    /// Takes over what another place says about the same value; whether the two agree.
    pub(crate) fn absorb(&mut self, other: &mut Self) -> bool {
        let stated = |content: &Self| content.with.is_some() || content.schema_of.is_some();
        if stated(self) && stated(other) || !self.rules.is_empty() && !other.rules.is_empty() {
            return false;
        }
        if stated(other) {
            self.with = other.with.take();
            self.schema_of = other.schema_of.take();
        }
        if self.rules.is_empty() {
            self.rules = std::mem::take(&mut other.rules);
        }
        self.validators.append(&mut other.validators);
        true
    }
}

impl Validator {
    pub(crate) fn read(word: &Word, faults: &Faults) -> Option<Self> {
        let function = word.function(faults)?;
        Some(Self { function, with_context: word.symbol.word == "validate_with" })
    }
}

impl With {
    /// From `with = "module"` or `deserialize_with = "module::deserialize"`.
    fn read(word: &Word, faults: &Faults) -> Option<Self> {
        let mut path: Option<Path> = word.text(faults)?.parse().ok();
        if let ("with", Some(module)) = (word.symbol.word, &mut path) {
            module.segments.push(Ident::new("deserialize", word.key.span()).into());
        }
        Some(Self::Other(word.key.span(), path))
    }

    /// Knows the runtime's own modules: by the crate's name, or by what `crate = "…"` calls it. A
    /// module of the user's that is merely named alike is not ours.
    fn resolve(&mut self, crate_path: Option<&Path>) {
        let Self::Other(_, Some(function)) = self else { return };
        let Some(path) = module_of(function.clone()) else { return };
        let names = |path: &Path| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
        let names_of_path = names(&path);
        let Some((module, root)) = names_of_path.split_last() else { return };
        let ours = root.last().is_some_and(|last| last == "response_schema")
            || crate_path.is_some_and(|crate_path| names(crate_path) == root);
        match module.as_str() {
            "entries" if ours => *self = Self::Entries,
            "json_text" if ours => *self = Self::JsonText,
            _ => {}
        }
    }

    /// Whether it names a module like one of the runtime's, but by a path that could be anyone's.
    pub(crate) fn resembles(&self) -> Option<&'static str> {
        let Self::Other(_, Some(function)) = self else { return None };
        let path = module_of(function.clone())?;
        ["entries", "json_text"].into_iter().find(|name| path.segments.last().is_some_and(|last| last.ident == name))
    }
}

/// The path of a function's module, if that is how serde's `with` would name the function.
fn module_of(mut function: Path) -> Option<Path> {
    let name = function.segments.pop()?;
    function.segments.pop_punct();
    (name.ident == "deserialize" && !function.segments.is_empty()).then_some(function)
}
