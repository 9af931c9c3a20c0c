//! Enums: one case per variant, in each of serde's four representations.
//!
//! What `V` looks like, with `"t"` for the tag and `"c"` for the content:
//!
//! | variant | external | internal | adjacent | untagged |
//! |---|---|---|---|---|
//! | `V` | `"V"` | `{"t":"V"}` | `{"t":"V"}` | `null` |
//! | `V(T)` | `{"V":T}` | `{"t":"V", …T}` | `{"t":"V","c":T}` | `T` |
//! | `V(T, T)` | `{"V":[T,T]}` | refused | `{"t":"V","c":[T,T]}` | `[T,T]` |
//! | `V { … }` | `{"V":{…}}` | `{"t":"V", …}` | `{"t":"V","c":{…}}` | `{…}` |

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::schema::{self, Tag, object, object_fn, tag_field};
use super::{Context, RuleConsts, aliases, key, text};
use crate::json;
use crate::model::{Field, Style, Tagging, Variant};

/// The kind of an enum.
pub(crate) fn kind(
    context: &Context<'_>,
    tagging: &Tagging,
    variants: &[Variant<'_>],
    statics: &RuleConsts,
) -> TokenStream {
    let external = matches!(tagging, Tagging::External);
    let units: Vec<_> = variants.iter().filter(|v| external && v.style == Style::Unit).map(unit).collect();
    if external && units.len() == variants.len() {
        return quote!(__p::Kind::Enum(&[#(#units),*]));
    }
    let mut cases = Vec::new();
    let mut units_done = false;
    for variant in variants {
        if external && variant.style == Style::Unit {
            // All unit variants are one case, where the first of them stands.
            if !std::mem::replace(&mut units_done, true) {
                cases.push(quote!(__p::Case {
                    schema: __p::SchemaRef::new(&__p::Schema::plain("units", __p::Kind::Enum(&[#(#units),*]))),
                    ..__p::Case::PLAIN
                }));
            }
            continue;
        }
        let name = text(&variant.original.ident.unraw().to_string());
        let schema = case(context, tagging, variant, statics);
        let aliases = aliases(variant.attrs.aliases.iter().map(|alias| json::escape(&alias.value())));
        cases.push(quote!(__p::Case { name: #name, schema: #schema, #aliases ..__p::Case::PLAIN }));
    }
    let tagging = match tagging {
        Tagging::External => quote!(External),
        Tagging::Untagged => quote!(Untagged),
        Tagging::Internal(tag) => {
            let tag = key(&tag.value());
            quote!(Internal { tag: #tag })
        }
        Tagging::Adjacent(tag, data) => {
            let (tag, data) = (key(&tag.value()), key(&data.value()));
            quote!(Adjacent { tag: #tag, content: #data })
        }
    };
    quote!(__p::Kind::union(__p::Tagging::#tagging, &[#(#cases),*]))
}

/// Which case of the union the variant at `index` is.
pub(crate) fn case_index(tagging: &Tagging, variants: &[Variant<'_>], index: usize) -> usize {
    let is_unit = |variant: &Variant<'_>| matches!(tagging, Tagging::External) && variant.style == Style::Unit;
    let units = variants[..index].iter().filter(|variant| is_unit(variant)).count();
    index - units.saturating_sub(1)
}

/// A unit variant among the values of a string enum.
fn unit(variant: &Variant<'_>) -> TokenStream {
    let value = text(&json::quoted(&variant.name));
    let doc = if variant.doc.is_empty() {
        TokenStream::new()
    } else {
        let doc = text(&json::escape(&variant.doc));
        quote!(doc: #doc,)
    };
    let aliases = aliases(spellings(variant).iter().map(|name| json::quoted(name)));
    schema::unit(&value, &doc, &aliases, unknown(variant).as_ref())
}

/// Other spellings of a variant's name: serde's aliases and our own.
fn spellings(variant: &Variant<'_>) -> Vec<String> {
    variant.attrs.aliases.iter().chain(&variant.attrs.spellings).map(syn::LitStr::value).collect()
}

/// Says that serde reads unknown names as this variant.
fn unknown(variant: &Variant<'_>) -> Option<TokenStream> {
    variant.attrs.other.then(|| quote!(Other))
}

/// The edge to the schema of a variant, tag included.
fn case(context: &Context<'_>, tagging: &Tagging, variant: &Variant<'_>, statics: &RuleConsts) -> TokenStream {
    let tag = |key| Tag { key, name: variant.name.clone(), spellings: spellings(variant), unknown: unknown(variant) };
    match tagging {
        Tagging::External => {
            let key = key(&variant.name);
            let payload = payload(context, variant, &key, statics, false);
            node(context, variant, &[payload])
        }
        Tagging::Internal(key) => {
            let tag = tag(key);
            if variant.style == Style::Struct && variant.stated().is_none() {
                let kind = object(context, &variant.fields, Some(&tag), statics);
                return anonymous(variant, &kind);
            }
            let mut members = vec![tag_field(&tag)];
            if variant.style != Style::Unit {
                // The key of a flattened member is for messages only.
                let lead = self::key(&variant.original.ident.to_string());
                members.push(payload(context, variant, &lead, statics, true));
            }
            node(context, variant, &members)
        }
        Tagging::Adjacent(key, data) => {
            let mut members = vec![tag_field(&tag(key))];
            if variant.style != Style::Unit {
                members.push(payload(context, variant, &self::key(&data.value()), statics, false));
            }
            node(context, variant, &members)
        }
        Tagging::Untagged => untagged(context, variant, statics),
    }
}

/// A variant that is just its content.
fn untagged(context: &Context<'_>, variant: &Variant<'_>, statics: &RuleConsts) -> TokenStream {
    match variant.style {
        Style::Unit => anonymous(variant, &quote!(__p::Kind::Null)),
        Style::Struct if variant.stated().is_none() => {
            anonymous(variant, &object(context, &variant.fields, None, statics))
        }
        _ => {
            let schema = content(context, variant, statics);
            let extras = variant.fields.first().filter(|_| variant.style == Style::Newtype);
            let extras = extras.and_then(|field| schema::node_rules(field, statics));
            if extras.is_none() && variant.doc.is_empty() {
                return schema;
            }
            let node = bare(variant, &quote!(__p::Kind::Transparent(#schema)));
            quote!(__p::SchemaRef::new(&#node #extras))
        }
    }
}

/// The content of a variant as a member under `key`, or in the place of it.
fn payload(
    context: &Context<'_>,
    variant: &Variant<'_>,
    key: &TokenStream,
    statics: &RuleConsts,
    flatten: bool,
) -> TokenStream {
    let schema = content(context, variant, statics);
    let mut extras = match (variant.style, variant.fields.as_slice()) {
        (Style::Newtype, [field]) => schema::extras(context, field, statics),
        _ => TokenStream::new(),
    };
    if flatten {
        extras.extend(quote!(flatten: true,));
    }
    schema::literal(key, &schema, &extras)
}

/// The edge to the schema of a variant's content.
pub(crate) fn content(context: &Context<'_>, variant: &Variant<'_>, statics: &RuleConsts) -> TokenStream {
    if let Some(stated) = variant.stated() {
        return context.schema(&stated);
    }
    match (variant.style, variant.fields.as_slice()) {
        (Style::Newtype, [field]) => context.field_schema(field),
        (Style::Tuple, _) => {
            let ty = tuple(context, &variant.fields, &variant.original.fields);
            quote!(<#ty as __p::ResponseSchema>::SCHEMA)
        }
        (_, fields) => {
            let name = text(&variant.original.ident.unraw().to_string());
            let kind = object(context, fields, None, statics);
            quote!(__p::SchemaRef::new(&__p::Schema::plain(#name, #kind)))
        }
    }
}

/// The tuple type of these fields, placed on `list`: whether all elements are alike is for the type system to say.
pub(crate) fn tuple(context: &Context<'_>, fields: &[Field<'_>], list: impl ToTokens) -> TokenStream {
    let types = fields.iter().map(|field| context.schema_type(&field.source()));
    let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#types),*));
    group.set_span(super::ty::ends(list).0);
    TokenTree::Group(group).into_token_stream()
}

/// An edge to an object of these members, with the variant's name and description.
fn node(context: &Context<'_>, variant: &Variant<'_>, members: &[TokenStream]) -> TokenStream {
    let new = object_fn(context);
    anonymous(variant, &quote!(__p::Kind::#new(&[#(#members),*])))
}

fn anonymous(variant: &Variant<'_>, kind: &TokenStream) -> TokenStream {
    let node = bare(variant, kind);
    quote!(__p::SchemaRef::new(&#node))
}

fn bare(variant: &Variant<'_>, kind: &TokenStream) -> TokenStream {
    let name = text(&variant.original.ident.unraw().to_string());
    let about = schema::about(&variant.doc);
    quote!(__p::Schema::plain(#name, #kind) #about)
}
