//! What a user chooses for an endpoint.

use std::borrow::Cow;
use std::fmt;

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use secrecy::{ExposeSecret as _, SecretString};

use super::policy::{Retry, Timeouts};
use crate::adapter::{CallError, CallErrorKind, Parameters};

/// Words in the names of headers and parameters that carry credentials, whoever sets them.
const SECRET: [&str; 4] = ["auth", "key", "token", "cookie"];

/// Keys that are shorter are not looked for in messages: they would be found in innocent words.
const SHORTEST_KEY: usize = 6;

/// What a user chooses for an endpoint. Its `Debug` form has no keys.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(super) base: Result<Url, String>,
    headers: Vec<Header>,
    pub(super) client: Option<reqwest::Client>,
    pub(super) timeouts: Timeouts,
    pub(super) retry: Retry,
    pub(super) max_reply_bytes: usize,
    pub(super) parameters: Parameters,
    pub(super) trace_contents: bool,
    /// The first choice that cannot be. Calls fail with it, so that choosing needs no error handling.
    problem: Option<String>,
}

#[derive(Clone)]
struct Header {
    name: HeaderName,
    /// Stands before the secret: `Bearer `.
    prefix: &'static str,
    value: Secret,
}

#[derive(Clone)]
enum Secret {
    Plain(String),
    Secret(SecretString),
}

impl Settings {
    pub(super) fn new(base: &str) -> Self {
        Self {
            base: parse_base(base),
            headers: Vec::new(),
            client: None,
            timeouts: Timeouts::default(),
            retry: Retry::default(),
            max_reply_bytes: 64 << 20,
            parameters: Parameters::default(),
            trace_contents: false,
            problem: None,
        }
    }

    pub(super) fn set_base(&mut self, base: &str) {
        self.base = parse_base(base);
    }

    /// Sets a header; one of the same name is replaced.
    pub(super) fn set_header(&mut self, name: &str, value: &str) {
        let value = if is_secret(name) { Secret::Secret(value.into()) } else { Secret::Plain(value.to_owned()) };
        self.put(name, "", value);
    }

    /// Sets a header that carries a key after this prefix.
    pub(super) fn set_secret(&mut self, name: &str, prefix: &'static str, secret: SecretString) {
        self.put(name, prefix, Secret::Secret(secret));
    }

    fn put(&mut self, name: &str, prefix: &'static str, value: Secret) {
        let Ok(name) = name.parse::<HeaderName>() else {
            self.problem.get_or_insert_with(|| format!("`{}` cannot be the name of a header", name.escape_debug()));
            return;
        };
        let header = Header { name, prefix, value };
        if header.value().is_err() {
            self.problem.get_or_insert_with(|| {
                format!(
                    "the value of the header `{}` has a line break in it or another character that headers cannot have",
                    header.name
                )
            });
            return;
        }
        self.headers.retain(|old| old.name != header.name);
        self.headers.push(header);
    }

    /// Whether the endpoint is spoken to over TLS.
    pub(super) fn is_secure(&self) -> bool {
        self.base.as_ref().is_ok_and(|base| base.scheme() == "https")
    }

    /// What cannot be, if anything.
    pub(super) fn check(&self) -> Result<&Url, CallError> {
        let problem = match (&self.problem, &self.base) {
            (None, Ok(base)) => return Ok(base),
            (Some(problem), _) | (None, Err(problem)) => problem,
        };
        Err(CallError::new(CallErrorKind::InvalidRequest, problem.clone()))
    }

    /// The headers of a request; those with keys are marked sensitive.
    pub(super) fn headers(&self) -> HeaderMap {
        let mut map = HeaderMap::with_capacity(self.headers.len() + 2);
        map.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        map.insert(USER_AGENT, HeaderValue::from_static(concat!("response-schema/", env!("CARGO_PKG_VERSION"))));
        for header in &self.headers {
            // Values that cannot be were refused when they were set.
            if let Ok(value) = header.value() {
                map.insert(header.name.clone(), value);
            }
        }
        map
    }

    /// The text without any of the keys, should a server have put one into it.
    pub(super) fn scrub(&self, mut text: String) -> String {
        let headers = self.headers.iter().filter_map(|header| match &header.value {
            Secret::Secret(secret) => Some(secret.expose_secret()),
            Secret::Plain(_) => None,
        });
        let parameters = self.base.iter().flat_map(Url::query_pairs).filter(|(name, _)| is_secret(name));
        for secret in headers.map(Cow::Borrowed).chain(parameters.map(|(_, value)| value)) {
            if secret.len() >= SHORTEST_KEY && text.contains(&*secret) {
                text = text.replace(&*secret, "[key]");
            }
        }
        text
    }
}

