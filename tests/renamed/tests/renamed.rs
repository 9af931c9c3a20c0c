//! The derive where no crate is called `response_schema`.
#![deny(warnings, missing_docs, unused_qualifications, clippy::pedantic)]

use rs::ResponseSchema;

/// Directly, under another name.
#[derive(Debug, ResponseSchema)]
#[response(crate = "rs")]
pub struct Direct<'a> {
    /// Text.
    #[response(min_length = 1)]
    pub text: &'a str,
    /// Itself.
    pub next: Option<Box<Direct<'a>>>,
}

/// A generic type.
#[derive(Debug, ResponseSchema)]
#[response(crate = "::rs")]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
}

mod inner {
    pub(crate) use toolkit::schema as mine;
}

/// Through another crate, by a path of this one.
#[derive(Debug, toolkit::schema::ResponseSchema)]
#[response(crate = "crate::inner::mine")]
#[serde(tag = "kind")]
pub enum Through {
    /// Nothing.
    Nothing,
    /// Something.
    Something {
        /// How much.
        #[response(max = 3)]
        amount: u8,
    },
}

toolkit::model! {
    /// Made by a macro of the other crate.
    #[derive(Debug)]
    Made { values: Vec<Option<u8>> }
}

#[test]
fn all_have_schemas() {
    assert_eq!(rs::name::<Direct<'_>>(), "Direct");
    assert!(rs::json::<Page<Made>>().contains(r#""values""#));
    assert!(rs::json::<Through>().contains(r#""kind":{"type":"string","enum":["Nothing"]}"#));
}
