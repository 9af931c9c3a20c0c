//! One task on one route: a conversation of one question, that goes on only if the reply is not accepted.

use super::converse::{Conversation, converse};
use super::limits::Permit;
use super::read::Read;
use super::report::{Attempt, Reply};
use super::settings::Settings;
use super::trial::Trial;
use crate::adapter::{CallError, CallRequest, CallResponse, Message, Need, Route};
use crate::error::{Error, ErrorKind};

/// The request is the template of each call: its messages grow, the rest stays.
struct Question<'r, R> {
    route: &'r R,
    request: CallRequest,
}

/// Asks until there is a value or no more to try. Who has waited for the turn of the first call brings the permit along.
pub(crate) fn ask<'a, R: Route, V: Read + ?Sized>(
    route: &'a R,
    settings: &'a Settings,
    need: &'a Need,
    request: CallRequest,
    reader: &'a V,
    permit: Option<Permit>,
) -> impl Future<Output = Result<Reply<V::Value>, Error>> + Send + use<'a, R, V> {
    // Made here, and used where it is caught: what an `async fn` is given is kept twice while it waits.
    let mut question = Question { route, request };
    async move {
        let capabilities = route.capabilities();
        let format = question.request.response_schema.as_ref();
        let mut trial = Trial::begin(settings, &capabilities, route.name(), settings.clock.now())
            .demanding(format.and(settings.need.schema().max(need.schema())))
            .for_json(format.is_some());
        for need in [&settings.need, need] {
            let refusal = need.refuse(&capabilities, format, |format| route.guarantee(format));
            refusal.map_err(|words| trial.refused(ErrorKind::NotEnforced, words))?;
        }
        converse(&mut question, settings, &mut trial, reader, permit).await
    }
}

impl<R: Route> Conversation for Question<'_, R> {
    fn request(&mut self, trial: &mut Trial<'_>) -> Result<CallRequest, Error> {
        Ok(if trial.may_go_on() { self.request.clone() } else { std::mem::take(&mut self.request) })
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        self.route.call(request)
    }

    fn again(&mut self, turns: Vec<Message>, _: Option<&Attempt>) {
        self.request.messages.extend(turns);
    }
}
