//! Where a type is defined: its identity among types of the same name.

use proc_macro2::TokenStream;
use syn::Ident;

use crate::json;

/// The place of a derive, as plain data, so that expansion needs no compiler.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The crate: its name, and the package's name and version.
    pub(crate) krate: String,
    /// The source file.
    pub(crate) file: String,
    /// The line of the derive.
    pub(crate) line: usize,
    /// The column of the derive.
    pub(crate) column: usize,
}

impl Place {
    /// The place that the compiler is expanding a derive at.
    pub(crate) fn of_call() -> Self {
        let span = proc_macro::Span::call_site();
        let env = |name| std::env::var(name).unwrap_or_default();
        Self {
            krate: ["CARGO_CRATE_NAME", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"].map(env).join(" "),
            file: span.file(),
            line: span.line(),
            column: span.column(),
        }
    }

    /// A number for the type `ident` with the definition `item` at this place.
    pub(crate) fn identity(&self, ident: &Ident, item: &TokenStream) -> u128 {
        let at = format!("{}:{}", self.line, self.column);
        json::identity_hash([&*self.krate, &*self.file, &*at, &*ident.to_string(), &*item.to_string()])
    }
}
