//! The login that the Codex CLI keeps.

use std::path::{Path, PathBuf};

use secrecy::SecretString;
use serde::Deserialize;

use crate::adapter::{CallError, CallErrorKind};

/// What the `ChatGPT` backend wants to see of a login.
pub(super) struct Login {
    pub(super) token: SecretString,
    pub(super) account: Option<SecretString>,
}

#[derive(Deserialize)]
struct File {
    tokens: Option<Tokens>,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: Option<SecretText>,
    account_id: Option<SecretText>,
}

/// Text that is a secret from the first byte on.
struct SecretText(SecretString);

impl<'de> Deserialize<'de> for SecretText {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self(text.into()))
    }
}

/// Where the CLI keeps it: `$CODEX_HOME`, else `.codex` in the home directory.
pub(super) fn default_file(variable: impl Fn(&str) -> Option<String>) -> Result<PathBuf, CallError> {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || filled("HOME").or_else(|| filled("USERPROFILE")).map(|home| home.join(".codex"));
    filled("CODEX_HOME").or_else(home).map(|directory| directory.join("auth.json")).ok_or_else(|| {
        missing("neither `CODEX_HOME` nor `HOME` is set, so there is no place to look for the Codex CLI's login")
    })
}

pub(super) fn read(file: &Path) -> Result<Login, CallError> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        missing(format!("the Codex CLI's login cannot be read from `{shown}`; log in with `codex login`"))
            .with_source(error)
    })?;
    // The parser's own words would quote the file.
    let parsed: File = serde_json::from_str(&text).map_err(|_| {
        missing(format!("`{shown}` is not the login file of the Codex CLI; log in anew with `codex login`"))
    })?;
    let tokens = parsed.tokens.ok_or_else(|| {
        missing(format!("`{shown}` has no ChatGPT login in it, perhaps an API key; for that there is `OpenAi::new`"))
    })?;
    let token = tokens
        .access_token
        .ok_or_else(|| missing(format!("`{shown}` has no access token in it; log in anew with `codex login`")))?;
    Ok(Login { token: token.0, account: tokens.account_id.map(|account| account.0) })
}

fn missing(message: impl Into<String>) -> CallError {
    CallError::new(CallErrorKind::Unauthorized, message)
}
