//! Functions that a model may call.
//!
//! A [`Tool`] is an input type and a function. The type's schema is the tool's contract, apart from
//! the schema of the reply; arguments are decoded and checked like replies, and what is wrong with them goes back to
//! the model as the result of its call. So does an error of the function, a panic, and a time-out: a tool cannot bring the
//! loop down.
//!
//! ```
//! use response_schema::ResponseSchema;
//! use response_schema::tool::Tool;
//! use serde::Deserialize;
//!
//! /// Looks a customer up.
//! #[derive(Deserialize, ResponseSchema)]
//! struct Lookup {
//!     email: String,
//! }
//!
//! let lookup = Tool::new("lookup_customer", |input: Lookup| async move {
//!     if input.email.contains('@') { Ok("Ada, since 2019") } else { Err("no such customer") }
//! });
//! assert_eq!(lookup.description(), "Looks a customer up.");
//! ```
//!
//! Tools may borrow: `Tool<'t>` lives as long as what its function holds.

mod dynamic;
mod guard;
mod output;
mod sub_agent;

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adapter::{ResponseFormat, ToolCall, ToolResult, ToolSpec};
use crate::check::Violation;
use crate::decode::{DecodeError, Decoder};
use crate::schema::ResponseSchema;
use crate::worker::{Budget, Report, SharedClock, feedback};

pub(crate) use guard::all;
#[cfg(feature = "many")]
pub(crate) use output::causes;
pub use output::{ToolOutput, by};

/// A function that a model may call. Cheap to clone.
#[derive(Clone)]
#[must_use]
pub struct Tool<'t> {
    spec: ToolSpec,
    timeout: Option<Duration>,
    run: Arc<dyn Run + 't>,
}

impl<'t> Tool<'t> {
    /// A tool of this name. Its description is that of the input type.
    ///
    /// The function may return any value that serializes, which the model gets as JSON (text as it is), or a `Result`
    /// whose error the model is told.
    pub fn new<I, T, M>(name: impl Into<String>, function: impl Fn(I) -> T + Send + Sync + 't) -> Self
    where
        I: ResponseSchema + DeserializeOwned + Send + 't,
        T: Future<Output: ToolOutput<M>> + Send + 't,
        M: 't,
    {
        let run = Arc::new(Function { function, types: PhantomData::<fn(I) -> M> });
        Self::of::<I>(name.into(), run)
    }

    fn of<I: ResponseSchema>(name: String, run: Arc<dyn Run + 't>) -> Self {
        let description = I::SCHEMA.get().doc.text();
        Self { spec: ToolSpec::new(name, description, ResponseFormat::of::<I>()), timeout: None, run }
    }

    /// With another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.spec.name = name.into();
        self
    }

    /// With another description.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.spec.description = description.into();
        self
    }

    /// With a limit on the time that each call takes. When it passes, the function's future is dropped, and the model is told.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What it does, as the model reads it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.spec.description
    }

    /// How it stands in a request.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// Runs it on a call that a model made.
    pub async fn call(&self, call: &ToolCall) -> ToolResult {
        self.run(call, &Surroundings::default()).await.0
    }

    /// Runs it, and says how it went.
    pub(crate) async fn run(&self, call: &ToolCall, around: &Surroundings) -> (ToolResult, ToolUse) {
        let start = around.clock.now();
        let limit = self.timeout.and_then(|timeout| start.checked_add(timeout));
        let around = Surroundings { deadline: [around.deadline, limit].into_iter().flatten().min(), ..around.clone() };
        let guarded = guard::catch_unwind(self.run.run(&call.arguments, &around));
        let ended = match around.clock.within(limit, guarded).await {
            Some(Ok(ended)) => ended,
            Some(Err(words)) => Ended::fault(ToolOutcome::Panicked, format!("the tool failed: {words}")),
            None => Ended::fault(ToolOutcome::TimedOut, "the tool took too long and was stopped".to_owned()),
        };
        let duration = around.clock.now().saturating_duration_since(start);
        let Ended { text, outcome, report } = ended;
        let result = ToolResult { is_error: outcome != ToolOutcome::Done, ..ToolResult::new(call, text) };
        let used = ToolUse { name: call.name.clone(), call_id: call.id.clone(), outcome, duration, report };
        (result, used)
    }
}

