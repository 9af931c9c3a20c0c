//! What a worker sends on, whatever it was asked with.

use crate::adapter::{CallRequest, Message, Need, Parameters, ResponseFormat};

use super::SubTask;

/// What a worker sends on: a conversation, and what the reply must be.
///
/// A [`SubTask`](super::SubTask) becomes one, and so does its prompt alone. It is the way in for conversations that are
/// longer than a task.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WorkerRequest {
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The schema that the reply must satisfy. Typed runs put that of their type here. Without
    /// one, nothing about structured output goes to the provider.
    pub response_schema: Option<ResponseFormat>,
    /// How the reply is made.
    pub parameters: Parameters,
    /// What the route must be able to do, on top of what the worker demands.
    pub need: Need,
}

impl WorkerRequest {
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

impl From<Vec<Message>> for WorkerRequest {
    fn from(messages: Vec<Message>) -> Self {
        Self::new(messages)
    }
}

impl From<&str> for WorkerRequest {
    fn from(prompt: &str) -> Self {
        SubTask::from(prompt).into()
    }
}

impl From<String> for WorkerRequest {
    fn from(prompt: String) -> Self {
        SubTask::from(prompt).into()
    }
}

impl From<WorkerRequest> for CallRequest {
    fn from(request: WorkerRequest) -> Self {
        Self { response_schema: request.response_schema, parameters: request.parameters, ..Self::new(request.messages) }
    }
}
