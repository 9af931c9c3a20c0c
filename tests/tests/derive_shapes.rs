//! The derive on plain shapes.
#![allow(dead_code, missing_docs)]

use std::marker::PhantomData;

use response_schema::ResponseSchema;
use serde::Deserialize;

/// A support ticket taken from a free-form report.
#[derive(Debug, Deserialize, ResponseSchema)]
struct Ticket {
    /// One sentence.
    summary: String,
    /// Build in which it was first seen.
    #[response(pattern = r"^\d+(\.\d+)*$")]
    build: Option<String>,
    severity: Severity,
    #[response(min = 0, max = 100)]
    confidence: u8,
    #[response(max_items = 5)]
    labels: Vec<String>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    /// In between.
    Medium,
    High,
    Blocking,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Tree {
    name: String,
    children: Vec<Tree>,
    other: Option<Box<Self>>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Gen<T, M, const N: usize> {
    value: T,
    #[response(schema_of = "[T; N]")]
    #[serde(deserialize_with = "any")]
    items: [T; N],
    #[serde(skip)]
    marker: PhantomData<M>,
    next: Option<Box<Gen<T, M, N>>>,
    me: Option<Box<Self>>,
}

#[derive(Debug, ResponseSchema)]
struct A<T> {
    b: Option<Box<B<T>>>,
    t: T,
}

#[derive(Debug, ResponseSchema)]
struct B<T> {
    #[response(recursive)]
    a: Vec<A<T>>,
}

#[derive(Debug, ResponseSchema)]
struct Life<'a, 'b> {
    a: &'a str,
    b: &'b [&'a str],
    c: Option<Box<Life<'a, 'b>>>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[serde(tag = "type")]
enum Shape {
    Unit,
    Tree(Tree),
    Rect {
        #[response(min = 1)]
        w: u32,
        h: Vec<Shape>,
    },
}

#[derive(Debug, ResponseSchema)]
enum Ext {
    A,
    T(Tree),
    #[response(min_length = 2)]
    S(String),
    B,
    R {
        w: u32,
        t: Ticket,
    },
}

fn short(text: &String) -> Result<(), String> {
    if text.len() < 3 { Ok(()) } else { Err(format!("less than 3 bytes, not {}", text.len())) }
}

#[derive(Debug, ResponseSchema)]
struct Percent(#[response(max = 100)] u8);

#[derive(Debug, ResponseSchema)]
struct Val {
    #[response(validate = short)]
    s: String,
    p: Percent,
    #[response(min = 3)]
    q: Percent,
}

#[test]
fn it_works() {
    println!("{}", response_schema::json::<Ticket>());
    println!("{}", response_schema::json::<Tree>());
    println!("{}", response_schema::json::<Gen<u8, (), 3>>());
    println!("{}", response_schema::json::<A<u8>>());
    println!("{}", response_schema::json::<Life<'_, '_>>());
    println!("{}", response_schema::json::<Ext>());
    println!("{}", response_schema::json::<Shape>());
    let mut found = response_schema::Violations::new();
    let v = Val { s: "four".into(), p: Percent(101), q: Percent(2) };
    v.check(response_schema::Path::ROOT, &mut found);
    println!("{found}");
}
fn any<'de, D: serde::Deserializer<'de>, T, const N: usize>(_: D) -> Result<[T; N], D::Error> {
    todo!()
}
