//! What is asked of a worker.

use std::fmt;

use crate::adapter::Message;

/// What is asked of a worker: a prompt, standing instructions, worked examples.
///
/// The texts are not in its `Debug` form.
#[derive(Clone)]
pub struct SubTask {
    system: Option<String>,
    examples: Vec<(String, String)>,
    prompt: String,
}

impl SubTask {
    /// A task with this prompt.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { system: None, examples: Vec::new(), prompt: prompt.into() }
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

    /// The conversation that asks it.
    pub(crate) fn into_messages(self) -> Vec<Message> {
        let examples =
            self.examples.into_iter().flat_map(|(prompt, reply)| [Message::user(prompt), Message::assistant(reply)]);
        self.system.map(Message::system).into_iter().chain(examples).chain([Message::user(self.prompt)]).collect()
    }
}

impl fmt::Debug for SubTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubTask")
            .field("system", &self.system.as_ref().map(String::len))
            .field("examples", &self.examples.len())
            .field("prompt", &self.prompt.len())
            .finish()
    }
}
