//! The wrapper around everything that is emitted: one anonymous constant, one list of lint
//! exceptions, one way to the runtime crate.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

/// The path of the runtime crate: `::response_schema`, or what `crate = "…"` says. A path that begins
/// with a crate's name is made absolute, so that no module of the user's can stand in its way.
pub(crate) fn crate_path(given: Option<&Path>) -> TokenStream {
    let Some(path) = given else { return quote!(::response_schema) };
    let relative = path
        .segments
        .first()
        .is_some_and(|first| ["crate", "self", "super", "$crate"].iter().any(|w| first.ident == w));
    if relative || path.leading_colon.is_some() { quote!(#path) } else { quote!(::#path) }
}

/// Wraps items; in them `__p` is the runtime's private module.
pub(crate) fn wrap(crate_path: &TokenStream, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(deprecated, unused_qualifications, clippy::absolute_paths, clippy::needless_update)]
        const _: () = {
            use #crate_path::__private as __p;
            #items
        };
    }
}
