//! Attributes: tokens to typed values.
//!
//! Reading goes in two steps. [`read`] takes the attributes apart into [`Word`]s and holds each
//! against the tables of [`symbol`]; what comes out is known and stands where
//! it may. The modules below turn the words of one place into a struct.

pub(crate) mod container;
pub(crate) mod field;
mod pattern;
pub(crate) mod rules;
mod value;
pub(crate) mod variant;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Lit, Meta, Token};

use crate::faults::{Faults, did_you_mean, listing};
use crate::symbol::{self, Fate, On, Symbol};

/// Whose attribute it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Serde,
    Response,
}

impl Family {
    fn table(self) -> &'static [Symbol] {
        match self {
            Self::Serde => symbol::SERDE,
            Self::Response => symbol::RESPONSE,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Serde => "serde",
            Self::Response => "response",
        }
    }
}

/// One word of an attribute, with its value.
pub(crate) struct Word {
    pub(crate) family: Family,
    pub(crate) key: Ident,
    pub(crate) value: Value,
    pub(crate) symbol: &'static Symbol,
}

/// What follows the word.
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// `= literal`, perhaps with a minus before it.
    Lit { minus: Option<Token![-]>, lit: Lit },
    /// `= path::to::item`.
    Path(syn::Path),
    /// `(…)`.
    List(TokenStream, Span),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Flag => {}
            Self::Lit { minus, lit } => {
                minus.to_tokens(tokens);
                lit.to_tokens(tokens);
            }
            Self::Path(path) => path.to_tokens(tokens),
            Self::List(list, _) => list.to_tokens(tokens),
        }
    }
}

/// The words of both families on an item that shape its schema, in order.
pub(crate) fn read(attrs: &[Attribute], on: On, faults: &Faults) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for attr in attrs {
        let family = match attr.path() {
            path if path.is_ident("serde") => Family::Serde,
            path if path.is_ident("response") => Family::Response,
            _ => continue,
        };
        let Meta::List(list) = &attr.meta else {
            faults.on(&attr.meta, format!("`#[{0}]` needs its words in parentheses: `#[{0}(…)]`", family.name()));
            continue;
        };
        let parser = |input: ParseStream<'_>| read_list(input, family, on, &mut words, faults);
        if let Err(error) = parser.parse2(list.tokens.clone()) {
            faults.push(error);
        }
    }
    refuse_repeats(&words, faults);
    words
}

/// The words of one attribute; an error ends the attribute, for what follows it is a guess.
fn read_list(
    input: ParseStream<'_>,
    family: Family,
    on: On,
    words: &mut Vec<Word>,
    faults: &Faults,
) -> syn::Result<()> {
    while !input.is_empty() {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(format!(
                "expected a word of `#[{}(…)]`, such as {}",
                family.name(),
                example(family, on)
            )));
        }
        let key = input.call(Ident::parse_any)?;
        let value = read_value(input, &key, family, on)?;
        if let Some(symbol) = admit(family, on, &key, faults) {
            words.push(Word { family, key: key.clone(), value, symbol });
        }
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            let expression = words.pop_if(|word| word.key == key && !input.peek(Ident::peek_any));
            return Err(input.error(expression.map_or_else(
                || "expected a comma before the next word".to_owned(),
                |word| format!("`{key}` takes one literal or path, no expression; write `{}`", word.symbol.usage),
            )));
        }
        input.parse::<Token![,]>()?;
    }
    Ok(())
}

fn read_value(input: ParseStream<'_>, key: &Ident, family: Family, on: On) -> syn::Result<Value> {
    if input.peek(syn::token::Paren) {
        let content;
        let paren = syn::parenthesized!(content in input);
        return Ok(Value::List(content.parse()?, paren.span.join()));
    }
    if !input.peek(Token![=]) {
        return Ok(Value::Flag);
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(key.span(), format!("`{key} =` lacks its value")));
    }
    let minus: Option<Token![-]> = input.parse()?;
    if minus.is_some() || input.peek(Lit) {
        return Ok(Value::Lit { minus, lit: input.parse()? });
    }
    let path = input.parse::<syn::Path>().map_err(|error| {
        let usage = symbol::find(family.table(), &key.unraw().to_string(), on).map_or("", |symbol| symbol.usage);
        let instead = if usage.is_empty() { String::new() } else { format!("; write `{usage}`") };
        syn::Error::new(error.span(), format!("`{key}` takes no expression{instead}"))
    })?;
    Ok(Value::Path(path))
}

/// The table's entry for a word that may stand here and means something; else a fault, or nothing.
fn admit(family: Family, on: On, key: &Ident, faults: &Faults) -> Option<&'static Symbol> {
    let word = key.unraw().to_string();
    let attribute = family.name();
    match symbol::find(family.table(), &word, on) {
        Ok(symbol) => match symbol.fate {
            Fate::Honoured => return Some(symbol),
            Fate::NoMeaning => {}
            Fate::Refused(why) => {
                faults.at(key.span(), format!("`#[{attribute}({word})]` has no strict schema: {why}"));
            }
        },
        Err(elsewhere) if elsewhere.is_empty() => faults.at(key.span(), unknown(family, &word, on)),
        Err(elsewhere) => {
            let places: Vec<&str> = elsewhere.iter().map(|on| on.noun()).collect();
            faults.at(
                key.span(),
                format!("`#[{attribute}({word})]` stands on {}, not on {}", places.join(" or "), on.noun()),
            );
        }
    }
    None
}

fn unknown(family: Family, word: &str, on: On) -> String {
    let known = |family: Family| family.table().iter().filter(move |s| s.on.contains(&on)).map(|s| s.word);
    let other = if family == Family::Serde { Family::Response } else { Family::Serde };
    let hint = if let Ok(symbol) = symbol::find(other.table(), word, on) {
        let written = if symbol.usage.is_empty() { word } else { symbol.usage };
        format!("it is a word of `{0}`: `#[{0}({written})]`", other.name())
    } else if let Some((_, instead)) = meant(family, word) {
        (*instead).to_owned()
    } else if let Some(near) = did_you_mean(word, known(family)) {
        format!("did you mean `{near}`?")
    } else if family == Family::Response {
        format!("{} takes {}", on.noun(), listing(known(family), "or"))
    } else {
        "the schema cannot follow an attribute that it does not know".to_owned()
    };
    format!("unknown `{}` attribute `{word}`; {hint}", family.name())
}

/// What is said otherwise here.
fn meant(family: Family, word: &str) -> Option<&'static (&'static [&'static str], &'static str)> {
    symbol::MEANT.iter().find(|(words, _)| family == Family::Response && words.contains(&word))
}

fn example(family: Family, on: On) -> String {
    let usage = family.table().iter().find(|s| s.on.contains(&on)).map_or("", |s| s.usage);
    format!("`{usage}`")
}

/// A `response` word that is given twice; about its own words serde complains itself.
fn refuse_repeats(words: &[Word], faults: &Faults) {
    for (i, word) in words.iter().enumerate() {
        let again = |earlier: &Word| earlier.family == word.family && earlier.symbol.word == word.symbol.word;
        let may_repeat = matches!(word.symbol.word, "validate" | "validate_with" | "examples" | "aliases");
        if word.family == Family::Response && !may_repeat && words[..i].iter().any(again) {
            faults.at(word.key.span(), format!("`{}` is given twice; remove one", word.symbol.word));
        }
    }
}
