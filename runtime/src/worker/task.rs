//! What is asked of a worker.

use std::fmt;

use super::request::WorkerRequest;
use crate::adapter::{Message, Need, Parameters, ResponseFormat};

/// What is asked of a worker: a prompt, standing instructions, worked examples.
///
/// The texts are not in its `Debug` form.
#[derive(Clone)]
pub struct SubTask {
    system: Option<String>,
    examples: Vec<(String, String)>,
    prompt: String,
    response_schema: Option<ResponseFormat>,
    parameters: Parameters,
    need: Need,
}

impl SubTask {
    /// A task with this prompt.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> Self {
        Self {
            system: None,
            examples: Vec::new(),
            prompt: prompt.into(),
            response_schema: None,
            parameters: Parameters::default(),
            need: Need::default(),
        }
    }

    /// With standing instructions.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// With a worked example: a prompt, and the JSON that answers it. Small models need them.
    #[must_use]
    pub fn example(mut self, prompt: impl Into<String>, reply: impl Into<String>) -> Self {
        self.examples.push((prompt.into(), reply.into()));
        self
    }

    /// With a schema that the reply must satisfy, for runs that bring none of their own:
    /// [`run_text`](super::Worker::run_text).
    #[must_use]
    pub fn response_schema(mut self, format: ResponseFormat) -> Self {
        self.response_schema = Some(format);
        self
    }

    /// With settings of how the reply is made.
    #[must_use]
    pub fn parameters(mut self, parameters: Parameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// With what the route must be able to do. If it cannot, nothing is sent.
    #[must_use]
    pub fn require(mut self, need: Need) -> Self {
        self.need = need;
        self
    }
}

impl From<&str> for SubTask {
    fn from(prompt: &str) -> Self {
        Self::new(prompt)
    }
}

impl From<String> for SubTask {
    fn from(prompt: String) -> Self {
        Self::new(prompt)
    }
}

impl From<SubTask> for WorkerRequest {
    fn from(task: SubTask) -> Self {
        let mut messages = Vec::with_capacity(usize::from(task.system.is_some()) + 2 * task.examples.len() + 1);
        messages.extend(task.system.map(Message::system));
        for (prompt, reply) in task.examples {
            messages.extend([Message::user(prompt), Message::assistant(reply)]);
        }
        messages.push(Message::user(task.prompt));
        Self { messages, response_schema: task.response_schema, parameters: task.parameters, need: task.need }
    }
}

impl fmt::Debug for SubTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubTask")
            .field("system", &self.system.as_ref().map(String::len))
            .field("examples", &self.examples.len())
            .field("prompt", &self.prompt.len())
            .field("response_schema", &self.response_schema)
            .field("need", &self.need)
            .finish_non_exhaustive()
    }
}
