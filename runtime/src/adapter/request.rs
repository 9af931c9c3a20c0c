//! One request to a model.

use std::fmt;
use std::time::Instant;

use super::ResponseFormat;

/// One request to a model.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The schema that the reply must satisfy. Without one, nothing about structured output goes
    /// to the provider.
    pub response_schema: Option<ResponseFormat>,
    /// At most this many tokens of reply; without it, the route's own limit.
    pub max_tokens: Option<u32>,
    /// When the reply is of no use any more.
    pub deadline: Option<Instant>,
}

impl CallRequest {
    /// A request with this conversation.
    #[must_use]
    pub fn new(messages: Vec<Message>) -> Self {
        Self { messages, ..Self::default() }
    }

    /// With a schema that the reply must satisfy.
    #[must_use]
    pub fn with_response_schema(mut self, format: ResponseFormat) -> Self {
        self.response_schema = Some(format);
        self
    }
}

/// One message of a conversation. Its text is not in its `Debug` form.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Standing instructions.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

impl Message {
    /// Standing instructions.
    #[must_use]
    pub fn system(text: impl Into<String>) -> Self {
        Self { role: Role::System, text: text.into() }
    }

    /// What the user says.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    /// What the model said.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({} bytes)", self.role, self.text.len())
    }
}
