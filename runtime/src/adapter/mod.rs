//! The way to a model.
//!
//! An [`Adapter`] carries one request to one model and brings its reply back as text, with what
//! the provider says about it. It knows nothing of types: the schema travels as a
//! [`ResponseFormat`], and reading the text is the [`Worker`]'s part.

mod error;
mod format;
mod request;
mod response;

use std::future::Future;

use serde::de::DeserializeOwned;

use crate::dialect::{self, verify};
use crate::error::Error;
use crate::schema::ResponseSchema;
use crate::worker::{SubTask, Worker};

#[cfg(feature = "embedded")]
pub use crate::embedded::Embedded;
pub use error::{CallError, CallErrorKind};
pub use format::ResponseFormat;
pub use request::{CallRequest, Message, Role};
pub use response::{CallResponse, Ending, Enforcement, Usage};

/// A way to one model. Cheap to clone where it is `Clone`.
pub trait Adapter: Send + Sync {
    /// What the provider accepts. A typed call of a type that it refuses does not compile.
    type Dialect: dialect::Spec;

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
        async move { Worker::new(self).typed::<T>(task).await.map(|reply| reply.value) }
    }
}

impl<A: Adapter> Adapter for &A {
    type Dialect = A::Dialect;

    fn capabilities(&self) -> Capabilities {
        (**self).capabilities()
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        (**self).call(request)
    }
}

/// What a route can do, and what it guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// The route's name, as it stands in reports: `embedded`, `openai-payg`.
    pub route: &'static str,
    /// What becomes of a schema that is sent along.
    pub schema: Enforcement,
}

impl Capabilities {
    /// A route of this name, with this guarantee for schemas.
    #[must_use]
    pub const fn new(route: &'static str, schema: Enforcement) -> Self {
        Self { route, schema }
    }
}
