//! Anthropic's Message Batches.
//!
//! What is known of it, and from where (the types of anthropic-sdk-python 2.14, the API reference; read 2026-11):
//!
//! - `POST /v1/messages/batches` with `requests`: a list of `{"custom_id", "params"}`, where `params` is the body of a call
//!   and `custom_id` fits `[a-zA-Z0-9_-]{1,64}`. At most 100,000 requests and 256 MB.
//! - `GET /v1/messages/batches/ID`: `processing_status` is `in_progress`, `canceling` or `ended`; `request_counts` has
//!   `processing`, `succeeded`, `errored`, `canceled`, `expired`, which are told at the end of the whole batch only. A
//!   batch ends after 24 hours at the latest.
//! - `POST /v1/messages/batches/ID/cancel`.
//! - `GET /v1/messages/batches/ID/results`, from the end on and for 29 days: lines `{"custom_id", "result"}` in no order,
//!   where `result` is `succeeded` with a `message`, `errored` with an `error` object, `canceled` or `expired`. The
//!   `results_url` that a batch names is not followed: it may lead past a proxy, and the key would go along.
//! - `GET /v1/messages/batches?limit=100&after_id=ID` lists them, the newest first. A batch has no metadata, so one whose
//!   creation was not written down is told by the `custom_id`s in its results, once it has ended.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::SLACK;
use super::moment::seconds_of;
use super::service::{Answer, Boxed, Counts, Found, Limits, Line, Lost, Service, State, Status};
use super::transport::{Ask, Failure, ask, ask_once, lines};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse};
use crate::http::anthropic::Messages;
use crate::http::endpoint::Endpoint;
use crate::http::json::text;
use crate::http::wire::{Outgoing, Wire as _};

const PLACE: &str = "/v1/messages/batches";

/// Pages of batches that are looked at at most, of 100 each.
const PAGES: usize = 100;

/// The service at the place of an endpoint.
#[derive(Debug)]
pub(crate) struct MessageBatches {
    endpoint: Endpoint<Messages>,
}

#[derive(Serialize)]
struct InputLine<'a> {
    custom_id: &'a str,
    params: &'a RawValue,
}

#[derive(Deserialize)]
struct ResultLine {
    custom_id: String,
    result: Outcome,
}

#[derive(Deserialize)]
struct Outcome {
    r#type: String,
    message: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

impl MessageBatches {
    pub(crate) fn new(endpoint: Endpoint<Messages>) -> Self {
        Self { endpoint }
    }

    async fn find(&self, mark: &str, since: u64, requests: usize) -> Result<Found, CallError> {
        let mut after: Option<String> = None;
        let mut perhaps = Vec::new();
        for _ in 0..PAGES {
            let mut query = vec![("limit", "100")];
            query.extend(after.as_deref().map(|after| ("after_id", after)));
            let page: Value = ask(&self.endpoint, &Ask::get(PLACE).query(&query)).await?;
            let batches = page.get("data").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let older =
                |batch: &Value| seconds_of(text(batch, "created_at")).is_some_and(|created| created + SLACK < since);
            for batch in batches.iter().filter(|batch| !older(batch)) {
                let status = status(batch);
                if status.counts.total != requests {
                    continue;
                }
                if !status.state.is_ended() {
                    perhaps.push(status.id);
                } else if self.is_marked(&status, mark).await? {
                    return Ok(Found::Here(status));
                }
            }
            let more = page.get("has_more").and_then(Value::as_bool).unwrap_or(false);
            match batches.last() {
                Some(last) if more && !older(last) => after = Some(text(last, "id").to_owned()),
                _ => return Ok(if perhaps.is_empty() { Found::Nowhere } else { Found::Perhaps(perhaps) }),
            }
        }
        let text = format!("{} has too many batches to look through", self.endpoint.route());
        Err(CallError::new(CallErrorKind::Provider, text))
    }

