//! What of this process's environment a command line gets.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};

/// What every program may know: where it is at home, how to find others, how to speak and how to reach the network.
const COMMON: &[&str] = &[
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSH_AUTH_SOCK",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "LC_*",
    "XDG_*",
];

/// The environment of a command line: what of this process's is passed on, and what is set.
#[derive(Clone)]
pub(super) struct Environment {
    /// Names, or beginnings of names with a star behind.
    passed: Vec<OsString>,
    everything: bool,
    /// Set, or with `None` kept away.
    changes: BTreeMap<OsString, Option<OsString>>,
}

impl Environment {
    /// The common part, and these names.
    pub(super) fn passing(names: &[&str]) -> Self {
        Self {
            passed: COMMON.iter().chain(names).map(OsString::from).collect(),
            everything: false,
            changes: BTreeMap::new(),
        }
    }

    pub(super) fn pass(&mut self, name: OsString) {
        self.changes.remove(&name);
        self.passed.push(name);
    }

    pub(super) fn pass_everything(&mut self) {
        self.everything = true;
    }

    pub(super) fn set(&mut self, name: OsString, value: OsString) {
        self.changes.insert(name, Some(value));
    }

    pub(super) fn remove(&mut self, name: OsString) {
        self.changes.insert(name, None);
    }

    /// The variables as they are now, with these settings where nothing else is said.
    pub(super) fn variables(&self, settings: &[(&str, String)]) -> Vec<(OsString, OsString)> {
        let mut variables: BTreeMap<OsString, OsString> =
            settings.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
        variables.extend(env::vars_os().filter(|(name, _)| self.passes(name)));
        for (name, change) in &self.changes {
            match change {
                Some(value) => drop(variables.insert(name.clone(), value.clone())),
                None => drop(variables.remove(name)),
            }
        }
        variables.into_iter().collect()
    }

    fn passes(&self, name: &OsStr) -> bool {
        self.everything
            || self.passed.iter().any(|passed| match passed.to_str().and_then(|passed| passed.strip_suffix('*')) {
                Some(beginning) => name.as_encoded_bytes().starts_with(beginning.as_bytes()),
                None => passed == name,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variables: &[(OsString, OsString)]) -> Vec<&str> {
        variables.iter().filter_map(|(name, _)| name.to_str()).collect()
    }

    #[test]
    fn only_what_is_named_is_passed() {
        // cargo sets these for tests.
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some() && env::var_os("PATH").is_some());
        let mut environment = Environment::passing(&["CARGO_PKG_*"]);
        let variables = environment.variables(&[("EXTRA", "1".into())]);
        let passed = names(&variables);
        assert!(passed.contains(&"PATH") && passed.contains(&"CARGO_PKG_NAME") && passed.contains(&"EXTRA"));
        assert!(!passed.contains(&"CARGO_MANIFEST_DIR"), "{passed:?}");

        environment.pass("CARGO_MANIFEST_DIR".into());
        environment.set("EXTRA".into(), "2".into());
        environment.remove("PATH".into());
        let variables = environment.variables(&[("EXTRA", "1".into())]);
        assert!(names(&variables).contains(&"CARGO_MANIFEST_DIR") && !names(&variables).contains(&"PATH"));
        assert!(variables.contains(&("EXTRA".into(), "2".into())));
    }
}
