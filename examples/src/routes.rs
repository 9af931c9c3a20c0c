//! The routes that the example programs can take.
//!
//! A table: a route is one line, behind the feature that brings it. Where a route has many models, the model follows
//! the name: `openai:gpt-5.6`.

use std::fmt::Write;

use response_schema::adapter::DynAdapter;
use response_schema::testing::Offline;

/// A route that a program can take.
#[derive(Debug)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub what: &'static str,
    open: fn(&str) -> Result<DynAdapter, String>,
}

/// The routes; the first is the default.
pub const ROUTES: &[Entry] = &[
    #[cfg(feature = "embedded")]
    Entry { name: "embedded", what: "a small model in this process, fetched once; no key, no server", open: embedded },
    #[cfg(feature = "http")]
    Entry { name: "openai", what: "OpenAI's Responses API; the key in OPENAI_API_KEY", open: http::openai },
    #[cfg(feature = "http")]
    Entry { name: "codex-oauth", what: "the same with the login of the Codex CLI", open: http::codex },
    #[cfg(feature = "http")]
    Entry { name: "anthropic", what: "Anthropic's Messages API; the key in ANTHROPIC_API_KEY", open: http::anthropic },
    #[cfg(feature = "http")]
    Entry { name: "gemini", what: "Gemini; the key in GEMINI_API_KEY", open: http::gemini },
    #[cfg(feature = "http")]
    Entry { name: "glm", what: "GLM; the key in ZAI_API_KEY", open: http::glm },
    #[cfg(feature = "http")]
    Entry { name: "ollama", what: "a model on a local Ollama", open: http::ollama },
    #[cfg(feature = "http")]
    Entry { name: "llama-cpp", what: "llama.cpp's server on this machine", open: http::llama_cpp },
    #[cfg(feature = "cli")]
    Entry { name: "claude-cli", what: "the claude command line, as you are logged in there", open: cli::claude },
    #[cfg(feature = "cli")]
    Entry { name: "codex-cli", what: "the codex command line, as you are logged in there", open: cli::codex },
    Entry { name: "offline", what: "no model: random replies that satisfy the schema", open: offline },
];

/// Opens a route.
///
/// # Errors
///
/// If there is no route of this name, with the names that there are, or if it cannot be opened.
pub fn open(name: &str) -> Result<DynAdapter, String> {
    let (name, model) = name.split_once(':').unwrap_or((name, ""));
    let entry = ROUTES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))?;
    (entry.open)(model).map_err(|why| format!("the route `{name}` cannot be taken: {why}"))
}

fn unknown(name: &str) -> String {
    let mut text = format!("there is no route `{name}`; there are");
    for Entry { name, what, .. } in ROUTES {
        let _ = write!(text, "\n  {name:12} {what}");
    }
    text
}

#[cfg(feature = "embedded")]
fn embedded(_: &str) -> Result<DynAdapter, String> {
    response_schema::adapter::Embedded::smollm2().map(DynAdapter::new).map_err(|error| error.to_string())
}

/// `offline:6` streams in pieces of six bytes.
fn offline(piece: &str) -> Result<DynAdapter, String> {
    let route = Offline::seeded(7);
    if piece.is_empty() {
        return Ok(route.into());
    }
    let bytes = piece.parse().map_err(|_| format!("`{piece}` is no number of bytes"))?;
    Ok(route.in_pieces(bytes).into())
}

/// Routes over HTTP.
#[cfg(feature = "http")]
mod http {
    use response_schema::adapter::{Anthropic, ChatCompletions, DynAdapter, Gemini, Glm, Ollama, OpenAi};

    /// The model, or the one that is tried where none is named.
    fn or<'m>(model: &'m str, default: &'m str) -> &'m str {
        if model.is_empty() { default } else { model }
    }

    pub(super) fn openai(model: &str) -> Result<DynAdapter, String> {
        OpenAi::from_env().map(|route| route.model(or(model, "gpt-5.6-luna")).into()).map_err(|error| error.to_string())
    }

    pub(super) fn codex(model: &str) -> Result<DynAdapter, String> {
        OpenAi::from_codex_login()
            .map(|route| route.model(or(model, "gpt-5.6-luna")).into())
            .map_err(|error| error.to_string())
    }

    pub(super) fn anthropic(model: &str) -> Result<DynAdapter, String> {
        Anthropic::from_env()
            .map(|route| route.model(or(model, "claude-haiku-4-5")).into())
            .map_err(|error| error.to_string())
    }

    pub(super) fn gemini(model: &str) -> Result<DynAdapter, String> {
        Gemini::from_env()
            .map(|route| route.model(or(model, "gemini-2.5-flash")).into())
            .map_err(|error| error.to_string())
    }

    pub(super) fn glm(model: &str) -> Result<DynAdapter, String> {
        Glm::from_env().map(|route| route.model(or(model, "glm-4.6")).into()).map_err(|error| error.to_string())
    }

    #[allow(clippy::unnecessary_wraps)] // like the others
    pub(super) fn ollama(model: &str) -> Result<DynAdapter, String> {
        Ok(Ollama::from_env().model(or(model, "qwen3")).into())
    }

    #[allow(clippy::unnecessary_wraps)] // like the others
    pub(super) fn llama_cpp(model: &str) -> Result<DynAdapter, String> {
        Ok(ChatCompletions::llama_cpp().model(or(model, "default")).into())
    }
}

/// Command lines as routes.
#[cfg(feature = "cli")]
mod cli {
    use response_schema::adapter::{ClaudeCli, CodexCli, DynAdapter};

    #[allow(clippy::unnecessary_wraps)] // like the others
    pub(super) fn claude(model: &str) -> Result<DynAdapter, String> {
        let route = ClaudeCli::new();
        Ok(if model.is_empty() { route } else { route.model(model) }.into())
    }

    #[allow(clippy::unnecessary_wraps)] // like the others
    pub(super) fn codex(model: &str) -> Result<DynAdapter, String> {
        let route = CodexCli::new();
        Ok(if model.is_empty() { route } else { route.model(model) }.into())
    }
}
