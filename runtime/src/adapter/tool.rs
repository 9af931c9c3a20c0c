//! Tools, as they stand in a request and in a reply.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ResponseFormat;

/// A tool that a model may call.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolSpec {
    /// Its name; it fits `[A-Za-z0-9_-]{1,64}`.
    pub name: String,
    /// What it does, for the model to read.
    pub description: String,
    /// The schema of its arguments. It is a contract of its own, apart from the reply's schema.
    pub input: ResponseFormat,
}

impl ToolSpec {
    /// A tool of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, input: ResponseFormat) -> Self {
        Self { name: name.into(), description: description.into(), input }
    }
}

/// Whether the model calls tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it likes.
    #[default]
    Auto,
    /// Not in this turn.
    None,
    /// At least one.
    Required,
    /// This one.
    Named(String),
}

/// A call of a tool, as the model wrote it. Its arguments are not in its `Debug` form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The provider's mark for the call; its result carries the same.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them: JSON text, if the model keeps to its form.
    pub arguments: String,
}

impl ToolCall {
    /// A call of a tool.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("arguments", &format_args!("{} bytes", self.arguments.len()))
            .finish()
    }
}
