//! A worker as a tool.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Ended, Run, Running, Surroundings, Tool, ToolOutcome, input};
use crate::adapter::{Route, verify_on};
use crate::schema::ResponseSchema;
use crate::worker::{Worker, WorkerRequest};

impl<'t> Tool<'t> {
    /// A worker as a tool: what the model writes becomes a task, and the worker's value goes back to it as JSON.
    ///
    /// The worker inherits the deadline and the budget of the run that calls it, and is cancelled with it. Its report stands in that
    /// run's, with the call.
    ///
    /// A type that the worker's route refuses does not compile here.
    pub fn worker<I, T, R, W>(
        name: impl Into<String>,
        worker: Worker<R>,
        task: impl Fn(I) -> W + Send + Sync + 't,
    ) -> Self
    where
        I: ResponseSchema + DeserializeOwned + Send + 't,
        T: ResponseSchema + DeserializeOwned + Serialize + Send + 't,
        R: Route + 't,
        W: Into<WorkerRequest>,
    {
        const { verify_on::<T, R>() }
        let task = move |input| task(input).into();
        Self::of::<I>(name.into(), Arc::new(SubAgent { worker, task, types: PhantomData::<fn(I) -> T> }))
    }
}

struct SubAgent<R, F, I, T> {
    worker: Worker<R>,
    task: F,
    types: PhantomData<fn(I) -> T>,
}

impl<R, F, I, T> Run for SubAgent<R, F, I, T>
where
    R: Route,
    F: Fn(I) -> WorkerRequest + Send + Sync,
    I: ResponseSchema + DeserializeOwned + Send,
    T: ResponseSchema + DeserializeOwned + Serialize + Send,
{
    fn run<'a>(&'a self, arguments: &'a str, around: &'a Surroundings) -> Running<'a> {
        Box::pin(async move {
            let input = match input::<I>(arguments) {
                Ok(input) => input,
                Err(fault) => return fault,
            };
            let mut ended = match self.worker.typed_within::<T>((self.task)(input), around).await {
                Ok(reply) => {
                    let text = serde_json::to_string(&reply.value);
                    let ended = match text {
                        Ok(text) => Ended::done(text),
                        Err(error) => Ended::fault(ToolOutcome::Failed, format!("the tool failed: {error}")),
                    };
                    (ended, reply.report)
                }
                Err(error) => {
                    let ended = Ended::fault(ToolOutcome::Failed, format!("the tool failed: {error}"));
                    (ended, error.into_report())
                }
            };
            ended.0.report = Some(Box::new(ended.1));
            ended.0
        })
    }
}
