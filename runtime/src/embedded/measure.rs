//! One blocking reply with its measures, for the benchmarks and the tests of this workspace.
//!
//! Not part of the public surface: programs go through the adapter, which is async and typed.

use std::time::Duration;

use super::stop::Stop;
use super::{Embedded, Finish, Job, ModelError, Role, Turn};

/// A reply and what it took.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// The reply.
    pub text: String,
    /// Whether it is complete, rather than cut short by a limit.
    pub complete: bool,
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Those of them that were read in an earlier call.
    pub cached_tokens: u32,
    /// Tokens of the reply.
    pub completion_tokens: u32,
    /// From the start to the first token of the reply.
    pub reading: Duration,
    /// From there to the end.
    pub writing: Duration,
}

impl Embedded {
    /// Replies to `turns`: pairs of `system`, `user` or `assistant`, and a text.
    ///
    /// # Errors
    ///
    /// As for any reply of the model.
    #[doc(hidden)]
    pub fn measure(
        &self,
        turns: &[(&str, &str)],
        schema: Option<&str>,
        max_tokens: Option<u32>,
    ) -> Result<Measured, ModelError> {
        let role = |word| match word {
            "system" => Role::System,
            "assistant" => Role::Assistant,
            _ => Role::User,
        };
        let turns: Vec<Turn<'_>> = turns.iter().map(|(word, text)| Turn { role: role(*word), text }).collect();
        let cancel = Stop::default();
        let job = Job { turns: &turns, schema, max_tokens, temperature: None, seed: None, cancel: &cancel };
        let reply = self.generate(&job, &mut |_| {})?;
        Ok(Measured {
            text: reply.text,
            complete: reply.finish == Finish::Stop,
            prompt_tokens: reply.prompt_tokens,
            cached_tokens: reply.cached_tokens,
            completion_tokens: reply.completion_tokens,
            reading: reply.reading,
            writing: reply.writing,
        })
    }
}
