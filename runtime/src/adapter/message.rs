//! A conversation.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ToolCall;

/// One message of a conversation. Its text is not in its `Debug` form.
///
/// It serializes, so that a conversation can be kept and taken up again.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// Standing instructions.
    System {
        /// The instructions.
        text: String,
    },
    /// What the user says.
    User {
        /// What is said.
        text: String,
    },
    /// What the model said.
    Assistant(AssistantMessage),
    /// What a tool gave back.
    Tool(ToolResult),
}

/// What the model said.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AssistantMessage {
    /// Its text; empty where it only called tools.
    pub text: String,
    /// The tools that it called. Each needs a [`ToolResult`] before the model's next turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The turn in the provider's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<Native>,
}

/// A turn in its provider's own form, for what must go back unchanged: reasoning items, signed thinking.
///
/// Only a route of the same wire reads it; every other route uses the text and the tool calls.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Native {
    /// The wire that it belongs to: `openai-responses`, `anthropic`.
    pub wire: String,
    /// The provider's own value.
    pub value: Value,
}

/// What a tool gave back.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The [`ToolCall::id`] that it answers.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The result, or what went wrong.
    pub text: String,
    /// Whether something went wrong.
    #[serde(default)]
    pub is_error: bool,
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
    /// A tool.
    Tool,
}

impl Message {
    /// Standing instructions.
    #[must_use]
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// What the user says.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// What the model said.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant(AssistantMessage { text: text.into(), ..AssistantMessage::default() })
    }

    /// Who speaks.
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::System { .. } => Role::System,
            Self::User { .. } => Role::User,
            Self::Assistant(_) => Role::Assistant,
            Self::Tool(_) => Role::Tool,
        }
    }

    /// What is said.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::System { text } | Self::User { text } => text,
            Self::Assistant(message) => &message.text,
            Self::Tool(result) => &result.text,
        }
    }
}

impl AssistantMessage {
    /// A turn with this text and these calls.
    #[must_use]
    pub fn new(text: impl Into<String>, tool_calls: Vec<ToolCall>) -> Self {
        Self { text: text.into(), tool_calls, native: None }
    }
}

impl Native {
    /// A turn in the form of this wire.
    #[must_use]
    pub fn new(wire: impl Into<String>, value: Value) -> Self {
        Self { wire: wire.into(), value }
    }
}

impl ToolResult {
    /// The result of a call.
    #[must_use]
    pub fn new(call: &ToolCall, text: impl Into<String>) -> Self {
        Self { call_id: call.id.clone(), name: call.name.clone(), text: text.into(), is_error: false }
    }

    /// What went wrong with a call.
    #[must_use]
    pub fn error(call: &ToolCall, text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::new(call, text) }
    }
}

impl From<AssistantMessage> for Message {
    fn from(message: AssistantMessage) -> Self {
        Self::Assistant(message)
    }
}

impl From<ToolResult> for Message {
    fn from(result: ToolResult) -> Self {
        Self::Tool(result)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assistant(message) => message.fmt(f),
            Self::Tool(result) => result.fmt(f),
            _ => write!(f, "{:?}({} bytes)", self.role(), self.text().len()),
        }
    }
}

impl fmt::Debug for AssistantMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Assistant({} bytes, {} tool calls)", self.text.len(), self.tool_calls.len())
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("wire", &self.wire).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolResult")
            .field("call_id", &self.call_id)
            .field("name", &self.name)
            .field("text", &format_args!("{} bytes", self.text.len()))
            .field("is_error", &self.is_error)
            .finish()
    }
}
