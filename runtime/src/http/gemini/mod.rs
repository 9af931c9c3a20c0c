//! Gemini's `generateContent`.
//!
//! Sources: the types and doc-strings of the official SDKs (read 2026-11), the API reference, and error bodies that users
//! and projects recorded.

mod reply;
mod request;

use std::ops::ControlFlow;

use secrecy::SecretString;

use super::complaint::{Complaint, Verdict};
use super::endpoint::Endpoint;
use super::model::Model;
use super::secret;
use super::sse::{Event, Framing};
use super::wire::{Delivery, Outgoing, Pieces, Trouble, Wire};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement};
use crate::dialect;

/// The wire's name in [`Native`](crate::adapter::Native).
const WIRE: &str = "gemini";

const HOST: &str = "https://generativelanguage.googleapis.com";
const API: &str = "v1beta";

/// What the marks of calls begin with that were made here, for the wire mostly has none.
const OWN_MARK: &str = "gemini-call-";

/// Gemini by the Developer API, as `gemini`.
///
/// Cheap to clone; clones share their connections. It runs on tokio.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, Gemini}};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Gemini::from_env()?.model("gemini-3-pro");
/// let ticket: Ticket = model.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// A reasoning effort goes out as `thinkingLevel`, which models since Gemini 3 know; for others say `thinkingBudget` in
/// the extra field `generationConfig.thinkingConfig`. System messages go into the one system instruction, in their order.
#[derive(Debug, Clone)]
pub struct Gemini {
    endpoint: Endpoint<GenerateContent>,
}

endpoint_methods!(Gemini);
endpoint_adapter!(Gemini, dialect::Gemini);

impl Gemini {
    /// With this key.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn new(key: impl Into<SecretString>) -> Result<Self, CallError> {
        let key = secret::filled(key.into(), "the Gemini key")?;
        let wire = GenerateContent { model: Model::required("gemini"), tools_with_schema: None };
        let endpoint = Endpoint::new(wire, &format!("{HOST}/{API}"));
        Ok(Self { endpoint }.set(|settings| settings.set_secret("x-goog-api-key", "", key)))
    }

    /// With what the environment says: `GEMINI_API_KEY`, or without it `GOOGLE_API_KEY`; and, where it is set,
    /// `GOOGLE_GEMINI_BASE_URL`, to which the version of the API is added as Google's own SDKs do.
    ///
    /// # Errors
    ///
    /// When there is no key.
    pub fn from_env() -> Result<Self, CallError> {
        Self::from_variables(secret::environment)
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, CallError> {
        let key = variable("GEMINI_API_KEY").or_else(|| variable("GOOGLE_API_KEY")).ok_or_else(|| {
            CallError::new(
                CallErrorKind::Unauthorized,
                "set `GEMINI_API_KEY` or `GOOGLE_API_KEY` to the key, or give it with `new`",
            )
        })?;
        let this = Self::new(key)?;
        Ok(match variable("GOOGLE_GEMINI_BASE_URL") {
            Some(base) => this.base_url(format!("{}/{API}", base.trim_end_matches('/'))),
            None => this,
        })
    }

    #[cfg(feature = "many")]
    pub(super) fn endpoint(&self) -> &Endpoint<GenerateContent> {
        &self.endpoint
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    /// Whether the model takes tools and a schema for the reply in one request. Without this that is known by its name:
    /// the models before Gemini 3 do not.
    #[must_use]
    pub fn tools_with_schema(mut self, on: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.tools_with_schema = Some(on));
        self
    }
}

/// The wire.
#[derive(Debug, Clone)]
pub(crate) struct GenerateContent {
    model: Model,
    tools_with_schema: Option<bool>,
}

impl GenerateContent {
    fn takes_both(&self) -> bool {
        let name = self.model.name();
        let name = name.strip_prefix("models/").unwrap_or(name);
        let older = ["gemini-1", "gemini-2", "gemma"].iter().any(|older| name.starts_with(older));
        self.tools_with_schema.unwrap_or(!older)
    }
}

impl Wire for GenerateContent {
    const FRAMING: Framing = Framing::Sse;
    type Reply = reply::Reply;

    fn capabilities(&self) -> Capabilities {
        // The arguments of tools are shaped after their schemas and not held to them.
        let capabilities =
            Capabilities::new(self.model.route(), Enforcement::Enforced).with_tools(Enforcement::Hint).with_streaming();
        if self.takes_both() { capabilities.with_tools_beside_schema() } else { capabilities }
    }

