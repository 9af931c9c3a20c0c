//! From a task to a typed value, with an account of how it was had.
//!
//! [`SubTask`] → [`WorkerRequest`] → [`CallRequest`] → the route →
//! [`decode`](crate::decode) → [`Reply`].
//!
//! ```
//! use std::time::Duration;
//!
//! use response_schema::testing::Scripted;
//! use response_schema::worker::Outcome;
//! use response_schema::{ResponseSchema, SubTask, Worker};
//!
//! # #[cfg(feature = "derive")] {
//! #[derive(Debug, PartialEq, serde::Deserialize, ResponseSchema)]
//! struct Pet { name: String, #[response(max = 8)] legs: u8 }
//!
//! let model = Scripted::new([r#"{"name": "Biscuit", "legs": 40}"#, r#"{"name": "Biscuit", "legs": 4}"#]);
//! let worker = Worker::new(model.clone()).timeout(Duration::from_secs(60));
//! let reply = pollster::block_on(worker.run::<Pet>(SubTask::new("My cat Biscuit …")))?;
//!
//! assert_eq!(reply.value, Pet { name: "Biscuit".into(), legs: 4 });
//! assert_eq!(reply.report.attempts[0].outcome, Outcome::Invalid);
//! let told = model.requests()[1].messages.last().unwrap().text().to_owned();
//! assert!(told.contains("`legs`: found 40, expected at most 8"), "{told}");
//! # }
//! # Ok::<(), response_schema::Error>(())
//! ```
#![doc = include_str!("../docs/worker.md")]

mod answer;
mod ask;
mod budget;
mod clock;
mod converse;
pub(crate) mod feedback;
mod limits;
mod policy;
mod read;
mod report;
mod request;
mod settings;
mod stream;
mod task;
mod trial;

use std::time::Duration;

#[cfg(feature = "many")]
use futures_core::Stream;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::adapter::{CallRequest, Need, ResponseFormat, Route, verify_on};
use crate::error::{Error, ErrorKind};
#[cfg(feature = "many")]
use crate::many::{self, Input, Many};
use crate::schema::ResponseSchema;
use crate::tool::Surroundings;

pub use answer::Answer;
pub use budget::{Budget, BudgetLimit, Exceeded, Prices, Spent};
pub use clock::{Clock, SystemClock};
pub use limits::Limits;
#[cfg(feature = "many")]
pub(crate) use limits::{Permit, Turn};
pub use policy::{RetryPolicy, Verification};
pub use report::{Attempt, Outcome, Reply, Report, ToolTurn, Withheld};
pub use request::WorkerRequest;
pub use stream::{Item, ItemStream, ReplyStream, Restart, Update};
pub use task::SubTask;

pub(crate) use ask::ask;
pub(crate) use clock::{Alarm, SharedClock};
pub(crate) use converse::{Conversation, cancelled, converse, late};
pub(crate) use read::{Dynamic, Read, Text, Typed, schema_of};
pub(crate) use report::millis;
pub(crate) use settings::Settings;
pub(crate) use stream::Attempt as StreamedAttempt;
#[cfg(all(feature = "http", feature = "many"))]
pub(crate) use trial::Step;
pub(crate) use trial::Trial;

/// Runs tasks on one route. Cheap to clone where the route is.
#[derive(Debug, Clone)]
#[must_use]
pub struct Worker<R> {
    route: R,
    settings: Settings,
}

impl<R: Route> Worker<R> {
    /// A worker on this route, without a deadline.
    pub fn new(route: R) -> Self {
        Self { route, settings: Settings::default() }
    }

    /// With a deadline for each task, counted from its start, over all attempts together. The worker sees to
    /// it itself: when it passes, the call is dropped.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// With a limit on the time until the first piece of a streamed reply. Past it the stream ends as timed out.
    pub fn first_piece_timeout(mut self, timeout: Duration) -> Self {
        self.settings.first_piece = Some(timeout);
        self
    }

