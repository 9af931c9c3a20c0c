//! The loop: a conversation in which the model calls tools until it has an answer.
//!
//! ```
//! # use response_schema::adapter::ToolCall;
//! use response_schema::agent::AgentLoop;
//! use response_schema::testing::{Scripted, Turn};
//! use response_schema::tool::Tool;
//! use response_schema::{Reply, ResponseSchema};
//! use serde::Deserialize;
//!
//! /// Looks a customer up.
//! #[derive(Deserialize, ResponseSchema)]
//! struct Lookup {
//!     email: String,
//! }
//!
//! #[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
//! struct Plan {
//!     steps: Vec<String>,
//! }
//!
//! # let model = Scripted::new([
//! #     Turn::calls([ToolCall::new("c1", "lookup_customer", r#"{"email": "ada@example.com"}"#)]),
//! #     Turn::text(r#"{"steps": ["refund"]}"#),
//! # ]);
//! let lookup = Tool::new("lookup_customer", |input: Lookup| async move { format!("{}: since 2019", input.email) });
//! let mut agent = AgentLoop::new(model).tool(lookup).max_turns(8).response_schema::<Plan>();
//! # pollster::block_on(async {
//! let plan: Reply<Plan> = agent.run("What shall we do for ada@example.com?").await?;
//! assert_eq!(plan.value, Plan { steps: vec!["refund".into()] });
//! assert_eq!(plan.report.turns[0].tools[0].name, "lookup_customer");
//! # Ok::<(), response_schema::Error>(()) }).unwrap();
//! ```
#![doc = include_str!("../docs/agent.md")]

mod cancel;
mod check;
mod history;
mod hooks;
mod output;
mod run;
mod stream;
mod turns;
mod watch;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adapter::{Need, Parameters, ResponseFormat, Route, ToolChoice, verify_on};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::tool::Tool;
use crate::worker::{Budget, Clock, Limits, Reply, RetryPolicy, Settings, SharedClock, Verification, WorkerRequest};
use watch::Silent;

pub use cancel::Cancel;
pub use history::History;
pub use hooks::Hooks;
pub use output::{Formatted, Of, Output, Words};
pub use stream::{LoopStream, LoopUpdate};

/// A conversation in which a model calls tools until it has an answer.
///
/// The schema of the answers stands on the loop and goes with every call of the model. [`call_with`](Self::call_with)
/// overrides it for one call; afterwards the loop's is back.
#[must_use]
pub struct AgentLoop<'t, R, O = Words> {
    route: R,
    output: O,
    settings: Settings,
    parameters: Parameters,
    tools: Vec<Tool<'t>>,
    choice: ToolChoice,
    max_turns: u32,
    history: History,
    hooks: Option<Arc<dyn Hooks + 't>>,
    cancel: Option<Cancel>,
    ended: Option<Termination>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Termination {
    /// With an answer.
    Completed,
    /// With a refusal.
    Refused,
    /// With a reply that the provider withheld.
    Filtered,
    /// With a request that was blocked.
    InputBlocked,
    /// By [`Cancel`], or on the provider's side.
    UserCancelled,
    /// With a question back, as [`Answer`](crate::worker::Answer) has them.
    UserClarificationNeeded,
    /// With the last turn that was allowed.
    MaxTurns,
    /// With a budget that is used up.
    Budget,
    /// At the deadline.
    Timeout,
    /// In another failure: the error says which.
    Failed,
}

impl Termination {
    /// How a run with this error ended.
    #[must_use]
    pub fn of(error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Refused => Self::Refused,
            ErrorKind::Filtered => Self::Filtered,
            ErrorKind::InputBlocked => Self::InputBlocked,
            ErrorKind::Cancelled => Self::UserCancelled,
            ErrorKind::ClarificationNeeded => Self::UserClarificationNeeded,
            ErrorKind::MaxTurns => Self::MaxTurns,
            ErrorKind::BudgetExceeded => Self::Budget,
            ErrorKind::Timeout => Self::Timeout,
            _ => Self::Failed,
        }
    }
}

impl<R: Route> AgentLoop<'_, R> {
    /// A loop on this route, without tools, whose answers are text.
    pub fn new(route: R) -> Self {
        Self {
            route,
            output: Words,
            settings: Settings::default(),
            parameters: Parameters::default(),
            tools: Vec::new(),
            choice: ToolChoice::Auto,
            max_turns: 16,
            history: History::default(),
            hooks: None,
            cancel: None,
            ended: None,
        }
    }
}

