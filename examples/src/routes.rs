//! The routes that the example programs can take.
//!
//! A table: a route is one line, behind the feature that brings it. Where a route has many models, the model follows
//! the name: `openai:gpt-5.6`. Where it is at an address, that may follow: `llama-cpp@http://localhost:9000/v1`.

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
    open: fn(Place<'_>) -> Result<DynAdapter, String>,
}

/// What is said behind a route's name.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The model; empty where none is named.
    model: &'a str,
    base: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// What was said, of a route that is at no address.
    fn nowhere(self) -> Result<&'a str, String> {
        match self.base {
            None => Ok(self.model),
            Some(base) => Err(format!("it is no server, so it is not at `{base}`")),
        }
    }
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
    let (asked, base) = match name.split_once("@http") {
        Some((asked, _)) => (asked, Some(&name[asked.len() + 1..])),
        None => (name, None),
    };
    let (name, model) = asked.split_once(':').unwrap_or((asked, ""));
    let entry = ROUTES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))?;
    (entry.open)(Place { model, base }).map_err(|why| format!("the route `{name}` cannot be taken: {why}"))
}

fn unknown(name: &str) -> String {
    let mut text = format!("there is no route `{name}`; there are");
    for Entry { name, what, .. } in ROUTES {
        let _ = write!(text, "\n  {name:12} {what}");
    }
    text
}

#[cfg(feature = "embedded")]
fn embedded(place: Place<'_>) -> Result<DynAdapter, String> {
    place.nowhere()?;
    response_schema::adapter::Embedded::smollm2().map(DynAdapter::new).map_err(|error| error.to_string())
}

/// `offline:6` streams in pieces of six bytes.
fn offline(place: Place<'_>) -> Result<DynAdapter, String> {
    let route = Offline::seeded(7);
    let piece = place.nowhere()?;
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

    use super::Place;

    /// A function that opens a route, with the model that is tried where none is named.
    macro_rules! opens {
        ($($name:ident: $route:expr, $model:literal;)*) => {$(
            pub(super) fn $name(place: Place<'_>) -> Result<DynAdapter, String> {
                let route = $route.map_err(|error| error.to_string())?;
                let route = route.model(if place.model.is_empty() { $model } else { place.model });
                Ok(match place.base {
                    Some(base) => route.base_url(base),
                    None => route,
                }
                .into())
            }
        )*};
    }

    /// For those that need no key.
    type Keyless<A> = Result<A, std::convert::Infallible>;

    opens! {
        openai: OpenAi::from_env(), "gpt-5.6-luna";
        codex: OpenAi::from_codex_login(), "gpt-5.6-luna";
        anthropic: Anthropic::from_env(), "claude-haiku-4-5";
        gemini: Gemini::from_env(), "gemini-2.5-flash";
        glm: Glm::from_env(), "glm-4.6";
        ollama: Keyless::Ok(Ollama::from_env()), "qwen3";
        llama_cpp: Keyless::Ok(ChatCompletions::llama_cpp()), "default";
    }
}

/// Command lines as routes.
#[cfg(feature = "cli")]
mod cli {
    use response_schema::adapter::{ClaudeCli, CodexCli, DynAdapter};

    use super::Place;

    pub(super) fn claude(place: Place<'_>) -> Result<DynAdapter, String> {
        let (route, model) = (ClaudeCli::new(), place.nowhere()?);
        Ok(if model.is_empty() { route } else { route.model(model) }.into())
    }

    pub(super) fn codex(place: Place<'_>) -> Result<DynAdapter, String> {
        let (route, model) = (CodexCli::new(), place.nowhere()?);
        Ok(if model.is_empty() { route } else { route.model(model) }.into())
    }
}
