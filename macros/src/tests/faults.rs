//! What is said about faulty types.

use quote::quote;

use super::{has_impl, messages};

macro_rules! faults {
    ($($name:ident: { $($item:tt)* } => [$($message:literal),* $(,)?];)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(messages(&quote!($($item)*)), [$($message.to_owned()),*] as [String; _]);
            assert!(has_impl(&quote!($($item)*)), "a stub stands beside the errors");
        }
    )*};
}

faults! {
    near_misses_are_named: {
        #[response(titel = "x")]
        struct A { #[response(desciption = "x")] a: u8 }
    } => [
        "unknown `response` attribute `titel`; did you mean `title`?",
        "unknown `response` attribute `desciption`; did you mean `description`?",
    ];
    partial_forms: {
        struct A { #[response(stream = "done")] a: u8 }
    } => ["`stream` is about the partial form; ask for one with `#[response(partial)]` on the type"];
    partial_words: {
        #[response(partial = "Debug")]
        struct A { #[response(stream = "whole")] a: u8 }
    } => [
        "`partial` takes the derives of the partial form, if any: `partial(Debug, Clone)`",
        "`stream` is `\"done\"` or `\"not_null\"`",
    ];
    partial_flatten: {
        #[response(partial)]
        struct A { #[serde(flatten)] #[response(stream = "done")] a: B }
    } => ["a flattened field has no value of its own that could appear; put `stream` on the fields in its type"];
    a_word_in_the_wrong_place: {
        #[response(min = 1)]
        struct A { #[response(title = "x")] a: u8 }
    } => [
        "`#[response(min)]` stands on a field or a variant, not on a type",
        "`#[response(title)]` stands on a type, not on a field",
    ];
    a_word_of_the_other_family: {
        struct A { #[serde(pattern = "a")] a: String, #[response(flatten)] b: B }
    } => [
        "unknown `serde` attribute `pattern`; it is a word of `response`: `#[response(pattern = r\"^[a-z]+$\")]`",
        "unknown `response` attribute `flatten`; it is a word of `serde`: `#[serde(flatten)]`",
    ];
    values_of_the_wrong_kind: {
        struct A {
            #[response(min = "1", max = 1u8, min_length = -1, pattern = 3, validate)]
            a: u8,
        }
    } => [
        "`min` takes a number: `min = 0`",
        "`max` takes a number: `max = 100`",
        "`min_length` takes a whole number from 0: `min_length = 1`",
        "`pattern` takes a string: `pattern = r\"^[a-z]+$\"`",
        "`validate` takes the path of a function: `validate = path::to::function`",
    ];
    a_word_given_twice: {
        struct A { #[response(min = 1)] #[response(min = 2)] a: u8 }
    } => ["`min` is given twice; remove one"];
    keys_that_collide: {
        #[serde(tag = "kind")]
        struct A {
            #[serde(rename = "b")] a: u8,
            b: u8,
            #[serde(alias = "b")] c: u8,
            kind: u8,
        }
    } => [
        "two fields have the key `b`; rename one",
        "the key `kind` is the tag's; rename the field or the tag",
        "the alias `b` is the key of another field; serde would read only one of them",
    ];
    variants_that_collide: {
        #[serde(rename_all = "lowercase")]
        enum A { One, #[serde(rename = "one")] Two }
    } => ["two variants have the name `one`; rename one"];
    a_tuple_variant_with_an_internal_tag: {
        #[serde(tag = "t")]
        enum A { V(u8, u8) }
    } => ["a tuple has no keys to put a tag beside; write `V { … }` with named fields, or add `content = \"…\"`"];
    a_union: {
        union A { a: u8 }
    } => ["a union has no strict schema, for nothing in it says which field is meant; write an enum"];
    an_enum_without_variants: {
        enum A { #[serde(skip)] Hidden }
    } => ["`A` has no variant that could be read, so no value would fit its schema; add one"];
    rules_that_nobody_would_check: {
        struct A { #[response(schema_of = "String", max_length = 3)] a: Thing }
    } => ["a rule here would not be checked, for the value is not of the type that the schema is of; \
           write `validate = path` with a function that checks it"];
    transparent_needs_one_field: {
        #[serde(transparent)]
        struct A { a: u8, b: u8 }
    } => ["`transparent` needs exactly one field that is read, but `A` has 2"];
    dialects: {
        #[response(for = "openai, opnai, anthropic")]
        struct A { a: u8 }
    } => ["unknown dialect `opnai`; did you mean `openai`?"];
    a_dialect_for_a_generic_type: {
        #[response(for = "openai")]
        struct A<T> { a: T }
    } => [
        "`for` checks a type without parameters; check `A` where its arguments are known: \
         `const _: () = response_schema::verify::<A<…>, response_schema::dialect::OpenAi>();`",
    ];
    attributes_without_words: {
        #[response]
        struct A { #[response("x")] a: u8 }
    } => [
        "`#[response]` needs its words in parentheses: `#[response(…)]`",
        "expected a word of `#[response(…)]`, such as `description = \"…\"`",
    ];
}

#[test]
fn bounds_that_contradict() {
    let of = |attribute: proc_macro2::TokenStream| {
        messages(&quote!(
            struct A {
                #[response(#attribute)]
                a: u8,
            }
        ))
    };
    assert_eq!(of(quote!(min = 2, max = 1)), ["no number fits: `min = 2` is above `max = 1`"]);
    assert_eq!(of(quote!(min = 2, max = 2)), Vec::<String>::new());
    assert_eq!(of(quote!(exclusive_min = 2, max = 2)), ["no number fits: `exclusive_min = 2` is not below `max = 2`"]);
    assert_eq!(of(quote!(min = -1.5, max = -2)), ["no number fits: `min = -1.5` is above `max = -2`"]);
    assert_eq!(of(quote!(min_items = 3, max_items = 2)), ["no list fits: `min_items = 3` is above `max_items = 2`"]);
    assert_eq!(of(quote!(multiple_of = 0)), ["`multiple_of` takes a number above 0"]);
}