impl Header {
    fn value(&self) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
        match &self.value {
            Secret::Plain(text) => HeaderValue::try_from(format!("{}{text}", self.prefix)),
            Secret::Secret(secret) => {
                let mut value = HeaderValue::try_from(format!("{}{}", self.prefix, secret.expose_secret()))?;
                value.set_sensitive(true);
                Ok(value)
            }
        }
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|word| name.contains(word))
}

/// Where the endpoint is. The message does not repeat the text: it may hold a password.
fn parse_base(base: &str) -> Result<Url, String> {
    let url = Url::parse(base).map_err(|error| {
        format!("the base URL cannot be read ({error}); write it with its scheme, as in `https://host/v1`")
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("the base URL begins with `{}:`; only http and https are spoken here", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "the base URL has a user name or a password in it, and those are not sent; give a header".to_owned()
        );
    }
    Ok(url)
}

/// A URL below a base URL, whose own parameters stay.
pub(super) fn join(base: &Url, path: &str, query: Option<(&str, &str)>) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path.split('/').filter(|segment| !segment.is_empty()));
    }
    if let Some((name, value)) = query {
        url.query_pairs_mut().append_pair(name, value);
    }
    url
}

/// A URL for people to read, without the values of parameters that carry keys.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    if url.query_pairs().any(|(name, _)| is_secret(&name)) {
        let pairs: Vec<_> = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        let masked = pairs.iter().map(|(name, value)| (name, if is_secret(name) { "***" } else { value }));
        url.query_pairs_mut().clear().extend_pairs(masked);
    }
    url.into()
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|header| header.name.as_str()).collect();
        f.debug_struct("Settings")
            .field("base", &self.base.as_ref().map(shown))
            .field("headers", &names)
            .field("timeouts", &self.timeouts)
            .field("retry", &self.retry)
            .field("max_reply_bytes", &self.max_reply_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_below_the_base_and_its_parameters_stay() {
        let joined = |base: &str, path, query| join(&Url::parse(base).unwrap(), path, query).to_string();
        assert_eq!(joined("https://h/v1", "/responses", None), "https://h/v1/responses");
        assert_eq!(joined("https://h/v1/", "/chat/completions", None), "https://h/v1/chat/completions");
        assert_eq!(joined("http://h", "/api/chat", None), "http://h/api/chat");
        assert_eq!(joined("https://h/o?api-version=1", "/x", None), "https://h/o/x?api-version=1");
        let gemini = joined("https://h/v1beta", "/models/m-1:streamGenerateContent", Some(("alt", "sse")));
        assert_eq!(gemini, "https://h/v1beta/models/m-1:streamGenerateContent?alt=sse");
    }

    #[test]
    fn keys_are_not_shown() {
        let mut settings = Settings::new("https://h/v1?api_key=hunter33&v=1");
        settings.set_secret("authorization", "Bearer ", "hunter22".into());
        settings.set_header("X-Api-Key", "hunter22");
        settings.set_header("x-plain", "seen");
        assert!(!format!("{settings:?}").contains("hunter"), "{settings:?}");
        assert!(!format!("{:?}", settings.headers()).contains("hunter22"));
        assert_eq!(settings.headers()["authorization"], "Bearer hunter22");
        assert_eq!(shown(settings.base.as_ref().unwrap()), "https://h/v1?api_key=***&v=1");
        assert_eq!(settings.scrub("keys hunter22 and hunter33".to_owned()), "keys [key] and [key]");
    }

    #[test]
    fn what_cannot_be_is_said_without_repeating_it() {
        let mut settings = Settings::new("https://h");
        settings.set_secret("authorization", "Bearer ", "hunter22\n".into());
        let error = settings.check().unwrap_err().to_string();
        assert!(error.contains("`authorization`") && !error.contains("hunter22"), "{error}");
        for base in ["", "h/v1", "ftp://me:hunter22@h", "https://me:hunter22@[h", "https://me:hunter22@h"] {
            let error = Settings::new(base).check().unwrap_err().to_string();
            assert!(error.contains("base URL") && !error.contains("hunter22"), "{error}");
        }
    }
}
