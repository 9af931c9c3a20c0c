//! One task on one route: call, judge, and call again where that is worth it.

use std::time::Duration;

use super::read::Read;
use super::report::Reply;
use super::settings::Settings;
use super::trial::{Step, Trial};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, Need, Route};
use crate::error::{Error, ErrorKind};

/// Sends a conversation, and goes on with it until there is a value or no more to try.
///
/// The request is the template of each call: its messages grow, the rest stays.
pub(crate) async fn ask<R: Route, V: Read>(
    route: &R,
    settings: &Settings,
    need: &Need,
    mut request: CallRequest,
    reader: &V,
) -> Result<Reply<V::Value>, Error> {
    let clock = &settings.clock;
    let start = clock.now();
    let capabilities = route.capabilities();
    let format = request.response_schema.as_ref();
    let mut trial = Trial::begin(settings, &capabilities, route.name(), start)
        .demanding(format.and(settings.need.schema().max(need.schema())))
        .for_json(format.is_some());
    for need in [&settings.need, need] {
        let refusal = need.refuse(&capabilities, format, |format| route.guarantee(format));
        refusal.map_err(|words| trial.refused(ErrorKind::NotEnforced, words))?;
    }
    let deadline = settings.deadline(start);
    loop {
        let now = clock.now();
        let mut ends = deadline;
        if let Some(budget) = &settings.budget {
            budget.admit(now).map_err(|exceeded| trial.over_budget(exceeded, false, now))?;
            ends = [ends, budget.deadline(now)].into_iter().flatten().min();
        }
        trial.next(now);
        let mut sent = if trial.may_go_on() { request.clone() } else { std::mem::take(&mut request) };
        sent.deadline = ends;
        let result = clock.within(ends, route.call(sent)).await;
        let now = clock.now();
        if let Some(budget) = &settings.budget {
            match &result {
                Some(Ok(CallResponse { usage, model, .. })) => budget.charge(usage, model, now),
                Some(Err(_)) => {}
                None if deadline.is_none_or(|deadline| now < deadline) => {
                    return Err(trial.over_budget(budget.out_of_time(now), true, now));
                }
                None => {}
            }
        }
        let result = result.unwrap_or_else(|| Err(late(settings.timeout)));
        match trial.judge(result, now, reader) {
            Step::Done(reply) => return Ok(reply),
            Step::Failed(error) => return Err(error),
            Step::Again(turns) => request.messages.extend(turns),
        }
    }
}

/// That the deadline has passed.
pub(crate) fn late(timeout: Option<Duration>) -> CallError {
    let words = timeout.map_or_else(String::new, |timeout| format!(" of {:.2} s", timeout.as_secs_f64()));
    CallError::new(
        CallErrorKind::Timeout,
        format!("there was no reply within the time{words}; give it more, or ask for less"),
    )
}
