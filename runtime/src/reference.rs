//! Reference pages.
#![allow(clippy::doc_markdown)] // prose, and texts that are quoted as they are

#[doc = include_str!("docs/response.md")]
pub mod response_attributes {}

#[doc = include_str!("docs/serde.md")]
pub mod serde_attributes {}

#[doc = include_str!("docs/types.md")]
pub mod types {}

#[doc = include_str!("docs/errors.md")]
pub mod errors {}
