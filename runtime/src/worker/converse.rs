//! A conversation: call, judge, and call again where that is worth it.
//!
//! There is one way in which calls are made and judged, [`converse`]. What is asked next, and whether a reply is to be
//! judged at all, is the [`Conversation`]'s business: that of a worker is one question, and each reply is judged; that of a loop
//! has turns of its own that call tools. Deadline, budget, limits, retries and the report are the same for both.

use std::pin::pin;
use std::time::{Duration, Instant};

use super::limits::{self, Permit};
use super::read::Read;
use super::report::{Attempt, Reply};
use super::settings::Settings;
use super::trial::{Step, Trial};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Message};
use crate::error::Error;

/// What is asked, and what a reply means.
pub(crate) trait Conversation: Send + Sync {
    /// The request of the next call.
    ///
    /// # Errors
    ///
    /// If there is none: nothing more may be asked.
    fn request(&mut self, trial: &mut Trial<'_>) -> Result<CallRequest, Error>;

    /// A call is about to be made.
    fn before(&self, request: &mut CallRequest) {
        let _ = request;
    }

    /// Makes a call.
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send;

    /// What the future makes; nothing if the conversation is broken off first.
    fn unless_stopped<F: Future<Output: Send> + Send>(
        &self,
        future: F,
    ) -> impl Future<Output = Option<F::Output>> + Send {
        async { Some(future.await) }
    }

    /// What has come of a call that began then. It is given back if it is to be judged.
    ///
    /// # Errors
    ///
    /// If the conversation cannot go on.
    fn hear(
        &mut self,
        result: Result<CallResponse, CallError>,
        begun: Instant,
        trial: &mut Trial<'_>,
    ) -> impl Future<Output = Result<Option<Result<CallResponse, CallError>>, Error>> + Send {
        let _ = (begun, trial);
        async { Ok(Some(result)) }
    }

    /// An attempt was not accepted: the conversation goes on with these turns.
    fn again(&mut self, turns: Vec<Message>, attempt: Option<&Attempt>);

    /// An attempt was accepted, or nothing more is tried.
    fn over(&mut self) {}
}

/// Goes on with a conversation until there is a value or no more to try. Who has waited for the turn of the first call
/// brings the permit along.
pub(crate) async fn converse<C: Conversation, V: Read + ?Sized>(
    conversation: &mut C,
    settings: &Settings,
    trial: &mut Trial<'_>,
    reader: &V,
    mut permit: Option<Permit>,
) -> Result<Reply<V::Value>, Error> {
    let clock = &settings.clock;
    let mut first = true;
    loop {
        let request = conversation.request(trial)?;
        if std::mem::take(&mut first) {
            if permit.is_none() && settings.limits.is_some() {
                let turn = conversation.unless_stopped(self::permit(settings, &request)).await;
                permit = turn.ok_or_else(|| trial.broken(cancelled(), clock.now()))?;
            }
            // The wait for the first turn is none of the task's time.
            trial.starts(clock.now());
        }
        let begun = clock.now();
        let result = call(conversation, settings, trial, request, permit.take()).await?;
        let Some(result) = conversation.hear(result, begun, trial).await? else { continue };
        let now = clock.now();
        match trial.judge(result, now, reader) {
            Step::Done(reply) => {
                conversation.over();
                return Ok(reply);
            }
            Step::Failed(error) => {
                conversation.over();
                return Err(error);
            }
            Step::Again(turns) => {
                conversation.again(turns, trial.last_attempt());
                trial.next(now);
            }
        }
    }
}

/// One call, within the task's deadline and the budget. With limits, one that is refused because there are too many waits for
/// another turn, some times.
///
/// # Errors
///
/// If the budget is used up: before the call, or by the time that it takes.
#[allow(clippy::manual_async_fn, reason = "what an `async fn` is given is kept twice while it waits")]
fn call<'a, C: Conversation>(
    conversation: &'a C,
    settings: &'a Settings,
    trial: &'a mut Trial<'_>,
    mut request: CallRequest,
    mut permit: Option<Permit>,
) -> impl Future<Output = Result<Result<CallResponse, CallError>, Error>> + Send {
    async move {
        let (mut refused, mut resent) = (0, 0);
        loop {
            request.deadline = admit(settings, trial)?;
            if resent == 0 {
                conversation.before(&mut request);
            }
            let ends = request.deadline;
            let may_be_again = settings.limits.is_some() && refused < limits::AGAIN;
            let sent = if may_be_again { request.clone() } else { std::mem::take(&mut request) };
            let result = {
                // A future that is handed on by value is kept twice, and this one is large.
                let turn = pin!(async {
                    if permit.is_none() {
                        permit = self::permit(settings, &sent).await;
                    }
                    conversation.call(sent).await
                });
                conversation.unless_stopped(settings.clock.within(ends, turn)).await
            };
            let Some(result) = result else { return Ok(Err(cancelled())) };
            if let Some(permit) = permit.take() {
                permit.settle(result.as_ref(), settings.clock.now());
            }
            match settle(settings, trial, ends, result)? {
                Err(error) if may_be_again && error.kind() == CallErrorKind::RateLimited => {
                    refused += 1;
                    resent += 1 + error.retries();
                }
                Ok(mut response) => {
                    response.retries += resent;
                    return Ok(Ok(response));
                }
                Err(error) => {
                    let retries = error.retries() + resent;
                    return Ok(Err(error.with_retries(retries)));
                }
            }
        }
    }
}

/// The right to make a call, once it is its turn; nothing where there are no limits.
pub(crate) async fn permit(settings: &Settings, request: &CallRequest) -> Option<Permit> {
    match &settings.limits {
        Some(limits) => Some(limits.turn(&settings.clock, request).await),
        None => None,
    }
}

/// Counts a call that is about to be made, and says when it must have ended: at the task's deadline, or when the
/// budget's time is over.
///
/// # Errors
///
/// If the budget has no room for it.
pub(crate) fn admit(settings: &Settings, trial: &mut Trial<'_>) -> Result<Option<Instant>, Error> {
    let Some(budget) = &settings.budget else { return Ok(trial.deadline()) };
    let now = settings.clock.now();
    budget.admit(now).map_err(|exceeded| trial.over_budget(exceeded, false, now))?;
    Ok(trial.deadline().into_iter().chain(budget.deadline(now)).min())
}

/// Counts what a call took that had to end by then; `None` stands for one that had not ended.
///
/// # Errors
///
/// If it was the budget's time that was over, and not the task's.
pub(crate) fn settle(
    settings: &Settings,
    trial: &mut Trial<'_>,
    ends: Option<Instant>,
    result: Option<Result<CallResponse, CallError>>,
) -> Result<Result<CallResponse, CallError>, Error> {
    if let Some(budget) = &settings.budget {
        let now = settings.clock.now();
        match &result {
            Some(Ok(CallResponse { usage, model, .. })) => budget.charge(usage, model, now),
            None if ends != trial.deadline() => return Err(trial.over_budget(budget.out_of_time(now), true, now)),
            _ => {}
        }
    }
    Ok(result.unwrap_or_else(|| Err(late(settings.timeout))))
}

/// That the deadline has passed.
pub(crate) fn late(timeout: Option<Duration>) -> CallError {
    let words = timeout.map_or_else(String::new, |timeout| format!(" of {:.2} s", timeout.as_secs_f64()));
    CallError::new(
        CallErrorKind::Timeout,
        format!("there was no reply within the time{words}; give it more, or ask for less"),
    )
}

/// That the conversation was broken off.
pub(crate) fn cancelled() -> CallError {
    CallError::new(CallErrorKind::Cancelled, "the run was cancelled")
}
