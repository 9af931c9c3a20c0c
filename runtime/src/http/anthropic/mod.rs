//! Anthropic's Messages API.
//!
//! Sources: the types and the constants of the official SDKs (read 2026-11), the guide to structured outputs, and error
//! bodies that users and projects recorded.

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
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement};
use crate::dialect;

/// The wire's name in [`Native`](crate::adapter::Native).
const WIRE: &str = "anthropic";

const BASE: &str = "https://api.anthropic.com";

/// The version that every model and every gateway of this wire knows.
const VERSION: &str = "2023-06-01";

/// What the API wants to see beside the token of a login.
const LOGIN_BETA: &str = "oauth-2025-04-20";

/// The tool whose input is the answer, in the modes that have one.
const ANSWER: &str = "respond";

/// Anthropic's Messages API, as `anthropic-payg` with a key or as `anthropic-oauth` with the token of a login.
///
/// Cheap to clone; clones share their connections. It runs on tokio.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, Anthropic}};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Anthropic::from_env()?.model("claude-sonnet-5");
/// let ticket: Ticket = model.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// The wire needs a limit of tokens; without one it is 16,000, and 4,096 for the older models of [`OutputMode::Tool`].
/// System messages go into the one system prompt, in their order. Seeds are not sent: the API has none.
#[derive(Debug, Clone)]
pub struct Anthropic {
    endpoint: Endpoint<Messages>,
}

endpoint_methods!(Anthropic);
endpoint_adapter!(Anthropic, dialect::Anthropic);

/// How the schema of a reply travels on Anthropic's wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputMode {
    /// As the format of the output, which the API enforces.
    #[default]
    Format,
    /// As the input of a strict tool that the model must call, which the API enforces. For conversations that the
    /// format does not go with, such as those with citations.
    StrictTool,
    /// As the input of a plain tool that the model must call: a hint. For models without structured outputs.
    Tool,
}

impl Anthropic {
    /// With this key.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn new(key: impl Into<SecretString>) -> Result<Self, CallError> {
        let key = secret::filled(key.into(), "the Anthropic key")?;
        Ok(Self::on("anthropic-payg").set(|settings| settings.set_secret("x-api-key", "", key)))
    }

    /// As `anthropic-oauth`, with the access token of a login, or the token of a gateway.
    ///
    /// # Errors
    ///
    /// When the token is empty.
    pub fn with_token(token: impl Into<SecretString>) -> Result<Self, CallError> {
        let token = secret::filled(token.into(), "the Anthropic token")?;
        Ok(Self::on("anthropic-oauth")
            .set(|settings| settings.set_secret("authorization", "Bearer ", token))
            .header("anthropic-beta", LOGIN_BETA))
    }

    /// With what the environment says: `ANTHROPIC_API_KEY`, or without it `ANTHROPIC_AUTH_TOKEN`; and, where it is set,
    /// `ANTHROPIC_BASE_URL`.
    ///
    /// # Errors
    ///
    /// When there is neither a key nor a token.
    pub fn from_env() -> Result<Self, CallError> {
        Self::from_variables(secret::environment)
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, CallError> {
        let this = match (variable("ANTHROPIC_API_KEY"), variable("ANTHROPIC_AUTH_TOKEN")) {
            (Some(key), _) => Self::new(key)?,
            (None, Some(token)) => Self::with_token(token)?,
            (None, None) => {
                return Err(CallError::new(
                    CallErrorKind::Unauthorized,
                    "set `ANTHROPIC_API_KEY` to a key or `ANTHROPIC_AUTH_TOKEN` to a token, or give one with `new` or \
                     `with_token`",
                ));
            }
        };
        Ok(match variable("ANTHROPIC_BASE_URL") {
            Some(base) => this.base_url(base),
            None => this,
        })
    }

    fn on(route: &'static str) -> Self {
        let wire = Messages {
            model: Model::required(route),
            mode: OutputMode::default(),
            answer: ANSWER.to_owned(),
            strict_tools: true,
        };
        Self { endpoint: Endpoint::new(wire, BASE) }.version(VERSION)
    }

    #[cfg(feature = "many")]
    pub(super) fn endpoint(&self) -> &Endpoint<Messages> {
        &self.endpoint
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    /// With this version of the API; `2023-06-01` without it. From `2026-10-21` on the API takes neither `temperature`
    /// nor `top_p`.
    #[must_use]
    pub fn version(self, version: impl AsRef<str>) -> Self {
        self.header("anthropic-version", version)
    }

    /// With this feature of the API that is not general yet, in place of those named before.
    #[must_use]
    pub fn beta(self, names: impl AsRef<str>) -> Self {
        self.header("anthropic-beta", names)
    }

    /// With the schema of replies in this place.
    #[must_use]
    pub fn output_mode(mut self, mode: OutputMode) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.mode = mode);
        self
    }

    /// With this name for the tool that holds the answer in the modes that have one; `respond` without it. A request
    /// with a tool of the same name is refused before it is sent.
    #[must_use]
    pub fn answer_tool(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.answer = name.into());
        self
    }

    /// Whether the arguments of tools are held to their schemas; they are without this. The API takes at most twenty
    /// strict tools, and older models take none.
    #[must_use]
    pub fn strict_tools(mut self, on: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.strict_tools = on);
        self
    }
}

