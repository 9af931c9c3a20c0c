//! A dozen types and what they expand to, for people to read: `expand/*.in.rs` and `.out.rs`.

use std::path::Path;

use quote::{ToTokens, quote};

use super::{compare, expanded};
use crate::expand::expand;
use crate::place::Place;

#[test]
fn expansions_are_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/expand");
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of snapshots") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".in.rs")) else { continue };
        let source = std::fs::read_to_string(&path).expect("an input");
        let item: proc_macro2::TokenStream = source.parse().expect("Rust tokens");
        compare(&folder.join(format!("{name}.out.rs")), &prettyplease::unparse(&expanded(&item)));
        seen += 1;
    }
    assert!(seen >= 12, "only {seen} snapshots");
}

#[test]
fn expansions_are_the_same_from_build_to_build_and_differ_from_place_to_place() {
    let item = quote!(
        struct A {
            a: u8,
        }
    );
    let at = |line| Place { krate: "app".to_owned(), file: "src/lib.rs".to_owned(), line, column: 1 };
    let [once, again, elsewhere] = [1, 1, 2].map(|line| expand(&item, &at(line)).into_token_stream().to_string());
    assert_eq!(once, again);
    assert_ne!(once, elsewhere);
}
