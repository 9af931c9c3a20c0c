//! A dozen types and what they expand to, for people to read: `expand/*.in.rs` and `.out.rs`.

use std::path::Path;

use super::{compare, expanded};

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
