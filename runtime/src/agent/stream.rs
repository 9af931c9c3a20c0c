//! A run that is read while it happens.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::output::{Of, Output};
use super::watch::Telling;
use super::{AgentLoop, run};
use crate::adapter::{Route, ToolCall, ToolResult, verify_on};
use crate::error::Error;
use crate::partial::Partial;
use crate::schema::ResponseSchema;
use crate::worker::{Reply, Restart};

/// A run of a loop that is told while it happens: [`LoopUpdate`]s, of which [`LoopUpdate::Done`] or an error is the last.
///
/// It is a `Stream`, and has [`next`](Self::next) for those who need no more. The run goes on only while it is asked. Dropping it cancels
/// the run, and leaves a conversation that can be gone on with.
#[must_use = "a run goes on only while it is asked"]
pub struct LoopStream<'a, O: Output> {
    run: Option<Run<'a, O>>,
    telling: Arc<Telling<O::Value>>,
    end: Option<Result<Reply<O::Value>, Error>>,
}

type Run<'a, O> = Pin<Box<dyn Future<Output = Result<Reply<<O as Output>::Value>, Error>> + Send + 'a>>;

/// What there is to tell of a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoopUpdate<T> {
    /// What is known of the answer now.
    Partial(Partial<T>),
    /// More of the answer's words, where the loop's answers are text.
    Text(String),
    /// The model calls a tool. It runs now, beside the others of this turn.
    ToolCalled(ToolCall),
    /// A tool has ended, and this is what the model is told.
    ToolAnswered(ToolResult),
    /// What was shown of the answer is void: the model called tools after it, or it was not accepted and is asked for again.
    Restarted(Restart),
    /// The answer, decoded and checked as a whole.
    Done(Box<Reply<T>>),
}

impl<R: Route, O: Output> AgentLoop<'_, R, O> {
    /// [`run`](Self::run), told while it happens: what is known of the answer, calls of tools and their results, and at the end
    /// the answer or the error that `run` would have come to.
    ///
    /// ```
    /// # use response_schema::adapter::ToolCall;
    /// use response_schema::agent::{AgentLoop, LoopUpdate};
    /// # use response_schema::testing::{Scripted, Turn};
    /// # #[derive(serde::Deserialize, response_schema::ResponseSchema)]
    /// # struct Plan { steps: Vec<String> }
    /// # let model = Scripted::new([r#"{"steps": ["refund"]}"#]).in_pieces(8);
    /// let mut agent = AgentLoop::new(model).response_schema::<Plan>();
    /// # pollster::block_on(async {
    /// let mut run = agent.stream("What shall we do?");
    /// while let Some(update) = run.next().await {
    ///     match update? {
    ///         LoopUpdate::Partial(plan) => println!("{}", plan.to_json()),
    ///         LoopUpdate::ToolCalled(call) => println!("{} …", call.name),
    ///         LoopUpdate::ToolAnswered(result) => println!("{}", result.text),
    ///         LoopUpdate::Restarted(why) => println!("once more: {}", why.problem),
    ///         LoopUpdate::Done(reply) => println!("{:?}", reply.value.steps),
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), response_schema::Error>(()) }).unwrap();
    /// ```
    pub fn stream(&mut self, prompt: impl Into<String>) -> LoopStream<'_, O> {
        let (prompt, telling) = (prompt.into(), Arc::new(Telling::new(self.output.growing())));
        self.ended = None;
        LoopStream::new(Arc::clone(&telling), async move {
            let result = run::run(self, prompt, &*telling).await;
            self.note(&result);
            result
        })
    }

    /// [`call_with`](Self::call_with), told while it happens.
    ///
    /// A type that the route's dialect refuses does not compile here.
    pub fn stream_with<'a, T>(&'a mut self, prompt: impl Into<String>) -> LoopStream<'a, Of<T>>
    where
        T: ResponseSchema + DeserializeOwned + Send + 'a,
    {
        const { verify_on::<T, R>() }
        let (prompt, output) = (prompt.into(), Of::<T>::new());
        let telling = Arc::new(Telling::new(output.growing()));
        self.ended = None;
        LoopStream::new(Arc::clone(&telling), async move {
            let result = run::call(self, &output, prompt, &*telling).await;
            self.note(&result);
            result
        })
    }
}

impl<'a, O: Output> LoopStream<'a, O> {
    fn new(
        telling: Arc<Telling<O::Value>>,
        run: impl Future<Output = Result<Reply<O::Value>, Error>> + Send + 'a,
    ) -> Self {
        Self { run: Some(Box::pin(run)), telling, end: None }
    }

    /// What there is to tell next; `None` behind the end.
    pub async fn next(&mut self) -> Option<Result<LoopUpdate<O::Value>, Error>> {
        std::future::poll_fn(|context| self.step(context)).await
    }

    fn step(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<LoopUpdate<O::Value>, Error>>> {
        loop {
            if let Some(update) = self.telling.take() {
                return Poll::Ready(Some(Ok(update)));
            }
            let Some(run) = &mut self.run else {
                let end = self.end.take();
                return Poll::Ready(end.map(|end| end.map(|reply| LoopUpdate::Done(Box::new(reply)))));
            };
            if let Poll::Ready(end) = run.as_mut().poll(context) {
                (self.run, self.end) = (None, Some(end));
            } else if self.telling.is_read() {
                return Poll::Pending;
            }
        }
    }
}

impl<O: Output> Stream for LoopStream<'_, O> {
    type Item = Result<LoopUpdate<O::Value>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.step(context)
    }
}

impl<O: Output> Unpin for LoopStream<'_, O> {}

impl<O: Output> fmt::Debug for LoopStream<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoopStream").field("running", &self.run.is_some()).finish_non_exhaustive()
    }
}