    /// With a limit on the time between two pieces of a streamed reply. The time that their reader takes does not count.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.settings.idle = Some(timeout);
        self
    }

    /// With another policy of retries.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// With another depth of verification for dynamic replies.
    pub fn verification(mut self, verification: Verification) -> Self {
        self.settings.verification = verification;
        self
    }

    /// With what the route must be able to do. If it cannot, nothing is sent, and the error says which routes
    /// could.
    pub fn require(mut self, need: Need) -> Self {
        self.settings.need = self.settings.need.and(need);
        self
    }

    /// With a value that rules of the kind `validate_with` may look at.
    pub fn context<V: Send + Sync + 'static>(mut self, value: V) -> Self {
        self.settings.context = self.settings.context.with_value(value);
        self
    }

    /// With a budget. Clones of it share what is spent.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.settings.budget = Some(budget);
        self
    }

    /// With limits of how fast calls go out. Clones of them share what has gone out.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = Some(limits);
        self
    }

    /// With another clock, for tests.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = SharedClock::new(clock);
        self
    }

    /// The route.
    pub fn route(&self) -> &R {
        &self.route
    }

    /// Asks for a `T`. The task is a prompt, a [`SubTask`], or a conversation as a [`WorkerRequest`].
    ///
    /// A type that the route's dialect refuses does not compile here.
    ///
    /// # Errors
    ///
    /// When no valid `T` could be had; the error keeps the report.
    pub fn run<T>(&self, task: impl Into<WorkerRequest>) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        self.typed(task.into())
    }

    /// Asks for a `T`, and hands over what is known of it while the reply is being written.
    ///
    /// A type that the route's dialect refuses does not compile here.
    pub fn stream<T>(&self, task: impl Into<WorkerRequest>) -> ReplyStream<'_, R, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        ReplyStream::new(&self.route, &self.settings, task.into())
    }

    /// [`stream`](Self::stream), with a schema that is known at run time only.
    pub fn stream_value(&self, task: impl Into<WorkerRequest>, format: ResponseFormat) -> ReplyStream<'_, R, Value> {
        ReplyStream::of_format(&self.route, &self.settings, task.into(), format)
    }

    /// Asks for a list, and hands over each element as soon as it is complete.
    ///
    /// A type that the route's dialect refuses does not compile here.
    pub fn stream_items<T>(&self, task: impl Into<WorkerRequest>) -> ItemStream<'_, R, T>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<Vec<T>, R>() }
        ItemStream::of(ReplyStream::new(&self.route, &self.settings, task.into()))
    }

    /// Asks for a `T` for each input; see [`many`].
    ///
    /// A type that the route's dialect refuses does not compile here.
    #[cfg(feature = "many")]
    pub fn many<'r, T>(&'r self, inputs: impl IntoIterator<IntoIter: Send + 'r, Item: Into<Input>>) -> Many<'r, R, T>
    where
        T: ResponseSchema + DeserializeOwned + Send + 'r,
    {
        const { verify_on::<T, R>() }
        Many::typed(&self.route, self.settings.clone(), many::listed(inputs))
    }

    /// [`many`](Self::many) for inputs that come one after the other.
    #[cfg(feature = "many")]
    pub fn many_streamed<'r, T>(&'r self, inputs: impl Stream<Item: Into<Input>> + Send + 'r) -> Many<'r, R, T>
    where
        T: ResponseSchema + DeserializeOwned + Send + 'r,
    {
        const { verify_on::<T, R>() }
        Many::typed(&self.route, self.settings.clone(), inputs)
    }

    /// [`many`](Self::many) for values of a schema that is known at run time only.
    #[cfg(feature = "many")]
    pub fn many_values<'r>(
        &'r self,
        inputs: impl IntoIterator<IntoIter: Send + 'r, Item: Into<Input>>,
        format: ResponseFormat,
    ) -> Many<'r, R, Value> {
        Many::dynamic(&self.route, self.settings.clone(), format, many::listed(inputs))
    }

    /// [`many_streamed`](Self::many_streamed) for values of a schema that is known at run time only.
    #[cfg(feature = "many")]
    pub fn many_values_streamed<'r>(
        &'r self,
        inputs: impl Stream<Item: Into<Input>> + Send + 'r,
        format: ResponseFormat,
    ) -> Many<'r, R, Value> {
        Many::dynamic(&self.route, self.settings.clone(), format, inputs)
    }

    /// [`run`](Self::run), without the compile-time check: the caller has it.
    pub(crate) fn typed<T>(&self, request: WorkerRequest) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        let (need, mut call) = parts(request);
        call.response_schema = Some(R::format::<T>());
        async move { ask(&self.route, &self.settings, &need, call, &Typed::<T>::new(), None).await }
    }

    /// [`run`](Self::run) within what the one that calls this worker runs within: not past its deadline, and from its budget if
    /// the worker has none of its own.
    pub(crate) async fn typed_within<T>(&self, request: WorkerRequest, around: &Surroundings) -> Result<Reply<T>, Error>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        let mut settings = self.settings.clone();
        let left = around.deadline.map(|deadline| deadline.saturating_duration_since(around.clock.now()));
        settings.timeout = [settings.timeout, left].into_iter().flatten().min();
        settings.clock = around.clock.clone();
        settings.budget = settings.budget.or_else(|| around.budget.clone());
        let (need, mut call) = parts(request);
        call.response_schema = Some(R::format::<T>());
        ask(&self.route, &settings, &need, call, &Typed::<T>::new(), None).await
    }

    /// Asks for a value of a schema that is known at run time only.
    ///
    /// # Errors
    ///
    /// When no valid value could be had; the error keeps the report.
    pub fn run_value(
        &self,
        task: impl Into<WorkerRequest>,
        format: ResponseFormat,
    ) -> impl Future<Output = Result<Reply<Value>, Error>> + Send {
        let request = task.into();
        async move {
            let (need, mut call) = parts(request);
            call.response_schema = Some(format.clone());
            let reader = self.dynamic(&format)?;
            ask(&self.route, &self.settings, &need, call, &reader, None).await
        }
    }

    /// Asks for text. If the task brings a schema, the text holds a value of it, verified as
    /// [`run_value`](Self::run_value) does; if not, nothing about structured output goes to the provider,
    /// and any text but an empty one will do.
    ///
    /// # Errors
    ///
    /// When no such text could be had; the error keeps the report.
    pub fn run_text(
        &self,
        task: impl Into<WorkerRequest>,
    ) -> impl Future<Output = Result<Reply<String>, Error>> + Send {
        let request = task.into();
        async move {
            let (need, call) = parts(request);
            let format = call.response_schema.clone();
            let reader = Text(format.as_ref().map(|format| self.dynamic(format)).transpose()?);
            ask(&self.route, &self.settings, &need, call, &reader, None).await
        }
    }

    fn dynamic<'f>(&self, format: &'f ResponseFormat) -> Result<Dynamic<'f>, Error> {
        Dynamic::new(format, self.settings.verification).map_err(|refusal| {
            let report = Report::new(&self.route.capabilities(), self.route.name());
            Error::new(ErrorKind::SchemaRefused, refusal.to_string(), report)
        })
    }
}

pub(crate) fn parts(mut request: WorkerRequest) -> (Need, CallRequest) {
    (std::mem::take(&mut request.need), request.into())
}
