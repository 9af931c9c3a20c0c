//! What goes wrong with a server as a whole. What goes wrong with one call is that call's result.

use std::error::Error as StdError;
use std::fmt;

/// Why there is no connection to a server, or none any more.
pub struct McpError {
    kind: McpErrorKind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What sort of failure an [`McpError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum McpErrorKind {
    /// The program could not be started.
    Start,
    /// The two sides did not come to terms.
    Handshake,
    /// The server has ended, or the connection has.
    Closed,
    /// The server did not answer in time.
    Timeout,
    /// The server found fault with a request.
    Refused,
    /// The server's list of tools, or ours, is not one.
    Tools,
}

impl McpError {
    pub(super) fn new(kind: McpErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    pub(super) fn because(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// With what the server's program wrote to standard error at last.
    #[cfg(unix)]
    pub(super) fn with_last_words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.message = format!("{}; its last words: {words}", self.message);
        }
        self
    }

    /// What sort of failure it is.
    #[must_use]
    pub fn kind(&self) -> McpErrorKind {
        self.kind
    }
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpError")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("source", &self.source)
            .finish()
    }
}

impl StdError for McpError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
