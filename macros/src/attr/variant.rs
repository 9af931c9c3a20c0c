//! Attributes of a variant.

use proc_macro2::Span;
use syn::{Attribute, LitStr};

use super::field::Content;
use super::{Word, read};
use crate::case::Rule;
use crate::faults::Faults;
use crate::symbol::On;

/// What the attributes of a variant say.
#[derive(Default)]
pub(crate) struct VariantAttrs {
    pub(crate) rename: Option<LitStr>,
    pub(crate) rename_all: Option<Rule>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) skip: bool,
    pub(crate) other: bool,
    /// Further spellings of a unit variant, and the word that gave the first.
    pub(crate) spellings: Vec<LitStr>,
    pub(crate) spellings_key: Option<Span>,
    /// About the value of a newtype variant.
    pub(crate) content: Content,
    /// The first word that only makes sense where there is a value.
    pub(crate) content_key: Option<Span>,
}

impl VariantAttrs {
    pub(crate) fn read(attrs: &[Attribute], faults: &Faults) -> Self {
        let mut found = Self::default();
        for word in &read(attrs, On::Variant, faults) {
            if found.content.take(word, faults) {
                if !matches!(word.symbol.word, "description" | "examples") {
                    found.content_key.get_or_insert(word.key.span());
                }
            } else {
                found.take(word, faults);
            }
        }
        found
    }

    fn take(&mut self, word: &Word, faults: &Faults) {
        match word.symbol.word {
            "rename" => self.rename = word.read_side(faults),
            "rename_all" => self.rename_all = word.read_side(faults).and_then(|name| Rule::named(&name, faults)),
            "alias" => self.aliases.extend(word.text(faults)),
            "skip" | "skip_deserializing" => self.skip = true,
            "other" => self.other = true,
            "aliases" => {
                self.spellings.extend(word.texts(faults));
                self.spellings_key.get_or_insert(word.key.span());
            }
            other => unreachable!("`{other}` is in the table for variants but is not read"),
        }
    }
}
