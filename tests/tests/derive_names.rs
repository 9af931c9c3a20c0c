//! Names, identities and descriptions of derived types.
#![allow(dead_code, missing_docs, non_ascii_idents)]

use response_schema::{ResponseSchema, json, name};
use serde_json::Value;

fn schema<T: ResponseSchema>() -> Value {
    serde_json::from_str(json::<T>()).expect("the schema is JSON")
}

#[test]
fn names_fit_whatever_the_type_is_called() {
    #[derive(ResponseSchema)]
    struct Plain {}
    #[derive(ResponseSchema)]
    #[serde(rename = "größe {}")]
    struct Odd {}
    #[derive(ResponseSchema)]
    #[serde(rename = "written")]
    #[response(title = "Titled")]
    struct Titled {}
    assert_eq!(name::<Plain>(), "Plain");
    assert_eq!(name::<Titled>(), "Titled");
    let odd = name::<Odd>();
    assert!(odd.len() <= 64 && odd.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{odd}");
}

/// What had to change to fit ends in a number that tells it from others; what fits is left alone.
#[test]
fn names_that_had_to_change_stay_distinct() {
    #[derive(ResponseSchema)]
    #[response(title = "My Title")]
    struct Space {}
    #[derive(ResponseSchema)]
    #[response(title = "My_Title")]
    struct Underscore {}
    #[derive(ResponseSchema)]
    #[response(title = "My-Title")]
    struct Hyphen {}
    #[derive(ResponseSchema)]
    struct Größe {}
    #[derive(ResponseSchema)]
    struct Grüße {}
    #[derive(ResponseSchema)]
    struct AVeryLongNameThatGoesOnPastWhatProvidersTakeAndDiffersAtItsEndAlone1 {}
    #[derive(ResponseSchema)]
    struct AVeryLongNameThatGoesOnPastWhatProvidersTakeAndDiffersAtItsEndAlone2 {}
    #[derive(ResponseSchema)]
    struct Page<T> {
        item: T,
    }
    type Long<T> = Page<Page<Page<Page<Page<T>>>>>;
    assert_eq!((name::<Underscore>(), name::<Hyphen>()), ("My_Title", "My-Title"));
    let names = [
        name::<Space>(),
        name::<Underscore>(),
        name::<Hyphen>(),
        name::<Größe>(),
        name::<Grüße>(),
        name::<AVeryLongNameThatGoesOnPastWhatProvidersTakeAndDiffersAtItsEndAlone1>(),
        name::<AVeryLongNameThatGoesOnPastWhatProvidersTakeAndDiffersAtItsEndAlone2>(),
        name::<Long<Long<Underscore>>>(),
        name::<Long<Long<Hyphen>>>(),
    ];
    for (i, name) in names.iter().enumerate() {
        let fits = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        assert!(fits && (1..=64).contains(&name.len()), "{name}");
        assert!(!names[..i].contains(name), "{name}");
    }
    // The name is all that there is to go by: of another module's type of the same name nothing is known here.
    assert_eq!(name::<Same>(), name::<inner::Same>());
}

mod inner {
    use response_schema::ResponseSchema;

    #[derive(ResponseSchema)]
    pub(crate) struct Same {
        pub(crate) inner: bool,
    }
}

#[derive(ResponseSchema)]
struct Same {
    outer: bool,
}

#[test]
fn types_of_one_name_stay_apart() {
    #[derive(ResponseSchema)]
    struct Both {
        a: Same,
        b: Option<Same>,
        c: inner::Same,
        d: Vec<inner::Same>,
    }
    let schema = schema::<Both>();
    let of = |pointer: &str| schema.pointer(pointer).and_then(Value::as_str).expect("a reference").to_owned();
    assert_eq!(of("/properties/a/$ref"), "#/$defs/Same");
    assert_eq!(of("/properties/c/$ref"), "#/$defs/Same2");
    assert_eq!(of("/properties/d/items/$ref"), "#/$defs/Same2");
    assert!(schema["$defs"]["Same2"]["properties"].get("inner").is_some());
}

#[test]
fn aliases_and_generic_arguments_resolve_through_the_trait() {
    type Text = String;
    type List<T> = Vec<T>;
    trait HasId {
        type Id;
    }
    struct User;
    impl HasId for User {
        type Id = u8;
    }
    #[derive(ResponseSchema)]
    struct Ids<T: HasId> {
        one: T::Id,
        other: <T as HasId>::Id,
        list: List<T::Id>,
    }
    #[derive(ResponseSchema)]
    struct Holder<T = Text, const N: usize = 2> {
        values: List<[T; N]>,
    }
    #[derive(ResponseSchema)]
    struct All {
        text: Text,
        ids: Ids<User>,
        default: Holder,
        given: Option<Holder<u8, 3>>,
    }
    let schema = schema::<All>();
    assert_eq!(schema["properties"]["text"]["type"], "string");
    assert_eq!(schema["properties"]["ids"]["properties"]["other"]["maximum"], 255);
    assert_eq!(schema["properties"]["default"]["properties"]["values"]["items"]["minItems"], 2);
    assert_eq!(
        schema.pointer("/properties/given/anyOf/0/properties/values/items/items/type"),
        Some(&Value::from("integer"))
    );
}

#[test]
fn comments_become_descriptions() {
    /// A "type"
    /// over two lines.
    #[derive(ResponseSchema)]
    struct Told {
        /// First \ paragraph.
        ///
        /// - one
        /// - two
        listed: u8,
        #[doc = concat!("not", "known")]
        unknown: u8,
        /// Not this.
        #[response(description = "This.", examples("a", 2, true))]
        given: String,
        /** Block
         * comment. */
        block: u8,
    }
    let schema = schema::<Told>();
    let of = |field: &str| &schema["properties"][field]["description"];
    assert_eq!(schema["description"], "A \"type\" over two lines.");
    assert_eq!(of("listed"), "First \\ paragraph.\n\n- one\n- two");
    assert_eq!(of("unknown"), &Value::Null);
    assert_eq!(of("given"), "This. Examples: \"a\", 2, true.");
    assert_eq!(of("block"), "Block comment.");
}
