//! Adapters whose type is forgotten, and what they have in common with those whose type is known.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{
    Adapter, AnsweredBy, CallError, CallRequest, CallResponse, Capabilities, Enforcement, ResponseFormat,
    ResponseStream, StreamEvent,
};
use crate::dialect::{Dialect, Refusal, Spec};
use crate::error::Error;
#[cfg(feature = "many")]
use crate::many::{self, Input, Many};
use crate::schema::{ResponseSchema, limits};
use crate::testing::guard;
#[cfg(feature = "many")]
use crate::worker::Settings;
use crate::worker::{ItemStream, ReplyStream, SubTask, Worker};

/// An [`Adapter`] whose type is forgotten. Cheap to clone.
///
/// Its dialect is known at run time only, so a type that it refuses is an error of the call, before
/// anything is sent, and not of the compiler.
#[derive(Clone)]
pub struct DynAdapter {
    erased: Arc<dyn Erased>,
    name: Option<Arc<str>>,
}

impl DynAdapter {
    /// Forgets the type of an adapter.
    #[must_use]
    pub fn new(adapter: impl Adapter + 'static) -> Self {
        Self::erased(Arc::new(adapter))
    }

    /// Forgets the type of a route, and keeps its name.
    #[cfg(feature = "many")]
    pub(crate) fn of(route: impl Route + 'static) -> Self {
        let name = route.name().map(Into::into);
        Self { erased: Arc::new(route), name }
    }

    pub(super) fn erased(erased: Arc<dyn Erased>) -> Self {
        Self { erased, name: None }
    }

    /// Under a name of your own, which reports then show.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into());
        self
    }

    /// The name of your own, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What replies depend on beside the request; see [`Adapter::identity`].
    #[must_use]
    pub fn identity(&self) -> String {
        self.erased.identity()
    }

    /// What this route guarantees for replies to this very schema; see [`Adapter::guarantee`].
    ///
    /// # Errors
    ///
    /// If the dialect refuses the schema.
    pub fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        self.erased.guarantee(format)
    }

    /// What this route can do, and what it guarantees.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.erased.capabilities()
    }

    /// What the provider accepts.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.erased.dialect()
    }

    /// Sends one request and waits for the whole reply; see [`Adapter::call`].
    ///
    /// # Errors
    ///
    /// As [`Adapter::call`].
    pub async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let mut response = self.erased.call(request).await?;
        self.sign(&mut response);
        Ok(response)
    }

    /// Sends one request and hands over the reply while it is being written; see [`Adapter::call_streamed`].
    #[must_use]
    pub fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        let stream = self.erased.call_streamed(request);
        if self.name.is_none() {
            return stream;
        }
        stream.map(|mut event| {
            if let StreamEvent::Done(response) = &mut event {
                self.sign(response);
            }
            event
        })
    }

    /// Puts the name on a reply, unless a route behind this one has done so.
    fn sign(&self, response: &mut CallResponse) {
        if let (Some(name), None) = (&self.name, &response.answered_by) {
            response.answered_by = Some(AnsweredBy { name: Arc::clone(name), route: self.capabilities().route });
        }
    }

    /// Asks for a `T`, and hands over what is known of it while the reply is being written; see [`Adapter::stream`].
    pub fn stream<T>(&self, prompt: impl Into<String>) -> ReplyStream<'_, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        ReplyStream::plain(self, SubTask::new(prompt).into())
    }

    /// Asks for a `T` for each input, so many at a time; see [`many`](crate::many).
    #[cfg(feature = "many")]
    pub fn extract_many<'r, T>(
        &'r self,
        inputs: impl IntoIterator<IntoIter: Send + 'r, Item: Into<Input>>,
    ) -> Many<'r, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send + 'r,
    {
        Many::typed(self, Settings::default(), many::listed(inputs))
    }

    /// Asks for a list, and hands over each element as soon as it is complete; see [`Adapter::stream_items`].
    pub fn stream_items<T>(&self, prompt: impl Into<String>) -> ItemStream<'_, Self, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        ItemStream::plain(self, SubTask::new(prompt).into())
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
        let route = self.capabilities().route;
        f.debug_struct("DynAdapter").field("route", &route).field("name", &self.name).finish_non_exhaustive()
    }
}

/// [`Adapter`] without what a trait object cannot have.
pub(super) trait Erased: Send + Sync {
    fn capabilities(&self) -> Capabilities;
    fn dialect(&self) -> Dialect;
    fn identity(&self) -> String;
    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal>;
    fn call(&self, request: CallRequest) -> Boxed<'_, Result<CallResponse, CallError>>;
    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_>;
}

pub(super) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl<R: Route> Erased for R {
    fn capabilities(&self) -> Capabilities {
        Route::capabilities(self)
    }

    fn dialect(&self) -> Dialect {
        Route::dialect(self)
    }

    fn identity(&self) -> String {
        Route::identity(self)
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        Route::guarantee(self, format)
    }

    fn call(&self, request: CallRequest) -> Boxed<'_, Result<CallResponse, CallError>> {
        Box::pin(Route::call(self, request))
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        Route::call_streamed(self, request)
    }
}

/// What workers and loops run on: every [`Adapter`], [`DynAdapter`], and a `many::Cached` one.
pub trait Route: sealed::Sealed + Send + Sync {
    /// The dialect, where the compiler knows it.
    #[doc(hidden)]
    const KNOWN: Option<Dialect>;

    /// The name that the user gave it, if there is one.
    fn name(&self) -> Option<&str> {
        None
    }

    /// What this route can do, and what it guarantees.
    fn capabilities(&self) -> Capabilities;

    /// What the provider accepts.
    fn dialect(&self) -> Dialect;

    /// What replies depend on beside the request; see [`Adapter::identity`].
    fn identity(&self) -> String;

    /// What this route guarantees for replies to this very schema; see [`Adapter::guarantee`].
    ///
    /// # Errors
    ///
    /// If the dialect refuses the schema.
    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal>;

    /// Sends one request and waits for the whole reply; see [`Adapter::call`].
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send;

    /// Sends one request and hands over the reply while it is being written; see [`Adapter::call_streamed`].
    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_>;

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

    fn identity(&self) -> String {
        Adapter::identity(self)
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        Adapter::guarantee(self, format)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        guard::permit(self)?;
        Adapter::call(self, request).await
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        match guard::permit(self) {
            Ok(()) => Adapter::call_streamed(self, request),
            Err(error) => ResponseStream::whole(std::future::ready(Err(error))),
        }
    }

    fn format<T: ResponseSchema>() -> ResponseFormat {
        ResponseFormat::ready::<T, A::Dialect>()
    }
}

impl Route for DynAdapter {
    const KNOWN: Option<Dialect> = None;

    fn name(&self) -> Option<&str> {
        self.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities()
    }

    fn dialect(&self) -> Dialect {
        self.dialect()
    }

    fn identity(&self) -> String {
        self.identity()
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        self.guarantee(format)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        self.call(request)
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        self.call_streamed(request)
    }

    fn format<T: ResponseSchema>() -> ResponseFormat {
        ResponseFormat::of::<T>()
    }
}

mod sealed {
    pub trait Sealed {}
    impl<A: super::Adapter> Sealed for A {}
    impl Sealed for super::DynAdapter {}
    #[cfg(feature = "many")]
    impl Sealed for crate::many::Cached<super::DynAdapter> {}
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