impl fmt::Debug for Tool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.spec.name).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// A call of a tool, as it stands in a report.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The provider's mark for the call.
    pub call_id: String,
    /// How it went.
    pub outcome: ToolOutcome,
    /// Wall time.
    #[serde(rename = "duration_ms", with = "crate::worker::millis")]
    pub duration: Duration,
    /// The report of the worker that is the tool, if it is one.
    pub report: Option<Box<Report>>,
}

impl ToolUse {
    /// A call that was not run.
    pub(crate) fn without_run(call: &ToolCall, outcome: ToolOutcome) -> Self {
        Self { name: call.name.clone(), call_id: call.id.clone(), outcome, duration: Duration::ZERO, report: None }
    }
}

/// How a call of a tool went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolOutcome {
    /// It gave back a value.
    Done,
    /// Its arguments are not what its schema asks for.
    BadArguments {
        /// What is wrong with them.
        violations: Vec<Violation>,
    },
    /// It gave back an error.
    Failed,
    /// It took too long.
    TimedOut,
    /// It panicked.
    Panicked,
    /// There is no tool of that name.
    Unknown,
    /// It was not run: the same call has failed too often.
    Repeated,
    /// The run was cancelled before it was done.
    Cancelled,
}

/// What a tool is run within: sub-agents inherit it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) deadline: Option<Instant>,
    pub(crate) budget: Option<Budget>,
    pub(crate) clock: SharedClock,
}

/// What a tool gave back.
pub(crate) struct Ended {
    text: String,
    outcome: ToolOutcome,
    report: Option<Box<Report>>,
}

impl Ended {
    fn done(text: String) -> Self {
        Self { text, outcome: ToolOutcome::Done, report: None }
    }

    fn fault(outcome: ToolOutcome, text: String) -> Self {
        Self { text, outcome, report: None }
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Ended> + Send + 'a>>;

/// What runs behind a tool.
trait Run: Send + Sync {
    fn run<'a>(&'a self, arguments: &'a str, around: &'a Surroundings) -> Running<'a>;
}

/// The input that arguments stand for, or what is wrong with them in words for the model.
fn input<I: ResponseSchema + DeserializeOwned>(arguments: &str) -> Result<I, Ended> {
    Decoder::new().decode::<I>(written(arguments)).map(|decoded| decoded.value).map_err(|error| bad(&error))
}

/// Arguments as they were meant: providers send nothing where there is nothing to send.
fn written(arguments: &str) -> &str {
    if arguments.trim().is_empty() { "{}" } else { arguments }
}

/// A call with arguments that are not what the schema asks for.
fn bad(error: &DecodeError) -> Ended {
    let outcome = ToolOutcome::BadArguments { violations: error.violations().to_vec() };
    Ended::fault(outcome, feedback::about_arguments(error))
}

/// A call that the function has ended.
fn result_of<M>(output: impl ToolOutput<M>) -> Ended {
    match output.into_result() {
        Ok(text) => Ended::done(text),
        Err(words) => Ended::fault(ToolOutcome::Failed, failed(words)),
    }
}

/// That a tool failed, in its words; a tool on a server may have said so before.
fn failed(words: String) -> String {
    const FAILED: &str = "the tool failed: ";
    if words.starts_with(FAILED) { words } else { format!("{FAILED}{words}") }
}

/// A function as a tool.
struct Function<F, I, M> {
    function: F,
    types: PhantomData<fn(I) -> M>,
}

impl<I, T, M, F> Run for Function<F, I, M>
where
    I: ResponseSchema + DeserializeOwned + Send,
    T: Future<Output: ToolOutput<M>> + Send,
    F: Fn(I) -> T + Send + Sync,
{
    fn run<'a>(&'a self, arguments: &'a str, _: &'a Surroundings) -> Running<'a> {
        Box::pin(async move {
            let running = match input::<I>(arguments) {
                Ok(input) => (self.function)(input),
                Err(fault) => return fault,
            };
            result_of(running.await)
        })
    }
}