    fn provider(&self) -> &'static str {
        "gcp.gemini"
    }

    fn model(&self) -> &str {
        self.model.name()
    }

    fn encode(&self, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
        request::encode(self, request, delivery)
    }

    fn gather(
        &self,
        _: &Outgoing,
        reply: &mut Self::Reply,
        event: &Event,
        pieces: &mut Pieces,
    ) -> Result<ControlFlow<()>, Trouble> {
        reply::gather(reply, event, pieces)
    }

    fn is_whole(reply: &Self::Reply) -> bool {
        reply.is_whole()
    }

    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble> {
        reply::read(reply, sent.enforcement)
    }

    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        judge(complaint, sent)
    }
}

/// Words in the complaint about a schema.
const SCHEMA_WORDS: [&str; 6] =
    ["schema", "too many states", "nesting depth", "function_declarations", "response_mime_type", "Proto field"];

/// Words in the complaint about a key that is wrong: the status is that of a wrong request.
const KEY_WORDS: [&str; 2] = ["API key not valid", "API key expired"];

/// Words in the complaint about what is in the conversation.
const INPUT_WORDS: [&str; 3] = ["input token count", "payload size exceeds", "exceeds the maximum number of tokens"];

fn judge(complaint: &Complaint, sent: &Outgoing) -> Verdict {
    if complaint.param == reply::PROMPT_BLOCKED {
        return Verdict::failed(CallErrorKind::InputBlocked);
    }
    let detailed = |word| complaint.details.get("details").is_some_and(|all| all.to_string().contains(word));
    match complaint.verdict() {
        Verdict::Failed { kind: CallErrorKind::RateLimited, .. } => {
            // The words are the same for every quota; the details say which it is. One by the minute is there again
            // soon.
            Verdict::Failed { kind: CallErrorKind::RateLimited, again: !detailed("PerDay") }
        }
        Verdict::Failed { kind: CallErrorKind::InvalidRequest, .. } => {
            if complaint.says(&INPUT_WORDS) {
                Verdict::failed(CallErrorKind::InputBlocked)
            } else if complaint.says(&KEY_WORDS) || detailed("API_KEY_INVALID") {
                Verdict::failed(CallErrorKind::Unauthorized)
            } else if sent.carries_schema() && complaint.says(&SCHEMA_WORDS) {
                Verdict::failed(CallErrorKind::SchemaRefused)
            } else {
                Verdict::failed(CallErrorKind::InvalidRequest)
            }
        }
        verdict => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::Message;

    #[test]
    fn the_environment_says_where_and_as_whom() {
        let request = CallRequest::new(vec![Message::user("hello")]);
        for (names, url) in [
            (&[("GEMINI_API_KEY", "key-123")][..], "https://generativelanguage.googleapis.com/v1beta"),
            (&[("GOOGLE_API_KEY", "k-12345"), ("GOOGLE_GEMINI_BASE_URL", "http://h:1/x/")], "http://h:1/x/v1beta"),
        ] {
            let variables =
                |name: &str| names.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned());
            let model = Gemini::from_variables(variables).unwrap();
            for name in ["gemini-3-pro", "models/gemini-3-pro"] {
                let sent = model.clone().model(name).dry_run(&request).unwrap();
                assert_eq!(sent.url, format!("{url}/models/gemini-3-pro:generateContent"));
                assert!(sent.headers.contains(&("x-goog-api-key".to_owned(), "***".to_owned())));
            }
            let streamed = model.model("gemini-3-pro").dry_run_stream(&request).unwrap();
            assert_eq!(streamed.url, format!("{url}/models/gemini-3-pro:streamGenerateContent?alt=sse"));
        }
        let none = Gemini::from_variables(|_| None).unwrap_err();
        assert!(none.to_string().contains("`GEMINI_API_KEY`"), "{none}");
    }

    #[test]
    fn older_models_take_tools_or_a_schema() {
        let both = |name: &str| Gemini::new("key").unwrap().model(name).endpoint.capabilities().tools_with_schema;
        assert_eq!(["gemini-2.5-pro", "gemini-3-pro", "models/gemini-2.0-flash"].map(both), [false, true, false]);
    }
}
