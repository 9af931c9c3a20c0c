//! Ollama's `/api/chat`.
//!
//! Sources: the server's source (at fb3076099) and documents, the types of the official SDK (read 2026-11).

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

const PORT: u16 = 11434;

/// What the marks of calls begin with that were made here, for the wire mostly has none.
const OWN_MARK: &str = "ollama-call-";

/// Ollama's own wire, as `ollama`: a server on this machine or elsewhere, or the hosted service.
///
/// Cheap to clone; clones share their connections. It runs on tokio.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, Ollama}};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Ollama::from_env().model("qwen3");
/// let ticket: Ticket = model.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// A local server holds the model to the schema. The hosted service takes the schema and does not: there it is a hint,
/// and so it is for the hosted models (`…-cloud`) that a local server passes on. The engine does not show the schema to
/// the model, so it goes into the prompt too.
///
/// Where a reply must satisfy a schema the model is told not to think, unless a reasoning effort is stated: it may spend
/// all of its tokens on thoughts. A schema and tools do not go together on this wire; the schema would win unseen.
#[derive(Debug, Clone)]
pub struct Ollama {
    endpoint: Endpoint<Chat>,
}

endpoint_methods!(Ollama);
endpoint_adapter!(Ollama, dialect::Ollama);

impl Ollama {
    /// The server on this machine, at its usual port.
    #[must_use]
    pub fn new() -> Self {
        Self::at("")
    }

    /// With what the environment says: the server at `OLLAMA_HOST`, with or without scheme and port, or else the one on
    /// this machine; and the key in `OLLAMA_API_KEY`, where it is set.
    #[must_use]
    pub fn from_env() -> Self {
        Self::from_variables(secret::environment)
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let this = Self::at(&variable("OLLAMA_HOST").unwrap_or_default());
        match variable("OLLAMA_API_KEY") {
            Some(key) => this.key(key),
            None => this,
        }
    }

    /// A server as Ollama's own programs are told of it: `gpu-box`, `gpu-box:8000`, `https://gpu-box`.
    #[must_use]
    pub fn at(host: &str) -> Self {
        let base = base(host);
        let place = base.split("://").nth(1).unwrap_or_default();
        let place = &place[..place.find(['/', ':']).unwrap_or(place.len())];
        let hosted = (place == "ollama.com" || place.ends_with(".ollama.com")).then_some(true);
        let wire = Chat { model: Model::required("ollama"), hosted, schema_in_prompt: true };
        Self { endpoint: Endpoint::new(wire, &base) }
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    /// With this key: the hosted service wants one.
    #[must_use]
    pub fn key(self, key: impl Into<SecretString>) -> Self {
        self.set(|settings| settings.set_secret("authorization", "Bearer ", key.into()))
    }

    /// Whether the model runs at the hosted service, which does not enforce schemas. Without this that is known by the
    /// model's name, which ends in `cloud`, and by the server's, which is `ollama.com`.
    #[must_use]
    pub fn hosted(mut self, on: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.hosted = Some(on));
        self
    }

    /// Whether the schema goes into the prompt too; it does without this. Very small models are better off with worked
    /// examples in its place.
    #[must_use]
    pub fn schema_in_prompt(mut self, on: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.schema_in_prompt = on);
        self
    }
}

impl Default for Ollama {
    fn default() -> Self {
        Self::new()
    }
}

/// The base URL for a host as Ollama's own programs read it: without a scheme the port is Ollama's, with one it is the
/// scheme's.
fn base(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("", host));
    if !scheme.is_empty() {
        return format!("{scheme}://{rest}");
    }
    let (place, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    // Everything after the brackets of an IPv6 address, or after the one colon of anything else.
    let after_address = place.rsplit_once(']').map_or(place, |(_, after)| after);
    let has_port = after_address.contains(':');
    let name = match place {
        "" => "127.0.0.1",
        _ if place.starts_with(':') => return format!("http://127.0.0.1{place}{path}"),
        _ => place,
    };
    if has_port { format!("http://{name}{path}") } else { format!("http://{name}:{PORT}{path}") }
}

/// The wire.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    model: Model,
    hosted: Option<bool>,
    schema_in_prompt: bool,
}

impl Chat {
    fn enforcement(&self) -> Enforcement {
        let hosted = self.hosted.unwrap_or_else(|| self.model.name().ends_with("cloud"));
        if hosted { Enforcement::Hint } else { Enforcement::Enforced }
    }
}

impl Wire for Chat {
    const FRAMING: Framing = Framing::Lines;
    type Reply = reply::Reply;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(self.model.route(), self.enforcement()).with_tools(Enforcement::Hint).with_streaming()
    }

    fn provider(&self) -> &'static str {
        "ollama"
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
        reply.done
    }

    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble> {
        reply::read(reply, sent.enforcement)
    }

    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        judge(complaint, sent)
    }
}

/// Words in the complaint about a schema: the server's own, and those of the engine that makes a grammar of it.
const SCHEMA_WORDS: [&str; 3] = ["invalid format", "grammar", "JSON schema"];

/// Words in the complaint about what is in the conversation.
const INPUT_WORDS: [&str; 2] = ["exceeds the context length", "exceeds the available context"];

fn judge(complaint: &Complaint, sent: &Outgoing) -> Verdict {
    if complaint.says(&INPUT_WORDS) {
        return Verdict::failed(CallErrorKind::InputBlocked);
    }
    // The engine's failure to make a grammar comes with the status of a server error.
    if sent.schema.is_some() && complaint.says(&SCHEMA_WORDS) {
        return Verdict::failed(CallErrorKind::SchemaRefused);
    }
    complaint.verdict()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the official SDK.
    #[test]
    fn hosts_are_read_as_ollama_reads_them() {
        for (host, url) in [
            ("", "http://127.0.0.1:11434"),
            ("1.2.3.4", "http://1.2.3.4:11434"),
            (":56789", "http://127.0.0.1:56789"),
            ("1.2.3.4:56789", "http://1.2.3.4:56789"),
            ("http://1.2.3.4", "http://1.2.3.4"),
            ("https://1.2.3.4", "https://1.2.3.4"),
            ("https://1.2.3.4:56789", "https://1.2.3.4:56789"),
            ("example.com", "http://example.com:11434"),
            ("example.com/", "http://example.com:11434"),
            ("example.com/path", "http://example.com:11434/path"),
            ("example.com:56789/path/", "http://example.com:56789/path"),
            ("https://example.com:56789/path", "https://example.com:56789/path"),
            ("[0001:002:003:0004::1]", "http://[0001:002:003:0004::1]:11434"),
            ("[0001:002:003:0004::1]:56789/path", "http://[0001:002:003:0004::1]:56789/path"),
        ] {
            assert_eq!(base(host), url, "{host}");
        }
    }

    #[test]
    fn what_is_hosted_does_not_enforce() {
        let schema = |model: Ollama| model.endpoint.capabilities().schema;
        assert_eq!(schema(Ollama::new().model("qwen3")), Enforcement::Enforced);
        assert_eq!(schema(Ollama::new().model("gpt-oss:120b-cloud")), Enforcement::Hint);
        assert_eq!(schema(Ollama::at("https://ollama.com").model("gpt-oss:120b")), Enforcement::Hint);
    }
}
