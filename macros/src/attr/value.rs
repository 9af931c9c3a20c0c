//! What a word's value must look like.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, LitStr, Token};

use super::{Value, Word};
use crate::faults::Faults;

impl Word {
    /// A fault about the value, on the value, or on the word if it has none.
    pub(crate) fn fault(&self, message: &str, faults: &Faults) {
        match &self.value {
            Value::Flag => faults.at(self.key.span(), message),
            Value::List(tokens, span) if tokens.is_empty() => faults.at(*span, message),
            value => faults.on(value, message),
        }
    }

    /// The fault that the value is of the wrong kind.
    pub(crate) fn wrong(&self, takes: &str, faults: &Faults) {
        self.fault(&format!("`{}` takes {takes}: `{}`", self.symbol.word, self.symbol.usage), faults);
    }

    /// No value.
    pub(crate) fn flag(&self, faults: &Faults) {
        if !matches!(self.value, Value::Flag) {
            self.fault(&format!("`{}` takes no value", self.symbol.word), faults);
        }
    }

    /// A string.
    pub(crate) fn text(&self, faults: &Faults) -> Option<LitStr> {
        if let Value::Lit { minus: None, lit: Lit::Str(text) } = &self.value {
            return Some(text.clone());
        }
        self.wrong("a string", faults);
        None
    }

    /// A string, or the `deserialize` side of a pair of strings.
    pub(crate) fn read_side(&self, faults: &Faults) -> Option<LitStr> {
        let Value::List(tokens, _) = &self.value else {
            return self.text(faults);
        };
        let parser = |input: ParseStream<'_>| {
            let mut found = None;
            while !input.is_empty() {
                let side = input.call(Ident::parse_any)?;
                input.parse::<Token![=]>()?;
                let text: LitStr = input.parse()?;
                match side.to_string().as_str() {
                    "deserialize" => found = Some(text),
                    "serialize" => {}
                    _ => return Err(syn::Error::new(side.span(), "expected `serialize` or `deserialize`")),
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(found)
        };
        faults.ok(parser.parse2(tokens.clone())).flatten()
    }

    /// Rust syntax inside a string, such as a type; its tokens are placed on the string.
    pub(crate) fn parsed<T: Parse>(&self, what: &str, faults: &Faults) -> Option<T> {
        let text = self.text(faults)?;
        let parsed = text.parse::<T>();
        if parsed.is_err() {
            faults.on(&text, format!("`{}` takes {what}: `{}`", self.symbol.word, self.symbol.usage));
        }
        parsed.ok()
    }

    /// The path of a function, bare or in a string.
    pub(crate) fn function(&self, faults: &Faults) -> Option<syn::Path> {
        match &self.value {
            Value::Path(path) => Some(path.clone()),
            Value::Lit { minus: None, lit: Lit::Str(text) } => {
                let path = text.parse().ok();
                if path.is_none() {
                    self.wrong("the path of a function", faults);
                }
                path
            }
            _ => {
                self.wrong("the path of a function", faults);
                None
            }
        }
    }

    /// A list of strings.
    pub(crate) fn texts(&self, faults: &Faults) -> Vec<LitStr> {
        let Value::List(tokens, _) = &self.value else {
            self.wrong("a list of strings", faults);
            return Vec::new();
        };
        match Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(tokens.clone()) {
            Ok(list) if !list.is_empty() => list.into_iter().collect(),
            _ => {
                self.wrong("a list of strings", faults);
                Vec::new()
            }
        }
    }

    /// A list of literals, as JSON or plain text for people to read.
    pub(crate) fn samples(&self, faults: &Faults) -> Vec<String> {
        let Value::List(tokens, _) = &self.value else {
            self.wrong("a list of values", faults);
            return Vec::new();
        };
        match Punctuated::<Sample, Token![,]>::parse_terminated.parse2(tokens.clone()) {
            Ok(list) if !list.is_empty() => list.into_iter().map(|sample| sample.0).collect(),
            _ => {
                self.wrong("a list of strings, numbers or booleans", faults);
                Vec::new()
            }
        }
    }

    /// A whole number from zero, for lengths and counts.
    pub(crate) fn count(&self, faults: &Faults) -> Option<u64> {
        if let Value::Lit { minus: None, lit: Lit::Int(number) } = &self.value
            && number.suffix().is_empty()
            && let Ok(count) = number.base10_parse()
        {
            return Some(count);
        }
        self.wrong("a whole number from 0", faults);
        None
    }

    /// A number.
    pub(crate) fn number(&self, faults: &Faults) -> Option<Number> {
        if let Value::Lit { minus, lit } = &self.value
            && let Some(number) = Number::of(minus.is_some(), lit)
        {
            return Some(number);
        }
        self.wrong("a number", faults);
        None
    }
}

/// A number as it is written and as it counts.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    /// JSON text.
    pub(crate) text: String,
    pub(crate) whole: Option<i128>,
    pub(crate) float: f64,
}

impl Number {
    fn of(negative: bool, lit: &Lit) -> Option<Self> {
        let sign = if negative { "-" } else { "" };
        match lit {
            Lit::Int(number) if number.suffix().is_empty() => {
                let whole: i128 = format!("{sign}{}", number.base10_digits()).parse().ok()?;
                #[allow(clippy::cast_precision_loss)] // `float` is for comparing with fractions
                let float = whole as f64;
                Some(Self { text: whole.to_string(), whole: Some(whole), float })
            }
            Lit::Float(number) if number.suffix().is_empty() => {
                let digits = number.base10_digits();
                let float: f64 = format!("{sign}{digits}").parse().ok().filter(|float: &f64| float.is_finite())?;
                // `{:?}` writes what JSON reads, for a finite float.
                Some(Self { text: format!("{float:?}"), whole: None, float })
            }
            _ => None,
        }
    }

    pub(crate) fn less(&self, other: &Self) -> bool {
        match (self.whole, other.whole) {
            (Some(a), Some(b)) => a < b,
            _ => self.float < other.float,
        }
    }
}

/// A literal as an example in running text.
struct Sample(String);

impl Parse for Sample {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let minus: Option<Token![-]> = input.parse()?;
        let lit: Lit = input.parse()?;
        let text = match &lit {
            Lit::Str(text) if minus.is_none() => crate::json::quoted(&text.value()),
            Lit::Bool(value) if minus.is_none() => value.value.to_string(),
            Lit::Int(_) | Lit::Float(_) => {
                Number::of(minus.is_some(), &lit).ok_or_else(|| syn::Error::new(lit.span(), "not a JSON number"))?.text
            }
            _ => return Err(syn::Error::new(lit.span(), "not a JSON value")),
        };
        Ok(Self(text))
    }
}
