//! What endpoints that speak Chat Completions do differently, as data.

use crate::adapter::Enforcement;

/// What one endpoint does differently from the others that speak Chat Completions.
///
/// Take one that is near and change what differs:
///
/// ```
/// use response_schema::http::{Profile, SchemaField};
///
/// let mut profile = Profile::COMPATIBLE;
/// profile.base_url = "https://llm.internal/v1";
/// profile.schema = SchemaField::JsonObject;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub struct Profile {
    /// The route's name in reports.
    pub route: &'static str,
    /// The provider's name in traces.
    pub provider: &'static str,
    /// Where it is.
    pub base_url: &'static str,
    /// The variable of the environment that holds the key.
    pub key_variable: Option<&'static str>,
    /// How the key is sent.
    pub key_header: KeyHeader,
    /// Whether the request must name a model; local servers have one.
    pub needs_model: bool,
    /// How a schema is sent.
    pub schema: SchemaField,
    /// Whether the field has `strict` beside the schema.
    pub strict: bool,
    /// What the endpoint makes of a schema in its dialect. Any other is a hint at most.
    pub enforcement: Enforcement,
    /// Whether the schema goes into the prompt as well, for engines that do not show it to the model.
    pub schema_in_prompt: bool,
    /// Whether a reply with a schema can be streamed. Where not, it comes in one piece.
    pub streams_schema: bool,
    /// What the endpoint makes of the schemas of tools; `None` where it has no tools.
    pub tools: Option<Enforcement>,
    /// Whether tools have `strict` beside their schema.
    pub strict_tools: bool,
    /// Whether tools and a schema for the reply go into one request.
    pub tools_with_schema: bool,
    /// The word for "call at least one tool"; `None` where the choice is the model's alone. A request that demands a
    /// call is refused there, and one that wants none goes out without tools.
    pub required_tool: Option<&'static str>,
    /// Whether it can be made to call one tool by its name. A request that demands that is refused where it cannot.
    pub named_tool: bool,
    /// What marks of calls may look like.
    pub call_ids: CallIds,
    /// The field for the limit on tokens.
    pub max_tokens: &'static str,
    /// The field for the seed; `None` where there is none.
    pub seed: Option<&'static str>,
    /// Where reasoning effort goes.
    pub reasoning: ReasoningField,
    /// Whether a stream must be asked for its usage (`stream_options`).
    pub stream_options: bool,
    /// Whether only servers that honour all fields may answer (`provider.require_parameters`).
    pub require_parameters: bool,
    /// Codes of complaints about what is in the conversation.
    pub input_codes: &'static [&'static str],
}

/// How a key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyHeader {
    /// `authorization: Bearer …`
    Bearer,
    /// In a header of this name.
    Named(&'static str),
}

/// What marks of calls may look like. Others, from conversations with other providers, are written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallIds {
    /// Up to 40 characters.
    Short,
    /// Nine letters and digits.
    Nine,
}

/// How a schema is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaField {
    /// `response_format: {"type": "json_schema", "json_schema": {"name", "strict", "schema"}}`
    JsonSchema,
    /// `response_format: {"type": "json_object"}`; the schema goes into the prompt.
    JsonObject,
    /// Nothing but the prompt.
    Prompt,
}

/// Where reasoning effort goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningField {
    /// `reasoning_effort`
    Effort,
    /// `reasoning: {"effort"}`
    Nested,
    /// Nowhere: a request that states one is refused.
    None,
}

impl Profile {
    /// Whether the schema stands in the prompt.
    pub(super) fn prompts(&self) -> bool {
        self.schema_in_prompt || self.schema != SchemaField::JsonSchema
    }
}