/// The wire.
#[derive(Debug, Clone)]
pub(crate) struct Messages {
    model: Model,
    mode: OutputMode,
    answer: String,
    strict_tools: bool,
}

impl Messages {
    /// Whether tools may be strict. Models without structured outputs have no strict tools either.
    fn has_strict_tools(&self) -> bool {
        self.strict_tools && self.mode != OutputMode::Tool
    }

    fn schema_enforcement(&self) -> Enforcement {
        match self.mode {
            OutputMode::Format | OutputMode::StrictTool => Enforcement::Enforced,
            OutputMode::Tool => Enforcement::Hint,
        }
    }

    /// The tool that holds the answer to this request.
    fn answer_tool_of(&self, sent: &Outgoing) -> Option<&str> {
        (self.mode != OutputMode::Format && sent.schema.is_some()).then_some(&*self.answer)
    }
}

impl Wire for Messages {
    const FRAMING: Framing = Framing::Sse;
    type Reply = reply::Reply;

    fn capabilities(&self) -> Capabilities {
        let arguments = if self.has_strict_tools() { Enforcement::Enforced } else { Enforcement::Hint };
        Capabilities::new(self.model.route(), self.schema_enforcement())
            .with_tools(arguments)
            .with_tools_beside_schema()
            .with_streaming()
    }

    fn provider(&self) -> &'static str {
        "anthropic"
    }

    fn model(&self) -> &str {
        self.model.name()
    }

    fn encode(&self, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
        request::encode(self, request, delivery)
    }

    fn gather(
        &self,
        sent: &Outgoing,
        reply: &mut Self::Reply,
        event: &Event,
        pieces: &mut Pieces,
    ) -> Result<ControlFlow<()>, Trouble> {
        reply::gather(reply, event, self.answer_tool_of(sent), pieces)
    }

    fn is_whole(reply: &Self::Reply) -> bool {
        reply.is_whole()
    }

    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble> {
        reply::read(reply, self.answer_tool_of(sent), sent.enforcement)
    }

    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        judge(complaint, sent)
    }
}

/// Words in the complaint about a schema. Those about tools name the place: `tools.0.custom.input_schema`.
const SCHEMA_WORDS: [&str; 7] = [
    "output_config",
    "output_format",
    "input_schema",
    "Schema is too complex",
    "Schemas contains too many",
    "compiled grammar",
    "strict tools",
];

/// Words in the complaint about what is in the conversation.
const INPUT_WORDS: [&str; 3] = ["prompt is too long", "exceed context limit", "request_too_large"];

fn judge(complaint: &Complaint, sent: &Outgoing) -> Verdict {
    // The filter ends a reply, and says so where an error stands.
    if complaint.says(&["content filtering policy"]) {
        let mut response = CallResponse::new("", sent.enforcement);
        response.ending = Ending::Filtered(complaint.message.clone());
        return Verdict::Reply(Box::new(response));
    }
    let verdict = complaint.verdict();
    let Verdict::Failed { kind: CallErrorKind::InvalidRequest, .. } = verdict else {
        return verdict;
    };
    if complaint.says(&["credit balance is too low"]) {
        return Verdict::failed(CallErrorKind::RateLimited);
    }
    if complaint.says(&INPUT_WORDS) {
        return Verdict::failed(CallErrorKind::InputBlocked);
    }
    if sent.carries_schema() && complaint.says(&SCHEMA_WORDS) {
        return Verdict::failed(CallErrorKind::SchemaRefused);
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::Message;

    #[test]
    fn the_environment_says_where_and_as_whom() {
        let request = CallRequest::new(vec![Message::user("hello")]);
        let sent = |names: &'static [(&'static str, &'static str)]| {
            let variables =
                |name: &str| names.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned());
            Anthropic::from_variables(variables).map(|model| {
                let route = model.endpoint.capabilities().route;
                (route, model.model("m").dry_run(&request).expect("a request"))
            })
        };
        let (route, with_key) = sent(&[("ANTHROPIC_API_KEY", "key-123"), ("ANTHROPIC_AUTH_TOKEN", "token-1")]).unwrap();
        assert_eq!((route, with_key.url.as_str()), ("anthropic-payg", "https://api.anthropic.com/v1/messages"));
        let header = |name, preview: &crate::http::Preview| {
            preview.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone())
        };
        assert_eq!(header("x-api-key", &with_key).as_deref(), Some("***"));
        assert_eq!(header("authorization", &with_key), None);
        assert_eq!(header("anthropic-version", &with_key).as_deref(), Some("2023-06-01"));

        let (route, with_token) =
            sent(&[("ANTHROPIC_AUTH_TOKEN", "token-1"), ("ANTHROPIC_BASE_URL", "http://localhost:1/x/")]).unwrap();
        assert_eq!((route, with_token.url.as_str()), ("anthropic-oauth", "http://localhost:1/x/v1/messages"));
        assert_eq!(header("authorization", &with_token).as_deref(), Some("***"));
        assert_eq!(header("anthropic-beta", &with_token).as_deref(), Some(LOGIN_BETA));

        let none = sent(&[]).unwrap_err();
        assert_eq!(none.kind(), CallErrorKind::Unauthorized);
        assert!(none.to_string().contains("`ANTHROPIC_API_KEY`"), "{none}");
    }
}
