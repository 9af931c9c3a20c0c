//! Type parameters: which ones the schema depends on, and the where clause of the impl.
//!
//! A parameter counts when a field that is read uses it outside `PhantomData`. The type's identity is
//! made of the schemas of those that count, and the impl bounds exactly those. Lifetimes
//! never count.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, GenericParam, Generics, Type};

use crate::model::Container;
use crate::ty::{self, Visit};

/// The parameters of a type, as the expansion needs them.
pub(crate) struct Bounds {
    /// Whether the node depends on parameters and cannot be a `static`.
    pub(crate) generic: bool,
    /// The names of the lifetime parameters, without the tick.
    pub(crate) lifetimes: Vec<String>,
    /// The parts of the type's identity: `Arg::Type(…)`, `Arg::Const(…)`.
    pub(crate) args: Vec<TokenStream>,
    /// What stands in the where clause of the impl beside the type's own.
    predicates: Vec<TokenStream>,
}

impl Bounds {
    pub(crate) fn of(container: &Container<'_>) -> Self {
        let generics = &container.original.generics;
        let mut usage = Usage::new(&container.original.ident, generics);
        let types = container.types();
        for ty in &types {
            ty::walk(&mut (*ty).clone(), &mut usage);
        }
        let generic = container.is_generic();
        let (types_used, consts) = (usage.types, usage.consts);
        let mut args: Vec<_> = types_used
            .iter()
            .map(|ty| quote!(__p::Arg::Type(<#ty as __p::ResponseSchema>::SCHEMA)))
            .chain(consts.iter().map(|ident| quote!(__p::Arg::Const(#ident as ::core::primitive::u128))))
            .collect();
        let predicates = match &container.attrs.bound {
            None => types_used.iter().map(|ty| quote!(#ty: __p::ResponseSchema)).collect(),
            Some(given) => {
                // What a stated bound says of the parameters is not known here: the identity is
                // made of the types of the fields instead, which must have schemas in any case.
                args = by_fields(&types, &container.original.ident, generics);
                given.iter().map(ToTokens::to_token_stream).collect()
            }
        };
        Self { generic, lifetimes: lifetimes(generics), args, predicates }
    }

    /// The where clause with what the type itself demands, and more if given.
    pub(crate) fn where_clause(&self, generics: &Generics) -> TokenStream {
        let own = generics.where_clause.iter().flat_map(|clause| &clause.predicates).map(ToTokens::to_token_stream);
        let all: Vec<_> = own.chain(self.predicates.iter().cloned()).collect();
        if all.is_empty() { TokenStream::new() } else { quote!(where #(#all,)*) }
    }

    /// The type with its lifetimes left to inference, for use outside its impl.
    pub(crate) fn self_type(container: &Container<'_>) -> TokenStream {
        let ident = &container.original.ident;
        let generics = &container.original.generics;
        let (_, arguments, _) = generics.split_for_impl();
        let arguments = ty::without_lifetimes(arguments.to_token_stream(), &lifetimes(generics));
        quote!(#ident #arguments)
    }
}

fn lifetimes(generics: &Generics) -> Vec<String> {
    generics.lifetimes().map(|param| param.lifetime.ident.to_string()).collect()
}

fn by_fields(types: &[&Type], ident: &Ident, generics: &Generics) -> Vec<TokenStream> {
    let depends = |ty: &&&Type| {
        let mut usage = Usage::new(ident, generics);
        ty::walk(&mut (**ty).clone(), &mut usage);
        !usage.mentions_self && (!usage.types.is_empty() || !usage.consts.is_empty())
    };
    types.iter().filter(depends).map(|ty| quote!(__p::Arg::Type(<#ty as __p::ResponseSchema>::SCHEMA))).collect()
}

/// Which parameters the types that are walked through depend on.
struct Usage<'a> {
    ident: &'a Ident,
    type_params: Vec<&'a Ident>,
    const_params: Vec<&'a Ident>,
    /// Parameters and associated types of parameters, in order of use.
    types: Vec<TokenStream>,
    seen: Vec<String>,
    consts: Vec<&'a Ident>,
    mentions_self: bool,
}

impl<'a> Usage<'a> {
    fn new(ident: &'a Ident, generics: &'a Generics) -> Self {
        let (mut type_params, mut const_params) = (Vec::new(), Vec::new());
        for param in &generics.params {
            match param {
                GenericParam::Type(param) => type_params.push(&param.ident),
                GenericParam::Const(param) => const_params.push(&param.ident),
                GenericParam::Lifetime(_) => {}
            }
        }
        Self {
            ident,
            type_params,
            const_params,
            types: Vec::new(),
            seen: Vec::new(),
            consts: Vec::new(),
            mentions_self: false,
        }
    }

    fn use_type(&mut self, ty: &impl ToTokens) {
        let tokens = ty.to_token_stream();
        let text = tokens.to_string();
        if !self.seen.contains(&text) {
            self.seen.push(text);
            self.types.push(tokens);
        }
    }

    fn use_const(&mut self, name: &Ident) -> bool {
        let Some(param) = self.const_params.iter().find(|param| **param == name) else { return false };
        if !self.consts.contains(param) {
            self.consts.push(param);
        }
        true
    }
}

impl Visit for Usage<'_> {
    fn ty(&mut self, ty: &mut Type) -> bool {
        let Type::Path(path) = &*ty else { return true };
        if let Some(qself) = &path.qself {
            let inner = qself.ty.to_token_stream();
            if self.type_params.iter().any(|param| ty::mentions(inner.clone(), param)) {
                self.use_type(ty);
                return false;
            }
            return true;
        }
        let (Some(first), Some(last)) = (path.path.segments.first(), path.path.segments.last()) else { return true };
        let (first, last) = (&first.ident, &last.ident);
        let alone = path.path.segments.len() == 1;
        if self.type_params.contains(&first) {
            self.use_type(ty);
            return false;
        }
        if alone && self.use_const(first) {
            return false;
        }
        if is_self(&path.path, self.ident) {
            self.mentions_self = true;
            return false;
        }
        last != "PhantomData"
    }

    fn expr(&mut self, expr: &Expr) {
        let tokens = expr.to_token_stream();
        let used: Vec<_> = self.const_params.iter().copied().filter(|p| ty::mentions(tokens.clone(), p)).collect();
        for param in used {
            self.use_const(param);
        }
    }
}

/// Whether the path names the type that is being derived.
pub(crate) fn is_self(path: &syn::Path, ident: &Ident) -> bool {
    let mut names = path.segments.iter().map(|segment| &segment.ident);
    match (names.next(), names.next(), names.next()) {
        (Some(one), None, None) => path.leading_colon.is_none() && (one == "Self" || one == ident),
        (Some(one), Some(two), None) => one == "self" && two == ident,
        _ => false,
    }
}
