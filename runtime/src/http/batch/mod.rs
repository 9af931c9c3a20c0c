//! The providers' own batch services: half the price, within a day, beyond the rate limits of calls.
//!
//! ```no_run
//! # use response_schema::{ResponseSchema, SubTask, adapter::OpenAi};
//! use response_schema::http::batch::Batch;
//! use response_schema::worker::{Budget, Prices};
//!
//! #[derive(serde::Deserialize, ResponseSchema)]
//! struct Topic { topic: String, urgent: bool }
//!
//! # async fn run(mails: Vec<(String, String)>) -> Result<(), Box<dyn std::error::Error>> {
//! let model = OpenAi::from_env()?.model("gpt-5.6-luna");
//! let budget = Budget::new().max_cost_usd(20.0).prices(Prices::per_million(0.25, 2.0).halved());
//! let batch = Batch::<Topic>::new(model).budget(budget);
//! let tasks = mails.into_iter().map(|(id, text)| (id, SubTask::new(text).system("What is it about?")));
//!
//! // Started again after a crash, with the same tasks, it goes on where it was; nothing is paid for twice.
//! let mut job = batch.job(tasks)?.journal("topics.jsonl")?;
//! job.run().await?;
//! for (id, result) in job.results() {
//!     match result {
//!         Some(Ok(reply)) => println!("{id}: {}", reply.value.topic),
//!         Some(Err(error)) => println!("{id}: {error}"),
//!         None => println!("{id}: not yet"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The way of a task
//!
//! ```text
//!  tasks ─► journal has it? ─yes────────────────────────────────────────────────────────► result
//!             │no                                                                           ▲
//!             └─► body, as a call writes it ─► parts ─► mark noted ─► upload ─► create      │
//!                     ▲                                                          │          │
//!                     │ with the turns of its feedback                         ended        │
//!                     └──── bad, or lost ◄── read and judged as a call's reply ◄─┘──── good ┘
//! ```
//!
//! - **Requests** are the bodies that a call of the same adapter sends, to the byte; the parts of `service.rs` put them
//!   into the provider's envelope. Too many or too large for one batch, they become several.
//! - **Replies** are read by the adapter's own reader and judged by the worker's own rules: refusals, filters and cut
//!   replies are told apart, the decoder mends and checks. A bad reply is asked once more, as the
//!   [policy](Batch::retry) says: the second batch holds those conversations with the feedback at their end.
//! - **Lost** requests (expired, missing in the results, failed by the service) are sent again as they were, [once](Batch::resubmit)
//!   without saying otherwise. That is counted apart, as the transport's further attempts are.
//! - Results come **out of order** and are known by their `custom_id`. One that comes twice counts once (a reply before an
//!   error), one that nobody asked for is none; [`Job::oddities`] tells of both.
//!
//! # What holds after a crash
//!
//! Each step is in the [journal](crate::many::Journal) before the next is made: the mark of a batch before anything is sent,
//! the file's id, the batch's id, each result, and that all results are taken. A job that is opened again with the same
//! tasks goes on at the step that is not there:
//!
//! | died | what happens |
//! |---|---|
//! | before, during or after the upload | the file is uploaded again; that costs nothing, and the other one goes by itself |
//! | between the creation and its note | the batch is looked for by its mark, and created only if it is not there |
//! | while it is worked on | it is asked for by its id |
//! | while results are read | they are read again; what is in the journal is not judged again |
//!
//! The same holds when the answer to a creation is lost on the way: it is never sent again on suspicion. `OpenAI`'s and
//! Gemini's batches bear the mark where a list shows it. Anthropic's do not: there a batch with as many requests that was
//! created at that time may be it, which its results tell when it has ended; until then nothing is created, and the job
//! waits. What no client can exclude: a request to create that is under way while the list is asked for and arrives after
//! it. A list is asked for only after the connection of that request is gone.
//!
//! Without a journal a [`Handle`] holds the same steps, to be kept wherever you like.
//!
//! # Gemini
//!
//! Its batches go inline, in parts of 20 MB. The input files of its API are not used.

