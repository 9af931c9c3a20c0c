//! Why a call brought no reply.

use std::error::Error as StdError;
use std::fmt;

/// Why a call brought no reply.
#[derive(Debug)]
pub struct CallError {
    kind: CallErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What sort of failure a [`CallError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// The provider refused the schema.
    SchemaRefused,
    /// The request itself cannot be carried: too long, empty.
    InputBlocked,
    /// The deadline passed.
    Timeout,
    /// The call was cancelled.
    Cancelled,
    /// The provider could not be reached.
    Transport,
    /// The provider, or the model, failed.
    Provider,
}

impl CallError {
    /// A failure of this kind, in words that say what to do about it.
    #[must_use]
    pub fn new(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// With the error behind it.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for CallError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
