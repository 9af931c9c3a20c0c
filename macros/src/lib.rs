//! The derive of `response-schema`: `#[derive(ResponseSchema)]`.
//!
//! Users depend on the runtime crate, which re-exports the derive and documents it.
//!
//! # How the derive works
//!
//! Tokens become typed attributes (`attr`), these and the item become a model (`model`), the model is
//! held against the rules that need more than one attribute (`check`), and then turned
//! into a schema node, a check and const assertions (`emit`). Whatever is wrong is collected on
//! the way (`faults`); with any fault the output is the errors and a stub impl (`fallback`).

mod attr;
mod bound;
mod case;
mod check;
mod dialect;
mod doc;
mod emit;
mod expand;
mod fallback;
mod faults;
mod json;
mod model;
mod name;
mod output;
mod place;
mod side;
mod symbol;
#[cfg(test)]
mod tests;
mod ty;

use proc_macro::TokenStream;

/// Gives a type its strict schema, fixed at compile time.
#[proc_macro_derive(ResponseSchema, attributes(response, serde))]
pub fn derive_response_schema(item: TokenStream) -> TokenStream {
    expand::expand(&item.into(), &place::Place::of_call()).into()
}
