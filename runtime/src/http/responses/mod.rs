//! `OpenAI`'s Responses API.
//!
//! Sources: the API reference and the types of the official SDKs (read 2026-11); the `ChatGPT` backend's demands
//! (`stream`, no `store`, `instructions`, no items in the last event, no content type) from clients that log its answers.

mod codex;
mod reply;
mod request;

use std::ops::ControlFlow;
use std::path::Path;

use secrecy::SecretString;

use super::complaint::{Complaint, Verdict};
use super::endpoint::Endpoint;
use super::model::Model;
use super::openai;
use super::secret;
use super::sse::{Event, Framing};
use super::wire::{Delivery, Outgoing, Pieces, Trouble, Wire};
use crate::adapter::{CallError, CallRequest, CallResponse, Capabilities, Enforcement};
use crate::dialect;

/// The wire's name in [`Native`](crate::adapter::Native).
const WIRE: &str = "openai-responses";

const BASE: &str = "https://api.openai.com/v1";
const CHATGPT: &str = "https://chatgpt.com/backend-api/codex";

/// `OpenAI`'s Responses API, as `openai-payg` with a key or as `codex-oauth` with the login of the Codex CLI.
///
/// Cheap to clone; clones share their connections. It runs on tokio.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, OpenAi}};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let model = OpenAi::from_env()?.model("gpt-5.6");
/// let ticket: Ticket = model.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// Seeds are not sent: the Responses API has none.
#[derive(Debug, Clone)]
pub struct OpenAi {
    endpoint: Endpoint<Responses>,
}

endpoint_methods!(OpenAi);
endpoint_adapter!(OpenAi, dialect::OpenAi);

impl OpenAi {
    /// With this key.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn new(key: impl Into<SecretString>) -> Result<Self, CallError> {
        let key = secret::filled(key.into(), "the OpenAI key")?;
        let wire = Responses { model: Model::required("openai-payg"), login: false, store: None };
        let endpoint = Endpoint::new(wire, BASE).set(|settings| settings.set_secret("authorization", "Bearer ", key));
        Ok(Self { endpoint })
    }

    /// With what the environment says: `OPENAI_API_KEY`, and, where they are set, `OPENAI_BASE_URL`, `OPENAI_ORG_ID` and
    /// `OPENAI_PROJECT_ID`.
    ///
    /// # Errors
    ///
    /// When there is no key.
    pub fn from_env() -> Result<Self, CallError> {
        Self::from_variables(secret::environment)
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, CallError> {
        let mut this = Self::new(secret::required(&variable, "OPENAI_API_KEY")?)?;
        if let Some(base) = variable("OPENAI_BASE_URL") {
            this = this.base_url(base);
        }
        if let Some(organization) = variable("OPENAI_ORG_ID") {
            this = this.organization(organization);
        }
        if let Some(project) = variable("OPENAI_PROJECT_ID") {
            this = this.project(project);
        }
        Ok(this)
    }

    /// As `codex-oauth`, with the login that the Codex CLI keeps in `$CODEX_HOME/auth.json` or `~/.codex/auth.json`.
    /// The file is read here, once, and never written: when the token has run out, let the CLI renew it.
    ///
    /// The backend streams all replies and keeps none, and it knows fewer parameters than the API; it says which it
    /// refuses. A conversation without a system message gets the instruction to answer the user, for it demands one.
    ///
    /// # Errors
    ///
    /// When there is no such file, or no `ChatGPT` login in it.
    pub fn from_codex_login() -> Result<Self, CallError> {
        Self::from_codex_login_in(codex::default_file(secret::environment)?)
    }

    /// As [`from_codex_login`](Self::from_codex_login), with the login in this file.
    ///
    /// # Errors
    ///
    /// When there is no such file, or no `ChatGPT` login in it.
    pub fn from_codex_login_in(file: impl AsRef<Path>) -> Result<Self, CallError> {
        let login = codex::read(file.as_ref())?;
        let token = secret::filled(login.token, "the access token of the Codex CLI")?;
        let wire = Responses { model: Model::required("codex-oauth"), login: true, store: Some(false) };
        let this = Self { endpoint: Endpoint::new(wire, CHATGPT) };
        Ok(this.set(|settings| {
            settings.set_secret("authorization", "Bearer ", token);
            if let Some(account) = login.account {
                settings.set_secret("chatgpt-account-id", "", account);
            }
        }))
    }

    #[cfg(feature = "many")]
    pub(super) fn endpoint(&self) -> &Endpoint<Responses> {
        &self.endpoint
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    /// For this organization.
    #[must_use]
    pub fn organization(self, id: impl AsRef<str>) -> Self {
        self.header("openai-organization", id)
    }

    /// For this project.
    #[must_use]
    pub fn project(self, id: impl AsRef<str>) -> Self {
        self.header("openai-project", id)
    }

    /// For this account of the `ChatGPT` login, in place of the one that the login file names.
    #[must_use]
    pub fn account(self, id: impl Into<SecretString>) -> Self {
        self.set(|settings| settings.set_secret("chatgpt-account-id", "", id.into()))
    }

    /// Whether `OpenAI` keeps the replies. Without this its own default holds. Where it keeps none, reasoning comes in
    /// encrypted form, so that a conversation can go on.
    #[must_use]
    pub fn store(mut self, keep: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.store = Some(keep));
        self
    }
}

/// The wire.
#[derive(Debug, Clone)]
pub(crate) struct Responses {
    model: Model,
    /// The `ChatGPT` backend with the login of the Codex CLI, and not the API with a key.
    login: bool,
    store: Option<bool>,
}

impl Wire for Responses {
    const FRAMING: Framing = Framing::Sse;
    type Reply = reply::Reply;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(self.model.route(), Enforcement::Enforced)
            .with_tools(Enforcement::Enforced)
            .with_tools_beside_schema()
            .with_streaming()
    }

    fn provider(&self) -> &'static str {
        "openai"
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
        reply.ended
    }

    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble> {
        reply::read(reply, sent.enforcement)
    }

    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        openai::judge(complaint, sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::{CallErrorKind, Message};

    #[test]
    fn the_environment_says_where_and_as_whom() {
        let variables = |name: &str| {
            let value = match name {
                "OPENAI_API_KEY" => "sk-1234567",
                "OPENAI_BASE_URL" => "http://localhost:1/x",
                "OPENAI_ORG_ID" => "org-1",
                "OPENAI_PROJECT_ID" => "proj-1",
                _ => return None,
            };
            Some(value.to_owned())
        };
        let request = CallRequest::new(vec![Message::user("hello")]);
        let sent = OpenAi::from_variables(variables).unwrap().model("m").dry_run(&request).unwrap();
        assert_eq!(sent.url, "http://localhost:1/x/responses");
        let header = |name| sent.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
        assert_eq!(header("authorization"), Some("***"));
        assert_eq!((header("openai-organization"), header("openai-project")), (Some("org-1"), Some("proj-1")));

        let none = OpenAi::from_variables(|_| None).unwrap_err();
        assert_eq!(none.kind(), CallErrorKind::Unauthorized);
        assert!(none.to_string().contains("`OPENAI_API_KEY`"), "{none}");
        assert!(OpenAi::new(" ").is_err());
    }
}
