//! The partial form of a type: a companion whose every field is optional, and how it is had from a value that
//! is still being written.
//!
//! What is decided as a whole (choices between names, types whose form another type states, lists of fixed length)
//! needs no companion: it is there once it is complete, as itself.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Type, WherePredicate};

use super::{Context, SelfName, text};
use crate::attr::container::PartialForm;
use crate::attr::field::{Appears, With};
use crate::model::{Container, Field, Shape, Style, Tagging, Variant};
use crate::ty;

/// What is emitted for the partial form.
#[derive(Default)]
pub(crate) struct Partial {
    /// The companion, which users name.
    pub(crate) companion: TokenStream,
    pub(crate) impls: TokenStream,
}

/// The companion, if the type has one, and the impl that makes it; nothing unless the user asks for it.
///
/// ```text
/// pub struct PartialTicket { pub summary: Option<<String as Streamed>::Partial>, … }
/// impl Streamed for Ticket { type Partial = PartialTicket; fn partial(…) -> Option<PartialTicket> { … } }
/// ```
pub(crate) fn partial(context: &Context<'_>) -> Partial {
    let Some(form) = &context.container.attrs.partial else { return Partial::default() };
    let emit = Emit {
        context,
        root: &context.crate_path,
        name: format_ident!("Partial{}", context.container.original.ident.unraw()),
    };
    match &context.container.shape {
        Shape::Newtype(field) => Partial { impls: emit.newtype(field), ..Partial::default() },
        Shape::Struct(fields) => emit.object(form, fields),
        Shape::Enum(tagging, variants) if has_companion(tagging, variants) => emit.choice(form, tagging, variants),
        Shape::Stated(_) | Shape::Unit | Shape::Tuple(_) | Shape::Enum(..) => {
            Partial { impls: emit.whole(), ..Partial::default() }
        }
    }
}

/// Whether an unfinished value of an enum has anything to show.
fn has_companion(tagging: &Tagging, variants: &[Variant<'_>]) -> bool {
    let own_form = |variant: &Variant<'_>| variant.attrs.content.with.is_none() && variant.stated().is_none();
    !matches!(tagging, Tagging::Untagged)
        && variants.iter().any(|variant| variant.style != Style::Unit)
        && variants.iter().all(own_form)
}

struct Emit<'a> {
    context: &'a Context<'a>,
    root: &'a TokenStream,
    name: Ident,
}

