//! The traits of other crates.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::Context;

/// `impl schemars::JsonSchema`, if `json_schema` asks for it.
///
/// The runtime's macro writes it, for only the runtime knows whether it has schemars; without it the macro writes nothing, and
/// the constant, which has the span of the word `json_schema`, does not compile.
pub(crate) fn json_schema(context: &Context<'_>) -> TokenStream {
    let container = context.container;
    let Some(span) = container.attrs.json_schema else { return TokenStream::new() };
    let generics = &container.original.generics;
    let (impl_generics, ty_generics, _) = generics.split_for_impl();
    let where_clause = context.bounds.where_clause(generics);
    let ident = container.original.ident.to_token_stream();
    let implement = Ident::new("__json_schema", span);
    let needs = quote_spanned!(span=> const _: () = __p::needs_schemars::<__p::Features>(););
    quote!(#needs __p::#implement! { [#impl_generics] [#ident #ty_generics] [#where_clause] })
}