mod anthropic;
mod gemini;
mod handle;
mod item;
mod job;
mod moment;
mod openai;
mod part;
mod send;
mod service;
mod take;
mod transport;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

pub use handle::Handle;
pub use job::{Job, Progress};
pub use service::{Counts, Limits, State};

use service::{Answer, Lost, Service};

use crate::adapter::{
    Adapter, Anthropic, CallError, CallErrorKind, CallResponse, Capabilities, ChatCompletions, Enforcement, Gemini,
    Need, OpenAi, ResponseFormat,
};
use crate::dialect::{Refusal, Spec, verify};
use crate::error::Error;
use crate::http::endpoint::Endpoint;
use crate::http::exchange::Exchange;
use crate::http::wire::{Outgoing, Wire};
use crate::schema::ResponseSchema;
use crate::testing::guard;
use crate::worker::{Budget, Clock, RetryPolicy, Settings, SharedClock, WorkerRequest};

/// The key of a batch's metadata that holds its mark.
const MARK: &str = "response_schema_mark";

/// Seconds that a provider's clock may be off ours.
const SLACK: u64 = 600;

/// A route whose provider has a batch service: [`OpenAi`], [`ChatCompletions`] at `OpenAI` and at those who copied the
/// service, [`Anthropic`], [`Gemini`].
pub trait BatchRoute: Adapter + sealed::Sealed {
    /// The service.
    #[doc(hidden)]
    fn service(&self) -> Arc<dyn Service>;
}

mod sealed {
    pub trait Sealed {}
}

/// Writes [`BatchRoute`] for an adapter with a field `endpoint`.
macro_rules! batch_route {
    ($adapter:ty, $service:path $(, [$($generics:tt)*])?) => {
        impl $(<$($generics)*>)? sealed::Sealed for $adapter {}

        impl $(<$($generics)*>)? BatchRoute for $adapter {
            fn service(&self) -> Arc<dyn Service> {
                Arc::new($service(self.endpoint().clone()))
            }
        }
    };
}

batch_route!(OpenAi, openai::OpenAiBatches::new);
batch_route!(ChatCompletions<D>, openai::OpenAiBatches::new, [D: Spec]);
batch_route!(Anthropic, anthropic::MessageBatches::new);
batch_route!(Gemini, gemini::GeminiBatches::new);

/// What a route says of a schema.
type Guarantee = dyn Fn(&ResponseFormat) -> Result<Enforcement, Refusal> + Send + Sync;

/// How batches of tasks for values of a `T` are made. It sends nothing; a [`Job`] does.
pub struct Batch<T> {
    service: Arc<dyn Service>,
    capabilities: Capabilities,
    guarantee: Arc<Guarantee>,
    permit: Arc<dyn Fn() -> Result<(), CallError> + Send + Sync>,
    format: ResponseFormat,
    settings: Settings,
    resubmit: u32,
    every: Duration,
    limits: Limits,
    value: PhantomData<fn() -> T>,
}

