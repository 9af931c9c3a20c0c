//! From whatever the model wrote to the value that was meant, or an honest error.
//!
//! ```
//! use response_schema::decode::{Finish, Leniency, decode};
//! # use response_schema::decode::{DecodeErrorKind, Decoder};
//!
//! let done = decode::<Vec<u8>>("Sure! ```json\n{\"value\": [1, 2, 3]}\n```")?;
//! assert_eq!(done.value, [1, 2, 3]);
//! assert!(done.repairs.is_empty());
//!
//! let cut = Decoder::new().finish(Finish::Length).decode::<Vec<u8>>("{\"value\": [1, 2").unwrap_err();
//! assert_eq!(cut.kind(), DecodeErrorKind::CutShort);
//! # Ok::<(), response_schema::decode::DecodeError>(())
//! ```
//!
//! # The order
//!
//! 1. The whole text is JSON of the type: done, at the price of [`serde_json::from_str`].
//! 2. Otherwise every complete JSON value in the text, outside of reasoning, is a candidate. The
//!    last one that fits wins. Nothing is lifted out of a larger value, or out of one that was cut.
//! 3. A candidate that does not fit as it stands is repaired, if its faults have one reading
//!    only: syntax first, then the values, guided by the schema. Each change is a [`Repair`].
//! 4. Otherwise a [`DecodeError`] that says which fault it was, in words that a person and the
//!    model at its next attempt can act on.
//!
//! [`Leniency`] says how far down this list a decoder goes.
#![doc = include_str!("../docs/decode.md")]

mod coerce;
mod decoder;
mod error;
#[cfg(feature = "jsonschema")]
mod full;
pub(crate) mod grow;
mod locate;
mod near;
mod number;
mod parse;
mod pick;
mod plan;
mod prepared;
mod repair;
mod scan;
mod settled;
mod target;
mod text;
mod trail;
mod tree;
mod unescape;
mod validate;

pub use decoder::{Decoded, Decoder, Finish, Leniency, decode};
pub use error::{DecodeError, DecodeErrorKind};
pub(crate) use prepared::Prepared;
pub use repair::{Repair, RepairKind};
pub use target::Target;
