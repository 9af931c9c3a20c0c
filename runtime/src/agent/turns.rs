//! The turns of a run: those in which the model calls tools, and those in which it answers.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::History;
use super::run::Parts;
use super::watch::Watch;
use crate::adapter::{
    AssistantMessage, CallError, CallRequest, CallResponse, Ending, Message, ResponseFormat, Route, ToolCall,
    ToolChoice, ToolResult,
};
use crate::error::{Error, ErrorKind};
use crate::tool::{self, Surroundings, ToolOutcome, ToolUse};
use crate::worker::{Attempt, Conversation, ToolTurn, Trial, cancelled, late};

/// What is said where a route carries either tools or a schema, and the tools have been called.
const IN_FORM: &str = "Now give the final answer, in the form that is asked for.";

/// The turns of one run.
pub(super) struct Turns<'p, 'a, 't, 'h, R, W> {
    parts: &'p Parts<'a, 't, R, W>,
    history: &'h mut History,
    /// The schema of the answer.
    format: Option<ResponseFormat>,
    /// Whether it goes along with the tools. If not, it goes alone, once the tools have been called.
    together: bool,
    /// Whether the answer is asked for in its form now.
    in_form: bool,
    /// How many calls of the model may follow.
    left: u32,
    /// Which tools are called in the next turn.
    choice: ToolChoice,
    /// What the model has said in the attempt that is being judged.
    said: Option<AssistantMessage>,
    failures: Failures,
}

impl<R: Route, W: Watch> Conversation for Turns<'_, '_, '_, '_, R, W> {
    fn request(&mut self, trial: &mut Trial<'_>) -> Result<CallRequest, Error> {
        let parts = self.parts;
        let now = parts.settings.clock.now();
        if self.left == 0 {
            let words = format!("there is no answer after {} calls of the model", parts.max_turns);
            return Err(trial.ended(ErrorKind::MaxTurns, words, now));
        }
        if trial.deadline().is_some_and(|deadline| now >= deadline) {
            return Err(trial.broken(late(parts.settings.timeout), now));
        }
        self.left -= 1;
        let mut request = CallRequest::new(self.history.share());
        request.parameters = parts.parameters.clone();
        if self.in_form {
            request.response_schema.clone_from(&self.format);
        }
        if self.together || !self.in_form {
            request.tools = parts.tools.iter().map(|tool| tool.spec().clone()).collect();
            // A conversation with calls in it needs the tools declared, also where none may be called.
            request.tool_choice = self.choice.clone();
        }
        Ok(request)
    }

    fn before(&self, request: &mut CallRequest) {
        if let Some(hooks) = self.parts.hooks {
            hooks.before_call(request);
        }
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        self.parts.watch.call(self.parts.route, self.parts.settings, request, self.in_form)
    }

    fn unless_stopped<F: Future<Output: Send> + Send>(
        &self,
        future: F,
    ) -> impl Future<Output = Option<F::Output>> + Send {
        self.parts.unless_stopped(future)
    }

    async fn hear(
        &mut self,
        result: Result<CallResponse, CallError>,
        begun: Instant,
        trial: &mut Trial<'_>,
    ) -> Result<Option<Result<CallResponse, CallError>>, Error> {
        let parts = self.parts;
        if let Some(hooks) = parts.hooks {
            hooks.after_call(result.as_ref());
        }
        let now = parts.settings.clock.now();
        let took = now.saturating_duration_since(begun);
        match result {
            Ok(response) if self.calls_tools(&response) => {
                self.use_tools(response, trial, took).await?;
                Ok(None)
            }
            Ok(response) if self.is_owed_a_call(&response) => {
                trial.turn(ToolTurn::new(&response, took), &response);
                self.history.say(turn_of(&response));
                let words = "a tool must be called, and the route brought a reply without a call".to_owned();
                Err(trial.ended(ErrorKind::NotEnforced, words, now))
            }
            Ok(response) if !self.in_form && response.ending == Ending::Complete => {
                self.history.say(turn_of(&response));
                self.history.push(Message::user(IN_FORM));
                trial.turn(ToolTurn::new(&response, took), &response);
                trial.in_two_steps();
                self.in_form = true;
                Ok(None)
            }
            result => {
                self.said = result.as_ref().ok().map(|response| {
                    let said = AssistantMessage::new(&*response.text, Vec::new());
                    // The provider's own form would have calls in it that nobody answers.
                    let native = response.native.clone().filter(|_| response.tool_calls.is_empty());
                    AssistantMessage { native, ..said }
                });
                Ok(Some(result))
            }
        }
    }

    fn again(&mut self, turns: Vec<Message>, attempt: Option<&Attempt>) {
        self.said = None;
        if let Some(attempt) = attempt {
            self.parts.watch.restarted(attempt);
            if let Some(hooks) = self.parts.hooks {
                hooks.on_retry(attempt);
            }
        }
        self.history.go_on(turns);
    }

    fn over(&mut self) {
        self.history.extend(self.said.take());
    }
}

