//! The tables of words against the code that reads them.

use std::fmt::Write as _;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::{compare, expanded, has_impl, messages};
use crate::symbol::{Fate, On, RESPONSE, SERDE, Symbol};

/// A type with the attribute in the place.
fn item(family: &TokenStream, word: &TokenStream, on: On) -> TokenStream {
    let attribute = quote!(#[#family(#word)]);
    match on {
        On::Container => quote!(#attribute struct Type { field: Inner }),
        On::Variant => quote!(enum Type { First(Inner), #attribute Second(Inner) }),
        On::Field => quote!(struct Type<T> { #attribute field: Inner<T> }),
    }
}

fn each(mut test: impl FnMut(&Symbol, On, TokenStream)) {
    for (family, table) in [(quote!(serde), SERDE), (quote!(response), RESPONSE)] {
        for symbol in table {
            let usage = if symbol.usage.is_empty() { symbol.word } else { symbol.usage };
            let word: TokenStream = usage.parse().expect("an attribute's usage is tokens");
            for &on in symbol.on {
                test(symbol, on, item(&family, &word, on));
            }
        }
    }
}

#[test]
fn every_word_of_the_tables_is_read() {
    each(|_, _, item| {
        expanded(&item);
    });
}

/// A word that is read and then forgotten would be a rule that nobody keeps.
#[test]
fn every_word_of_ours_shows_in_the_expansion() {
    // The identity of a type is made of its text, so the expansion would differ in any case.
    let told = |item: &TokenStream| {
        let file = expanded(item).to_token_stream().to_string();
        let (before, rest) = file.split_once("derived (").unwrap_or((&file, ""));
        (before.to_owned(), rest.split_once("module_path").map_or(rest, |(_, rest)| rest).to_owned())
    };
    for symbol in RESPONSE {
        let word: TokenStream = symbol.usage.parse().expect("an attribute's usage is tokens");
        for &on in symbol.on {
            let plain = item(&quote!(allow), &quote!(unused), on);
            let item = item(&quote!(response), &word, on);
            assert_ne!(told(&item), told(&plain), "`{}` on {} changes nothing", symbol.word, on.noun());
        }
    }
}

#[test]
fn every_refused_word_is_refused_and_leaves_a_stub() {
    each(|symbol, _, item| {
        if let Fate::Refused(why) = symbol.fate {
            let found = messages(&item);
            assert!(found.iter().any(|message| message.ends_with(why)), "{}: {found:?}", symbol.word);
            assert!(has_impl(&item), "{}", symbol.word);
        }
    });
}

#[test]
fn words_without_a_meaning_change_nothing() {
    each(|symbol, _, item| {
        if symbol.fate == Fate::NoMeaning {
            assert_eq!(messages(&item), Vec::<String>::new(), "{}", symbol.word);
        }
    });
}

/// The documentation's table of serde's attributes is made from ours.
#[test]
fn the_documented_table_is_ours() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/docs/serde.md");
    let mut text = String::from(SERDE_HEAD);
    for symbol in SERDE {
        let places: Vec<&str> = symbol.on.iter().map(|on| on.noun().trim_start_matches("a ")).collect();
        let (fate, meaning) = match symbol.fate {
            Fate::Honoured => ("honoured", symbol.meaning),
            Fate::NoMeaning => ("no effect", symbol.meaning),
            Fate::Refused(why) => ("compile error", why),
        };
        let _ = writeln!(text, "| `{}` | {} | {fate} | {meaning} |", symbol.word, places.join(", "));
    }
    text += SERDE_TAIL;
    compare(&path, &text);
}

const SERDE_HEAD: &str = "\
# serde's attributes

The schema describes what serde **reads**. Every attribute of serde is in this table; one that is not is a compile
error, for a schema that passes over an attribute in silence would promise what serde then refuses. The table is
made from the one that the derive goes by.

| attribute | on | here | what becomes of it |
|---|---|---|---|
";

const SERDE_TAIL: &str = "
Where an attribute has a `serialize` and a `deserialize` side (`rename`, `rename_all`, `rename_all_fields`), the
`deserialize` side counts.

These go with one another only so far:

- `flatten` with `deny_unknown_fields`, and a struct's `tag` with `deny_unknown_fields`, are compile errors: serde
  refuses its own output for some such types.
- Rules such as `#[response(max = 10)]` on a field with `with`, `deserialize_with` or `schema_of` are compile errors,
  for the value is not of the type that the schema describes; they work with the crate's own two modules, and
  `#[response(validate = path)]` works everywhere.
- A definition for `remote` is a type like any other: derive the schema on it, and name it with
  `#[response(schema_of = \"Definition\")]` on the field that is read `with` it.
";

/// And so is its table of our own attributes.
#[test]
fn the_documented_words_are_ours() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/docs/response.md");
    let mut text = String::from(RESPONSE_HEAD);
    for symbol in RESPONSE {
        let places: Vec<&str> = symbol.on.iter().map(|on| on.noun().trim_start_matches("a ")).collect();
        let _ = writeln!(text, "| `{}` | {} | {} |", symbol.usage, places.join(", "), symbol.meaning);
    }
    text += RESPONSE_TAIL;
    compare(&path, &text);
}

const RESPONSE_HEAD: &str = "\
# `#[response(…)]`

Every word of the attribute. On a variant, a word about a value is about that of a newtype variant such as `V(T)`. The
table is made from the one that the derive goes by.

| attribute | on | what it does |
|---|---|---|
";

const RESPONSE_TAIL: &str = "
Rules are checked three times: against the field's type when the program is compiled, by the provider while the reply
is written (where it enforces the keyword), and on the value that comes back. A rule that does not fit the type, or
that no value can keep, does not compile.

A rule of your own, `validate = path`, is a function of the value. What it returns as its error is what was expected, and
reads best as the end of \"expected …\": `Err(\"an end after the start\")`. On a type it sees the whole value.

`recursive` is for generic types that contain one another. A generic type may contain itself as it is; where `A<T>`
contains `B<T>` and `B<T>` contains `A<T>`, the compiler finds a cycle (E0391); put `recursive` on the field of `B` that
leads back to `A`. The field's schema is then a reference to the `A<T>` around it, so `B<T>` has a schema only inside an `A<T>`. If the type that is referred to
is not the innermost generic type of the field, name it: `recursive = \"A<T>\"`.
";

#[test]
fn no_word_stands_twice_in_one_place() {
    for table in [SERDE, RESPONSE] {
        for (i, symbol) in table.iter().enumerate() {
            let again =
                |earlier: &Symbol| earlier.word == symbol.word && earlier.on.iter().any(|on| symbol.on.contains(on));
            assert!(!table[..i].iter().any(again), "{}", symbol.word);
        }
    }
}
