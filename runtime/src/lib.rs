//! Typed LLM output.

#[cfg(feature = "embedded")]
pub mod embedded;
