//! serde and the schema agree, for every shape that the derive knows: instances of the schema
//! deserialize, and what serde writes satisfies the schema.
// Values are made and written by serde alone, whose signatures these are.
#![allow(missing_docs, dead_code, clippy::struct_field_names, clippy::trivially_copy_pass_by_ref)]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::marker::PhantomData;
use std::time::Duration;

use response_schema::ResponseSchema;
use response_schema::testing::assert_contract;
use serde::{Deserialize, Serialize};

macro_rules! contract {
    ($($name:ident: $type:ty { $($item:item)* })*) => {$(
        #[test]
        fn $name() {
            $(#[derive(Debug, Serialize, Deserialize, ResponseSchema)] $item)*
            assert_contract::<$type>();
        }
    )*};
}

contract! {
    // Structs.
    named: A { struct A { a: u8, b: Option<String>, c: Vec<Option<bool>>, r#type: f64 } }
    empty: A { struct A {} }
    unit: A { struct A; }
    newtype: A { struct A(Vec<u8>); }
    newtype_in_a_field: A { struct A { b: B, c: Option<B> } struct B(#[response(max = 9)] u8); }
    transparent: A {
        #[serde(transparent)]
        struct A { a: B, #[serde(skip)] c: u8 }
        struct B { b: u8 }
    }
    renamed: A {
        #[serde(rename_all = "camelCase")]
        struct A { first_one: u8, #[serde(rename = "a \"b\" \\ c")] second: u8, #[serde(alias = "x")] third_one: u8 }
    }
    skipped: A { struct A { a: u8, #[serde(skip)] b: u8 } }
    with_defaults: A {
        #[serde(default)]
        #[derive(Default)]
        struct A { a: u8, b: Option<String> }
    }
    closed: A { #[serde(deny_unknown_fields)] struct A { a: u8, b: Option<B> } #[serde(deny_unknown_fields)] struct B {} }
    tagged_struct: A { #[serde(tag = "kind", rename = "an a")] struct A { a: u8 } }
    recursive: A { struct A { a: u8, next: Option<Box<A>>, all: Vec<Self> } }
    mutually_recursive: A { struct A { b: Vec<B> } enum B { Leaf, Node(Box<A>), Named { a: Option<Box<A>> } } }
    generic: A<B> {
        struct A<T> { value: T, list: Vec<T>, #[serde(skip)] marker: PhantomData<T>, next: Option<Box<A<T>>> }
        struct B { b: u8 }
    }
    generic_rules: A<u8> {
        struct A<T> { #[response(max = 7)] t: T, #[response(max_items = 2, min_items = 1)] list: Vec<T>, e: E<T> }
        enum E<T> { #[response(min = 3)] N(T), S { #[response(pattern = "^a$")] s: String } }
    }
    generic_twice: A { struct A { x: B<u8>, y: B<String>, z: Option<B<u8>> } struct B<T> { t: T } }
    tuple_struct: A { struct A(B, B, B); struct B { b: u8 } }
    tuple_struct_in_every_place: A {
        struct A { b: B, list: Vec<B>, e: E, f: F }
        struct B(f64, f64);
        enum E { One(B), Two(B, B) }
        #[serde(tag = "t", content = "c")]
        enum F { One(B), Two(B, B) }
    }
    bounds_at_the_ends_of_64_bits: A {
        struct A {
            #[response(min = -9223372036854775808)] a: i64,
            #[response(max = 9223372036854775807)] b: i64,
            #[response(exclusive_max = 18446744073709551615)] c: u64,
            #[response(min = 9007199254740993, max = 9007199254740993)] d: i64
        }
    }
    sets_with_a_least_number: A {
        struct A { #[response(min_items = 2)] a: HashSet<bool>, #[response(min_items = 3, max_items = 4)] b: B }
        struct B(BTreeSet<u8>);
    }
    flattened_duration: A { struct A { a: u8, #[serde(flatten)] d: Duration, #[serde(flatten)] e: Option<B> } struct B { b: u8 } }
    generic_mutual: A<u8> {
        struct A<T> { b: Option<Box<B<T>>>, t: T }
        struct B<T> { #[response(recursive)] a: Vec<A<T>> }
    }
    rules: A {
        struct A {
            #[response(min = 1, max = 5)] a: u8,
            #[response(min_length = 2, max_length = 4)] b: String,
            #[response(pattern = "^[a-f]{2,3}$")] c: Option<String>,
            #[response(min_items = 1, max_items = 3)] d: Vec<u8>,
            #[response(multiple_of = 5)] e: i32,
            #[response(exclusive_min = 0, exclusive_max = 1)] f: f64,
        }
    }
    // Flatten.
    flattened: A { struct A { a: u8, #[serde(flatten)] b: B, c: u8 } struct B { d: u8, #[serde(flatten)] e: C } struct C { f: String } }
    flattened_option: A { struct A { a: u8, #[serde(flatten)] b: Option<B> } struct B { d: u8, e: String } }
    flattened_internal: A {
        struct A { a: u8, #[serde(flatten)] b: B }
        #[serde(tag = "kind")]
        enum B { X { x: u8 }, Y(C), Z }
        struct C { c: String }
    }
    flattened_adjacent: A {
        struct A { a: u8, #[serde(flatten)] b: B }
        #[serde(tag = "kind", content = "data")]
        enum B { X { x: u8 }, Y(String) }
    }
    flattened_external: A { struct A { a: u8, #[serde(flatten)] b: B } enum B { X { x: u8 }, Y(String) } }
    flattened_generic: A<B> { struct A<T> { a: u8, #[serde(flatten)] t: T } struct B { b: u8 } }
    // Enums.
    units: A { enum A { One, Two, #[serde(rename = "3 \"x\"")] Three } }
    units_with_aliases: A { #[serde(rename_all = "kebab-case")] enum A { OneTwo, #[serde(alias = "old")] #[response(aliases("older"))] New } }
    external: A { enum A { U, N(u8), T(u8, u8), S { a: u8, b: Option<B> }, V, E {} } struct B { b: u8 } }
    external_renamed: A {
        #[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
        enum A { FirstOne(u8), SecondOne { a_b: u8 }, #[serde(rename_all = "UPPERCASE")] Third { c_d: u8 }, #[serde(skip)] Not }
    }
    external_rules: A { enum A { #[response(max = 3)] N(u8), M(#[response(min_length = 1)] String) } }
    internal: A {
        #[serde(tag = "type")]
        enum A { U, N(B), S { a: u8 }, E {}, C(C) }
        struct B { b: u8, c: Option<String> }
        #[serde(tag = "inner")]
        enum C { X { x: u8 }, Y }
    }
    internal_closed: A { #[serde(tag = "type", deny_unknown_fields)] enum A { U, S { a: u8 }, E {} } }
    internal_other: A { #[serde(tag = "type")] enum A { S { a: u8 }, #[serde(other)] Else } }
    adjacent: A {
        #[serde(tag = "t", content = "c")]
        enum A { U, N(u8), O(Option<u8>), T(String, String), S { a: u8 }, L(Vec<B>) }
        struct B { b: u8 }
    }
    adjacent_closed: A { #[serde(tag = "t", content = "c", deny_unknown_fields)] enum A { U, N(u8), S { a: u8 } } }
    untagged: A {
        #[serde(untagged)]
        enum A { Long { a: u8, b: u8 }, Short { a: u8 }, List(Vec<String>), Flag(bool), Nothing }
    }
    one_or_many: A<B> { #[serde(untagged)] enum A<T> { One(T), Many(Vec<T>) } struct B { b: u8 } }
    // Other types' schemas.
    entries: A {
        struct A {
            #[serde(with = "response_schema::entries")] map: BTreeMap<String, B>,
            #[serde(with = "response_schema::entries")] perhaps: Option<BTreeMap<u8, Vec<u8>>>,
        }
        struct B { b: u8 }
    }
}

#[test]
fn conversions() {
    #[derive(Debug, Clone, Serialize, Deserialize, ResponseSchema)]
    #[serde(from = "u8", into = "u8")]
    struct Plain {
        inner: u8,
    }

    impl From<u8> for Plain {
        fn from(inner: u8) -> Self {
            Self { inner }
        }
    }

    impl From<Plain> for u8 {
        fn from(plain: Plain) -> Self {
            plain.inner
        }
    }

    assert_contract::<Plain>();
}

mod stated {
    use response_schema::ResponseSchema;
    use response_schema::testing::assert_contract;
    use serde::{Deserialize, Serialize};

    mod seconds {
        use serde::{Deserialize, Deserializer, Serializer};

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<std::time::Duration, D::Error> {
            u32::deserialize(deserializer).map(|seconds| std::time::Duration::from_secs(u64::from(seconds)))
        }

        pub(crate) fn serialize<S: Serializer>(value: &std::time::Duration, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_u64(value.as_secs())
        }
    }

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Timed {
        #[serde(with = "seconds")]
        #[response(schema_of = "u32")]
        took: std::time::Duration,
    }

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    #[serde(tag = "t")]
    enum Variants {
        #[serde(with = "whole")]
        #[response(schema_of = "Timed")]
        Whole(u64),
        Part(Timed),
    }

    mod whole {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        use super::Timed;

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
            Timed::deserialize(deserializer).map(|timed| timed.took.as_secs())
        }

        pub(crate) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
            Timed { took: std::time::Duration::from_secs(*value) }.serialize(serializer)
        }
    }

    #[test]
    fn other_types_schemas() {
        assert_contract::<Timed>();
        assert_contract::<Variants>();
    }
}

#[test]
fn remote_definitions() {
    mod foreign {
        #[derive(Debug)]
        pub(crate) struct Point {
            pub(crate) x: i32,
            pub(crate) y: i32,
        }
    }

    #[derive(Serialize, Deserialize, ResponseSchema)]
    #[serde(remote = "foreign::Point")]
    struct PointDef {
        x: i32,
        y: i32,
    }

    #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
    struct Line {
        #[serde(with = "PointDef")]
        #[response(schema_of = "PointDef")]
        start: foreign::Point,
    }

    assert_contract::<Line>();
}

#[test]
fn every_format_that_is_checked_can_be_asked_for() {
    macro_rules! formats {
        ($($name:literal)*) => {
            $({
                #[derive(Debug, Serialize, Deserialize, ResponseSchema)]
                struct Text {
                    #[response(format = $name)]
                    text: String,
                }
                assert_contract::<Text>();
            })*
            assert_eq!(response_schema::check::FORMATS, [$($name),*]);
        };
    }
    formats! { "date" "date-time" "duration" "email" "hostname" "ipv4" "ipv6" "time" "uri" "uuid" }
}
