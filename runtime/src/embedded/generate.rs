//! Prompt in, reply out: the decoding loop.
//!
//! One step: the grammar says which tokens may come, the model's scores say which is best, the
//! grammar takes it and adds the tokens that must follow (a property name is forced in full by
//! its place), and the model reads all of them in one pass. Reading several tokens at once costs
//! little more than reading one, so forced tokens are nearly free.
//!
//! The key-value cache outlives the call: what a prompt shares with the one before, such as
//! system text and worked examples, is not read again.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use toktrie::TokenId;

use super::constraint::{Compiler, Constraint};
use super::error::{ModelError, ModelErrorKind};
use super::lean::Lean;
use super::llama::Llama;
use super::sample::{Sampler, free};
use super::stop::Stop;
use super::template::Template;
use super::text::Assembler;
use super::tokenizer::Vocabulary;

/// Prompt tokens read in one pass: enough to pay for unpacking the weights, few enough for the
/// intermediate results to stay small.
const PROMPT_STEP: usize = 256;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    System,
    User,
    Assistant,
}

impl Role {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One turn of a conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'a> {
    pub(crate) role: Role,
    pub(crate) text: &'a str,
}

/// One request to the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job<'a> {
    /// The conversation; the reply is the assistant's next turn.
    pub(crate) turns: &'a [Turn<'a>],
    /// JSON Schema text. Without one the reply is free text.
    pub(crate) schema: Option<&'a str>,
    /// Hard limit of the reply in tokens; the model's setting by default.
    pub(crate) max_tokens: Option<u32>,
    /// Zero is greedy; the model's setting by default.
    pub(crate) temperature: Option<f32>,
    /// Seed of the sampling; the model's setting by default.
    pub(crate) seed: Option<u64>,
    /// Looked at before each token, and many times while a prompt is read; once set, the reply
    /// ends there.
    pub(crate) cancel: &'a Stop,
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// The document is complete, or the model ended its free text.
    Stop,
    /// The token limit or the end of the context was reached; the text is cut short.
    Length,
    /// The cancel flag was set; the text is cut short.
    Cancelled,
}

/// A reply.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    pub(crate) text: String,
    pub(crate) finish: Finish,
    /// Tokens of the prompt, those not read again included.
    pub(crate) prompt_tokens: u32,
    /// Tokens of the prompt that were still in the cache.
    pub(crate) cached_tokens: u32,
    /// Tokens of the reply, forced ones included.
    pub(crate) completion_tokens: u32,
    /// From the start to the first token of the reply.
    pub(crate) reading: Duration,
    /// From there to the end.
    pub(crate) writing: Duration,
}

/// Settings that a job may override.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults {
    pub(super) max_tokens: u32,
    pub(super) temperature: f32,
    pub(super) seed: u64,
    pub(super) string_tokens: u32,
}

/// A loaded model with everything that a reply needs.
pub(super) struct Engine {
    pub(super) vocabulary: Vocabulary,
    pub(super) template: Option<Template>,
    pub(super) compiler: Compiler,
    pub(super) defaults: Defaults,
    pub(super) context: usize,
    pub(super) session: Mutex<Session>,
}

/// The weights, and the tokens whose keys and values they hold.
pub(super) struct Session {
    pub(super) llama: Llama,
    pub(super) read: Vec<TokenId>,
}

impl Engine {
    /// The prompt's tokens.
    fn prompt(&self, turns: &[Turn<'_>]) -> Result<Vec<TokenId>, ModelError> {
        let fault = |text: String| ModelError::new(ModelErrorKind::Prompt, text);
        if turns.last().is_none_or(|turn| turn.text.trim().is_empty()) {
            return Err(fault("the prompt is empty; give the model something to read".to_owned()));
        }
        let template = self.template.as_ref().ok_or_else(|| {
            ModelError::new(
                ModelErrorKind::Template,
                "the model file carries no chat template (is it a base model?); give one with \
                 `EmbeddedBuilder::chat_template`",
            )
        })?;
        let text = template.render(turns, &self.vocabulary)?;
        let tokens = self.vocabulary.encode_template(&text);
        if tokens.len() >= self.context {
            return Err(fault(format!(
                "the prompt has {} tokens and leaves no room for a reply in a context of {}; \
                 shorten it, or raise `EmbeddedBuilder::context_tokens` as far as the model goes",
                tokens.len(),
                self.context
            )));
        }
        Ok(tokens)
    }

    /// Runs one job. `on_text` gets the reply piece by piece, whole characters only.
    pub(super) fn generate(
        &self,
        job: &Job<'_>,
        on_text: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Generated, ModelError> {
        let prompt = self.prompt(job.turns)?;
        let constraint = job.schema.map(|schema| self.compiler.compile(schema)).transpose()?;
        let session = self.session();
        let room = self.context - prompt.len();
        let wanted = job.max_tokens.unwrap_or(self.defaults.max_tokens);
        let limit = usize::try_from(wanted).map_or(room, |wanted| wanted.min(room));
        let reply = Reply {
            engine: self,
            session,
            constraint,
            lean: Lean::new(self.defaults.string_tokens as usize),
            sampler: Sampler::new(
                job.temperature.unwrap_or(self.defaults.temperature),
                job.seed.unwrap_or(self.defaults.seed),
            ),
            text: Assembler::new(on_text),
            written: 0,
            limit,
        };
        reply.run(&prompt, job.cancel)
    }

    /// The model; what a panicking job left in it is forgotten.
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(|poisoned| {
            self.session.clear_poison();
            let mut session = poisoned.into_inner();
            session.read.clear();
            session
        })
    }
}

impl Session {
    /// Steps back to what the prompt shares with what was read; answers how much that is.
    fn rewind(&mut self, prompt: &[TokenId]) -> usize {
        let shared = self.read.iter().zip(prompt).take_while(|(old, new)| old == new).count();
        // The last token is always read again: its scores are needed.
        let shared = shared.min(prompt.len() - 1);
        self.read.truncate(shared);
        self.llama.keep(shared);
        shared
    }

