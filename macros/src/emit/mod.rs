//! Model to tokens. No rules live here: what is emitted is right if the model is.
//!
//! In generated code `__p` is the runtime's private module (see [`output`](crate::output)), and
//! names that the expansion itself brings begin with two underscores.
//!
//! What a type has many of (members, values, cases) is a struct literal over a constant with the usual values: a chain of
//! builders would have the compiler look up, check and evaluate a call for each word.

pub(crate) mod assert;
pub(crate) mod check;
pub(crate) mod interop;
pub(crate) mod partial;
mod rules;
pub(crate) mod schema;
mod union;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Type, TypePath};

use crate::bound::{self, Bounds};
use crate::json;
use crate::model::{Container, Field, Source};
use crate::ty::{self, Visit};

pub(crate) use rules::RuleConsts;

/// What every emitter needs.
pub(crate) struct Context<'a> {
    pub(crate) container: &'a Container<'a>,
    pub(crate) bounds: Bounds,
    /// The identity of the type.
    pub(crate) identity: u128,
    /// The path of the runtime crate.
    pub(crate) crate_path: TokenStream,
}

impl Context<'_> {
    /// The type whose `SCHEMA` a value has, as it can be written in the node.
    fn schema_type(&self, source: &Source<'_>) -> TokenStream {
        let root = &self.crate_path;
        match source {
            Source::Own(ty) | Source::Stated(ty) => self.node_type(ty),
            Source::Entries(ty) => {
                let ty = self.node_type(ty);
                // By the trait, so that a type that is no map is told on the type.
                quote!(<#ty as #root::entries::EntriesOf>::List)
            }
            Source::JsonText => quote!(#root::json_text::JsonText),
        }
    }

    /// The edge to the schema of a value.
    fn schema(&self, source: &Source<'_>) -> TokenStream {
        if let Source::Entries(ty) = source {
            // By the trait of maps itself, as in the check of values: one message if it is no map.
            let (root, ty) = (&self.crate_path, self.node_type(ty));
            return quote!(<#ty as #root::entries::EntriesOf>::ENTRIES);
        }
        let ty = self.schema_type(source);
        quote!(<#ty as __p::ResponseSchema>::SCHEMA)
    }

    /// The edge to the schema of a field.
    fn field_schema(&self, field: &Field<'_>) -> TokenStream {
        let Some(recursive) = &field.attrs.recursive else { return self.schema(&field.source()) };
        let mut ty = field.original.ty.clone();
        if let Some(target) = &recursive.target {
            let target = target.to_token_stream().to_string();
            ty::walk(&mut ty, &mut Named { target });
        } else {
            turn_back_innermost(&mut ty);
        }
        quote!(<#ty as __p::ResponseSchema>::SCHEMA)
    }

    /// A field's type in the check of values: spelled as in the node, so that a missing impl is the same
    /// error in both and told once.
    fn value_type(&self, ty: &Type) -> TokenStream {
        let ty = ty.to_token_stream();
        if self.bounds.generic { ty } else { ty::without_lifetimes(ty, &self.bounds.lifetimes) }
    }

    /// A type of the user's as it can be written in the node: in a `static` without lifetimes and
    /// without `Self`; in a generic type with references back in place of the type itself.
    fn node_type(&self, ty: &Type) -> TokenStream {
        let mut ty = ty.clone();
        if self.bounds.generic {
            ty::walk(&mut ty, &mut OwnName { ident: &self.container.original.ident });
            return ty.into_token_stream();
        }
        let itself = Bounds::self_type(self.container);
        ty::walk(&mut ty, &mut SelfName { itself });
        ty::without_lifetimes(ty.into_token_stream(), &self.bounds.lifetimes)
    }
}

/// `BackOf<…>` around a type.
fn turn_back(ty: &mut Type) {
    // Placed on the type, which is what a message about it must underline.
    let (start, end) = ty::ends(&*ty);
    let open = quote_spanned!(start=> __p::BackOf<);
    let close = quote_spanned!(end=> >);
    *ty = Type::Verbatim(quote!(#open #ty #close));
}

/// Puts references back in place of the type's own name, in generic types.
struct OwnName<'a> {
    ident: &'a syn::Ident,
}

impl Visit for OwnName<'_> {
    fn ty(&mut self, ty: &mut Type) -> bool {
        match ty {
            Type::Path(TypePath { qself: None, path, .. }) if bound::is_self(path, self.ident) => {
                turn_back(ty);
                false
            }
            _ => true,
        }
    }
}

/// Puts the type's name in place of `Self`, which a `static` does not know.
struct SelfName {
    itself: TokenStream,
}

impl Visit for SelfName {
    fn ty(&mut self, ty: &mut Type) -> bool {
        match ty {
            Type::Path(TypePath { qself: None, path, .. }) if path.is_ident("Self") => {
                *ty = Type::Verbatim(self.itself.clone());
                false
            }
            _ => true,
        }
    }
}

/// Puts references back in place of the type that `recursive = "…"` names.
struct Named {
    target: String,
}

impl Visit for Named {
    fn ty(&mut self, ty: &mut Type) -> bool {
        if ty.to_token_stream().to_string() == self.target {
            turn_back(ty);
            return false;
        }
        true
    }
}

/// Puts a reference back in place of the innermost type with arguments: `Tree<T>` in
/// `Option<Box<Tree<T>>>`.
fn turn_back_innermost(ty: &mut Type) {
    let inner = match ty {
        Type::Group(group) => Some(&mut *group.elem),
        Type::Paren(paren) => Some(&mut *paren.elem),
        Type::Reference(reference) => Some(&mut *reference.elem),
        Type::Slice(slice) => Some(&mut *slice.elem),
        Type::Array(array) => Some(&mut *array.elem),
        Type::Path(path) => path.path.segments.last_mut().and_then(|segment| match &mut segment.arguments {
            syn::PathArguments::AngleBracketed(list) => list.args.iter_mut().find_map(|argument| match argument {
                syn::GenericArgument::Type(inner) if has_arguments(inner) => Some(inner),
                _ => None,
            }),
            _ => None,
        }),
        _ => None,
    };
    match inner {
        Some(inner) if has_arguments(inner) => turn_back_innermost(inner),
        _ => turn_back(ty),
    }
}

fn has_arguments(ty: &Type) -> bool {
    match ty::bare(ty) {
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| !segment.arguments.is_none()),
        Type::Reference(_) | Type::Slice(_) | Type::Array(_) => true,
        _ => false,
    }
}

/// A string literal.
fn text(text: &str) -> Literal {
    Literal::string(text)
}

/// A key: `"name":` and the hash of the name.
fn key(name: &str) -> TokenStream {
    let lead = text(&format!("{}:", json::quoted(name)));
    let hash = Literal::u64_unsuffixed(json::key_hash(&json::escape(name)));
    quote!(__p::Key { lead: #lead, hash: #hash })
}

/// `,"description":"…`, if anything was said.
fn doc(description: &str) -> Option<Literal> {
    (!description.is_empty()).then(|| text(&format!(",\"description\":\"{}", json::escape(description))))
}

/// `aliases: &[…],` or nothing.
fn aliases(names: impl IntoIterator<Item = String>) -> TokenStream {
    let names: Vec<_> = names.into_iter().map(|name| text(&name)).collect();
    if names.is_empty() { TokenStream::new() } else { quote!(aliases: &[#(#names),*],) }
}
