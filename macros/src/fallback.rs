//! The stub beside the errors: an impl all the same, so that code which uses the type adds no
//! errors of its own. With it stand the types of the fields, so that those without an impl are told at once.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::attr::container::ContainerAttrs;
use crate::emit::{self, Context};
use crate::faults::Faults;
use crate::model::Container;
use crate::{bound::Bounds, output};

/// An impl with the schema of an empty object.
pub(crate) fn stub(item: &DeriveInput, container: Option<&Container<'_>>) -> TokenStream {
    // What is wrong with the attributes has been said; here only the path is of use.
    let unheard = Faults::new();
    let attrs = ContainerAttrs::read(&item.attrs, &unheard);
    let _ = unheard.finish();
    let ident = &item.ident;
    let (impl_generics, ty_generics, where_clause) = item.generics.split_for_impl();
    let node = quote!(__p::SchemaRef::new(&__p::Schema::plain("stub", __p::Kind::object(&[]))));
    let crate_path = output::crate_path(attrs.crate_path.as_ref());
    let fields = container.map(|container| {
        let bounds = Bounds::of(container);
        // Nothing that is emitted here is part of the type's node, and so of its identity.
        emit::assert::impls(&Context { container, bounds, identity: 0, crate_path: crate_path.clone() })
    });
    let items = quote! {
        #[automatically_derived]
        impl #impl_generics __p::ResponseSchema for #ident #ty_generics #where_clause {
            const SCHEMA: __p::SchemaRef = #node;
        }
        #[automatically_derived]
        impl #impl_generics __p::Recursive for #ident #ty_generics #where_clause {
            const BACK: __p::SchemaRef = #node;
        }
        #fields
    };
    output::wrap(&crate_path, &items)
}