    /// Has the model read the tokens; `None` when cancelled on the way.
    fn read(&mut self, tokens: &[TokenId], cancel: &Stop) -> Result<Option<Vec<f32>>, ModelError> {
        let mut scores = None;
        for step in tokens.chunks(PROMPT_STEP) {
            // Until the pass has gone through, the cache holds nothing certain beyond `read`.
            scores = self.llama.advance(step, || cancel.is_raised())?;
            if scores.is_none() {
                break;
            }
            self.read.extend_from_slice(step);
        }
        Ok(scores)
    }
}

impl Generated {
    /// The reply of a job that was cancelled before its turn came.
    pub(super) fn none() -> Self {
        Self {
            text: String::new(),
            finish: Finish::Cancelled,
            prompt_tokens: 0,
            cached_tokens: 0,
            completion_tokens: 0,
            reading: Duration::ZERO,
            writing: Duration::ZERO,
        }
    }
}

/// A reply being written.
struct Reply<'a> {
    engine: &'a Engine,
    session: MutexGuard<'a, Session>,
    constraint: Option<Constraint>,
    lean: Lean,
    sampler: Sampler,
    text: Assembler<'a>,
    written: usize,
    limit: usize,
}

impl Reply<'_> {
    fn run(mut self, prompt: &[TokenId], cancel: &Stop) -> Result<Generated, ModelError> {
        let start = Instant::now();
        let cached = self.session.rewind(prompt);
        // What the grammar forces from the outset is read together with the prompt.
        let mut unread = prompt[cached..].to_vec();
        let forced = self.forced();
        let cut = self.write(&forced);
        unread.extend_from_slice(&forced);
        let mut read_at = None;
        let finish = loop {
            if cut || self.written >= self.limit && !self.is_done() {
                break Finish::Length;
            }
            if self.is_done() {
                break Finish::Stop;
            }
            let Some(mut scores) = self.session.read(&unread, cancel)? else {
                break Finish::Cancelled;
            };
            read_at.get_or_insert_with(Instant::now);
            let token = self.choose(&mut scores)?;
            if self.engine.vocabulary.is_end(token) {
                break Finish::Stop;
            }
            if let Some(constraint) = &mut self.constraint {
                constraint.take(token)?;
            }
            unread = vec![token];
            unread.extend(self.forced());
            if self.write(&unread) {
                break Finish::Length;
            }
        };
        let read_at = read_at.unwrap_or_else(Instant::now);
        Ok(Generated {
            text: self.text.finish(),
            finish,
            prompt_tokens: count(prompt.len()),
            cached_tokens: count(cached),
            completion_tokens: count(self.written),
            reading: read_at - start,
            writing: read_at.elapsed(),
        })
    }

    fn forced(&mut self) -> Vec<TokenId> {
        self.constraint.as_mut().map(Constraint::forced).unwrap_or_default()
    }

    fn is_done(&self) -> bool {
        self.constraint.as_ref().is_some_and(Constraint::is_done)
    }

    fn choose(&mut self, scores: &mut [f32]) -> Result<TokenId, ModelError> {
        let vocabulary = &self.engine.vocabulary;
        let Some(constraint) = &mut self.constraint else {
            return self.sampler.pick(scores, &free(vocabulary));
        };
        let allowed = constraint.mask()?;
        if self.lean.is_felt() {
            allowed.iter_set_entries(|index| {
                if let (Some(score), Ok(token)) = (scores.get_mut(index), TokenId::try_from(index)) {
                    *score += self.lean.bias(vocabulary.bytes(token));
                }
            });
        }
        self.sampler.pick(scores, &allowed)
    }

    /// Adds tokens to the reply as far as the limit allows; whether it did not allow all.
    fn write(&mut self, tokens: &[TokenId]) -> bool {
        for token in tokens {
            if self.engine.vocabulary.is_end(*token) {
                continue;
            }
            if self.written >= self.limit {
                return true;
            }
            let bytes = self.engine.vocabulary.bytes(*token);
            self.lean.take(*token, bytes);
            self.text.push(bytes);
            self.written += 1;
        }
        false
    }
}

fn count(tokens: usize) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
