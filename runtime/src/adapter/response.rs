//! What came back from a model.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AssistantMessage, Message, Native, RateLimits, ToolCall};

/// A model's reply, and what the provider says about it. Its text is not in its `Debug` form.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct CallResponse {
    /// The text of the reply.
    pub text: String,
    /// The tools that the model calls.
    pub tool_calls: Vec<ToolCall>,
    /// How the reply ended.
    pub ending: Ending,
    /// What it took.
    pub usage: Usage,
    /// What the route guaranteed for this reply.
    pub enforcement: Enforcement,
    /// The model that answered, as the provider names it; empty if it does not say.
    pub model: String,
    /// The provider's mark for the reply, to find it in its logs.
    pub id: Option<String>,
    /// The turn in the provider's own form, where that holds more than text and calls.
    pub native: Option<Native>,
    /// How often the request was sent again after a fault of the transport.
    pub retries: u32,
    /// The route that answered, where it has a name of the user's own.
    pub answered_by: Option<AnsweredBy>,
    /// The routes that a chain asked before, and why they did not answer.
    pub passed_over: Vec<PassedOver>,
    /// What the provider said of its limits.
    pub rate_limits: Option<Box<RateLimits>>,
    /// Whether nobody was asked: the reply is one that was kept.
    pub cached: bool,
}

/// The route that answered, where it has a name of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnsweredBy {
    /// The name that the user gave it: `fast`.
    pub name: Arc<str>,
    /// The route's own name: `openai-payg`.
    pub route: &'static str,
}

/// A route that did not answer, so that the next was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PassedOver {
    /// Its name.
    pub route: String,
    /// Why it did not answer.
    pub reason: String,
}

impl CallResponse {
    /// A finished reply.
    #[must_use]
    pub fn new(text: impl Into<String>, enforcement: Enforcement) -> Self {
        Self {
            text: text.into(),
            tool_calls: Vec::new(),
            ending: Ending::Complete,
            usage: Usage::default(),
            enforcement,
            model: String::new(),
            id: None,
            native: None,
            retries: 0,
            answered_by: None,
            passed_over: Vec::new(),
            rate_limits: None,
            cached: false,
        }
    }

    /// The reply as a message of the conversation.
    #[must_use]
    pub fn to_message(&self) -> Message {
        Message::Assistant(AssistantMessage {
            text: self.text.clone(),
            tool_calls: self.tool_calls.clone(),
            native: self.native.clone(),
        })
    }
}

impl fmt::Debug for CallResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallResponse")
            .field("text", &format_args!("{} bytes", self.text.len()))
            .field("tool_calls", &self.tool_calls)
            .field("ending", &self.ending)
            .field("usage", &self.usage)
            .field("enforcement", &self.enforcement)
            .field("model", &self.model)
            .field("id", &self.id)
            .field("retries", &self.retries)
            .field("answered_by", &self.answered_by)
            .field("passed_over", &self.passed_over)
            .finish_non_exhaustive()
    }
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// The model was done.
    Complete,
    /// The model waits for the results of its tool calls.
    ToolCalls,
    /// A token limit cut it short.
    CutShort,
    /// The model refused, with its words.
    Refused(String),
    /// The provider withheld the reply, or stopped it, with its reason.
    Filtered(String),
    /// The reply was cancelled on the provider's side.
    Cancelled,
}

/// What a reply took, as the provider counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input_tokens: u64,
    /// Tokens of the reply, thinking included.
    pub output_tokens: u64,
    /// Those of the prompt that came from the provider's cache.
    pub cached_input_tokens: u64,
    /// Those of the reply that were thinking.
    pub reasoning_tokens: u64,
    /// Price in US dollars, where the route states one.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// So many tokens in, so many out.
    #[must_use]
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, cached_input_tokens: 0, reasoning_tokens: 0, cost_usd: None }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_input_tokens = self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.cost_usd = match (self.cost_usd, other.cost_usd) {
            (None, cost) | (cost, None) => cost,
            (Some(a), Some(b)) => Some(a + b),
        };
    }
}

/// What a route guarantees about a reply and its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Enforcement {
    /// The route carried no schema.
    None,
    /// The schema was shown to the model; it may have strayed.
    Hint,
    /// The model could not have written anything else.
    Enforced,
}

impl fmt::Display for Enforcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enforced => "enforced",
            Self::Hint => "hint",
            Self::None => "none",
        })
    }
}
