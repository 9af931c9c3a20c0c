//! Secrets that a program may repeat in its complaints.

use std::sync::LazyLock;

use regex_lite::Regex;

/// What stands in place of a secret.
const MASK: &str = "***";

/// Shorter values are no secrets, and would be found everywhere.
const SHORTEST: usize = 8;

/// Words of a variable's name that make its value a secret.
const WORDS: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "COOKIE"];

/// Texts that are secrets by their look: keys of providers and forges, bearer tokens, JSON web tokens, passwords in
/// addresses, and whatever is assigned to a name that says so.
static LOOKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        (?P<before> \b(?i:bearer|basic)\s+ | (?i:api[_-]?key|token|secret|password)["']?\s*[:=]\s*["']? | ://[^\s/:@]+: )
        (?P<secret> [^\s"'@,;]{8,} )
        | \b (?: sk-[A-Za-z0-9_-]{8,} | eyJ[A-Za-z0-9_=-]{8,}\.[A-Za-z0-9_.=-]{8,} | gh[a-z]_[A-Za-z0-9]{16,}
               | AIza[A-Za-z0-9_-]{16,} | AKIA[A-Z0-9]{12,} | xox[a-z]-[A-Za-z0-9-]{8,} )"#,
    )
    .ok()
});

/// The secrets of one run.
#[derive(Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// The values of those variables whose names say that they are secret.
    pub(super) fn of<'a>(environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let secret = |name: &str| WORDS.iter().any(|word| name.to_ascii_uppercase().contains(word));
        let mut secrets: Vec<String> = environment
            .into_iter()
            .filter(|(name, value)| secret(name) && value.len() >= SHORTEST)
            .map(|(_, value)| value.to_owned())
            .collect();
        // A secret that is part of another must not leave the rest of that one behind.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(secrets)
    }

    /// The text without them, and without what looks like one.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            text = text.replace(secret, MASK);
        }
        match &*LOOKS {
            Some(looks) => looks.replace_all(&text, format!("${{before}}{MASK}")).into_owned(),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_variables_are_masked_and_others_are_not() {
        let secrets = Secrets::of([
            ("MY_API_KEY", "correct horse"),
            ("LONG_TOKEN", "correct horse battery"),
            ("HOME", "/home/someone"),
            ("SHORT_KEY", "abc"),
        ]);
        assert_eq!(secrets.mask("bad key correct horse battery"), "bad key ***");
        assert_eq!(secrets.mask("correct horse in /home/someone, abc"), "*** in /home/someone, abc");
    }

    #[test]
    fn what_looks_like_a_secret_is_masked() {
        let mask = |text| Secrets::default().mask(text);
        assert_eq!(mask("Incorrect API key provided: sk-proj-abcd1234efgh."), "Incorrect API key provided: ***.");
        assert_eq!(mask("Authorization: Bearer abcdef.123456"), "Authorization: Bearer ***");
        assert_eq!(mask("http://user:longpassword@proxy:8080/"), "http://user:***@proxy:8080/");
        assert_eq!(mask("{\"api_key\": \"0123456789ab\"}"), "{\"api_key\": \"***\"}");
        assert_eq!(mask("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-nature"), "***");
        let harmless = "Error: --json-schema must be a JSON object (see https://example.com/a:b)";
        assert_eq!(mask(harmless), harmless);
    }
}
