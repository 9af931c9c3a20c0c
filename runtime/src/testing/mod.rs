//! Proofs and stand-ins for tests, without a model.
//!
//! Your own code takes an [`Adapter`](crate::adapter::Adapter) or a
//! [`DynAdapter`](crate::adapter::DynAdapter); in tests give it one of these:
//!
//! | stand-in | answers with | for |
//! |---|---|---|
//! | [`Offline`] | random replies that satisfy the schema | code that must take any valid value |
//! | [`Scripted`] | what you tell it, faults and delays included | code that handles bad replies, refusals, time-outs |
//! | [`Replay`] | what a real model said to a [`Recording`] | code whose meaning depends on real replies |
//!
//! [`VirtualClock`] makes deadlines and delays pass in no time, and [`no_real_calls`] fails a test that would
//! reach a real model. A type's `validate` rules and its schema are proved without any of them:
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

pub(crate) mod cassette;
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
#[cfg(test)]
mod rules;
mod sample;
mod sampler;
mod scripted;
#[cfg(test)]
mod tests;
mod text;
mod types;

pub use cassette::{Recording, Replay};
pub use clock::VirtualClock;
pub use contract::{Contract, Proof, assert_contract, assert_deserializes};
pub use guard::{NO_REAL_CALLS, NoRealCalls, no_real_calls};
pub use mutate::{Breaks, Mutation};
pub use offline::Offline;
pub use sampler::{Sampler, reply, sample};
pub use scripted::{Scripted, Turn};
