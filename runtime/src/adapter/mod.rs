//! The way to a model.
//!
//! An [`Adapter`] carries one request to one model and brings its reply back as text, with what
//! the provider says about it. It knows nothing of types: the schema travels as a
//! [`ResponseFormat`], and reading the text is the [`Worker`]'s part.

mod erased;
mod error;
mod fallback;
mod fleet;
mod format;
mod message;
mod messages;
mod need;
mod rate;
mod request;
mod response;
mod router;
mod stream;
mod tool;

use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::dialect::{Refusal, Spec, verify};
use crate::error::Error;
#[cfg(feature = "many")]
use crate::many::{self, Input, Many};
use crate::schema::ResponseSchema;
#[cfg(feature = "many")]
use crate::worker::Settings;
use crate::worker::{ItemStream, ReplyStream, SubTask, Worker};

#[cfg(feature = "cli")]
pub use crate::cli::{ClaudeCli, CodexCli};
#[cfg(feature = "embedded")]
pub use crate::embedded::Embedded;
#[cfg(feature = "http")]
pub use crate::http::{Anthropic, ChatCompletions, Gemini, Glm, Ollama, OpenAi};
pub(crate) use erased::verify_on;
pub use erased::{DynAdapter, Route};
pub use error::{CallError, CallErrorKind};
pub use fleet::{Ejection, Fleet, ServerStatus};
#[cfg(any(feature = "http", feature = "mcp"))]
pub(crate) use format::fit;
pub use format::{ResponseFormat, WireSchema};
pub use message::{AssistantMessage, Message, Native, Role, ToolResult};
pub use messages::Messages;
pub use need::Need;
pub use rate::{Quota, RateLimits};
pub use request::{CallRequest, Parameters, ReasoningEffort};
pub use response::{AnsweredBy, CallResponse, Ending, Enforcement, PassedOver, Usage};
pub use router::{NoRoute, Router};
pub use stream::{ResponseStream, StreamEvent};
pub use tool::{ToolCall, ToolChoice, ToolSpec};

/// A way to one model. Cheap to clone where it is `Clone`.
pub trait Adapter: Send + Sync {
    /// What the provider accepts. A typed call of a type that it refuses does not compile.
    type Dialect: Spec;

    /// What this route can do, and what it guarantees.
    fn capabilities(&self) -> Capabilities;

    /// Sends one request and waits for the whole reply.
    ///
    /// Dropping the future cancels the request.
    ///
    /// # Errors
    ///
    /// When there is no reply: the model could not be reached, or the provider answered with an
    /// error. Refusals and cut replies are replies; see [`CallResponse::ending`].
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send;

