//! Expansions in unfriendly surroundings: nothing in scope, everything shadowed, every lint denied.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    unused,
    non_local_definitions,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    trivial_casts,
    trivial_numeric_casts,
    unused_lifetimes,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]
// These two are about the test, not about expansions.
#![allow(clippy::redundant_pub_crate, clippy::use_self)]
#![forbid(unsafe_code)]

/// Where nothing is in scope, not even the prelude.
#[no_implicit_prelude]
mod bare {
    #[derive(::std::fmt::Debug, ::serde::Deserialize, ::response_schema::ResponseSchema)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Bare {
        #[response(min_length = 1, pattern = "^a")]
        pub(crate) text: ::std::string::String,
        #[response(min = 0.5)]
        pub(crate) number: f64,
        #[serde(default)]
        pub(crate) next: ::std::option::Option<::std::boxed::Box<Bare>>,
        pub(crate) kind: Kind,
    }

    #[derive(::std::fmt::Debug, ::serde::Deserialize, ::response_schema::ResponseSchema)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum Kind {
        Plain,
        With { list: ::std::vec::Vec<Self> },
        Pair(u8, u8),
    }

    #[derive(::std::fmt::Debug, ::serde::Deserialize, ::response_schema::ResponseSchema)]
    pub(crate) struct Generic<T, const N: usize> {
        pub(crate) value: T,
        pub(crate) children: ::std::vec::Vec<Generic<T, N>>,
    }

    #[derive(::std::fmt::Debug, ::serde::Deserialize, ::response_schema::ResponseSchema)]
    #[response(validate = not_zero)]
    pub(crate) struct Percent(#[response(max = 100)] pub(crate) u8);

    const fn not_zero(percent: &Percent) -> ::std::result::Result<(), &'static str> {
        if percent.0 == 0 { ::std::result::Result::Err("more than nothing") } else { ::std::result::Result::Ok(()) }
    }
}

/// Where every name that an expansion might be tempted to use means something else.
mod shadowed {
    #![allow(dead_code, non_camel_case_types)]

    use response_schema::ResponseSchema;

    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod alloc {}
    pub(crate) mod response_schema_runtime {}
    pub(crate) struct u128;
    pub(crate) struct Some;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Box;
    pub(crate) enum Result {}
    pub(crate) struct Violations;
    pub(crate) struct Path;
    pub(crate) struct SchemaRef;
    pub(crate) struct Kind;

    /// Not the one from std.
    #[derive(Debug, ResponseSchema)]
    pub(crate) struct Option {
        #[response(min = 1)]
        pub(crate) value: u8,
    }

    /// Not the one from std.
    #[derive(Debug, ResponseSchema)]
    pub(crate) struct String {
        pub(crate) length: Option,
    }

    #[derive(Debug, ResponseSchema)]
    pub(crate) struct Vec<T, const N: usize>(pub(crate) [T; N]);

    #[derive(Debug, ResponseSchema)]
    #[serde(tag = "t", content = "c")]
    pub(crate) enum Both {
        Name(String),
        List(Vec<Option, 2>),
    }
}

/// Fields and variants named like what an expansion brings.
mod tempting {
    #![allow(dead_code)]

    use response_schema::ResponseSchema;

    #[derive(Debug, ResponseSchema)]
    pub(crate) struct Names {
        #[response(max = 3)]
        pub(crate) at: u8,
        pub(crate) found: String,
        pub(crate) __at: u8,
        pub(crate) __found: String,
        pub(crate) __p: u8,
        pub(crate) r#type: u8,
        pub(crate) r#fn: Result,
    }

    #[derive(Debug, ResponseSchema)]
    #[allow(non_camel_case_types)]
    pub(crate) enum Result {
        Ok { at: u8, found: Vec<String>, __at: u8 },
        r#try,
    }
}

/// Names in styles of their own, and deprecated ones.
mod styles {
    #![deny(nonstandard_style)]
    #![allow(dead_code)]

    use response_schema::ResponseSchema;

    #[derive(ResponseSchema)]
    #[allow(non_snake_case, non_camel_case_types, missing_debug_implementations)]
    pub(crate) struct lower {
        #[response(max = 3)]
        pub(crate) mixedCase: u8,
    }

    #[derive(ResponseSchema)]
    #[allow(non_snake_case, missing_debug_implementations)]
    pub(crate) enum Only {
        One { mixedCase: u8 },
    }

    #[derive(ResponseSchema)]
    #[allow(missing_debug_implementations)]
    #[deprecated]
    pub(crate) struct Old {
        #[deprecated]
        pub(crate) field: u8,
    }

    #[derive(ResponseSchema)]
    #[allow(missing_debug_implementations)]
    pub(crate) enum Aged {
        #[deprecated]
        First(String),
        Second(u8),
    }
}

/// Types that a macro of the same crate makes.
mod made {
    use response_schema::ResponseSchema;

    macro_rules! make {
        ($name:ident, $type:ty, $limit:literal, $check:path) => {
            #[derive(Debug, ResponseSchema)]
            pub(crate) struct $name {
                #[response(min_length = $limit, validate = $check)]
                pub(crate) first: $type,
                pub(crate) rest: Vec<$type>,
            }
        };
    }

    make!(Made, String, 2, super::fine);
}

#[expect(clippy::unnecessary_wraps)]
const fn fine(_: &str) -> Result<(), String> {
    Ok(())
}

use response_schema::{Path, ResponseSchema, Violations, json};

#[test]
fn expansions_compile_and_mean_the_same() {
    assert!(json::<bare::Bare>().contains(r#""text":{"type":"string""#));
    assert!(json::<bare::Generic<u8, 2>>().contains("Generic_of_u8"));
    assert_eq!(
        json::<shadowed::String>(),
        concat!(
            r#"{"type":"object","description":"Not the one from std.","properties":{"length":"#,
            r#"{"type":"object","description":"Not the one from std.","properties":{"value":{"type":"integer","minimum":1,"maximum":255}},"#,
            r#""required":["value"],"additionalProperties":false}},"required":["length"],"additionalProperties":false}"#,
        )
    );
    assert!(json::<shadowed::Both>().contains(r#""minItems":2"#));
    assert!(json::<tempting::Names>().contains(r#""type":{"type":"integer""#));
    assert!(json::<tempting::Names>().contains(r#""enum":["try"]"#));
}

#[test]
fn checks_run_in_all_of_them() {
    let mut found = Violations::new();
    let option = shadowed::Option { value: 0 };
    shadowed::Both::Name(shadowed::String { length: option }).check(Path::ROOT, &mut found);
    bare::Percent(0).check(Path::ROOT, &mut found);
    made::Made { first: "a".to_owned(), rest: Vec::new() }.check(Path::ROOT, &mut found);
    let texts: Vec<_> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "`c.length.value`: expected at least 1, found 0",
            "expected more than nothing",
            "`first`: expected at least 2 characters, found 1",
        ]
    );
}

#[test]
fn types_may_stand_in_functions() {
    /// Local.
    #[derive(Debug, ResponseSchema)]
    struct Local {
        inner: Vec<Inner>,
    }
    /// Local too.
    #[derive(Debug, ResponseSchema)]
    struct Inner {
        locals: Option<Box<Local>>,
    }
    let local = Local { inner: vec![Inner { locals: None }] };
    assert!(local.inner[0].locals.is_none());
    assert!(json::<Local>().contains("#/$defs/Local"));
}
