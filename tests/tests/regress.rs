//! Faults that were found once, each by its smallest example.
#![allow(missing_docs)]

use response_schema::ResponseSchema;
use response_schema::decode::decode;
use serde::{Deserialize, Serialize};

/// A bare value may stand for a list of it; of a type that is a list of itself, that had no end.
#[test]
fn a_bare_value_of_a_type_that_is_a_list_of_itself() {
    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    #[serde(untagged)]
    enum Nested {
        Leaf(i32),
        Branch(Vec<Nested>),
    }

    for reply in [r#"{"value":0.0}"#, r#"{"value":"7"}"#, r#"{"value":{"a":[]}}"#, r#"{"value":[[["1"]]]}"#] {
        let said = decode::<Nested>(reply).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(!said.contains("recursion"), "{reply}: {said}");
    }
    assert!(matches!(decode::<Nested>(r#"{"value":[1,[2]]}"#).expect("fits").value, Nested::Branch(_)));
}

/// A no-break space is whitespace for JSON Schema, and so for whatever wrote the reply.
#[test]
fn whitespace_in_a_pattern_is_that_of_unicode() {
    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Pair {
        #[response(pattern = r"^\S+\s\S+$")]
        words: String,
    }

    assert_eq!(decode::<Pair>("{\"words\":\"two\u{a0}words\"}").expect("fits").words, "two\u{a0}words");
    assert!(decode::<Pair>(r#"{"words":"one"}"#).is_err());
}

/// serde asks the fields of a struct first, then the flattened ones in their order: an alias takes a key only
/// from what comes after it.
#[test]
fn an_alias_of_a_flattened_field_takes_nothing_from_what_is_read_before_it() {
    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Outer {
        #[serde(flatten)]
        first: First,
        #[serde(flatten)]
        second: Second,
        q: u8,
    }

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct First {
        p: u8,
    }

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Second {
        #[serde(alias = "p", alias = "q")]
        r: u8,
    }

    response_schema::testing::assert_contract::<Outer>();
}

/// A list of itself has no object in it; measuring how deep its objects nest had no end.
#[test]
fn a_newtype_of_a_list_of_itself() {
    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Nested(Vec<Nested>);

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Holder {
        nested: Option<Nested>,
    }

    response_schema::testing::assert_contract::<Holder>();
    assert_eq!(decode::<Nested>("[[[]], []]").expect("fits").value.0.len(), 2);
}

#[test]
fn a_negative_const_argument_is_named_as_one() {
    #[derive(serde::Deserialize, ResponseSchema)]
    #[allow(dead_code)]
    struct Shift<const BY: i32> {
        value: i32,
    }

    #[derive(serde::Deserialize, ResponseSchema)]
    #[allow(dead_code)]
    struct Word<const BY: i32> {
        shift: Shift<BY>,
    }

    assert_eq!(response_schema::name::<Word<-5>>(), "Word_of_minus_5");
    assert_eq!(response_schema::name::<Word<5>>(), "Word_of_5");
}