impl<'p, 'a, 't, 'h, R: Route, W: Watch> Turns<'p, 'a, 't, 'h, R, W> {
    pub(super) fn new(
        parts: &'p Parts<'a, 't, R, W>,
        history: &'h mut History,
        format: Option<ResponseFormat>,
        together: bool,
    ) -> Self {
        Self {
            parts,
            history,
            format,
            together,
            in_form: together || !parts.calls(),
            left: parts.max_turns,
            choice: parts.choice.clone(),
            said: None,
            failures: Failures::default(),
        }
    }

    /// Whether the route has passed over the demand for a call. Servers do, whose model has no form for calls.
    fn is_owed_a_call(&self, response: &CallResponse) -> bool {
        let demanded = matches!(self.choice, ToolChoice::Required | ToolChoice::Named(_));
        demanded && response.ending == Ending::Complete && response.tool_calls.is_empty()
    }

    fn calls_tools(&self, response: &CallResponse) -> bool {
        let waits = matches!(response.ending, Ending::ToolCalls | Ending::Complete);
        self.parts.calls() && waits && !self.parts.tools.is_empty() && !response.tool_calls.is_empty()
    }

    /// Runs the tools that a reply calls, all at once, and puts their results into the conversation in order.
    async fn use_tools(&mut self, response: CallResponse, trial: &mut Trial<'_>, took: Duration) -> Result<(), Error> {
        let Self { parts, history, failures, .. } = self;
        let (parts, before) = (*parts, &*failures);
        // Who must call a tool has done so; were it demanded again, the run would not end.
        self.choice = ToolChoice::Auto;
        let mut turn = ToolTurn::new(&response, took);
        let calls = response.tool_calls.clone();
        history.say(turn_of(&response));
        let around = Surroundings {
            deadline: trial.deadline(),
            budget: parts.settings.budget.clone(),
            clock: parts.settings.clock.clone(),
        };
        let mut used: Vec<Option<ToolUse>> = calls.iter().map(|_| None).collect();
        parts.watch.called(&calls);
        let running = calls.iter().map(|call| parts.one(call, before.of(call), &around)).collect();
        let all = tool::all(running, |place, (result, use_of): (ToolResult, ToolUse)| {
            if let Some(hooks) = parts.hooks {
                hooks.on_tool(&calls[place], &result);
            }
            parts.watch.answered(&result);
            history.answer(result);
            used[place] = Some(use_of);
        });
        let all = parts.settings.clock.within(trial.deadline(), all);
        let ended = match parts.unless_stopped(all).await {
            None => Some(cancelled()),
            Some(None) => Some(late(parts.settings.timeout)),
            Some(Some(())) => None,
        };
        turn.tools = calls
            .iter()
            .zip(used)
            .map(|(call, used)| used.unwrap_or_else(|| ToolUse::without_run(call, ToolOutcome::Cancelled)))
            .collect();
        let stuck = failures.count(&calls, &turn.tools);
        trial.turn(turn, &response);
        let now = parts.settings.clock.now();
        if let Some(error) = ended {
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
}

impl<R: Route, W: Watch> Parts<'_, '_, R, W> {
    /// Runs one call, which has failed so often.
    async fn one(&self, call: &ToolCall, failures: u32, around: &Surroundings) -> (ToolResult, ToolUse) {
        let refused = |text: String, outcome| (ToolResult::error(call, text), ToolUse::without_run(call, outcome));
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == call.name) else {
            let names: Vec<_> = self.tools.iter().map(|tool| format!("`{}`", tool.name())).collect();
            let text = format!("there is no tool `{}`; there is {}", call.name, names.join(", "));
            return refused(text, ToolOutcome::Unknown);
        };
        if failures >= Failures::TRIES {
            let text = format!(
                "not run: this very call has failed {} times; call it otherwise, or answer without it",
                Failures::TRIES
            );
            return refused(text, ToolOutcome::Repeated);
        }
        tool.run(call, around).await
    }
}

/// How often calls have failed, by name and arguments.
#[derive(Default)]
struct Failures(HashMap<(String, String), u32>);

impl Failures {
    /// A call that failed this often is not run again.
    const TRIES: u32 = 2;

    fn of(&self, call: &ToolCall) -> u32 {
        // Nothing has failed in most runs, and a key is two copies.
        if self.0.is_empty() {
            0
        } else {
            self.0.get(&(call.name.clone(), call.arguments.clone())).copied().unwrap_or(0)
        }
    }

    /// Counts the calls that failed. Says which tool the model calls in vain again and again, if it does.
    fn count(&mut self, calls: &[ToolCall], used: &[ToolUse]) -> Option<String> {
        let mut stuck = None;
        for (call, used) in calls.iter().zip(used) {
            let key = (call.name.clone(), call.arguments.clone());
            if used.outcome == ToolOutcome::Done {
                self.0.remove(&key);
                continue;
            }
            let failures = self.0.entry(key).or_insert(0);
            *failures += 1;
            // Twice tried, once told, and once more.
            if *failures > Self::TRIES + 1 {
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
