//! Where keys come from.

use secrecy::{ExposeSecret as _, SecretString};

use crate::adapter::{CallError, CallErrorKind};

/// A variable of the environment; one that is empty counts as not set.
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The key in a variable.
pub(crate) fn required(variable: impl Fn(&str) -> Option<String>, name: &str) -> Result<SecretString, CallError> {
    let missing =
        || CallError::new(CallErrorKind::Unauthorized, format!("set `{name}` to the key, or give it with `new`"));
    variable(name).map(SecretString::from).ok_or_else(missing)
}

/// The key, if there is anything in it.
pub(crate) fn filled(key: SecretString, what: &str) -> Result<SecretString, CallError> {
    if key.expose_secret().trim().is_empty() {
        return Err(CallError::new(CallErrorKind::Unauthorized, format!("{what} is empty")));
    }
    Ok(key)
}
