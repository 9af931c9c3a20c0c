//! The check of a value: nested values first, then the rules of the fields, then the user's own.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

use super::{Context, RuleConsts, text};
use crate::attr::field::Validator;
use crate::model::{Field, Shape, Source, Style, Tagging, Variant};
use crate::ty;

/// The methods `check` and `check_rules` of the impl, as far as the type needs them.
///
/// ```text
/// fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) {
///     <Vec<Label> as __p::ResponseSchema>::check(&self.labels, __at.key("labels"), __found);
/// }
/// ```
pub(crate) fn methods(context: &Context<'_>, statics: &RuleConsts) -> TokenStream {
    let container = context.container;
    let mut forward = TokenStream::new();
    let mut body = match &container.shape {
        Shape::Stated(_) | Shape::Unit => TokenStream::new(),
        Shape::Newtype(field) => {
            forward = forward_rules(context, field);
            let member = &field.member;
            value(context, field, &quote!(&self.#member), &quote!(__at), statics)
        }
        Shape::Tuple(fields) => {
            fields.iter().enumerate().map(|element| list_element(context, element, statics)).collect()
        }
        Shape::Struct(fields) => fields.iter().map(|field| struct_field(context, field, statics)).collect(),
        Shape::Enum(tagging, variants) => variants_match(context, tagging, variants, statics),
    };
    for validator in &container.attrs.validators {
        body.extend(validate(validator, &quote!(self), &quote!(__at)));
    }
    if body.is_empty() {
        return forward;
    }
    quote! {
        fn check(&self, __at: __p::Path<'_>, __found: &mut __p::Violations) { #body }
        #forward
    }
}

/// A newtype's value is its field's, so the rules of the place where it stands are about that.
fn forward_rules(context: &Context<'_>, field: &Field<'_>) -> TokenStream {
    let Source::Own(ty) = field.source() else { return TokenStream::new() };
    let ty = context.value_type(ty);
    let member = &field.member;
    quote! {
        fn check_rules(&self, __checks: __p::Checks, __at: __p::Path<'_>, __found: &mut __p::Violations) {
            <#ty as __p::ResponseSchema>::check_rules(&self.#member, __checks, __at, __found);
        }
    }
}

fn struct_field(context: &Context<'_>, field: &Field<'_>, statics: &RuleConsts) -> TokenStream {
    let member = &field.member;
    value(context, field, &quote!(&self.#member), &place(field, &quote!(__at)), statics)
}

fn list_element(context: &Context<'_>, (index, field): (usize, &Field<'_>), statics: &RuleConsts) -> TokenStream {
    let member = &field.member;
    let index = Literal::usize_unsuffixed(index);
    value(context, field, &quote!(&self.#member), &quote!(__at.index(#index)), statics)
}

/// Where a field's value stands, from where its object stands.
fn place(field: &Field<'_>, object: &TokenStream) -> TokenStream {
    if field.attrs.flatten.is_some() {
        return object.clone();
    }
    let key = text(&field.key);
    quote!(#object.key(#key))
}

/// Everything there is to check of one field's value, which `reference` leads to.
fn value(
    context: &Context<'_>,
    field: &Field<'_>,
    reference: &TokenStream,
    at: &TokenStream,
    statics: &RuleConsts,
) -> TokenStream {
    let root = &context.crate_path;
    // Who checks what is inside the value, and who checks it against the rules of the field.
    let (inside, whole) = match field.source() {
        Source::Own(ty) => {
            // As in the node, so that a missing impl is the same error in both and told once.
            let ty = context.value_type(ty);
            let of = quote!(<#ty as __p::ResponseSchema>);
            (Some(quote!(#of::check)), Some(quote!(#of::check_rules)))
        }
        Source::Entries(ty) => {
            let ty = context.value_type(ty);
            (Some(quote!(<#ty as #root::entries::EntriesOf>::check_entries)), Some(quote!(#root::entries::check_rules)))
        }
        Source::JsonText => (None, Some(quote!(#root::json_text::check_rules))),
        Source::Stated(_) => (None, None),
    };
    let mut checks = TokenStream::new();
    if let Some(check) = inside {
        checks.extend(quote!(#check(#reference, #at, __found);));
    }
    let rules = &field.content().rules;
    if let Some(check) = whole.filter(|_| !rules.is_empty()) {
        let name = statics.rules(rules);
        checks.extend(match &rules.pattern {
            None => quote!(#check(#reference, __p::Checks::of(#name), #at, __found);),
            Some(pattern) => {
                let source = text(&pattern.value);
                quote!({
                    static __PATTERN: __p::Pattern = __p::Pattern::new(#source);
                    #check(#reference, __p::Checks::of(#name).matching(&__PATTERN), #at, __found);
                })
            }
        });
    }
    for validator in &field.content().validators {
        checks.extend(validate(validator, reference, at));
    }
    checks
}

/// A rule of the user's own. Its error is text before the list of violations is touched: an opaque
/// error type may borrow from the context in that list.
fn validate(validator: &Validator, reference: &TokenStream, at: &TokenStream) -> TokenStream {
    let function = &validator.function;
    let context = validator.with_context.then(|| quote!(, __found.context()));
    // All of the call stands on the path, which is what must be edited if the function takes or gives something
    // else. As a part of the expansion: the compiler would else propose edits of the call as if it were in the file.
    let on_path = |tokens: TokenStream| {
        let mut group = Group::new(Delimiter::Parenthesis, tokens);
        group.set_span(ty::ends(function).1);
        group
    };
    // A function that takes something else than a reference is refused as such; in a call of it the compiler would propose
    // to convert the path.
    let kind = if validator.with_context { quote!(__p::rule_in_context) } else { quote!(__p::rule) };
    let rule = ty::placed_on(function, kind);
    let path = on_path(ty::seated(function.to_token_stream()));
    let arguments = on_path(ty::placed_on(function, quote!(#reference #context)));
    quote! {
        let __verdict = __p::verdict(#rule #path #arguments);
        __p::object_to(__verdict, #at, __found);
    }
}

fn variants_match(
    context: &Context<'_>,
    tagging: &Tagging,
    variants: &[Variant<'_>],
    statics: &RuleConsts,
) -> TokenStream {
    let arms: Vec<_> = variants.iter().filter_map(|variant| arm(context, tagging, variant, statics)).collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    // An arm that nothing reaches would be a warning in the user's crate.
    let all = match &context.container.original.data {
        syn::Data::Enum(data) => data.variants.len() == arms.len(),
        _ => false,
    };
    let rest = if all { TokenStream::new() } else { quote!(_ => {}) };
    quote!(match self { #(#arms)* #rest })
}

/// The match arm of a variant that has something to check.
fn arm(context: &Context<'_>, tagging: &Tagging, variant: &Variant<'_>, statics: &RuleConsts) -> Option<TokenStream> {
    if variant.stated().is_some() {
        return None;
    }
    let base = match tagging {
        Tagging::External => key_of(&variant.name),
        Tagging::Adjacent(_, data) => key_of(&data.value()),
        Tagging::Internal(_) | Tagging::Untagged => quote!(__at),
    };
    let mut bindings = Vec::new();
    let mut body = TokenStream::new();
    for (index, field) in variant.fields.iter().enumerate() {
        // By number: a name in a style of its own would draw lints.
        let binding = quote::format_ident!("__f_{index}", span = Span::call_site());
        let at = match variant.style {
            Style::Struct => place(field, &base),
            Style::Tuple => {
                let index = Literal::usize_unsuffixed(index);
                quote!(#base.index(#index))
            }
            Style::Unit | Style::Newtype => base.clone(),
        };
        let checks = value(context, field, &binding.to_token_stream(), &at, statics);
        if !checks.is_empty() {
            bindings.push(bind(field, &binding));
            body.extend(checks);
        }
    }
    let name = &variant.original.ident;
    (!body.is_empty()).then(|| quote!(Self::#name { #(#bindings,)* .. } => { #body }))
}

fn bind(field: &Field<'_>, binding: &Ident) -> TokenStream {
    let member = &field.member;
    quote!(#member: #binding)
}

fn key_of(name: &str) -> TokenStream {
    let name = text(name);
    quote!(__at.key(#name))
}
