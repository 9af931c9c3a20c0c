//! Types as the user wrote them: looking into them, and rewriting the few parts that must change.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, GenericArgument, PathArguments, ReturnType, Type};

/// What a walk through a type does at each part.
pub(crate) trait Visit {
    /// Looks at a type, perhaps replaces it, and says whether to go on into its parts.
    fn ty(&mut self, ty: &mut Type) -> bool;

    /// Looks at an expression: a length or a const argument.
    fn expr(&mut self, expr: &Expr) {
        let _ = expr;
    }
}

/// Walks through the types inside `ty`, itself first.
pub(crate) fn walk(ty: &mut Type, visit: &mut impl Visit) {
    if !visit.ty(ty) {
        return;
    }
    match ty {
        Type::Array(array) => {
            walk(&mut array.elem, visit);
            visit.expr(&array.len);
        }
        Type::Group(group) => walk(&mut group.elem, visit),
        Type::Paren(paren) => walk(&mut paren.elem, visit),
        Type::Ptr(ptr) => walk(&mut ptr.elem, visit),
        Type::Reference(reference) => walk(&mut reference.elem, visit),
        Type::Slice(slice) => walk(&mut slice.elem, visit),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| walk(elem, visit)),
        Type::Path(path) => {
            if let Some(qself) = &mut path.qself {
                walk(&mut qself.ty, visit);
            }
            path.path.segments.iter_mut().for_each(|segment| walk_arguments(&mut segment.arguments, visit));
        }
        // Function pointers, trait objects and macros have no schema or cannot be looked into.
        _ => {}
    }
}

fn walk_arguments(arguments: &mut PathArguments, visit: &mut impl Visit) {
    match arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(list) => {
            for argument in &mut list.args {
                match argument {
                    GenericArgument::Type(ty) => walk(ty, visit),
                    GenericArgument::AssocType(assoc) => walk(&mut assoc.ty, visit),
                    GenericArgument::Const(expr) => visit.expr(expr),
                    _ => {}
                }
            }
        }
        PathArguments::Parenthesized(list) => {
            list.inputs.iter_mut().for_each(|input| walk(&mut input.ty, visit));
            if let ReturnType::Type(_, ty) = &mut list.output {
                walk(ty, visit);
            }
        }
    }
}

/// The type without the invisible groups and parentheses around it.
pub(crate) fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        };
    }
}

/// The last name of a path type.
pub(crate) fn last_ident(ty: &Type) -> Option<&Ident> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Whether the type is spelled like one that has no depth of its own: a scalar, or an `Option`,
/// `Vec` or `Box` of one. Only good for leaving out a check that another one makes up for, since
/// any name can be shadowed.
pub(crate) fn looks_scalar(ty: &Type) -> bool {
    const SCALARS: [&str; 15] =
        ["String", "bool", "char", "str", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"];
    let Type::Path(path) = bare(ty) else {
        return matches!(bare(ty), Type::Reference(reference) if looks_scalar(&reference.elem));
    };
    let Some(last) = path.path.segments.last() else { return false };
    match &last.arguments {
        PathArguments::None => SCALARS.iter().any(|name| last.ident == name),
        PathArguments::AngleBracketed(inner) if ["Option", "Vec", "Box"].iter().any(|name| last.ident == name) => {
            matches!(inner.args.first(), Some(GenericArgument::Type(inner)) if looks_scalar(inner))
        }
        _ => false,
    }
}

/// `tokens` with the named lifetimes replaced by `'_`: a `static` cannot name the type's own. Where the check of
/// values names the same type it does so too, or a missing impl would be reported once for each lifetime.
pub(crate) fn without_lifetimes(tokens: TokenStream, lifetimes: &[String]) -> TokenStream {
    if lifetimes.is_empty() {
        return tokens;
    }
    let mut after_tick = false;
    tokens
        .into_iter()
        .map(|tree| {
            let ticked = std::mem::replace(&mut after_tick, false);
            match tree {
                TokenTree::Punct(punct) => {
                    after_tick = punct.as_char() == '\'';
                    TokenTree::Punct(punct)
                }
                TokenTree::Ident(ident) if ticked && lifetimes.iter().any(|name| ident == name) => {
                    TokenTree::Ident(Ident::new("_", ident.span()))
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), without_lifetimes(group.stream(), lifetimes));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                other => other,
            }
        })
        .collect()
}

/// Whether `name` is among the tokens.
pub(crate) fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// `tokens` with their names looked up as in the rest of the expansion, each in its place; as they are where
/// `$crate` is among them, which means the crate of the macro that it came from.
pub(crate) fn seated(tokens: TokenStream) -> TokenStream {
    if tokens.clone().into_iter().any(|tree| matches!(tree, TokenTree::Ident(ident) if ident == "$crate")) {
        return tokens;
    }
    let seat = |mut tree: TokenTree| {
        tree.set_span(Span::call_site().located_at(tree.span()));
        tree
    };
    tokens.into_iter().map(seat).collect()
}

/// Where `tokens` begin and end, as places for generated tokens: the compiler underlines the
/// user's text, and names are looked up as in the rest of the expansion.
pub(crate) fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.into_token_stream().into_iter().map(|tree| tree.span());
    let seat = |span: Span| Span::call_site().located_at(span);
    let first = spans.next().map_or_else(Span::call_site, seat);
    (first, spans.last().map_or(first, seat))
}

/// `tokens`, placed from the beginning of `place` to its end; names in them are looked up as in the rest of the
/// expansion.
pub(crate) fn placed_on(place: impl ToTokens, tokens: TokenStream) -> TokenStream {
    let (start, end) = ends(place);
    let seat = |(i, mut tree): (usize, TokenTree)| {
        tree.set_span(if i == 0 { start } else { end });
        tree
    };
    tokens.into_iter().enumerate().map(seat).collect()
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    use super::{looks_scalar, without_lifetimes};

    #[test]
    fn own_lifetimes_are_inferred_and_others_stay() {
        let tokens = without_lifetimes(quote!(Cow<'a, [&'b str]>), &["a".to_owned()]);
        assert_eq!(tokens.to_string(), quote!(Cow<'_, [&'b str]>).to_string());
    }

    #[test]
    fn scalars_are_known_by_spelling() {
        assert!(looks_scalar(&parse_quote!(Option<Vec<std::string::String>>)));
        assert!(!looks_scalar(&parse_quote!(Vec<Ticket>)));
        assert!(!looks_scalar(&parse_quote!(HashMap<String, String>)));
    }
}
