//! From a task to a typed value, with an account of how it was had.
//!
//! `SubTask` → [`CallRequest`] → [`Adapter`](crate::adapter::Adapter) → [`decode`](crate::decode) → [`Reply`].

mod report;
mod task;

use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Ending, Route, verify_on};
use crate::decode::{Decoder, Finish};
use crate::error::{Error, ErrorKind};
use crate::schema::ResponseSchema;

pub use report::{Attempt, Outcome, Reply, Report};
pub use task::SubTask;

/// Runs tasks on one route.
#[derive(Debug, Clone)]
pub struct Worker<R> {
    route: R,
    timeout: Option<Duration>,
}

impl<R: Route> Worker<R> {
    /// A worker on this route, without a deadline.
    #[must_use]
    pub fn new(route: R) -> Self {
        Self { route, timeout: None }
    }

    /// With a deadline for each task, counted from its start. The route stops when it passes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Asks for a `T`.
    ///
    /// A type that the route's dialect refuses does not compile here.
    ///
    /// # Errors
    ///
    /// When no valid `T` could be had; the error keeps the report.
    pub fn run<T>(&self, task: SubTask) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        const { verify_on::<T, R>() }
        self.typed(task)
    }

    /// [`run`](Self::run), without the compile-time check: the caller has it.
    pub(crate) async fn typed<T>(&self, task: SubTask) -> Result<Reply<T>, Error>
    where
        T: ResponseSchema + DeserializeOwned + Send,
    {
        let start = Instant::now();
        let capabilities = self.route.capabilities();
        let mut report = Report::new(capabilities.route, capabilities.schema);
        let mut request = CallRequest::new(task.into_messages()).with_response_schema(R::format::<T>());
        request.deadline = self.timeout.map(|timeout| start + timeout);
        let result = self.route.call(request).await;
        let duration = start.elapsed();
        report.duration = duration;
        match result {
            Ok(response) => read(response, report, duration),
            Err(error) => {
                let mut attempt = Attempt::failed(outcome(&error), duration);
                attempt.usage = error.usage().unwrap_or_default();
                report.usage += attempt.usage;
                report.attempts.push(attempt);
                Err(Error::of_call(error, report))
            }
        }
    }
}

/// Reads a reply into its type.
fn read<T>(response: CallResponse, mut report: Report, duration: Duration) -> Result<Reply<T>, Error>
where
    T: ResponseSchema + DeserializeOwned,
{
    report.enforcement = response.enforcement;
    report.model = response.model;
    report.usage += response.usage;
    let mut attempt = Attempt {
        outcome: Outcome::Valid,
        duration,
        usage: response.usage,
        raw_text: Some(response.text),
        violations: Vec::new(),
    };
    let text = attempt.raw_text.as_deref().unwrap_or_default();
    let finish = match response.ending {
        Ending::Complete | Ending::ToolCalls => Finish::Stop,
        Ending::CutShort => Finish::Length,
        Ending::Refused(words) => {
            attempt.outcome = Outcome::Refused;
            report.attempts.push(attempt);
            return Err(Error::new(ErrorKind::Refused, words, report));
        }
        Ending::Filtered(reason) => {
            attempt.outcome = Outcome::Filtered;
            report.attempts.push(attempt);
            return Err(Error::new(ErrorKind::Filtered, reason, report));
        }
        Ending::Cancelled => {
            attempt.outcome = Outcome::Cancelled;
            report.attempts.push(attempt);
            return Err(Error::new(ErrorKind::Cancelled, "on the provider's side", report));
        }
    };
    match Decoder::new().finish(finish).decode::<T>(text) {
        Ok(decoded) => {
            report.repairs = decoded.repairs;
            report.attempts.push(attempt);
            Ok(Reply { value: decoded.value, report })
        }
        Err(error) => {
            attempt.outcome = if error.is_cut_short() { Outcome::CutShort } else { Outcome::Invalid };
            attempt.violations = error.violations().to_vec();
            report.attempts.push(attempt);
            Err(Error::of_decode(error, report))
        }
    }
}

fn outcome(error: &CallError) -> Outcome {
    match error.kind() {
        CallErrorKind::Timeout => Outcome::TimedOut,
        CallErrorKind::Cancelled => Outcome::Cancelled,
        CallErrorKind::InvalidOutput => Outcome::Invalid,
        _ => Outcome::Failed,
    }
}
