//! One run: turns of the model, and tools between them, until there is an answer.
//!
//! The answers are judged by the worker's [`Trial`], so retries, their gate, the deadline and the report are the
//! same as there. What is added is the turn that only calls tools.

use std::collections::HashMap;
use std::time::Instant;

use serde::de::DeserializeOwned;

use super::output::{Of, Output};
use super::{AgentLoop, Cancel, History, Hooks};
use crate::adapter::{
    AssistantMessage, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Message, Need,
    Parameters, ResponseFormat, Route, ToolCall, ToolChoice, ToolResult,
};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::tool::{self, Surroundings, Tool, ToolOutcome, ToolUse};
use crate::worker::{Read, Reply, Settings, Step, ToolTurn, Trial, Typed, WorkerRequest, admit, ask, late, settle};

/// A call that failed this often is not run again.
const TRIES: u32 = 2;

/// What is said where a route carries either tools or a schema, and the tools have been called.
const IN_FORM: &str = "Now give the final answer, in the form that is asked for.";

/// The parts of a loop that do not change in a run.
struct Parts<'a, 't, R> {
    route: &'a R,
    settings: &'a Settings,
    parameters: &'a Parameters,
    tools: &'a [Tool<'t>],
    max_turns: u32,
    hooks: Option<&'a (dyn Hooks + 't)>,
    cancel: Option<&'a Cancel>,
    /// Whether tools may be called.
    calls: bool,
}

pub(super) async fn run<R: Route, O: Output>(
    agent: &mut AgentLoop<'_, R, O>,
    prompt: String,
) -> Result<Reply<O::Value>, Error> {
    let AgentLoop { route, output, settings, parameters, tools, max_turns, history, hooks, cancel, ended: _ } = agent;
    let (hooks, cancel, max_turns) = (hooks.as_deref(), cancel.as_ref(), *max_turns);
    Parts { route, settings, parameters, tools, max_turns, hooks, cancel, calls: true }
        .run(history, output, prompt)
        .await
}

pub(super) async fn call<R: Route, O: Output, P: Output>(
    agent: &mut AgentLoop<'_, R, O>,
    output: &P,
    prompt: String,
) -> Result<Reply<P::Value>, Error> {
    let AgentLoop { route, settings, parameters, tools, max_turns, history, hooks, cancel, .. } = agent;
    let (hooks, cancel, max_turns) = (hooks.as_deref(), cancel.as_ref(), *max_turns);
    Parts { route, settings, parameters, tools, max_turns, hooks, cancel, calls: false }
        .run(history, output, prompt)
        .await
}

pub(super) async fn aside<R: Route, O, T>(
    agent: &AgentLoop<'_, R, O>,
    request: WorkerRequest,
) -> Result<Reply<T>, Error>
where
    T: ResponseSchema + DeserializeOwned + Send,
{
    let need = request.need.clone();
    let mut call = CallRequest::from(request);
    call.response_schema = Of::<T>::new().format::<R>();
    ask(&agent.route, &agent.settings, &need, call, &Typed::<T>::new(), None).await
}

impl<R: Route> Parts<'_, '_, R> {
    async fn run<O: Output>(
        &self,
        history: &mut History,
        output: &O,
        prompt: String,
    ) -> Result<Reply<O::Value>, Error> {
        let start = self.settings.clock.now();
        let capabilities = self.route.capabilities();
        let format = output.format::<R>();
        let mut trial = Trial::begin(self.settings, &capabilities, self.route.name(), start)
            .demanding(format.as_ref().and(self.settings.need.schema()))
            .for_json(format.is_some());
        self.check(&capabilities, format.as_ref()).map_err(|(kind, words)| trial.refused(kind, words))?;
        let reader = output
            .reader(self.settings.verification)
            .map_err(|refusal| trial.refused(ErrorKind::SchemaRefused, refusal.to_string()))?;
        let before = history.len();
        history.push(Message::user(prompt));
        let mut turns = Turns {
            parts: self,
            together: capabilities.tools_with_schema || self.tools.is_empty() || format.is_none(),
            format,
            failed: HashMap::new(),
        };
        let result = turns.take(history, &mut trial, &reader).await;
        // A prompt that nothing came of would stand beside the next one.
        if result.is_err() && history.len() == before + 1 {
            history.truncate(before);
        }
        result
    }

