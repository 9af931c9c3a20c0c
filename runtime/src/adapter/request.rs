//! One request to a model.

use std::time::Instant;

use serde_json::{Map, Value};

use super::{Messages, ResponseFormat, ToolChoice, ToolSpec};

/// One request to a model.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CallRequest {
    /// The conversation so far.
    pub messages: Messages,
    /// The schema that the reply must satisfy. Without one, nothing about structured output goes
    /// to the provider.
    pub response_schema: Option<ResponseFormat>,
    /// The tools that the model may call. Without any, nothing about tools goes to the provider.
    pub tools: Vec<ToolSpec>,
    /// Whether the model may, must or must not call them.
    pub tool_choice: ToolChoice,
    /// How the reply is made. What is not stated is left to the route.
    pub parameters: Parameters,
    /// When the reply is of no use any more.
    pub deadline: Option<Instant>,
}

impl CallRequest {
    /// A request with this conversation.
    #[must_use]
    pub fn new(messages: impl Into<Messages>) -> Self {
        Self { messages: messages.into(), ..Self::default() }
    }

    /// With a schema that the reply must satisfy.
    #[must_use]
    pub fn with_response_schema(mut self, format: ResponseFormat) -> Self {
        self.response_schema = Some(format);
        self
    }

    /// With one more tool that the model may call.
    #[must_use]
    pub fn with_tool(mut self, tool: ToolSpec) -> Self {
        self.tools.push(tool);
        self
    }
}

/// How a reply is made. What is `None` or empty is not sent, and the route's own default holds.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Parameters {
    /// At most this many tokens of reply.
    pub max_tokens: Option<u32>,
    /// Randomness of the choice of tokens; 0 takes the likeliest.
    pub temperature: Option<f64>,
    /// Only the likeliest tokens that together have this probability are considered.
    pub top_p: Option<f64>,
    /// Makes the choice of tokens repeatable where the provider can.
    pub seed: Option<u64>,
    /// Texts at which the reply ends.
    pub stop: Vec<String>,
    /// How long a reasoning model thinks.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Further fields of the request's body, as the provider names them. They replace what the
    /// route would write there.
    pub extra: Map<String, Value>,
}

#[cfg(feature = "http")]
impl Parameters {
    /// With a route's own where nothing is stated.
    pub(crate) fn fill_from(&mut self, route: &Self) {
        self.max_tokens = self.max_tokens.or(route.max_tokens);
        self.temperature = self.temperature.or(route.temperature);
        self.top_p = self.top_p.or(route.top_p);
        self.seed = self.seed.or(route.seed);
        if self.stop.is_empty() {
            self.stop.clone_from(&route.stop);
        }
        self.reasoning_effort = self.reasoning_effort.or(route.reasoning_effort);
        for (name, value) in &route.extra {
            self.extra.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// How long a reasoning model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// As little as the model can.
    Minimal,
    /// A little.
    Low,
    /// The usual.
    Medium,
    /// Much.
    High,
}

impl ReasoningEffort {
    /// The word that providers use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
