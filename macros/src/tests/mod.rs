//! Tests of the expansion, without a compiler around it.

mod faults;
mod snapshots;
mod tools;
mod words;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Item;

use crate::expand::expand;
use crate::place::Place;

/// What the derive makes of `item`, at a place that is the same on every machine.
fn expanded(item: &TokenStream) -> syn::File {
    let place = Place { krate: "app".to_owned(), file: "src/lib.rs".to_owned(), line: 7, column: 3 };
    syn::parse2(expand(item, &place)).expect("the expansion is a list of items")
}

/// The messages of the faults of `item`.
fn messages(item: &TokenStream) -> Vec<String> {
    let message = |item: &Item| match item {
        Item::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error") => {
            let text: syn::LitStr = call.mac.parse_body().expect("a message");
            Some(text.value())
        }
        _ => None,
    };
    expanded(item).items.iter().filter_map(message).collect()
}

/// Whether the expansion has an impl of the trait.
fn has_impl(item: &TokenStream) -> bool {
    expanded(item).to_token_stream().to_string().contains("__p :: ResponseSchema for")
}

/// Compares `text` with the file at `path`, or writes the file if the variable `BLESS` is set.
fn compare(path: &std::path::Path, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, text).expect("the snapshot can be written");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == text,
        "{} differs from what the derive makes now; look at the change and run with BLESS=1 to take it:\n{text}",
        path.display()
    );
}
