//! One task on one route: call, judge, and call again where that is worth it.
//!
//! [`ask`] is the whole of it for a conversation without tools. A loop with tools has turns of its own between
//! its calls: it makes each with [`call`], and hands the last reply of a run to the same [`Trial`].

use std::time::{Duration, Instant};

use super::limits::{self, Permit};
use super::read::Read;
use super::report::Reply;
use super::settings::Settings;
use super::trial::{Step, Trial};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Need, Route};
use crate::error::{Error, ErrorKind};

/// Sends a conversation, and goes on with it until there is a value or no more to try.
///
/// The request is the template of each call: its messages grow, the rest stays. Who has waited for the turn of the first
/// call brings the permit along.
pub(crate) async fn ask<R: Route, V: Read + ?Sized>(
    route: &R,
    settings: &Settings,
    need: &Need,
    mut request: CallRequest,
    reader: &V,
    mut permit: Option<Permit>,
) -> Result<Reply<V::Value>, Error> {
    let capabilities = route.capabilities();
    let format = request.response_schema.as_ref();
    let mut trial = Trial::begin(settings, &capabilities, route.name(), settings.clock.now())
        .demanding(format.and(settings.need.schema().max(need.schema())))
        .for_json(format.is_some());
    for need in [&settings.need, need] {
        let refusal = need.refuse(&capabilities, format, |format| route.guarantee(format));
        refusal.map_err(|words| trial.refused(ErrorKind::NotEnforced, words))?;
    }
    // The wait for the first turn is none of the task's time.
    if permit.is_none() {
        permit = self::permit(settings, &request).await;
    }
    trial.starts(settings.clock.now());
    loop {
        trial.next(settings.clock.now());
        let sent = if trial.may_go_on() { request.clone() } else { std::mem::take(&mut request) };
        let result = call(route, settings, &mut trial, sent, permit.take()).await?;
        match trial.judge(result, settings.clock.now(), reader) {
            Step::Done(reply) => return Ok(reply),
            Step::Failed(error) => return Err(error),
            Step::Again(turns) => request.messages.extend(turns),
        }
    }
}

/// One call of an attempt, within the task's deadline and the budget. With limits, one that is refused because there are
/// too many waits for another turn, some times.
///
/// # Errors
///
/// If the budget is used up: before the call, or by the time that it takes.
async fn call<R: Route>(
    route: &R,
    settings: &Settings,
    trial: &mut Trial<'_>,
    mut request: CallRequest,
    mut permit: Option<Permit>,
) -> Result<Result<CallResponse, CallError>, Error> {
    let (mut refused, mut resent) = (0, 0);
    loop {
        request.deadline = admit(settings, trial)?;
        let ends = request.deadline;
        let may_be_again = settings.limits.is_some() && refused < limits::AGAIN;
        let sent = if may_be_again { request.clone() } else { std::mem::take(&mut request) };
        let turn = async {
            if permit.is_none() {
                permit = self::permit(settings, &sent).await;
            }
            route.call(sent).await
        };
        let result = settings.clock.within(ends, turn).await;
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
