//! Constraints as constants: the node and the check of a field read the same ones.
//!
//! Not `static`s, for a reference to one cannot be part of the promoted node of a generic type.

use std::cell::RefCell;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::text;
use crate::attr::rules::RuleSet;
use crate::json;

/// The rules of the type's fields, each set once.
#[derive(Default)]
pub(crate) struct RuleConsts {
    /// Where each set is in the model, and its item.
    items: RefCell<Vec<(*const RuleSet, TokenStream)>>,
}

impl RuleConsts {
    /// The name of the reference to these rules, which is added when it is first asked for.
    pub(crate) fn rules(&self, rules: &RuleSet) -> Ident {
        let mut items = self.items.borrow_mut();
        let known = items.iter().position(|&(known, _)| std::ptr::eq(known, rules));
        let index = known.unwrap_or(items.len());
        let name = format_ident!("__RULES_{index}", span = Span::call_site());
        if known.is_none() {
            let value = tokens(rules, [true; 3]);
            items.push((rules, quote!(const #name: &__p::Rules = &#value;)));
        }
        name
    }

    /// The constants.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.items.into_inner().into_iter().map(|(_, item)| item).collect()
    }
}

/// The rules as a value: those on numbers, on text, on lists, as far as they are asked for.
pub(crate) fn tokens(rules: &RuleSet, [numbers, texts, lists]: [bool; 3]) -> TokenStream {
    let some = |value: TokenStream| quote!(::core::option::Option::Some(#value));
    let mut members = TokenStream::new();
    // Every rule by name, so that none is forgotten.
    let RuleSet {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        min_items,
        max_items,
        pattern,
        format,
    } = rules;
    let bounds = [
        ("minimum", minimum),
        ("maximum", maximum),
        ("exclusive_minimum", exclusive_minimum),
        ("exclusive_maximum", exclusive_maximum),
        ("multiple_of", multiple_of),
    ];
    for (name, bound) in bounds.into_iter().filter(|_| numbers) {
        if let Some(bound) = bound {
            let member = format_ident!("{name}");
            let written = text(&bound.value.text);
            let value = some(if let Some(whole) = bound.value.whole {
                let whole = Literal::i128_unsuffixed(whole);
                quote!(__p::Bound::whole(#written, #whole))
            } else {
                let float = Literal::f64_unsuffixed(bound.value.float);
                quote!(__p::Bound::float(#written, #float))
            });
            members.extend(quote!(#member: #value,));
        }
    }
    let counts = [
        ("min_length", min_length, texts),
        ("max_length", max_length, texts),
        ("min_items", min_items, lists),
        ("max_items", max_items, lists),
    ];
    for (name, count, asked) in counts {
        if let (Some(count), true) = (count, asked) {
            let member = format_ident!("{name}");
            let value = some(Literal::u64_unsuffixed(count.value).into_token_stream());
            members.extend(quote!(#member: #value,));
        }
    }
    if let (Some(pattern), true) = (pattern, texts) {
        let pattern = text(&json::quoted(&pattern.value));
        members.extend(quote!(pattern: #pattern,));
    }
    if let (Some(format), true) = (format, texts) {
        let format = text(&format.value);
        members.extend(quote!(format: #format,));
    }
    quote!(__p::Rules { #members ..*__p::Rules::NONE })
}
