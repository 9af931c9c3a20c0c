//! The partial forms of types, as users write and read them.

#![deny(missing_docs, unused_qualifications, unreachable_pub)]

use std::borrow::Cow;
use std::collections::HashMap;

use response_schema::ResponseSchema;
use response_schema::partial::Growing;
use serde::Deserialize;

/// A report.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug, Clone, PartialEq))]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "read by the derives")]
struct Report {
    /// One sentence.
    main_line: String,
    build: Option<String>,
    severity: Severity,
    #[serde(alias = "points")]
    score: Option<f64>,
    labels: Vec<String>,
    parts: Vec<Part>,
    #[response(stream = "done")]
    quote: String,
    #[serde(with = "response_schema::entries")]
    counts: HashMap<String, u8>,
    #[serde(flatten)]
    origin: Origin,
    next: Option<Box<Self>>,
}

/// How bad it is.
#[derive(Debug, Clone, PartialEq, Deserialize, ResponseSchema)]
#[response(partial)]
#[serde(rename_all = "lowercase")]
enum Severity {
    High,
    Higher,
}

/// A part of a report.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug, Clone, PartialEq))]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code, reason = "read by the derives")]
enum Part {
    Text {
        body: String,
        #[response(stream = "not_null")]
        page: Option<u32>,
    },
    Image(Image),
    Break,
}

/// An image.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug, Clone, PartialEq))]
#[allow(dead_code, reason = "read by the derives")]
struct Image {
    url: Address,
}

/// Where something is.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
struct Address(#[allow(dead_code, reason = "read by the derives")] String);

/// Where a report comes from.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug, Clone, PartialEq))]
#[allow(dead_code, reason = "read by the derives")]
struct Origin {
    host: Cow<'static, str>,
}

/// A page of anything.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
#[allow(dead_code, reason = "read by the derives")]
struct Page<T> {
    items: Vec<T>,
    first: Choice<T>,
}

/// One or another.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
#[allow(dead_code, reason = "read by the derives")]
enum Choice<T> {
    One(T),
    Pair(u8, u8),
    Named { value: T },
    None,
}

#[test]
fn a_struct_fills_in_field_by_field() {
    let mut report = Growing::<Report>::new();
    let mut step = |piece: &str| report.push(piece).and_then(|now| now.fields());
    let begun = PartialReport {
        main_line: Some("Log".to_owned()),
        origin: Some(PartialOrigin { host: None }),
        ..PartialReport::default()
    };
    assert_eq!(step("{\"mainLine\": \"Log"), Some(begun));
    let now = step("in\", \"build\": null, \"severity\": \"high").expect("news");
    assert_eq!((now.build, now.severity), (Some(None), None));
    let now = step("er\", \"points\": 1.5, \"labels\": [\"a\", \"b").expect("news");
    assert_eq!(now.severity, Some(Severity::Higher));
    assert_eq!(now.score, Some(Some(1.5)));
    assert_eq!(now.labels, Some(vec!["a".to_owned(), "b".to_owned()]));
    let now = step("\"], \"parts\": [{\"kind\": \"text\", \"body\": \"x\"").expect("news");
    assert_eq!(now.parts, Some(Vec::new()), "the text waits for its page");
    let now = step(", \"page\": 3}, {\"kind\": \"break\"}, {\"kind\": \"image\", \"url\": \"http").expect("news");
    let image = PartialImage { url: Some("http".to_owned()) };
    let text = PartialPart::Text { body: Some("x".to_owned()), page: Some(Some(3)) };
    assert_eq!(now.parts, Some(vec![text, PartialPart::Break, PartialPart::Image(Some(image))]));
    let now = step("\"}], \"quote\": \"unfini").expect("news");
    assert_eq!(now.quote, None);
    let now = step("shed\", \"counts\": [{\"key\": \"a\", \"value\": 1}").expect("news");
    assert_eq!((now.quote.as_deref(), &now.counts), (Some("unfinished"), &None));
    let now = step("], \"host\": \"alp").expect("news");
    assert_eq!(now.counts, Some(HashMap::from([("a".to_owned(), 1)])));
    assert_eq!(now.origin, Some(PartialOrigin { host: Some("alp".to_owned()) }));
    let now = step("ha\", \"next\": {\"mainLine\": \"Again").expect("news");
    let inner = now.next.flatten().expect("begun");
    assert_eq!(inner.main_line.as_deref(), Some("Again"));
}

#[test]
fn generic_types_have_generic_forms() {
    let mut page = Growing::<Page<String>>::new();
    let now = page
        .push("{\"items\": [\"a\"], \"first\": {\"Named\": {\"value\": \"b")
        .and_then(|now| now.fields())
        .expect("news");
    let PartialPage { items, first } = now;
    assert_eq!(items, Some(vec!["a".to_owned()]));
    assert!(matches!(first, Some(PartialChoice::Named { value: Some(value) }) if value == "b"));
    for (text, expected) in [
        ("{\"One\": \"x", "One"),
        ("{\"Pair\": [1, 2]}", "Pair"),
        ("{\"Pair\": [1, ", ""),
        ("\"None\"", "None"),
        ("\"Non", ""),
    ] {
        let mut page = Growing::<Page<String>>::new();
        let now = page.push(&format!("{{\"items\": [], \"first\": {text}")).and_then(|now| now.fields()).expect("news");
        let variant = match now.first {
            Some(PartialChoice::One(Some(_))) => "One",
            Some(PartialChoice::Pair(1, 2)) => "Pair",
            Some(PartialChoice::None) => "None",
            _ => "",
        };
        assert_eq!(variant, expected, "{text}");
    }
}
