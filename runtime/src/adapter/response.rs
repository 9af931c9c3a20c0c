//! What came back from a model.

use std::fmt;

/// A model's reply, and what the provider says about it. Its text is not in its `Debug` form.
#[derive(Clone)]
#[non_exhaustive]
pub struct CallResponse {
    /// The text of the reply.
    pub text: String,
    /// How the reply ended.
    pub ending: Ending,
    /// What it took.
    pub usage: Usage,
    /// What the route guaranteed for this reply.
    pub enforcement: Enforcement,
    /// The model that answered, as the provider names it.
    pub model: String,
}

impl CallResponse {
    /// A finished reply.
    #[must_use]
    pub fn new(text: impl Into<String>, enforcement: Enforcement) -> Self {
        Self { text: text.into(), ending: Ending::Complete, usage: Usage::default(), enforcement, model: String::new() }
    }
}

impl fmt::Debug for CallResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallResponse")
            .field("text", &format_args!("{} bytes", self.text.len()))
            .field("ending", &self.ending)
            .field("usage", &self.usage)
            .field("enforcement", &self.enforcement)
            .field("model", &self.model)
            .finish()
    }
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The model was done.
    Complete,
    /// A token limit cut it short.
    CutShort,
    /// The model refused, with its words.
    Refused(String),
    /// The provider withheld the reply, with its reason.
    Filtered(String),
}

/// Tokens that a reply took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
}

impl Usage {
    /// So many tokens in, so many out.
    #[must_use]
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
    }
}

/// What a route guarantees about a reply and its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Enforcement {
    /// The model could not have written anything else.
    Enforced,
    /// The schema was shown to the model; it may have strayed.
    Hint,
    /// The route carried no schema.
    None,
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