    /// Whether the results of a batch bear this mark.
    async fn is_marked(&self, status: &Status, mark: &str) -> Result<bool, CallError> {
        let mut marked = false;
        let mut each = |line: &[u8]| {
            marked |= self.parse(line).is_some_and(|result| super::position(mark, &result.custom_id).is_some());
        };
        match self.results(status, &mut each).await {
            Ok(()) => Ok(marked),
            // Its results are gone, or are another's: what was created a moment ago has its own.
            Err(error) if matches!(error.status(), Some(400..=499)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// A batch object.
fn status(batch: &Value) -> Status {
    let count = |key: &str| {
        let counts = batch.get("request_counts");
        let count = counts.and_then(|counts| counts.get(key)).and_then(Value::as_u64).unwrap_or(0);
        usize::try_from(count).unwrap_or(usize::MAX)
    };
    let (succeeded, expired, canceled) = (count("succeeded"), count("expired"), count("canceled"));
    let failed = count("errored") + canceled + expired;
    let state = match text(batch, "processing_status") {
        "canceling" => State::Cancelling,
        "ended" if canceled > 0 => State::Cancelled,
        "ended" if expired > 0 => State::Expired,
        "ended" => State::Completed,
        _ => State::Running,
    };
    Status {
        id: text(batch, "id").to_owned(),
        state,
        counts: Counts { total: count("processing") + succeeded + failed, succeeded, failed },
        files: Vec::new(),
        inline: Vec::new(),
        faults: Vec::new(),
    }
}

/// The list of requests, as one body.
fn body(lines: &[Bytes]) -> Vec<u8> {
    let mut body = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum::<usize>() + 32);
    body.extend_from_slice(b"{\"requests\":[");
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            body.push(b',');
        }
        body.extend_from_slice(line);
    }
    body.extend_from_slice(b"]}");
    body
}

impl Service for MessageBatches {
    fn limits(&self) -> Limits {
        Limits::new(100_000, 256 * 1000 * 1000)
    }

    fn model(&self) -> &str {
        self.endpoint.wire().model()
    }

    fn encode(&self, request: &CallRequest) -> Result<Outgoing, CallError> {
        self.endpoint.outgoing(request)
    }

    fn line(&self, custom_id: &str, sent: &Outgoing) -> Vec<u8> {
        let Ok(params) = serde_json::from_slice(&sent.body) else { return Vec::new() };
        serde_json::to_vec(&InputLine { custom_id, params }).unwrap_or_default()
    }

    fn read(&self, answer: &Answer, sent: &Outgoing) -> Result<CallResponse, Lost> {
        super::read(&self.endpoint, answer, sent)
    }

    fn upload<'a>(&'a self, _: &'a str, _: &'a [Bytes]) -> Boxed<'a, Result<Option<String>, CallError>> {
        Box::pin(async { Ok(None) })
    }

    fn create<'a>(&'a self, _: &'a str, _: Option<&'a str>, lines: &'a [Bytes]) -> Boxed<'a, Result<Status, Failure>> {
        Box::pin(async move {
            let ask = Ask::post(PLACE).with("application/json", body(lines));
            ask_once(&self.endpoint, &ask).await.map(|batch| status(&batch))
        })
    }

    fn find<'a>(&'a self, mark: &'a str, since: u64, requests: usize) -> Boxed<'a, Result<Found, CallError>> {
        Box::pin(Self::find(self, mark, since, requests))
    }

    fn status<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(
            async move { ask(&self.endpoint, &Ask::get(&format!("{PLACE}/{id}"))).await.map(|batch| status(&batch)) },
        )
    }

    fn cancel<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(async move {
            ask(&self.endpoint, &Ask::post(&format!("{PLACE}/{id}/cancel"))).await.map(|batch| status(&batch))
        })
    }

    fn results<'a>(
        &'a self,
        status: &'a Status,
        each: &'a mut (dyn FnMut(&[u8]) + Send),
    ) -> Boxed<'a, Result<(), CallError>> {
        Box::pin(async move { lines(&self.endpoint, &Ask::get(&format!("{PLACE}/{}/results", status.id)), each).await })
    }

    fn parse(&self, line: &[u8]) -> Option<Line> {
        let ResultLine { custom_id, result } = serde_json::from_slice(line).ok()?;
        let answer = match (result.r#type.as_str(), result.message, result.error) {
            ("succeeded", Some(body), _) => Answer::Body { status: 200, body, request_id: None },
            // The status is not told; the class of the error is.
            ("errored", _, Some(body)) => Answer::Body { status: 0, body, request_id: None },
            ("expired", ..) => Answer::Expired("the batch ended before it was its turn".to_owned()),
            ("canceled", ..) => Answer::Cancelled("the batch was cancelled before it was its turn".to_owned()),
            (other, ..) => Answer::Failed(format!("a result of the type `{other}` came for it, with nothing to read")),
        };
        Some(Line { custom_id, answer })
    }
}