impl Emit<'_> {
    /// The impl, with this partial form and this body; `value` is the value.
    fn implement(&self, partial: &TokenStream, body: &TokenStream, bounds: &[TokenStream]) -> TokenStream {
        let root = self.root;
        let container = self.context.container;
        let ident = &container.original.ident;
        let (impl_generics, ty_generics, _) = container.original.generics.split_for_impl();
        let where_clause = self.where_clause(bounds);
        quote! {
            #[automatically_derived]
            impl #impl_generics #root::partial::Streamed for #ident #ty_generics #where_clause {
                type Partial = #partial;

                fn partial(__value: #root::partial::PartialValue<'_>) -> ::core::option::Option<Self::Partial> {
                    #body
                }
            }
        }
    }

    /// The type's own where clause and what its fields need.
    fn where_clause(&self, bounds: &[TokenStream]) -> TokenStream {
        let own = self.context.container.original.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let own = own.map(WherePredicate::to_token_stream);
        let all: Vec<_> = own.chain(bounds.iter().cloned()).collect();
        if all.is_empty() { TokenStream::new() } else { quote!(where #(#all,)*) }
    }

    fn whole(&self) -> TokenStream {
        let root = self.root;
        let bound = self
            .context
            .container
            .is_generic()
            .then(|| quote!(Self: #root::__private::DeserializeOwned))
            .into_iter()
            .collect::<Vec<_>>();
        self.implement(&quote!(Self), &quote!(__value.read()), &bound)
    }

    fn newtype(&self, field: &Field<'_>) -> TokenStream {
        let ty = self.form(field);
        let value = self.appear(field, &quote!(::core::option::Option::Some(__value)));
        self.implement(&ty, &value, &self.bounds([field]))
    }

    fn object(&self, form: &PartialForm, fields: &[Field<'_>]) -> Partial {
        let companion = self.companion(form, &quote!(struct), &self.declare(fields, true), fields);
        let (name, values) = (&self.name, self.fill(fields, &quote!(::core::option::Option::Some(__value))));
        let (_, ty_generics, _) = self.context.container.original.generics.split_for_impl();
        let body = quote!(::core::option::Option::Some(#name { #values }));
        let implementation = self.implement(&quote!(#name #ty_generics), &body, &self.bounds(fields));
        let none = fields.iter().map(|field| {
            let member = &field.member;
            quote!(#member: ::core::option::Option::None,)
        });
        let empty = self.default(&quote!(Self { #(#none)* }), &self.bounds(fields));
        Partial { companion, impls: quote!(#implementation #empty) }
    }

    fn default(&self, body: &TokenStream, bounds: &[TokenStream]) -> TokenStream {
        let name = &self.name;
        let (impl_generics, ty_generics, _) = self.context.container.original.generics.split_for_impl();
        let where_clause = self.where_clause(bounds);
        quote! {
            #[automatically_derived]
            impl #impl_generics ::core::default::Default for #name #ty_generics #where_clause {
                fn default() -> Self { #body }
            }
        }
    }

    fn choice(&self, form: &PartialForm, tagging: &Tagging, variants: &[Variant<'_>]) -> Partial {
        let name = &self.name;
        let fields: Vec<&Field<'_>> = variants.iter().flat_map(|variant| &variant.fields).collect();
        let declared = variants.iter().map(|variant| {
            let ident = &variant.original.ident;
            let doc = format!("[`{}::{ident}`], as far as it is known.", self.context.container.original.ident);
            let content = match variant.style {
                Style::Unit => TokenStream::new(),
                Style::Newtype => {
                    let form = self.form(&variant.fields[0]);
                    quote!((::core::option::Option<#form>))
                }
                Style::Tuple => {
                    let types = variant.fields.iter().map(|field| self.ty(field));
                    quote!((#(#types),*))
                }
                Style::Struct => {
                    let fields = self.declare(&variant.fields, false);
                    quote!({ #fields })
                }
            };
            quote!(#[doc = #doc] #ident #content,)
        });
        let companion = self.companion(form, &quote!(enum), &quote!(#(#declared)*), fields.iter().copied());
        let body = self.decide(tagging, variants);
        let (_, ty_generics, _) = self.context.container.original.generics.split_for_impl();
        let impls = self.implement(&quote!(#name #ty_generics), &body, &self.bounds(fields));
        Partial { companion, impls }
    }

    /// Which variant it is, and what there is of its content.
    fn decide(&self, tagging: &Tagging, variants: &[Variant<'_>]) -> TokenStream {
        let some = |value: &TokenStream| quote!(::core::option::Option::Some(#value));
        let arm = |variant: &Variant<'_>, content: &TokenStream| {
            let names =
                std::iter::once(variant.name.clone()).chain(variant.attrs.aliases.iter().map(syn::LitStr::value));
            let names = names.map(|name| text(&name));
            let content = self.content(variant, content);
            quote!(#(#names)|* => #content,)
        };
        match tagging {
            Tagging::Internal(tag) => {
                let arms = variants.iter().map(|variant| arm(variant, &some(&quote!(__value))));
                quote!(match __value.name(#tag)? { #(#arms)* _ => ::core::option::Option::None })
            }
            Tagging::Adjacent(tag, content) => {
                let arms = variants.iter().map(|variant| arm(variant, &quote!(__value.get(#content))));
                quote!(match __value.name(#tag)? { #(#arms)* _ => ::core::option::Option::None })
            }
            Tagging::External | Tagging::Untagged => {
                let (units, others): (Vec<_>, Vec<_>) =
                    variants.iter().partition(|variant| variant.style == Style::Unit);
                let units = units.iter().map(|variant| arm(variant, &quote!(::core::option::Option::None)));
                let others = others.iter().map(|variant| arm(variant, &some(&quote!(__content))));
                quote! {
                    if let ::core::option::Option::Some(__name) = __value.whole_str() {
                        return match __name { #(#units)* _ => ::core::option::Option::None };
                    }
                    let (__name, __content) = __value.members().next()?;
                    match __name { #(#others)* _ => ::core::option::Option::None }
                }
            }
        }
    }

    /// A variant with what there is of its content, an expression for an optional value.
    fn content(&self, variant: &Variant<'_>, content: &TokenStream) -> TokenStream {
        let (name, ident) = (&self.name, &variant.original.ident);
        match variant.style {
            Style::Unit => quote!(::core::option::Option::Some(#name::#ident)),
            Style::Newtype => {
                let value = self.appear(&variant.fields[0], content);
                quote!(::core::option::Option::Some(#name::#ident(#value)))
            }
            Style::Struct => {
                let values = self.fill(&variant.fields, content);
                quote!(::core::option::Option::Some(#name::#ident { #values }))
            }
            Style::Tuple => {
                let names: Vec<_> = (0..variant.fields.len()).map(|i| format_ident!("__{i}")).collect();
                quote!(match #content.and_then(|__list| __list.read()) {
                    ::core::option::Option::Some((#(#names,)*)) => ::core::option::Option::Some(#name::#ident(#(#names),*)),
                    ::core::option::Option::None => ::core::option::Option::None,
                })
            }
        }
    }

    /// The companion itself.
    fn companion<'f, 'd: 'f>(
        &self,
        form: &PartialForm,
        keyword: &TokenStream,
        body: &TokenStream,
        fields: impl IntoIterator<Item = &'f Field<'d>>,
    ) -> TokenStream {
        let original = self.context.container.original;
        let (name, visibility, generics) = (&self.name, &original.vis, &original.generics);
        let doc = format!("What is known of a [`{}`] whose reply is still being written.", original.ident);
        let derives = &form.derives;
        let derive = (!derives.is_empty()).then(|| quote!(#[derive(#(#derives),*)]));
        let where_clause = self.where_clause(&self.bounds(fields));
        quote! {
            #[doc = #doc]
            #derive
            #[allow(dead_code, missing_debug_implementations, clippy::absolute_paths)]
            #visibility #keyword #name #generics #where_clause { #body }
        }
    }

    /// The fields of the companion.
    fn declare(&self, fields: &[Field<'_>], visible: bool) -> TokenStream {
        let declared = fields.iter().map(|field| {
            let (member, form) = (&field.member, self.form(field));
            let visibility = visible.then_some(&field.original.vis);
            let doc = if field.doc.is_empty() { "As far as it is known.".to_owned() } else { field.doc.clone() };
            quote!(#[doc = #doc] #visibility #member: ::core::option::Option<#form>,)
        });
        quote!(#(#declared)*)
    }

    /// The fields of the companion, filled from an object that may be there.
    fn fill(&self, fields: &[Field<'_>], object: &TokenStream) -> TokenStream {
        let filled = fields.iter().map(|field| {
            let member = &field.member;
            let mut place = object.clone();
            if field.attrs.flatten.is_none() {
                let names =
                    std::iter::once(field.key.clone()).chain(field.attrs.aliases.iter().map(syn::LitStr::value));
                let names = names.map(|name| text(&name));
                place = quote!(#object.and_then(|__object| __object.get_any(&[#(#names),*])));
            }
            let value = self.appear(field, &place);
            // Without this field the whole is not shown.
            let value = match field.attrs.appears {
                Some(Appears::NotNull(_)) => quote!(::core::option::Option::Some(#value?)),
                _ => value,
            };
            quote!(#member: #value,)
        });
        quote!(#(#filled)*)
    }

    /// What there is of a field's value, an expression for an optional value; `place` is one for the optional place.
    fn appear(&self, field: &Field<'_>, place: &TokenStream) -> TokenStream {
        let (root, ty) = (self.root, self.ty(field));
        if let Some(function) = reader(field, root) {
            return quote!(#place.and_then(|__place| __place.read_with(|__reader| #function(__reader))));
        }
        if is_whole(field) {
            return quote!(#place.and_then(|__place| __place.read::<#ty>()));
        }
        quote!(#place.and_then(<#ty as #root::partial::Streamed>::partial))
    }

    /// A field's type, as it can be written outside of the type that it stands in.
    fn ty(&self, field: &Field<'_>) -> Type {
        let original = self.context.container.original;
        let (ident, (_, ty_generics, _)) = (&original.ident, original.generics.split_for_impl());
        let mut ty = field.original.ty.clone();
        ty::walk(&mut ty, &mut SelfName { itself: quote!(#ident #ty_generics) });
        ty
    }

    /// The partial form of a field's value.
    fn form(&self, field: &Field<'_>) -> TokenStream {
        let (root, ty) = (self.root, self.ty(field));
        if is_whole(field) { quote!(#ty) } else { quote!(<#ty as #root::partial::Streamed>::Partial) }
    }

    /// What fields of types that depend on parameters need.
    fn bounds<'f, 'd: 'f>(&self, fields: impl IntoIterator<Item = &'f Field<'d>>) -> Vec<TokenStream> {
        let root = self.root;
        let container: &Container<'_> = self.context.container;
        if !container.is_generic() {
            return Vec::new();
        }
        let fields = fields.into_iter().filter(|field| reader(field, root).is_none());
        fields
            .map(|field| {
                let ty = self.ty(field);
                if is_whole(field) {
                    quote!(#ty: #root::__private::DeserializeOwned)
                } else {
                    quote!(#ty: #root::partial::Streamed)
                }
            })
            .collect()
    }
}

/// Whether a field appears once it is complete, as itself.
fn is_whole(field: &Field<'_>) -> bool {
    matches!(field.attrs.appears, Some(Appears::Done(_)))
        || field.content().with.is_some()
        || field.content().schema_of.is_some()
}

/// The function that reads a field with a deserializer of its own.
fn reader(field: &Field<'_>, root: &TokenStream) -> Option<TokenStream> {
    match field.content().with.as_ref()? {
        With::Entries => Some(quote!(#root::entries::deserialize)),
        With::JsonText => Some(quote!(#root::json_text::deserialize)),
        With::Other(_, function) => function.as_ref().map(ToTokens::to_token_stream),
    }
}
