//! What a provider accepts, as data.
//!
//! A [`Dialect`] says what becomes of each keyword, which shapes the provider takes and what its limits
//! are. The walks of the schema read it; no provider has code of its own. Each has a file with its sources and with what
//! was decided where they conflict or are silent.
//!
//! | dialect | for |
//! |---|---|
//! | [`OpenAi`], [`Azure`] | strict mode: Responses, Chat Completions, strict tools |
//! | [`Anthropic`], [`Bedrock`] | `output_config.format`, strict tools |
//! | [`Gemini`] | `responseJsonSchema` |
//! | [`Xai`], [`Cerebras`], [`Groq`], [`Mistral`], [`OpenRouter`] | their `json_schema` formats |
//! | [`Portable`] | every other endpoint with a `json_schema` format |
//! | [`LlamaCpp`], [`Ollama`] | llama.cpp |
//! | [`Guidance`], [`Xgrammar`] | the engines of vLLM and `SGLang`; [`Guidance`] also that of the embedded model |
//! | [`ClaudeCli`], [`CodexCli`] | command lines |
//! | [`Prompt`], [`DeepSeek`], [`Glm`] | the schema as text in the prompt |

mod form;
mod keywords;
pub(crate) mod pattern;

mod anthropic;
mod azure;
mod bedrock;
mod cerebras;
mod claude_cli;
mod codex_cli;
mod deepseek;
mod gemini;
mod glm;
mod groq;
mod guidance;
mod llama_cpp;
mod mistral;
mod ollama;
mod openai;
mod openrouter;
mod portable;
mod prompt;
mod xai;
mod xgrammar;

use std::fmt;

use crate::schema::limits;
use crate::schema::{ResponseSchema, SchemaRef};

pub use anthropic::Anthropic;
pub use azure::Azure;
pub use bedrock::Bedrock;
pub use cerebras::Cerebras;
pub use claude_cli::ClaudeCli;
pub use codex_cli::CodexCli;
pub use deepseek::DeepSeek;
pub use form::{
    Anchors, Ceilings, DescribedReference, EnumValues, Forms, Keys, Limits, Order, Patterns, Recursion, Root,
};
pub use gemini::Gemini;
pub use glm::Glm;
pub use groq::Groq;
pub use guidance::Guidance;
pub use keywords::{Bounds, Keywords, Support};
pub use llama_cpp::LlamaCpp;
pub use mistral::Mistral;
pub use ollama::Ollama;
pub use openai::OpenAi;
pub use openrouter::OpenRouter;
pub use portable::Portable;
pub use prompt::Prompt;
pub use xai::Xai;
pub use xgrammar::Xgrammar;

/// What one provider accepts.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Dialect {
    /// The provider's name, for messages.
    pub name: &'static str,
    /// What becomes of each keyword.
    pub keywords: Keywords,
    /// Which values of `pattern` are read as they are meant.
    pub patterns: Patterns,
    /// The values of `format` that are enforced.
    pub formats: &'static [&'static str],
    /// Which shapes are taken.
    pub forms: Forms,
    /// How large a schema may be.
    pub limits: Limits,
    /// Up to which value a rule is enforced.
    pub ceilings: Ceilings,
    /// Whether a schema that is not strict can be sent all the same, as a hint.
    pub hints: bool,
    /// In which order a reply has its keys.
    pub order: Order,
    /// What the provider does not promise although it takes the schema.
    pub caveats: &'static [&'static str],
}

/// A dialect as a type, so that the compiler can check a schema against it.
pub trait Spec: sealed::Sealed + Send + Sync + 'static {
    /// What the provider accepts.
    const DIALECT: Dialect;

    /// Whether the provider accepts the schema of `T`; the same check as [`verify`], at run time.
    ///
    /// # Errors
    ///
    /// What it would refuse, and the way out.
    fn accepts<T: ResponseSchema + ?Sized>() -> Result<(), Refusal>
    where
        Self: Sized,
    {
        Self::DIALECT.accepts(T::SCHEMA)
    }
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] = &[
        Self::OPENAI,
        Self::ANTHROPIC,
        Self::GEMINI,
        Self::LLAMA_CPP,
        Self::OLLAMA,
        Self::GUIDANCE,
        Self::XGRAMMAR,
        Self::CLAUDE_CLI,
        Self::CODEX_CLI,
        Self::PROMPT,
        Self::PORTABLE,
        Self::AZURE,
        Self::BEDROCK,
        Self::CEREBRAS,
        Self::DEEPSEEK,
        Self::GLM,
        Self::GROQ,
        Self::MISTRAL,
        Self::OPENROUTER,
        Self::XAI,
    ];

    /// Whether the provider accepts a schema.
    ///
    /// # Errors
    ///
    /// What it would refuse, and the way out.
    pub fn accepts(&self, schema: SchemaRef) -> Result<(), Refusal> {
        limits::problem_on_heap(schema, self)
            .map_or(Ok(()), |problem| Err(Refusal { dialect: self.name, text: problem.as_str().to_owned() }))
    }
}

/// Compiles if the dialect `D` accepts the schema of `T`, and else says why not, on the line that
/// asks. It is for constants; at run time ask [`Spec::accepts`].
///
/// # Panics
///
/// In const evaluation, with the text of the refusal, if the dialect refuses the schema.
///
/// ```
/// # use response_schema::dialect;
/// const _: () = response_schema::verify::<Vec<bool>, dialect::OpenAi>();
/// ```
#[track_caller]
pub const fn verify<T: ResponseSchema + ?Sized, D: Spec>() {
    if let Some(problem) = limits::problem(T::SCHEMA, &D::DIALECT) {
        panic!("{}", problem.as_str());
    }
}

/// Why a provider would refuse a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    dialect: &'static str,
    text: String,
}

impl Refusal {
    #[cfg(feature = "decode")]
    pub(crate) fn new(dialect: &Dialect, text: String) -> Self {
        Self { dialect: dialect.name, text }
    }

    /// The provider that would refuse.
    #[must_use]
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// A dialect's marker, with its check, so that no trait need be in scope.
macro_rules! dialect_marker {
    ($(#[$doc:meta])* $marker:ident = $constant:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        #[non_exhaustive]
        pub struct $marker;

        impl $crate::dialect::sealed::Sealed for $marker {}

        impl $crate::dialect::Spec for $marker {
            const DIALECT: $crate::dialect::Dialect = $crate::dialect::Dialect::$constant;
        }

        impl $marker {
            /// Whether the provider accepts the schema of `T`; the same check as
            /// [`verify`](crate::verify), at run time.
            ///
            /// ```
            /// use response_schema::dialect;
            #[doc = concat!("assert!(dialect::", stringify!($marker), "::accepts::<Vec<bool>>().is_ok());")]
            /// ```
            ///
            /// # Errors
            ///
            /// What it would refuse, and the way out.
            pub fn accepts<T: $crate::ResponseSchema + ?Sized>() -> Result<(), $crate::dialect::Refusal> {
                <Self as $crate::dialect::Spec>::accepts::<T>()
            }
        }
    };
}
use dialect_marker;
