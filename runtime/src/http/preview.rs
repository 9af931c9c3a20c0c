//! A request before it is sent.

use std::fmt;

use reqwest::header::HeaderMap;

/// A request exactly as a call would send it, apart from its keys, which are `***` here, and from the headers that the
/// HTTP library adds to every request (`host`, `content-length`, `accept`).
///
/// The body holds the prompt; it is in the `Display` form and not in the `Debug` form.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preview {
    /// The HTTP method.
    pub method: &'static str,
    /// Where it goes.
    pub url: String,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its JSON text.
    pub body: String,
}

impl Preview {
    pub(super) fn new(url: String, headers: &HeaderMap, body: &[u8]) -> Self {
        let shown = headers.iter().map(|(name, value)| {
            let value = if value.is_sensitive() { "***".into() } else { String::from_utf8_lossy(value.as_bytes()) };
            (name.as_str().to_owned(), value.into_owned())
        });
        Self { method: "POST", url, headers: shown.collect(), body: String::from_utf8_lossy(body).into_owned() }
    }
}

/// As it would stand on the wire.
impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.method, self.url)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {value}")?;
        }
        write!(f, "\n{}", self.body)
    }
}

impl fmt::Debug for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preview")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}