    /// What is wrong with the loop before anything is sent.
    fn check(&self, capabilities: &Capabilities, format: Option<&ResponseFormat>) -> Result<(), (ErrorKind, String)> {
        for (i, tool) in self.tools.iter().enumerate() {
            let name = tool.name();
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
                let words =
                    format!("the tool name `{name}` is refused by providers; use up to 64 of `a-z A-Z 0-9 _ -`");
                return Err((ErrorKind::InvalidRequest, words));
            }
            if self.tools[..i].iter().any(|other| other.name() == name) {
                return Err((ErrorKind::InvalidRequest, format!("two tools are called `{name}`; rename one")));
            }
        }
        let mut need = self.settings.need.clone();
        if self.calls && !self.tools.is_empty() {
            need = need.and(Need::any().tools());
        }
        need.refuse(capabilities, format, |format| self.route.guarantee(format))
            .map_err(|words| (ErrorKind::NotEnforced, words))
    }

    /// What the future makes, `None` at the deadline.
    ///
    /// # Errors
    ///
    /// If the run is stopped.
    async fn within<F: Future>(&self, deadline: Option<Instant>, future: F) -> Result<Option<F::Output>, CallError> {
        let timed = self.settings.clock.within(deadline, future);
        match self.cancel {
            Some(cancel) => cancel.race(timed).await.ok_or_else(cancelled),
            None => Ok(timed.await),
        }
    }
}

/// The turns of one run.
struct Turns<'p, 'a, 't, R> {
    parts: &'p Parts<'a, 't, R>,
    /// The schema of the answer.
    format: Option<ResponseFormat>,
    /// Whether it goes along with the tools. If not, it goes alone, once the tools have been called.
    together: bool,
    /// How often calls have failed, by name and arguments.
    failed: HashMap<(String, String), u32>,
}

