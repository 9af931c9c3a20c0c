//! One run: the conversation so far and one prompt more, gone on with until there is an answer.
//!
//! Calls are made and answers judged by [`converse`], as those of a worker are, so retries, their gate, the deadline, limits and
//! the report are the same as there. What a loop adds are the [`Turns`] that only call tools.

use serde::de::DeserializeOwned;

use super::output::{Of, Output};
use super::turns::Turns;
use super::watch::Watch;
use super::{AgentLoop, Cancel, History, Hooks};
use crate::adapter::{CallRequest, Message, Parameters, Route, ToolChoice};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;
use crate::tool::Tool;
use crate::worker::{Reply, Settings, Trial, Typed, WorkerRequest, ask, converse};

/// The parts of a loop that do not change in a run.
pub(super) struct Parts<'a, 't, R, W> {
    pub(super) route: &'a R,
    pub(super) settings: &'a Settings,
    pub(super) parameters: &'a Parameters,
    pub(super) tools: &'a [Tool<'t>],
    pub(super) max_turns: u32,
    pub(super) hooks: Option<&'a (dyn Hooks + 't)>,
    cancel: Option<&'a Cancel>,
    /// Which tools are called, until one has been.
    pub(super) choice: ToolChoice,
    pub(super) watch: &'a W,
}

pub(super) async fn run<R: Route, O: Output>(
    agent: &mut AgentLoop<'_, R, O>,
    prompt: String,
    watch: &impl Watch,
) -> Result<Reply<O::Value>, Error> {
    let AgentLoop { route, output, settings, parameters, tools, choice, max_turns, history, hooks, cancel, .. } = agent;
    let (hooks, cancel, max_turns, choice) = (hooks.as_deref(), cancel.as_ref(), *max_turns, choice.clone());
    Parts { route, settings, parameters, tools, max_turns, hooks, cancel, choice, watch }
        .run(history, output, prompt)
        .await
}

pub(super) async fn call<R: Route, O: Output, P: Output>(
    agent: &mut AgentLoop<'_, R, O>,
    output: &P,
    prompt: String,
    watch: &impl Watch,
) -> Result<Reply<P::Value>, Error> {
    let AgentLoop { route, settings, parameters, tools, max_turns, history, hooks, cancel, .. } = agent;
    let (hooks, cancel, max_turns) = (hooks.as_deref(), cancel.as_ref(), *max_turns);
    Parts { route, settings, parameters, tools, max_turns, hooks, cancel, choice: ToolChoice::None, watch }
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

impl<R: Route, W: Watch> Parts<'_, '_, R, W> {
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
        let together = capabilities.tools_with_schema || self.tools.is_empty() || format.is_none();
        let mut turns = Turns::new(self, history, format, together);
        let result = converse(&mut turns, self.settings, &mut trial, &reader, None).await;
        if result.is_err() {
            history.take_back(before);
        }
        result
    }

    /// Whether tools may be called.
    pub(super) fn calls(&self) -> bool {
        self.choice != ToolChoice::None
    }

    /// What the future makes; nothing if the run is stopped first.
    pub(super) async fn unless_stopped<F: Future>(&self, future: F) -> Option<F::Output> {
        match self.cancel {
            Some(cancel) => cancel.race(future).await,
            None => Some(future.await),
        }
    }
}
