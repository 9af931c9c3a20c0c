//! Adapters whose type is forgotten, and what they have in common with those whose type is known.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{Adapter, CallError, CallRequest, CallResponse, Capabilities, ResponseFormat, ResponseStream};
use crate::dialect::{Dialect, Spec};
use crate::error::Error;
use crate::schema::{ResponseSchema, limits};
use crate::worker::{SubTask, Worker};

/// An [`Adapter`] whose type is forgotten. Cheap to clone.
///
/// Its dialect is known at run time only, so a type that it refuses is an error of the call, before
/// anything is sent, and not of the compiler.
#[derive(Clone)]
pub struct DynAdapter(Arc<dyn Erased>);

impl DynAdapter {
    /// Forgets the type of an adapter.
    #[must_use]
    pub fn new(adapter: impl Adapter + 'static) -> Self {
        Self(Arc::new(adapter))
    }

    /// What this route can do, and what it guarantees.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    /// What the provider accepts.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    /// Sends one request and waits for the whole reply; see [`Adapter::call`].
    ///
    /// # Errors
    ///
    /// As [`Adapter::call`].
    pub async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        self.0.call(request).await
    }

    /// Sends one request and hands over the reply while it is being written; see [`Adapter::stream`].
    #[must_use]
    pub fn stream(&self, request: CallRequest) -> ResponseStream<'_> {
        self.0.stream(request)
    }

    /// Asks for a `T`, with everything else at its default.
    ///
    /// # Errors
    ///
    /// When no valid `T` could be had; see [`Error::kind`].
    pub async fn extract<T>(&self, prompt: impl Into<String>) -> Result<T, Error>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        Worker::new(self.clone()).run::<T>(SubTask::new(prompt)).await.map(|reply| reply.value)
    }
}

impl<A: Adapter + 'static> From<A> for DynAdapter {
    fn from(adapter: A) -> Self {
        Self::new(adapter)
    }
}

impl fmt::Debug for DynAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DynAdapter").field(&self.capabilities().route).finish()
    }
}

/// [`Adapter`] without what a trait object cannot have.
trait Erased: Send + Sync {
    fn capabilities(&self) -> Capabilities;
    fn dialect(&self) -> Dialect;
    fn call(&self, request: CallRequest) -> Boxed<'_, Result<CallResponse, CallError>>;
    fn stream(&self, request: CallRequest) -> ResponseStream<'_>;
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl<A: Adapter> Erased for A {
    fn capabilities(&self) -> Capabilities {
        Adapter::capabilities(self)
    }

    fn dialect(&self) -> Dialect {
        A::Dialect::DIALECT
    }

    fn call(&self, request: CallRequest) -> Boxed<'_, Result<CallResponse, CallError>> {
        Box::pin(Adapter::call(self, request))
    }

    fn stream(&self, request: CallRequest) -> ResponseStream<'_> {
        Adapter::stream(self, request)
    }
}

/// What workers and loops run on: every [`Adapter`], and [`DynAdapter`].
pub trait Route: sealed::Sealed + Send + Sync {
    /// The dialect, where the compiler knows it.
    #[doc(hidden)]
    const KNOWN: Option<Dialect>;

    /// What this route can do, and what it guarantees.
    fn capabilities(&self) -> Capabilities;

    /// What the provider accepts.
    fn dialect(&self) -> Dialect;

    /// Sends one request and waits for the whole reply; see [`Adapter::call`].
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send;

    /// Sends one request and hands over the reply while it is being written; see [`Adapter::stream`].
    fn stream(&self, request: CallRequest) -> ResponseStream<'_>;

    /// The schema of `T`, ready for this route where the compiler knows its dialect.
    #[doc(hidden)]
    #[must_use]
    fn format<T: ResponseSchema>() -> ResponseFormat;
}

impl<A: Adapter> Route for A {
    const KNOWN: Option<Dialect> = Some(A::Dialect::DIALECT);

    fn capabilities(&self) -> Capabilities {
        Adapter::capabilities(self)
    }

    fn dialect(&self) -> Dialect {
        A::Dialect::DIALECT
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        Adapter::call(self, request)
    }

    fn stream(&self, request: CallRequest) -> ResponseStream<'_> {
        Adapter::stream(self, request)
    }

    fn format<T: ResponseSchema>() -> ResponseFormat {
        ResponseFormat::ready::<T, A::Dialect>()
    }
}

impl Route for DynAdapter {
    const KNOWN: Option<Dialect> = None;

    fn capabilities(&self) -> Capabilities {
        self.capabilities()
    }

    fn dialect(&self) -> Dialect {
        self.dialect()
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        self.call(request)
    }

    fn stream(&self, request: CallRequest) -> ResponseStream<'_> {
        self.stream(request)
    }

    fn format<T: ResponseSchema>() -> ResponseFormat {
        ResponseFormat::of::<T>()
    }
}

mod sealed {
    pub trait Sealed {}
    impl<A: super::Adapter> Sealed for A {}
    impl Sealed for super::DynAdapter {}
}

/// Compiles if the route takes the schema of `T`, or if that is known at run time only.
///
/// It must stand directly in a `const` block of the function that users call.
#[track_caller]
pub(crate) const fn verify_on<T: ResponseSchema, R: Route>() {
    if let Some(dialect) = R::KNOWN
        && let Some(problem) = limits::problem(T::SCHEMA, &dialect)
    {
        panic!("{}", problem.as_str());
    }
}
