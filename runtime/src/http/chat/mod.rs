//! Chat Completions, as `OpenAI` made it and many others speak it.
//!
//! Sources: the API reference and the types of the official SDKs (read 2026-11); those of the endpoints are in the files
//! of their dialects and in `profiles.rs`.

mod profile;
mod profiles;
mod reply;
mod request;

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use secrecy::SecretString;
use serde_json::Value;

pub use profile::{CallIds, KeyHeader, Profile, ReasoningField, SchemaField};

use super::complaint::{Complaint, Verdict};
use super::endpoint::Endpoint;
use super::model::Model;
use super::openai;
use super::secret;
use super::sse::{Event, Framing};
use super::wire::{Delivery, Outgoing, Pieces, Trouble, Wire};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement};
use crate::dialect::{self, Dialect, Spec};

/// The wire's name in [`Native`](crate::adapter::Native).
const WIRE: &str = "chat-completions";

/// An endpoint that speaks Chat Completions, whose schemas are in the dialect `D`.
///
/// Each endpoint has a constructor, which chooses the dialect, and a [`Profile`] of what it does differently. Cheap to
/// clone; clones share their connections. It runs on tokio.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, ChatCompletions}};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let model = ChatCompletions::llama_cpp().base_url("http://localhost:8080/v1");
/// let ticket: Ticket = model.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// Seeds are not sent to endpoints that have none.
pub struct ChatCompletions<D> {
    endpoint: Endpoint<Chat>,
    dialect: PhantomData<fn() -> D>,
}

endpoint_methods!(ChatCompletions<D>, [D: Spec]);
endpoint_adapter!(ChatCompletions<D>, D, [D: Spec]);

impl<D: Spec> ChatCompletions<D> {
    /// An endpoint of this profile, whose schemas are in the dialect `D`.
    #[must_use]
    pub fn with_profile(profile: Profile) -> Self {
        let route = profile.route;
        let model = if profile.needs_model { Model::required(route) } else { Model::any(route) };
        let wire = Chat { profile, dialect: D::DIALECT, model };
        Self { endpoint: Endpoint::new(wire, profile.base_url), dialect: PhantomData }
    }

    #[cfg(feature = "many")]
    pub(super) fn endpoint(&self) -> &Endpoint<Chat> {
        &self.endpoint
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    /// With this key.
    #[must_use]
    pub fn key(self, key: impl Into<SecretString>) -> Self {
        let header = self.endpoint.wire().profile.key_header;
        self.set(|settings| match header {
            KeyHeader::Bearer => settings.set_secret("authorization", "Bearer ", key.into()),
            KeyHeader::Named(name) => settings.set_secret(name, "", key.into()),
        })
    }

    /// Whether the schema goes into the prompt too; the profile says it otherwise. Engines that hold the model to a
    /// schema do not show it to the model, which then writes what fits and not what is meant. Very small models are
    /// better off with worked examples in its place.
    #[must_use]
    pub fn schema_in_prompt(mut self, on: bool) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.profile.schema_in_prompt = on);
        self
    }

    fn keyed(profile: Profile, key: SecretString) -> Result<Self, CallError> {
        let key = secret::filled(key, &format!("the key of {}", profile.route))?;
        Ok(Self::with_profile(profile).key(key))
    }

    fn from_variable(profile: Profile) -> Result<Self, CallError> {
        let name = profile.key_variable.unwrap_or_default();
        Self::keyed(profile, secret::required(secret::environment, name)?)
    }
}

/// Constructors of the endpoints that need a key.
macro_rules! hosted {
    ($($dialect:ident: $new:ident, $from_env:ident = $profile:ident, $title:literal, $variable:literal;)*) => {$(
        impl ChatCompletions<dialect::$dialect> {
            #[doc = concat!($title, ", with this key.")]
            ///
            /// # Errors
            ///
            /// When the key is empty.
            pub fn $new(key: impl Into<SecretString>) -> Result<Self, CallError> {
                Self::keyed(Profile::$profile, key.into())
            }

            #[doc = concat!($title, ", with the key in `", $variable, "`.")]
            ///
            /// # Errors
            ///
            /// When there is none.
            pub fn $from_env() -> Result<Self, CallError> {
                Self::from_variable(Profile::$profile)
            }
        }
    )*};
}

