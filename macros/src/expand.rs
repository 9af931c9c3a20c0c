//! The pipeline: read, check, emit; or the faults and a stub.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::DeriveInput;

use crate::bound::Bounds;
use crate::emit::{self, Context, RuleConsts};
use crate::faults::Faults;
use crate::model::Container;
use crate::place::Place;
use crate::{check, fallback, output};

/// The expansion of the derive on `item`, which stands at `place`.
pub(crate) fn expand(item: &TokenStream, place: &Place) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let faults = Faults::new();
    let container = Container::read(&input, &faults);
    if let Some(container) = &container {
        check::check(container, &faults);
    }
    match container {
        Some(container) if faults.none() => {
            let errors = faults.finish();
            debug_assert!(errors.is_empty(), "no faults, no errors");
            emit(&container, place.identity(&input.ident, item))
        }
        _ => {
            let errors = faults.finish();
            let stub = fallback::stub(&input, container.as_ref());
            quote!(#errors #stub)
        }
    }
}

/// The impl of a type without faults.
///
/// ```text
/// static __RESPONSE_SCHEMA_NODE: __p::Schema = …;
/// impl __p::ResponseSchema for Ticket { const SCHEMA: … = …; fn check(&self, …) { … } }
/// const _: () = __p::check_type(…);
/// ```
fn emit(container: &Container<'_>, identity: u128) -> TokenStream {
    let crate_path = output::crate_path(container.attrs.crate_path.as_ref());
    let context = Context { container, bounds: Bounds::of(container), identity, crate_path };
    let statics = RuleConsts::default();

    let node = emit::schema::node(&context, &statics);
    let node_static = emit::schema::node_static(&context, &node);
    let edge = emit::schema::edge(&context, &node);
    let methods = emit::check::methods(&context, &statics);
    let back = emit::schema::back(&context);
    let checks = emit::assert::checks(&context, &statics);
    let emit::partial::Partial { companion, impls } = emit::partial::partial(&context);
    let json_schema = emit::interop::json_schema(&context);
    let statics = statics.into_tokens();

    let generics = &container.original.generics;
    let ident = container.original.ident.to_token_stream();
    let (impl_generics, ty_generics, _) = generics.split_for_impl();
    let where_clause = context.bounds.where_clause(generics);
    let items = quote! {
        #statics
        #node_static
        #[automatically_derived]
        impl #impl_generics __p::ResponseSchema for #ident #ty_generics #where_clause {
            const SCHEMA: __p::SchemaRef = #edge;
            #methods
        }
        #back
        #json_schema
        #checks
        #impls
    };
    let wrapped = output::wrap(&context.crate_path, &items);
    quote!(#companion #wrapped)
}
