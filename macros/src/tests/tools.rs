//! What is said about functions that cannot be tools.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, LitStr};

use crate::tool::expand;

/// The messages about `#[tool(arguments)]` on `item`; the function must stay.
fn messages(arguments: TokenStream, item: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expand(arguments, item)).expect("the expansion is a list of items");
    assert!(file.items.iter().any(|item| matches!(item, Item::Fn(_) | Item::Struct(_))), "the item stays");
    let text = |item: &Item| match item {
        Item::Macro(call) => Some(call.mac.parse_body::<LitStr>().expect("a message").value()),
        _ => None,
    };
    file.items.iter().filter_map(text).collect()
}

#[test]
fn each_fault_says_what_to_write() {
    let told = |item: TokenStream| messages(TokenStream::new(), item);
    assert_eq!(
        told(quote!(
            fn f() {}
        )),
        ["`#[tool]` stands on an async function; write `async fn`"]
    );
    assert_eq!(
        told(quote!(
            struct S;
        )),
        ["`#[tool]` stands on an async function"]
    );
    assert_eq!(
        told(quote!(
            async fn f<T>(t: T) {}
        )),
        ["a tool has one schema, so its function has no parameters in `<…>`"]
    );
    assert_eq!(
        told(quote!(
            async fn f(a: &mut A, b: &str, c: &[u8], d: &'static D) {}
        )),
        [
            "calls of a tool may run at once, so state is shared; borrow it as `&T`, with a `Mutex` inside",
            "a tool owns what the model writes; use `String`",
            "a tool owns what the model writes; use `Vec`",
            "state is borrowed for as long as the tool lives; leave the lifetime out",
        ]
    );
    assert_eq!(
        told(quote!(
            async fn f(&self) {}
        )),
        ["a method cannot be a tool; take its state as a parameter: `state: &State`"]
    );
    assert_eq!(
        told(quote!(
            async fn f((a, b): (u8, u8)) {}
        )),
        ["a parameter of a tool has a plain name"]
    );
    assert_eq!(
        messages(
            quote!(title = "x"),
            quote!(
                async fn f() {}
            )
        ),
        ["unknown word `title`; `#[tool]` takes `name = \"…\"` and `crate = \"…\"`"]
    );
    assert!(
        told(quote!(
            pub async fn f(a: u8) -> u8 {
                a
            }
        ))
        .is_empty()
    );
}
