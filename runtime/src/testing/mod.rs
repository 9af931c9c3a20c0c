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

mod clock;
mod conform;
mod contract;
mod document;
mod format;
pub(crate) mod guard;
mod instance;
mod mutate;
mod number;
mod offline;
mod pattern;
mod random;
mod sample;
mod sampler;
mod scripted;
#[cfg(test)]
mod tests;
mod text;
mod types;

pub use clock::VirtualClock;
pub use contract::{Contract, Proof, assert_contract, assert_deserializes};
pub use guard::{NO_REAL_CALLS, NoRealCalls, no_real_calls};
pub use mutate::{Breaks, Mutation};
pub use offline::Offline;
pub use sampler::{Sampler, reply, sample};
pub use scripted::{Scripted, Turn};