    /// Sends one request and hands over the reply while it is being written.
    ///
    /// A route that does not stream hands it over in one piece, and its [`Capabilities::streaming`]
    /// says so.
    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        ResponseStream::whole(self.call(request))
    }

    /// What this route guarantees for replies to this very schema.
    ///
    /// By default that of its [`capabilities`](Self::capabilities), if the dialect's strict mode takes the
    /// schema, and a hint at most otherwise. Routes whose engine takes more than a strict mode say so here.
    ///
    /// # Errors
    ///
    /// If the dialect refuses the schema.
    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        let most = self.capabilities().schema;
        let wire = format.wire(&Self::Dialect::DIALECT)?;
        Ok(if wire.strict { most } else { most.min(Enforcement::Hint) })
    }

    /// What replies depend on beside the request, in a line: the route, its place, its model, its settings. Replies of one route
    /// stand for those of another of the same identity; see `many::Cached`. No keys are in it.
    ///
    /// By default the route's name. A route with a choice of models must say which.
    fn identity(&self) -> String {
        self.capabilities().route.to_owned()
    }

    /// Whether it answers without a model, for tests: [`no_real_calls`](crate::testing::no_real_calls) lets it.
    fn is_stand_in(&self) -> bool {
        false
    }

    /// Asks for a `T`, and hands over what is known of it while the reply is being written.
    ///
    /// ```
    /// use response_schema::testing::Offline;
    /// use response_schema::worker::Update;
    /// use response_schema::adapter::Adapter;
    ///
    /// # pollster::block_on(async {
    /// let model = Offline::seeded(7).in_pieces(8);
    /// let mut reply = model.stream::<Vec<bool>>("…");
    /// while let Some(update) = reply.next().await {
    ///     match update? {
    ///         Update::Partial(list) => println!("{}", list.to_json()),
    ///         Update::Restarted(_) => println!("once more"),
    ///         Update::Done(reply) => println!("{:?}", reply.value),
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), response_schema::Error>(()) }).unwrap();
    /// ```
    fn stream<T>(&self, prompt: impl Into<String>) -> ReplyStream<'_, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
        Self: Sized,
    {
        const { verify::<T, Self::Dialect>() }
        ReplyStream::plain(self, SubTask::new(prompt).into())
    }

    /// Asks for a list, and hands over each element as soon as it is complete.
    fn stream_items<T>(&self, prompt: impl Into<String>) -> ItemStream<'_, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
        Self: Sized,
    {
        const { verify::<Vec<T>, Self::Dialect>() }
        ItemStream::plain(self, SubTask::new(prompt).into())
    }

    /// Asks for a `T`, with everything else at its default.
    ///
    /// # Errors
    ///
    /// When no valid `T` could be had; see [`Error::kind`].
    fn extract<T>(&self, prompt: impl Into<String>) -> impl Future<Output = Result<T, Error>> + Send
    where
        T: ResponseSchema + DeserializeOwned + Send,
        Self: Sized,
    {
        const { verify::<T, Self::Dialect>() }
        let task = SubTask::new(prompt);
        async move { Worker::new(self).typed::<T>(task.into()).await.map(|reply| reply.value) }
    }

    /// Asks for a `T` for each input, so many at a time; see [`many`].
    #[cfg(feature = "many")]
    fn extract_many<'r, T>(
        &'r self,
        inputs: impl IntoIterator<IntoIter: Send + 'r, Item: Into<Input>>,
    ) -> Many<'r, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send + 'r,
        Self: Sized,
    {
        const { verify::<T, Self::Dialect>() }
        Many::typed(self, Settings::default(), many::listed(inputs))
    }
}

/// A shared adapter is one too.
macro_rules! shared {
    ($($shared:ty),*) => {$(
        impl<A: Adapter> Adapter for $shared {
            type Dialect = A::Dialect;

            fn capabilities(&self) -> Capabilities {
                (**self).capabilities()
            }

            fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
                (**self).call(request)
            }

            fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
                (**self).call_streamed(request)
            }

            fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
                (**self).guarantee(format)
            }

            fn identity(&self) -> String {
                (**self).identity()
            }

            fn is_stand_in(&self) -> bool {
                (**self).is_stand_in()
            }
        }
    )*};
}

shared!(&A, Arc<A>);

/// What a route can do, and what it guarantees.
///
/// Whether it carries a schema and whether it carries tools are facts of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// The route's name, as it stands in reports: `embedded`, `openai-payg`.
    pub route: &'static str,
    /// What becomes of a schema that is sent along.
    pub schema: Enforcement,
    /// What becomes of the schemas of tools; `None` where the route carries no tools.
    pub tools: Option<Enforcement>,
    /// Whether one request carries tools and a schema for the reply at once.
    pub tools_with_schema: bool,
    /// Whether replies with a schema come piece by piece. Where not, a stream of them has one final item.
    pub streaming: bool,
}

impl Capabilities {
    /// A route of this name, with this guarantee for schemas, that has neither tools nor pieces.
    #[must_use]
    pub const fn new(route: &'static str, schema: Enforcement) -> Self {
        Self { route, schema, tools: None, tools_with_schema: false, streaming: false }
    }

    /// With tools, whose arguments are held to their schemas like this.
    #[must_use]
    pub const fn with_tools(mut self, arguments: Enforcement) -> Self {
        self.tools = Some(arguments);
        self
    }

    /// With tools and a schema for the reply in one request.
    #[must_use]
    pub const fn with_tools_beside_schema(mut self) -> Self {
        self.tools_with_schema = true;
        self
    }

    /// With replies that come piece by piece.
    #[must_use]
    pub const fn with_streaming(mut self) -> Self {
        self.streaming = true;
        self
    }
}
