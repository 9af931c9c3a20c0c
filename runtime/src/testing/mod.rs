//! Proofs and stand-ins for tests, without a model.
//!
//! [`assert_contract`] proves for a type of yours what this crate promises of every type: what
//! satisfies the schema deserializes, and what serde writes satisfies the schema.
//!
//! ```
//! use response_schema::testing::{assert_contract, sample};
//!
//! assert_contract::<Vec<Option<u8>>>();
//! let reply: String = sample::<Vec<bool>>(7);
//! assert!(reply.starts_with(r#"{"value":["#));
//! ```

mod conform;
mod contract;
mod format;
mod instance;
mod mutate;
mod number;
mod pattern;
mod random;
#[cfg(test)]
mod rules;
mod sample;
mod sampler;
#[cfg(test)]
mod tests;
mod text;
mod types;

pub use contract::{Contract, Proof, assert_contract, assert_deserializes};
pub use mutate::{Breaks, Mutation};
pub use sampler::{Sampler, reply, sample};
