//! The node of the type, and what leads to it.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::LitStr;
use syn::ext::IdentExt;

use super::{Context, RuleConsts, aliases, doc, key, text, union};
use crate::model::{Field, Shape};
use crate::{json, side, ty};

/// The `static` with the node, for a type without type parameters; nothing for a generic one.
///
/// ```text
/// static __RESPONSE_SCHEMA_NODE: __p::Schema = __p::Schema::derived("Ticket", 0x…, module_path!(), …);
/// ```
pub(crate) fn node_static(context: &Context<'_>, node: &TokenStream) -> TokenStream {
    if context.bounds.generic {
        return TokenStream::new();
    }
    quote!(static __RESPONSE_SCHEMA_NODE: __p::Schema = #node;)
}

/// The value of `SCHEMA`: an edge to the `static`, or to a promoted node.
pub(crate) fn edge(context: &Context<'_>, node: &TokenStream) -> TokenStream {
    if context.bounds.generic {
        quote!(__p::SchemaRef::new(&#node))
    } else {
        quote!(__p::SchemaRef::new(&__RESPONSE_SCHEMA_NODE))
    }
}

/// The node.
pub(crate) fn node(context: &Context<'_>, statics: &RuleConsts) -> TokenStream {
    let container = context.container;
    let mut rules = None;
    let kind = match &container.shape {
        Shape::Stated(ty) => {
            let inner = context.schema(&crate::model::Source::Stated(ty));
            quote!(__p::Kind::Transparent(#inner))
        }
        Shape::Unit => quote!(__p::Kind::Null),
        Shape::Newtype(field) => {
            rules = node_rules(field, statics);
            let inner = context.field_schema(field);
            quote!(__p::Kind::Transparent(#inner))
        }
        Shape::Tuple(fields) => {
            let list = union::tuple(context, fields, container.written());
            quote!(__p::Kind::Transparent(<#list as __p::ResponseSchema>::SCHEMA))
        }
        Shape::Struct(fields) => {
            let tag = container.attrs.tag.as_ref().map(|key| Tag {
                key,
                name: container.wire_name(),
                spellings: Vec::new(),
                unknown: Some(quote!(Ignored)),
            });
            object(context, fields, tag.as_ref(), statics)
        }
        Shape::Enum(tagging, variants) => union::kind(context, tagging, variants, statics),
    };
    let about = about(match &container.shape {
        Shape::Newtype(field) if container.doc.is_empty() => &field.doc,
        _ => &container.doc,
    });
    let head = identity(context, &kind);
    let side = if side::is_one_sided(container.original) { quote!(.one_sided()) } else { TokenStream::new() };
    let stated = if container.shape.is_stated() { quote!(.stated()) } else { TokenStream::new() };
    quote!(#head #rules #about #side #stated)
}

/// `Schema::derived(name, place, module, kind)`, with the generic arguments if there are any.
pub(crate) fn identity(context: &Context<'_>, kind: &TokenStream) -> TokenStream {
    let name = text(&context.container.name);
    let identity = Literal::u128_unsuffixed(context.identity);
    let args = &context.bounds.args;
    let generic = if context.bounds.generic { quote!(.generic(&[#(#args),*])) } else { TokenStream::new() };
    let spelled = context.container.original.ident.unraw().to_string();
    let ident = if spelled == context.container.name {
        TokenStream::new()
    } else {
        let spelled = text(&spelled);
        quote!(.ident(#spelled))
    };
    quote!(__p::Schema::derived(#name, #identity, ::core::module_path!(), #kind) #ident #generic)
}

/// A tag.
pub(crate) struct Tag<'a> {
    pub(crate) key: &'a LitStr,
    /// The variant's name, or the struct's.
    pub(crate) name: String,
    /// Other spellings of the name.
    pub(crate) spellings: Vec<String>,
    /// What else serde reads, if anything: a variant of `Unknown`.
    pub(crate) unknown: Option<TokenStream>,
}

/// The kind of an object: the tag if there is one, then the fields.
pub(crate) fn object(
    context: &Context<'_>,
    fields: &[Field<'_>],
    tag: Option<&Tag<'_>>,
    statics: &RuleConsts,
) -> TokenStream {
    let tag = tag.map(tag_field);
    let fields = fields.iter().map(|field| member(context, field, statics));
    let members = tag.into_iter().chain(fields);
    let new = object_fn(context);
    quote!(__p::Kind::#new(&[#(#members),*]))
}

/// The builder for objects of this type.
pub(crate) fn object_fn(context: &Context<'_>) -> TokenStream {
    if context.container.attrs.denies_unknown.is_some() { quote!(closed_object) } else { quote!(object) }
}

/// The tag as a member: an enum of one value.
pub(crate) fn tag_field(tag: &Tag<'_>) -> TokenStream {
    let key = key(&tag.key.value());
    let value = text(&json::quoted(&tag.name));
    let aliases = aliases(tag.spellings.iter().map(|name| json::quoted(name)));
    let unit = unit(&value, &TokenStream::new(), &aliases, tag.unknown.as_ref());
    let schema = quote!(__p::SchemaRef::new(&__p::Schema::plain("tag", __p::Kind::Enum(&[#unit]))));
    literal(&key, &schema, &TokenStream::new())
}

/// A member: its key, its schema, and what else is said of it.
pub(crate) fn literal(key: &TokenStream, schema: &TokenStream, extras: &TokenStream) -> TokenStream {
    quote!(__p::Field { key: #key, schema: #schema, #extras ..__p::Field::PLAIN })
}

/// One value of an enum.
pub(crate) fn unit(
    value: &Literal,
    doc: &TokenStream,
    aliases: &TokenStream,
    unknown: Option<&TokenStream>,
) -> TokenStream {
    let unknown = unknown.map(|unknown| quote!(unknown: __p::Unknown::#unknown,));
    quote!(__p::Unit { value: #value, #doc #aliases #unknown ..__p::Unit::PLAIN })
}

/// A field as a member.
fn member(context: &Context<'_>, field: &Field<'_>, statics: &RuleConsts) -> TokenStream {
    let key = key(&field.key);
    let schema = context.field_schema(field);
    let mut extras = extras(context, field, statics);
    if is_optional(field) {
        extras.extend(quote!(optional: true,));
    }
    if field.attrs.flatten.is_some() {
        extras.extend(quote!(flatten: true,));
    }
    literal(&key, &schema, &extras)
}

/// Whether serde reads a missing key as `None`. An `Option` under another name is not known here, which costs
/// nothing: it stays required.
fn is_optional(field: &Field<'_>) -> bool {
    let content = field.content();
    content.with.is_none()
        && content.schema_of.is_none()
        && ty::last_ident(&field.original.ty).is_some_and(|ident| ident == "Option")
}

/// What is said of a field beside its key and type.
pub(crate) fn extras(context: &Context<'_>, field: &Field<'_>, statics: &RuleConsts) -> TokenStream {
    let mut extras = doc(&field.doc).map(|doc| quote!(doc: __p::Doc(#doc),)).unwrap_or_default();
    if let Some(rules) = rules_of(field, statics) {
        extras.extend(quote!(rules: #rules, ruled: true,));
    }
    extras.extend(aliases(field.attrs.aliases.iter().map(|alias| json::escape(&alias.value()))));
    if field.attrs.default || context.container.attrs.default {
        extras.extend(quote!(fills: true,));
    }
    extras
}

/// The rules on a field, if there are any.
fn rules_of(field: &Field<'_>, statics: &RuleConsts) -> Option<Ident> {
    let rules = &field.content().rules;
    (!rules.is_empty()).then(|| statics.rules(rules))
}

/// `.rules(…)` on the node of a newtype, or nothing.
pub(crate) fn node_rules(field: &Field<'_>, statics: &RuleConsts) -> Option<TokenStream> {
    rules_of(field, statics).map(|rules| quote!(.rules(#rules)))
}

/// `.doc(…)` on a node, or nothing.
pub(crate) fn about(description: &str) -> Option<TokenStream> {
    doc(description).map(|doc| quote!(.doc(#doc)))
}

/// For a generic type, how others (and itself) refer back to it without looking into its node.
pub(crate) fn back(context: &Context<'_>) -> TokenStream {
    if !context.bounds.generic {
        return TokenStream::new();
    }
    let node = identity(context, &quote!(__p::Kind::Back));
    let original = context.container.original;
    let ident = &original.ident;
    let (impl_generics, ty_generics, _) = original.generics.split_for_impl();
    let where_clause = context.bounds.where_clause(&original.generics);
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::Recursive for #ident #ty_generics #where_clause {
            const BACK: __p::SchemaRef = __p::SchemaRef::new(&#node);
        }
    }
}
