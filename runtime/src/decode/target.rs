//! What a value is decoded against where there is no type for it.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::Value;

use super::prepared::Prepared;
use crate::adapter::ResponseFormat;

/// A schema for [`Decoder::decode_value`](super::Decoder::decode_value): a JSON Schema, or the format of a request.
pub trait Target: sealed::Target {}

impl Target for Value {}
impl Target for ResponseFormat {}

pub(super) mod sealed {
    use super::{Cow, OnceLock, Prepared, Value};

    /// Which schemas there are is this crate's business.
    pub trait Target {
        /// The JSON Schema; or why there is none.
        fn document(&self) -> Result<Cow<'_, Value>, String>;

        /// Whether the schema has `{"value": …}` around what is meant.
        fn is_wrapped(&self) -> bool;

        /// Where what was read of the schema is kept for the next reply, if anywhere.
        fn prepared(&self) -> Option<&OnceLock<Prepared<'static>>> {
            None
        }
    }
}

impl sealed::Target for Value {
    fn document(&self) -> Result<Cow<'_, Value>, String> {
        Ok(Cow::Borrowed(self))
    }

    fn is_wrapped(&self) -> bool {
        false
    }
}

impl sealed::Target for ResponseFormat {
    fn document(&self) -> Result<Cow<'_, Value>, String> {
        self.document()
    }

    fn is_wrapped(&self) -> bool {
        self.is_wrapped()
    }

    fn prepared(&self) -> Option<&OnceLock<Prepared<'static>>> {
        self.prepared()
    }
}