impl<T: ResponseSchema + DeserializeOwned + Send> Batch<T> {
    /// Batches of this route's provider.
    ///
    /// A type that the route's dialect refuses does not compile here.
    #[must_use]
    pub fn new<A: BatchRoute + 'static>(route: A) -> Self {
        const { verify::<T, A::Dialect>() }
        let service = route.service();
        let route = Arc::new(route);
        let permitted = Arc::clone(&route);
        Self {
            limits: service.limits(),
            service,
            capabilities: Adapter::capabilities(&*route),
            guarantee: Arc::new(move |format| Adapter::guarantee(&*route, format)),
            permit: Arc::new(move || guard::permit(&*permitted)),
            format: ResponseFormat::ready::<T, A::Dialect>(),
            settings: Settings::default(),
            resubmit: 1,
            every: Duration::from_mins(1),
            value: PhantomData,
        }
    }

    /// With another policy for bad replies. Each retry is one more batch.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// With a task that was lost (expired, missing in the results, failed by the service) sent again at most so often, and
    /// not once.
    #[must_use]
    pub fn resubmit(mut self, times: u32) -> Self {
        self.resubmit = times;
        self
    }

    /// With a pause of this length, and not a minute, between two questions how it stands.
    #[must_use]
    pub fn every(mut self, pause: Duration) -> Self {
        self.every = pause;
        self
    }

    /// With at most so much in one batch, if that is less than what the provider allows.
    #[must_use]
    pub fn at_most(mut self, limits: Limits) -> Self {
        self.limits = self.service.limits().min(limits);
        self
    }

    /// With a budget. A task is sent only while nothing is used up. Prices of batches are half of those of calls:
    /// [`Prices::halved`](crate::worker::Prices::halved).
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.settings.budget = Some(budget);
        self
    }

    /// With what the route must be able to do. If it cannot, nothing is sent.
    #[must_use]
    pub fn require(mut self, need: Need) -> Self {
        self.settings.need = self.settings.need.and(need);
        self
    }

    /// With a value that rules of the kind `validate_with` may look at.
    #[must_use]
    pub fn context<V: Send + Sync + 'static>(mut self, value: V) -> Self {
        self.settings.context = self.settings.context.with_value(value);
        self
    }

    /// With another clock for the pauses, for tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.settings.clock = SharedClock::new(clock);
        self
    }

    /// A job for these tasks, each with an id of its own. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// If two tasks have one id, or if the route does not give what is demanded.
    pub fn job<I, N, W>(&self, tasks: I) -> Result<Job<T>, Error>
    where
        I: IntoIterator<Item = (N, W)>,
        N: Into<String>,
        W: Into<WorkerRequest>,
    {
        Job::new(self, tasks.into_iter().map(|(id, task)| (id.into(), task.into())))
    }

    /// The job of a handle, with the same tasks.
    ///
    /// # Errors
    ///
    /// As those of [`job`](Self::job), and if the handle is of another schema or route.
    pub fn resume<I, N, W>(&self, handle: &Handle, tasks: I) -> Result<Job<T>, Error>
    where
        I: IntoIterator<Item = (N, W)>,
        N: Into<String>,
        W: Into<WorkerRequest>,
    {
        self.job(tasks)?.take_up(handle)
    }
}

impl<T> Clone for Batch<T> {
    fn clone(&self) -> Self {
        Self {
            service: Arc::clone(&self.service),
            capabilities: self.capabilities,
            guarantee: Arc::clone(&self.guarantee),
            permit: Arc::clone(&self.permit),
            format: self.format.clone(),
            settings: self.settings.clone(),
            resubmit: self.resubmit,
            every: self.every,
            limits: self.limits,
            value: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Batch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("service", &self.service)
            .field("format", &self.format)
            .field("resubmit", &self.resubmit)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The place of a request in its batch, by the id that it has there.
fn position(mark: &str, custom_id: &str) -> Option<usize> {
    custom_id.strip_prefix(mark)?.strip_prefix('-')?.parse().ok()
}

/// The id of the request at this place in a batch.
fn custom_id(mark: &str, position: usize) -> String {
    format!("{mark}-{position}")
}

/// What an answer says, read as a call reads it.
fn read<W: Wire>(endpoint: &Endpoint<W>, answer: &Answer, sent: &Outgoing) -> Result<CallResponse, Lost> {
    let lost = |kind, words: &str, again| {
        let text = format!("{}: {words}", endpoint.wire().capabilities().route);
        Lost { error: CallError::new(kind, text), again }
    };
    match answer {
        Answer::Body { status, body, request_id } => {
            Exchange::read_whole(endpoint, sent, *status, body.get().as_bytes(), request_id.as_deref())
                .map_err(|fault| Lost { error: fault.error, again: fault.again })
        }
        Answer::Expired(words) => Err(lost(CallErrorKind::Timeout, words, true)),
        Answer::Cancelled(words) => Err(lost(CallErrorKind::Cancelled, words, false)),
        Answer::Failed(words) => Err(lost(CallErrorKind::Provider, words, true)),
    }
}