hosted! {
    OpenAi: openai, openai_from_env = OPENAI, "OpenAI by Chat Completions", "OPENAI_API_KEY";
    Groq: groq, groq_from_env = GROQ, "Groq", "GROQ_API_KEY";
    Xai: xai, xai_from_env = XAI, "xAI", "XAI_API_KEY";
    Mistral: mistral, mistral_from_env = MISTRAL, "Mistral", "MISTRAL_API_KEY";
    OpenRouter: openrouter, openrouter_from_env = OPENROUTER, "OpenRouter", "OPENROUTER_API_KEY";
    Cerebras: cerebras, cerebras_from_env = CEREBRAS, "Cerebras", "CEREBRAS_API_KEY";
    DeepSeek: deepseek, deepseek_from_env = DEEPSEEK, "DeepSeek", "DEEPSEEK_API_KEY";
    Portable: fireworks, fireworks_from_env = FIREWORKS, "Fireworks", "FIREWORKS_API_KEY";
    Portable: together, together_from_env = TOGETHER, "Together", "TOGETHER_API_KEY";
}

impl ChatCompletions<dialect::Azure> {
    /// Azure, with the endpoint of a resource (`https://NAME.openai.azure.com`) and its key. The model is the
    /// deployment's name. A token of Microsoft Entra goes in with `header("authorization", …)`.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn azure(endpoint: impl AsRef<str>, key: impl Into<SecretString>) -> Result<Self, CallError> {
        let endpoint = endpoint.as_ref().trim_end_matches('/');
        let has_path = endpoint.contains("/openai");
        let base = if has_path { endpoint.to_owned() } else { format!("{endpoint}/openai/v1") };
        Ok(Self::keyed(Profile::AZURE, key.into())?.base_url(base))
    }

    /// Azure, with the endpoint in `AZURE_OPENAI_ENDPOINT` and the key in `AZURE_OPENAI_API_KEY`.
    ///
    /// # Errors
    ///
    /// When one of them is not set.
    pub fn azure_from_env() -> Result<Self, CallError> {
        let endpoint = secret::environment("AZURE_OPENAI_ENDPOINT").ok_or_else(|| {
            CallError::new(CallErrorKind::InvalidRequest, "set `AZURE_OPENAI_ENDPOINT` to the endpoint of the resource")
        })?;
        Self::azure(endpoint, secret::required(secret::environment, "AZURE_OPENAI_API_KEY")?)
    }
}

impl ChatCompletions<dialect::Xgrammar> {
    /// A vLLM server, at `http://localhost:8000/v1` unless told otherwise. Its engine for schemas is xgrammar; where it
    /// runs guidance, take `ChatCompletions::<dialect::Guidance>::with_profile(Profile::VLLM)`.
    #[must_use]
    pub fn vllm() -> Self {
        Self::with_profile(Profile::VLLM)
    }

    /// An `SGLang` server, at `http://localhost:30000/v1` unless told otherwise.
    #[must_use]
    pub fn sglang() -> Self {
        Self::with_profile(Profile::SGLANG)
    }
}

impl ChatCompletions<dialect::LlamaCpp> {
    /// A llama.cpp server, at `http://localhost:8080/v1` unless told otherwise.
    #[must_use]
    pub fn llama_cpp() -> Self {
        Self::with_profile(Profile::LLAMA_CPP)
    }

    /// LM Studio with a GGUF model, at `http://localhost:1234/v1` unless told otherwise.
    #[must_use]
    pub fn lm_studio() -> Self {
        Self::with_profile(Profile::LM_STUDIO)
    }
}

impl ChatCompletions<dialect::Portable> {
    /// An endpoint of which nothing more is known, with the schema in the form that every other takes.
    #[must_use]
    pub fn compatible(base_url: impl AsRef<str>) -> Self {
        Self::with_profile(Profile::COMPATIBLE).base_url(base_url)
    }
}

