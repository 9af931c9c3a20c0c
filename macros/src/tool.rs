//! `#[tool]` on an async function: the function stays as it is, and beside it stands one that makes a tool of it.
//!
//! The arguments become a struct with both derives, so they are held to the same rules with the same messages as
//! any type, on the user's own lines. References are state that the tool borrows.
//!
//! The function is taken apart by hand: its body is of no interest, and syn's parser for bodies costs every
//! user compile time.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Path, Token, Type, Visibility};

use crate::case::Rule;
use crate::output;

/// The expansion of `#[tool(arguments)]` on `item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match emit(arguments, item.clone()) {
        Ok(tokens) => tokens,
        Err(error) => {
            // The function stays, so that its callers have nothing to complain about.
            let error = error.to_compile_error();
            let plain = Function::parse.parse2(item.clone()).map_or(item, |function| function.plain());
            quote!(#error #plain)
        }
    }
}

fn emit(arguments: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let options = Options::parse.parse2(arguments)?;
    let function = Function::parse.parse2(item)?;
    function.check()?;
    let root = output::crate_path(options.crate_path.as_ref());
    let plain = function.plain();
    let (ident, visibility) = (&function.ident, &function.visibility);
    let spoken = ident.unraw().to_string();
    let maker = format_ident!("{spoken}_tool");
    let name = options.name.map_or_else(|| spoken.clone(), |name| name.value());
    let input = Ident::new(&Rule::Pascal.field(&spoken), ident.span());
    let docs = function.attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let serde = LitStr::new(&format!("{root}::__private::serde").replace(' ', ""), Span::call_site());
    let response_crate = options.crate_path.as_ref().map(|path| quote!(#[response(crate = #path)]));

    let fields = function.parameters.iter().filter(|parameter| !parameter.is_state()).map(|parameter| {
        let Parameter { attrs, ident, ty } = parameter;
        quote!(#(#attrs)* #ident: #ty,)
    });
    let passed = function.parameters.iter().map(|parameter| {
        let ident = &parameter.ident;
        if parameter.is_state() { quote!(#ident) } else { quote!(__input.#ident) }
    });
    let state = function.parameters.iter().filter_map(Parameter::state);
    let doc = format!("[`{spoken}`] as a tool.");
    // On the function's name, so that a future that is not `Send` is underlined there.
    let new = quote_spanned!(ident.span()=> #root::tool::Tool::new);
    Ok(quote! {
        #plain

        #[doc = #doc]
        #visibility fn #maker<'__t>(#(#state),*) -> #root::tool::Tool<'__t> {
            #(#docs)*
            #[derive(#root::__private::serde::Deserialize, #root::ResponseSchema)]
            #[serde(crate = #serde)]
            #response_crate
            struct #input { #(#fields)* }
            #new(#name, move |__input: #input| async move { #ident(#(#passed),*).await })
        }
    })
}

/// What stands in the attribute's parentheses.
#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    crate_path: Option<Path>,
}

impl Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "name" => options.name = Some(input.parse()?),
                "crate" => {
                    let path: LitStr = input.parse()?;
                    options.crate_path = Some(path.parse()?);
                }
                other => {
                    let words = format!("unknown word `{other}`; `#[tool]` takes `name = \"…\"` and `crate = \"…\"`");
                    return Err(syn::Error::new(key.span(), words));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

/// A function, as far as it matters.
struct Function {
    attrs: Vec<Attribute>,
    visibility: Visibility,
    /// What stands between the visibility and `fn`.
    qualifiers: TokenStream,
    is_async: bool,
    ident: Ident,
    generics: Option<Token![<]>,
    parameters: Vec<Parameter>,
    /// What follows the parameters: the output, and the body.
    rest: TokenStream,
}

/// A parameter of the function.
struct Parameter {
    attrs: Vec<Attribute>,
    ident: Ident,
    ty: Type,
}

impl Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let mut qualifiers = TokenStream::new();
        let mut is_async = false;
        while !input.peek(Token![fn]) {
            if input.is_empty() {
                return Err(syn::Error::new(Span::call_site(), "`#[tool]` stands on an async function"));
            }
            is_async |= input.peek(Token![async]);
            qualifiers.extend(TokenStream::from(input.parse::<TokenTree>()?));
        }
        input.parse::<Token![fn]>()?;
        let ident: Ident = input.parse()?;
        let generics = if input.peek(Token![<]) { Some(input.parse()?) } else { None };
        if generics.is_some() {
            return Err(syn::Error::new(
                ident.span(),
                "a tool has one schema, so its function has no parameters in `<…>`",
            ));
        }
        let group: Group = match input.parse()? {
            TokenTree::Group(group) => group,
            other => return Err(syn::Error::new(other.span(), "expected the function's parameters")),
        };
        let parameters = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(group.stream())?;
        let rest = input.parse()?;
        Ok(Self {
            attrs,
            visibility,
            qualifiers,
            is_async,
            ident,
            generics,
            parameters: parameters.into_iter().collect(),
            rest,
        })
    }

    /// The function without what only the tool is told.
    fn plain(&self) -> TokenStream {
        let Self { attrs, visibility, qualifiers, ident, parameters, rest, .. } = self;
        let parameters = parameters.iter().map(|Parameter { ident, ty, .. }| quote!(#ident: #ty));
        // A tool is async, whether or not its function waits for anything.
        quote!(#(#attrs)* #[allow(clippy::unused_async)] #visibility #qualifiers fn #ident(#(#parameters),*) #rest)
    }

    fn check(&self) -> syn::Result<()> {
        let mut faults: Option<syn::Error> = None;
        let mut fault = |tokens: &dyn ToTokens, words: &str| {
            let error = syn::Error::new_spanned(tokens.to_token_stream(), words);
            match &mut faults {
                Some(faults) => faults.combine(error),
                None => faults = Some(error),
            }
        };
        if !self.is_async {
            fault(&self.ident, "`#[tool]` stands on an async function; write `async fn`");
        }
        if let Some(generics) = &self.generics {
            fault(generics, "a tool has one schema, so its function has no parameters in `<…>`");
        }
        for parameter in &self.parameters {
            let Type::Reference(reference) = &parameter.ty else { continue };
            if reference.mutability.is_some() {
                fault(
                    &parameter.ty,
                    "calls of a tool may run at once, so state is shared; borrow it as `&T`, with a `Mutex` inside",
                );
            } else if matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str")) {
                fault(&parameter.ty, "a tool owns what the model writes; use `String`");
            } else if matches!(&*reference.elem, Type::Slice(_)) {
                fault(&parameter.ty, "a tool owns what the model writes; use `Vec`");
            } else if let Some(lifetime) = &reference.lifetime {
                fault(lifetime, "state is borrowed for as long as the tool lives; leave the lifetime out");
            }
        }
        faults.map_or(Ok(()), Err)
    }
}

impl Parameter {
    /// Whether it is state that the tool borrows, and not what the model writes.
    fn is_state(&self) -> bool {
        matches!(self.ty, Type::Reference(_))
    }

    /// The parameter of the function that makes the tool.
    fn state(&self) -> Option<TokenStream> {
        let Type::Reference(reference) = &self.ty else { return None };
        let (ident, inner) = (&self.ident, &reference.elem);
        Some(quote!(#ident: &'__t #inner))
    }
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        if input.peek(Token![self]) || input.peek(Token![&]) || input.peek(Token![mut]) && input.peek2(Token![self]) {
            return Err(input.error("a method cannot be a tool; take its state as a parameter: `state: &State`"));
        }
        let ident: Ident =
            input.parse().map_err(|error| syn::Error::new(error.span(), "a parameter of a tool has a plain name"))?;
        input.parse::<Token![:]>()?;
        Ok(Self { attrs, ident, ty: input.parse()? })
    }
}
