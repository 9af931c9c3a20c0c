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
