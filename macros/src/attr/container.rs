//! Attributes of a type.

use proc_macro2::Span;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Path, Token, Type, WherePredicate};

use super::field::Validator;
use super::{Family, Value, Word, read};
use crate::case::Rule;
use crate::dialect::Dialect;
use crate::faults::Faults;
use crate::symbol::On;

/// What the attributes of a type say.
#[derive(Default)]
pub(crate) struct ContainerAttrs {
    pub(crate) rename: Option<LitStr>,
    pub(crate) rename_all: Option<Rule>,
    pub(crate) rename_all_fields: Option<Rule>,
    pub(crate) denies_unknown: Option<Span>,
    pub(crate) tag: Option<LitStr>,
    pub(crate) content: Option<LitStr>,
    pub(crate) untagged: Option<Span>,
    pub(crate) default: bool,
    pub(crate) transparent: Option<Span>,
    /// `from` or `try_from`: the word and the type.
    pub(crate) from: Option<(Span, Type)>,
    pub(crate) schema_of: Option<(Span, Type)>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) dialects: Vec<(LitStr, &'static Dialect)>,
    pub(crate) crate_path: Option<Path>,
    /// `json_schema`: where it stands.
    pub(crate) json_schema: Option<Span>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) validators: Vec<Validator>,
    pub(crate) partial: Option<PartialForm>,
}

/// A type for unfinished values is asked for.
pub(crate) struct PartialForm {
    /// What it derives.
    pub(crate) derives: Vec<Path>,
}

impl ContainerAttrs {
    pub(crate) fn read(attrs: &[Attribute], faults: &Faults) -> Self {
        let mut found = Self::default();
        for word in &read(attrs, On::Container, faults) {
            match word.family {
                Family::Serde => found.take_serde(word, faults),
                Family::Response => found.take_response(word, faults),
            }
        }
        found
    }

    fn take_serde(&mut self, word: &Word, faults: &Faults) {
        let rule = || word.read_side(faults).and_then(|name| Rule::named(&name, faults));
        match word.symbol.word {
            "rename" => self.rename = word.read_side(faults),
            "rename_all" => self.rename_all = rule(),
            "rename_all_fields" => self.rename_all_fields = rule(),
            "deny_unknown_fields" => {
                word.flag(faults);
                self.denies_unknown = Some(word.key.span());
            }
            "tag" => self.tag = word.text(faults),
            "content" => self.content = word.text(faults),
            "untagged" => {
                word.flag(faults);
                self.untagged = Some(word.key.span());
            }
            "default" => self.default = true,
            "transparent" => {
                word.flag(faults);
                self.transparent = Some(word.key.span());
            }
            "from" | "try_from" => {
                self.from = word.parsed("a type in a string", faults).map(|ty| (word.key.span(), ty));
            }
            other => unreachable!("`{other}` is in the table for types but is not read"),
        }
    }

    fn take_response(&mut self, word: &Word, faults: &Faults) {
        match word.symbol.word {
            "title" => self.title = word.text(faults),
            "description" => self.description = word.text(faults),
            "for" => self.dialects = word.text(faults).map_or_else(Vec::new, |list| Dialect::list(&list, faults)),
            "crate" => {
                // Bare too, so that a macro can say `crate = $crate::path`.
                self.crate_path = match &word.value {
                    Value::Path(path) => Some(path.clone()),
                    _ => word.parsed("a path in a string", faults),
                };
            }
            "json_schema" => {
                word.flag(faults);
                self.json_schema = Some(word.key.span());
            }
            "bound" => self.bound = word.text(faults).and_then(|text| predicates(&text, faults)),
            "validate" | "validate_with" => self.validators.extend(Validator::read(word, faults)),
            "partial" => self.partial = PartialForm::read(word, faults),
            "schema_of" => {
                self.schema_of = word.parsed("a type in a string", faults).map(|ty| (word.key.span(), ty));
            }
            other => unreachable!("`{other}` is in the table for types but is not read"),
        }
    }
}

impl PartialForm {
    fn read(word: &Word, faults: &Faults) -> Option<Self> {
        let derives = match &word.value {
            Value::Flag => Some(Vec::new()),
            Value::List(list, _) => {
                let parser = Punctuated::<Path, Token![,]>::parse_terminated;
                parser.parse2(list.clone()).ok().map(|list| list.into_iter().collect())
            }
            Value::Lit { .. } | Value::Path(_) => None,
        };
        if derives.is_none() {
            word.wrong("the derives of the partial form, if any", faults);
        }
        derives.map(|derives| Self { derives })
    }
}

fn predicates(text: &LitStr, faults: &Faults) -> Option<Vec<WherePredicate>> {
    let parser = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
    let tokens: syn::Result<proc_macro2::TokenStream> = text.parse();
    let list = tokens.and_then(|tokens| parser.parse2(tokens)).ok();
    if list.is_none() {
        faults.on(
            text,
            "`bound` takes a where clause in a string, without the `where`: `bound = \"T: Trait, U: Trait\"`",
        );
    }
    list.map(|list| list.into_iter().collect())
}
