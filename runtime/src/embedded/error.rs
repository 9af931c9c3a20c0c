//! What can go wrong with a model in this process, and what the user can do about it.
//!
//! One opaque error for the whole module: a kind to branch on, and a text that ends with the
//! way out. The cause, where there is one, is the [`source`](std::error::Error::source) and
//! stands in the text only where the text would be useless without it.

use std::error::Error as StdError;
use std::fmt;
use std::path::Path;

type Cause = Box<dyn StdError + Send + Sync>;

/// Why a model could not be fetched, loaded or run.
///
/// The text never holds the prompt or the reply.
pub struct ModelError(Box<Repr>);

struct Repr {
    kind: ModelErrorKind,
    text: String,
    cause: Option<Cause>,
}

/// The groups of [`ModelError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The default model could not be fetched: no network, no Python, a package index that
    /// does not have it.
    Fetch,
    /// The cache directory cannot be found, read or written.
    Cache,
    /// What was fetched is not what was expected; nothing of it was kept.
    Checksum,
    /// The model file is missing, cut short, damaged, or no GGUF file.
    File,
    /// A GGUF file of a kind that this module does not run.
    Unsupported,
    /// The model's chat template is missing or cannot be rendered.
    Template,
    /// The prompt is empty or does not fit into the context.
    Prompt,
    /// The schema cannot be turned into a token mask.
    Schema,
    /// The model failed while it ran.
    Engine,
}

impl ModelError {
    pub(super) fn new(kind: ModelErrorKind, text: impl Into<String>) -> Self {
        Self(Box::new(Repr {
            kind,
            text: text.into(),
            cause: None,
        }))
    }

    pub(super) fn caused_by(mut self, cause: impl Into<Cause>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    pub(super) fn file(path: &Path, what: impl fmt::Display) -> Self {
        Self::new(
            ModelErrorKind::File,
            format!("model file `{}`: {what}", path.display()),
        )
    }

    pub(super) fn unsupported(what: impl Into<String>) -> Self {
        Self::new(ModelErrorKind::Unsupported, what)
    }

    pub(super) fn cache(path: &Path, doing: &str, cause: std::io::Error) -> Self {
        Self::new(
            ModelErrorKind::Cache,
            format!(
                "cannot {doing} `{}` ({cause}); choose a writable directory with the \
                 `{}` environment variable or `EmbeddedBuilder::cache_dir`",
                path.display(),
                super::cache::DIRECTORY_VARIABLE,
            ),
        )
        .caused_by(cause)
    }

    /// The group this error belongs to.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }
}

impl From<candle_core::Error> for ModelError {
    fn from(cause: candle_core::Error) -> Self {
        Self::new(
            ModelErrorKind::Engine,
            format!("the model failed while it ran: {cause}"),
        )
        .caused_by(cause)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelError")
            .field("kind", &self.0.kind)
            .field("text", &self.0.text)
            .field("cause", &self.0.cause)
            .finish()
    }
}

impl StdError for ModelError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .cause
            .as_deref()
            .map(|cause| cause as &(dyn StdError + 'static))
    }
}