impl<D> Clone for ChatCompletions<D> {
    fn clone(&self) -> Self {
        Self { endpoint: self.endpoint.clone(), dialect: PhantomData }
    }
}

impl<D> fmt::Debug for ChatCompletions<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatCompletions").field("endpoint", &self.endpoint).finish()
    }
}

/// GLM (Z.AI), by the token or by the coding plan.
///
/// The endpoint has no schemas, so the schema stands in the prompt beside JSON mode, and the checks of the reply carry
/// the rest. Other plans and hosts are a [`base_url`](Self::base_url) away.
#[derive(Debug, Clone)]
pub struct Glm {
    endpoint: Endpoint<Chat>,
}

endpoint_methods!(Glm);
endpoint_adapter!(Glm, dialect::Glm);

impl Glm {
    /// By the token, with this key.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn new(key: impl Into<SecretString>) -> Result<Self, CallError> {
        ChatCompletions::<dialect::Glm>::keyed(Profile::GLM, key.into()).map(Self::of)
    }

    /// By the coding plan, with this key.
    ///
    /// # Errors
    ///
    /// When the key is empty.
    pub fn coding_plan(key: impl Into<SecretString>) -> Result<Self, CallError> {
        ChatCompletions::<dialect::Glm>::keyed(Profile::GLM_CODING_PLAN, key.into()).map(Self::of)
    }

    /// By the token, with the key in `ZAI_API_KEY`.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn from_env() -> Result<Self, CallError> {
        ChatCompletions::<dialect::Glm>::from_variable(Profile::GLM).map(Self::of)
    }

    /// By the coding plan, with the key in `ZAI_API_KEY`.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn coding_plan_from_env() -> Result<Self, CallError> {
        ChatCompletions::<dialect::Glm>::from_variable(Profile::GLM_CODING_PLAN).map(Self::of)
    }

    /// With this model.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.endpoint = self.endpoint.edit(|wire| wire.model.set(name));
        self
    }

    fn of(chat: ChatCompletions<dialect::Glm>) -> Self {
        Self { endpoint: chat.endpoint }
    }
}

/// The wire.
#[derive(Debug, Clone)]
pub(crate) struct Chat {
    profile: Profile,
    dialect: Dialect,
    model: Model,
}

impl Wire for Chat {
    const FRAMING: Framing = Framing::Sse;
    type Reply = reply::Reply;

    fn capabilities(&self) -> Capabilities {
        let Profile { route, enforcement, tools, tools_with_schema, .. } = self.profile;
        let mut capabilities = Capabilities::new(route, enforcement);
        capabilities.streaming = self.profile.streams_schema;
        if let Some(arguments) = tools {
            capabilities = capabilities.with_tools(arguments);
        }
        if tools_with_schema { capabilities.with_tools_beside_schema() } else { capabilities }
    }

    fn provider(&self) -> &'static str {
        self.profile.provider
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
        reply::is_whole(reply)
    }

    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble> {
        reply::read(reply, sent.enforcement)
    }

    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        if self.profile.input_codes.contains(&complaint.code.as_str()) {
            return Verdict::failed(CallErrorKind::InputBlocked);
        }
        match failed_generation(complaint) {
            Some(response) => Verdict::Reply(Box::new(response)),
            None => openai::judge(complaint, sent),
        }
    }
}

/// A reply that Groq reports as an error because it does not satisfy the schema. What the model wrote stands in it, and
/// goes on as the reply that it is: not valid, and not enforced.
fn failed_generation(complaint: &Complaint) -> Option<CallResponse> {
    let written = complaint.details.get("failed_generation").and_then(Value::as_str)?;
    let cut = "max completion tokens reached";
    let is_cut = written.contains(cut) || complaint.message.contains(cut);
    let mut response = CallResponse::new(if is_cut { "" } else { written }, Enforcement::Hint);
    if is_cut {
        response.ending = Ending::CutShort;
    }
    Some(response)
}
