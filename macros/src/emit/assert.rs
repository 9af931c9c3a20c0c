//! Faults across types, found in const evaluation and reported on the user's own tokens.
//!
//! The runtime's checks are `const fn`s that panic with the message, marked `#[track_caller]`; a
//! `const _` calls each with the place of the field's type, the rule or the type's name. For generic types
//! nothing is emitted: they are checked where they are used.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::{Context, RuleConsts, rules, union};
use crate::attr::field::With;
use crate::bound::Bounds;
use crate::model::{Field, Shape, Source, Style, Tagging, Variant};
use crate::ty;

/// All checks of the type.
pub(crate) fn checks(context: &Context<'_>, statics: &RuleConsts) -> TokenStream {
    if context.bounds.generic {
        return TokenStream::new();
    }
    let container = context.container;
    let ident = &container.original.ident;
    let itself = edge(context);
    let mut checks = call(ident, "check_type", &itself);
    match &container.shape {
        Shape::Stated(_) | Shape::Unit => {}
        Shape::Newtype(field) => {
            checks.extend(field_check(context, field, 0));
            checks.extend(rule_checks(context, field, statics));
        }
        Shape::Struct(fields) => {
            // The tag, if there is one, is the first member.
            let first = usize::from(container.attrs.tag.is_some());
            checks.extend(members(context, fields, (&itself, 0, first), 1, statics));
        }
        Shape::Enum(tagging, variants) => {
            for (index, variant) in variants.iter().enumerate() {
                let case = union::case_index(tagging, variants, index);
                checks.extend(variant_checks(context, tagging, variant, case, statics));
            }
        }
    }
    for (literal, dialect) in &container.attrs.dialects {
        let root = &context.crate_path;
        let (start, end) = ty::ends(literal);
        let verify = Ident::new("verify", start);
        let marker = format_ident!("{}", dialect.marker);
        let this = Bounds::self_type(container);
        let mut nothing = Group::new(Delimiter::Parenthesis, TokenStream::new());
        nothing.set_span(end);
        checks.extend(quote!(const _: () = #root::#verify::<#this, #root::dialect::#marker> #nothing;));
    }
    checks
}

/// The schemas of the fields of a faulty type, which has no node that would ask for them.
pub(crate) fn impls(context: &Context<'_>) -> TokenStream {
    if context.bounds.generic {
        return TokenStream::new();
    }
    let stated = |field: &&Field<'_>| matches!(field.content().with, Some(With::Other(..)));
    let fields = context.container.fields().into_iter().filter(|field| field.sound && !stated(field));
    fields
        .map(|field| {
            let schema = context.schema(&field.source());
            quote!(const _: __p::SchemaRef = #schema;)
        })
        .collect()
}

/// The edge to the type's own node.
fn edge(context: &Context<'_>) -> TokenStream {
    let this = Bounds::self_type(context.container);
    quote!(<#this as __p::ResponseSchema>::SCHEMA)
}

fn variant_checks(
    context: &Context<'_>,
    tagging: &Tagging,
    variant: &Variant<'_>,
    case: usize,
    statics: &RuleConsts,
) -> TokenStream {
    let mut checks = TokenStream::new();
    let itself = edge(context);
    let wrapped = usize::from(matches!(tagging, Tagging::External | Tagging::Adjacent(..)));
    let tagged = matches!(tagging, Tagging::Internal(_));
    match (variant.style, variant.fields.as_slice()) {
        _ if variant.stated().is_some() => {}
        (Style::Struct, fields) => {
            // In a wrapped enum the variant's object is inside the case and has no name that the
            // check could be given; it gets a copy of the object.
            let (root, case) = match wrapped {
                0 => (itself.clone(), case),
                _ => (union::content(context, variant, statics), 0),
            };
            checks.extend(members(context, fields, (&root, case, usize::from(tagged)), wrapped + 1, statics));
        }
        (Style::Newtype, [field]) => {
            if !tagged {
                checks.extend(field_check(context, field, wrapped));
            }
            checks.extend(rule_checks(context, field, statics));
        }
        _ => {}
    }
    let index = Literal::usize_unsuffixed(case);
    if tagged && variant.style == Style::Newtype {
        let ty = variant.fields.first().and_then(|field| field.source().ty());
        let place = ty.map_or_else(|| variant.original.ident.to_token_stream(), ToTokens::to_token_stream);
        checks.extend(call(place, "check_payload", &quote!(#itself, #index)));
    }
    if matches!(tagging, Tagging::Untagged) && case > 0 {
        checks.extend(call(&variant.original.ident, "check_untagged", &quote!(#itself, #index)));
    }
    checks
}

/// The checks of an object's fields. Given are the node and the number of the case in it that the
/// object is, the number of its first member, and how many objects stand above a field's value.
fn members(
    context: &Context<'_>,
    fields: &[Field<'_>],
    (root, case, first): (&TokenStream, usize, usize),
    levels: usize,
    statics: &RuleConsts,
) -> TokenStream {
    let mut checks = TokenStream::new();
    for (index, field) in fields.iter().enumerate() {
        if field.attrs.flatten.is_some() {
            let (case, member) = (Literal::usize_unsuffixed(case), Literal::usize_unsuffixed(first + index));
            checks.extend(call(place(field), "check_flatten", &quote!(#root, #case, #member)));
            continue;
        }
        checks.extend(field_check(context, field, levels));
        checks.extend(rule_checks(context, field, statics));
    }
    checks
}

fn field_check(context: &Context<'_>, field: &Field<'_>, levels: usize) -> TokenStream {
    if field.source().ty().is_none_or(ty::looks_scalar) {
        return TokenStream::new();
    }
    let schema = context.schema(&field.source());
    let levels = Literal::usize_unsuffixed(levels);
    call(place(field), "check_field", &quote!(#schema, #levels))
}

/// The rules of a field against its type: one check for each kind of rule, on the first of the kind.
fn rule_checks(context: &Context<'_>, field: &Field<'_>, statics: &RuleConsts) -> TokenStream {
    let rules = &field.content().rules;
    if rules.is_empty() {
        return TokenStream::new();
    }
    let groups = rules.groups();
    let alone = groups.iter().filter(|keys| !keys.is_empty()).count() == 1;
    let schema = context.schema(&field.source());
    let mut checks = TokenStream::new();
    for (index, keys) in groups.iter().enumerate() {
        let Some(&key) = keys.first() else { continue };
        let value = if alone {
            statics.rules(rules).into_token_stream()
        } else {
            let value = rules::tokens(rules, std::array::from_fn(|i| i == index));
            quote!(&#value)
        };
        checks.extend(call(Ident::new("__", key), "check_rules", &quote!(#schema, #value)));
    }
    checks
}

/// What a fault of the field's type underlines.
fn place(field: &Field<'_>) -> TokenStream {
    match field.source() {
        Source::Own(ty) | Source::Stated(ty) | Source::Entries(ty) => ty.to_token_stream(),
        Source::JsonText => field.original.ty.to_token_stream(),
    }
}

/// `const _: () = __p::function(arguments);`, placed on `place`.
fn call(place: impl ToTokens, function: &str, arguments: &TokenStream) -> TokenStream {
    let (start, end) = ty::ends(place);
    let module = Ident::new("__p", start);
    let function = Ident::new(function, start);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
    arguments.set_span(end);
    quote!(const _: () = #module::#function #arguments;)
}
