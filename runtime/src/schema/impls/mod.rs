//! Schemas for the types of std and of other crates.
//!
//! Each says what serde's impl for the type takes from JSON, no more and no less; where JSON
//! Schema cannot say it, the table in `docs/types.md` lists the exception, and the tests hold
//! the table to both sides. Types without a strict shape are in [`refuse`], with what to
//! write instead.

mod choice;
mod foreign;
mod list;
mod moment;
mod net;
mod number;
mod number_like;
mod range;
pub(crate) mod refuse;
mod seq;
mod text;
#[cfg(test)]
mod trial;
mod tuple;
mod unit;
mod wrapper;