impl<'t, R: Route, O: Output> AgentLoop<'t, R, O> {
    /// With standing instructions, at the end of the conversation so far.
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.history.push(crate::adapter::Message::system(text));
        self
    }

    /// With one more tool. Names must differ.
    pub fn tool(mut self, tool: Tool<'t>) -> Self {
        self.tools.push(tool);
        self
    }

    /// With more tools. Names must differ.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<'t>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// With another choice of tools at the beginning of each run; by default the model calls them as it likes. Once it has
    /// called one, it does again.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.choice = choice;
        self
    }

    /// With answers of this type: its schema goes with every call.
    ///
    /// A type that the route's dialect refuses does not compile here.
    pub fn response_schema<T>(self) -> AgentLoop<'t, R, Of<T>>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        self.with_output(Of::new())
    }

    /// With answers of a schema that is known at run time only: it goes with every call.
    pub fn response_format(self, format: ResponseFormat) -> AgentLoop<'t, R, Formatted> {
        self.with_output(Formatted(format))
    }

    fn with_output<P>(self, output: P) -> AgentLoop<'t, R, P> {
        AgentLoop {
            route: self.route,
            output,
            settings: self.settings,
            parameters: self.parameters,
            tools: self.tools,
            choice: self.choice,
            max_turns: self.max_turns,
            history: self.history,
            hooks: self.hooks,
            cancel: self.cancel,
            ended: self.ended,
        }
    }

    /// With at most this many calls of the model in a run, retries included. By default 16.
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = turns;
        self
    }

    /// With a deadline for each run, over all its calls and tools together.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = Some(timeout);
        self
    }

    /// With a limit on the time until the first piece of each reply of a [`stream`](Self::stream).
    pub fn first_piece_timeout(mut self, timeout: Duration) -> Self {
        self.settings.first_piece = Some(timeout);
        self
    }

    /// With a limit on the time between two pieces of such a reply. The time that the stream's reader takes does not count.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.settings.idle = Some(timeout);
        self
    }

    /// With another policy of retries for answers that are not accepted.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// With another depth of verification for dynamic answers.
    pub fn verification(mut self, verification: Verification) -> Self {
        self.settings.verification = verification;
        self
    }

    /// With what the route must be able to do. If it cannot, nothing is sent.
    pub fn require(mut self, need: Need) -> Self {
        self.settings.need = self.settings.need.and(need);
        self
    }

    /// With a value that rules of the kind `validate_with` may look at.
    pub fn context<V: Send + Sync + 'static>(mut self, value: V) -> Self {
        self.settings.context = self.settings.context.with_value(value);
        self
    }

    /// With a budget, which tools that are workers share.
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

    /// With settings of how replies are made.
    pub fn parameters(mut self, parameters: Parameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// With someone who looks on.
    pub fn hooks(mut self, hooks: impl Hooks + 't) -> Self {
        self.hooks = Some(Arc::new(hooks));
        self
    }

    /// With a way to stop its runs from outside.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Takes up a conversation again, in place of the one so far: instructions that were given before are in the one that was
    /// kept.
    pub fn resume(mut self, history: History) -> Self {
        self.history = history;
        self
    }

    /// The conversation so far.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the last run ended, if there was one that did.
    #[must_use]
    pub fn termination(&self) -> Option<Termination> {
        self.ended
    }

    /// Its tools.
    pub fn known_tools(&self) -> &[Tool<'t>] {
        &self.tools
    }

    /// The route.
    #[must_use]
    pub fn route(&self) -> &R {
        &self.route
    }

    /// Goes on with the conversation until there is an answer.
    ///
    /// # Errors
    ///
    /// When no valid answer could be had; the error keeps the report. The conversation stays one that can be gone on with.
    pub async fn run(&mut self, prompt: impl Into<String>) -> Result<Reply<O::Value>, Error> {
        self.ended = None;
        // A run is large, and its user's own future need not be.
        let result = Box::pin(run::run(self, prompt.into(), &Silent)).await;
        self.note::<O>(&result);
        result
    }

    fn note<P: Output>(&mut self, result: &Result<Reply<P::Value>, Error>) {
        self.ended = Some(match result {
            Ok(reply) if P::asks_back(&reply.value) => Termination::UserClarificationNeeded,
            Ok(_) => Termination::Completed,
            Err(error) => Termination::of(error),
        });
    }

    /// Goes on with the conversation by one call, whose answer is a `T`: for that call alone. No tool is called.
    ///
    /// A type that the route's dialect refuses does not compile here.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn call_with<T>(&mut self, prompt: impl Into<String>) -> impl Future<Output = Result<Reply<T>, Error>>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        self.one_call(Of::<T>::new(), prompt.into())
    }

    /// [`call_with`](Self::call_with), with a schema that is known at run time only.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn call_with_format(
        &mut self,
        prompt: impl Into<String>,
        format: ResponseFormat,
    ) -> Result<Reply<Value>, Error> {
        self.one_call(Formatted(format), prompt.into()).await
    }

    async fn one_call<P: Output>(&mut self, output: P, prompt: String) -> Result<Reply<P::Value>, Error> {
        self.ended = None;
        let result = Box::pin(run::call(self, &output, prompt, &Silent)).await;
        self.note::<P>(&result);
        result
    }

    /// Asks something beside the conversation, a judge or a planner, on the same route and within the same
    /// budget. The conversation does not know of it.
    ///
    /// # Errors
    ///
    /// As [`Worker::run`](crate::Worker::run).
    pub fn aside<T>(&self, task: impl Into<WorkerRequest>) -> impl Future<Output = Result<Reply<T>, Error>>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        run::aside(self, task.into())
    }
}

impl<R, O> fmt::Debug for AgentLoop<'_, R, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentLoop")
            .field("tools", &self.tools)
            .field("max_turns", &self.max_turns)
            .field("history", &self.history)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
