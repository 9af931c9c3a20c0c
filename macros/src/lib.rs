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
//!
//! `ADDING_AN_ATTRIBUTE.md` beside the sources lists the places that a new attribute touches.

#![warn(clippy::unwrap_used)]

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
mod tool;
mod ty;

use proc_macro::TokenStream;

/// Gives a type its strict schema, fixed at compile time, and a check of its values.
///
/// ```text
/// /// A support ticket taken from a free-form report.
/// #[derive(serde::Deserialize, response_schema::ResponseSchema)]
/// struct Ticket {
///     /// One sentence.
///     summary: String,
///     #[response(min = 0, max = 100)]
///     confidence: u8,
///     #[serde(default)]
///     labels: Vec<String>,
/// }
/// ```
///
/// It goes on structs with named fields, newtypes, unit structs and enums, generic or not, and on types
/// that contain themselves. Doc comments become descriptions. `#[serde(…)]` is honoured as serde reads
/// it; what cannot be honoured is a compile error that says so. `#[response(…)]` adds:
///
/// - on a type: `title`, `description`, `for`, `crate`, `bound`, `validate`, `validate_with`, `schema_of`,
///   `partial`;
/// - on a field, and on a variant with one value: `description`, `examples`, `min`, `max`, `exclusive_min`,
///   `exclusive_max`, `multiple_of`, `min_length`, `max_length`, `pattern`, `format`, `min_items`, `max_items`,
///   `schema_of`, `validate`, `validate_with`;
/// - on a field of a generic type: `recursive`; on a field of a type with `partial`: `stream`; on a unit variant: `aliases`.
///
/// Nothing of the generated code can be named, and it needs nothing in scope. Types without type parameters
/// are checked here, generic ones where they are used.
#[proc_macro_derive(ResponseSchema, attributes(response, serde))]
pub fn derive_response_schema(item: TokenStream) -> TokenStream {
    expand::expand(&item.into(), &place::Place::of_call()).into()
}

/// Makes a tool of an async function.
///
/// ```text
/// /// Looks a customer up.
/// #[tool]
/// async fn lookup_customer(
///     db: &Db,
///     /// The address that the customer writes from.
///     #[response(format = "email")]
///     email: String,
/// ) -> Result<Customer, DbError> { … }
///
/// agent.tool(lookup_customer_tool(&db))
/// ```
///
/// The function stays as it is. Beside it stands one of the same name with `_tool` behind it that makes the
/// [`Tool`]: its name is the function's, its description the doc comment, its schema that of the parameters,
/// which take doc comments and attributes as the fields of a struct do. Parameters that are references are
/// state: the tool borrows it, and the model does not hear of it.
///
/// `name = "…"` gives the tool another name, `crate = "…"` says where the runtime crate is found.
///
/// [`Tool`]: https://docs.rs/response-schema/latest/response_schema/tool/struct.Tool.html
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(arguments.into(), item.into()).into()
}