impl<R: Route> Turns<'_, '_, '_, R> {
    async fn take<V: Read>(
        &mut self,
        history: &mut History,
        trial: &mut Trial<'_>,
        reader: &V,
    ) -> Result<Reply<V::Value>, Error> {
        let parts = self.parts;
        let clock = &parts.settings.clock;
        let mut in_form = self.together || !parts.calls;
        trial.next(clock.now());
        for _ in 0..parts.max_turns {
            let begun = clock.now();
            if trial.deadline().is_some_and(|deadline| begun >= deadline) {
                return Err(trial.broken(late(parts.settings.timeout), begun));
            }
            let mut request = self.request(history, in_form);
            request.deadline = admit(parts.settings, trial)?;
            let ends = request.deadline;
            if let Some(hooks) = parts.hooks {
                hooks.before_call(&mut request);
            }
            let result = match parts.within(ends, parts.route.call(request)).await {
                Ok(result) => settle(parts.settings, trial, ends, result)?,
                Err(cancelled) => Err(cancelled),
            };
            if let Some(hooks) = parts.hooks {
                hooks.after_call(result.as_ref());
            }
            let now = clock.now();
            match result {
                Ok(response) if self.calls_tools(&response) => {
                    self.use_tools(response, history, trial, now.saturating_duration_since(begun)).await?;
                }
                Ok(response) if !in_form && response.ending == Ending::Complete => {
                    history.say(turn_of(&response));
                    history.push(Message::user(IN_FORM));
                    trial.turn(ToolTurn::new(&response, now.saturating_duration_since(begun)), &response);
                    trial.in_two_steps();
                    in_form = true;
                }
                result => {
                    let said = result.as_ref().ok().map(|response| AssistantMessage::new(&*response.text, Vec::new()));
                    let native = result.as_ref().ok().and_then(|response| response.native.clone());
                    match trial.judge(result, now, reader) {
                        Step::Done(reply) => {
                            history.extend(said.map(|said| AssistantMessage { native, ..said }));
                            return Ok(reply);
                        }
                        Step::Failed(error) => {
                            history.extend(said);
                            return Err(error);
                        }
                        Step::Again(turns) => {
                            if let (Some(hooks), Some(attempt)) = (parts.hooks, trial.last_attempt()) {
                                hooks.on_retry(attempt);
                            }
                            history.go_on(turns);
                            trial.next(now);
                        }
                    }
                }
            }
        }
        let words = format!("there is no answer after {} calls of the model", parts.max_turns);
        Err(trial.ended(ErrorKind::MaxTurns, words, clock.now()))
    }

    /// The request of the next call.
    fn request(&self, history: &History, in_form: bool) -> CallRequest {
        let parts = self.parts;
        let mut request = CallRequest::new(history.share());
        request.parameters = parts.parameters.clone();
        if in_form {
            request.response_schema.clone_from(&self.format);
        }
        if self.together || !in_form {
            request.tools = parts.tools.iter().map(|tool| tool.spec().clone()).collect();
            // A conversation with calls in it needs the tools declared, also where none may be called.
            request.tool_choice = if parts.calls { ToolChoice::Auto } else { ToolChoice::None };
        }
        request
    }

    fn calls_tools(&self, response: &CallResponse) -> bool {
        let waits = matches!(response.ending, Ending::ToolCalls | Ending::Complete);
        self.parts.calls && waits && !self.parts.tools.is_empty() && !response.tool_calls.is_empty()
    }

    /// Runs the tools that a reply calls, all at once, and puts their results into the conversation in order.
    async fn use_tools(
        &mut self,
        response: CallResponse,
        history: &mut History,
        trial: &mut Trial<'_>,
        took: std::time::Duration,
    ) -> Result<(), Error> {
        let parts = self.parts;
        let mut turn = ToolTurn::new(&response, took);
        let calls = response.tool_calls.clone();
        history.say(turn_of(&response));
        let around = Surroundings {
            deadline: trial.deadline(),
            budget: parts.settings.budget.clone(),
            clock: parts.settings.clock.clone(),
        };
        let mut used: Vec<Option<ToolUse>> = calls.iter().map(|_| None).collect();
        let running = calls.iter().map(|call| self.one(call, &around)).collect();
        let all = tool::all(running, |place, (result, use_of): (ToolResult, ToolUse)| {
            if let Some(hooks) = parts.hooks {
                hooks.on_tool(&calls[place], &result);
            }
            history.answer(result);
            used[place] = Some(use_of);
        });
        let ended =
            parts.within(trial.deadline(), all).await.and_then(|done| done.ok_or_else(|| late(parts.settings.timeout)));
        turn.tools = calls
            .iter()
            .zip(used)
            .map(|(call, used)| used.unwrap_or_else(|| ToolUse::without_run(call, ToolOutcome::Cancelled)))
            .collect();
        let stuck = self.count(&calls, &turn.tools);
        trial.turn(turn, &response);
        let now = parts.settings.clock.now();
        if let Err(error) = ended {
            return Err(trial.broken(error, now));
        }
        match stuck {
            Some(name) => {
                let words = format!("the model repeats a call of `{name}` that fails each time");
                Err(trial.ended(ErrorKind::Stuck, words, now))
            }
            None => Ok(()),
        }
    }

    /// Runs one call.
    async fn one(&self, call: &ToolCall, around: &Surroundings) -> (ToolResult, ToolUse) {
        let refused = |text: String, outcome| (ToolResult::error(call, text), ToolUse::without_run(call, outcome));
        let Some(tool) = self.parts.tools.iter().find(|tool| tool.name() == call.name) else {
            let names: Vec<_> = self.parts.tools.iter().map(|tool| format!("`{}`", tool.name())).collect();
            let text = format!("there is no tool `{}`; there is {}", call.name, names.join(", "));
            return refused(text, ToolOutcome::Unknown);
        };
        if self.failures(call) >= TRIES {
            let text =
                format!("not run: this very call has failed {TRIES} times; call it otherwise, or answer without it");
            return refused(text, ToolOutcome::Repeated);
        }
        tool.run(call, around).await
    }

    fn failures(&self, call: &ToolCall) -> u32 {
        self.failed.get(&(call.name.clone(), call.arguments.clone())).copied().unwrap_or(0)
    }

    /// Counts the calls that failed. Says which tool the model calls in vain again and again, if it does.
    fn count(&mut self, calls: &[ToolCall], used: &[ToolUse]) -> Option<String> {
        let mut stuck = None;
        for (call, used) in calls.iter().zip(used) {
            let key = (call.name.clone(), call.arguments.clone());
            if used.outcome == ToolOutcome::Done {
                self.failed.remove(&key);
                continue;
            }
            let failures = self.failed.entry(key).or_insert(0);
            *failures += 1;
            // Twice tried, once told, and once more.
            if *failures > TRIES + 1 {
                stuck.get_or_insert_with(|| call.name.clone());
            }
        }
        stuck
    }
}

fn turn_of(response: &CallResponse) -> AssistantMessage {
    let mut turn = AssistantMessage::new(&*response.text, response.tool_calls.clone());
    turn.native.clone_from(&response.native);
    turn
}

fn cancelled() -> CallError {
    CallError::new(CallErrorKind::Cancelled, "the run was cancelled")
}
