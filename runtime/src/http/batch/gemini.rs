//! Gemini's batches.
//!
//! What is known of it, and from where (the API reference and the guide to batches, and what google-genai 3.6 makes of
//! the answers; read 2026-11):
//!
//! - `POST /models/MODEL:batchGenerateContent` with `{"batch": {"displayName", "inputConfig": {"requests": {"requests":
//!   […]}}}}`, a list of `{"request", "metadata": {"key"}}`, where `request` is the body of a call. Up to 20 MB go
//!   inline. More would go through a file of another API (resumable uploads); here it is split into several batches.
//! - The answer is an operation: `name` is `batches/ID`, `metadata` has `displayName`, `state` (`BATCH_STATE_PENDING`,
//!   `_RUNNING`, `_SUCCEEDED`, `_FAILED`, `_CANCELLED`, `_EXPIRED`; some answers say `JOB_STATE_…`), `batchStats`
//!   (counts as text), and at the end `output.inlinedResponses.inlinedResponses`, which `response` has as well: a list
//!   of `{"response" | "error", "metadata": {"key"}}`.
//! - `GET /batches/ID`, `POST /batches/ID:cancel`. A batch expires after 48 hours.
//! - `GET /batches?pageSize=100&pageToken=…` lists `operations`; the display name is the mark by which a batch is found
//!   again whose creation was not written down.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::service::{Answer, Boxed, Counts, Found, Limits, Line, Lost, Service, State, Status};
use super::transport::{Ask, Failure, ask, ask_once};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse};
use crate::http::endpoint::Endpoint;
use crate::http::gemini::GenerateContent;
use crate::http::json::{null_as_default, text};
use crate::http::wire::{Outgoing, Wire as _};

/// Pages of batches that are looked at at most, of 100 each.
const PAGES: usize = 100;

/// The service at the place of an endpoint.
#[derive(Debug)]
pub(crate) struct GeminiBatches {
    endpoint: Endpoint<GenerateContent>,
}

#[derive(Serialize)]
struct InputLine<'a> {
    request: &'a RawValue,
    metadata: Key<'a>,
}

#[derive(Serialize)]
struct Key<'a> {
    key: &'a str,
}

#[derive(Deserialize)]
struct ResponseLine {
    #[serde(default)]
    metadata: Value,
    response: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

/// An operation, as far as it is looked at. The responses stay as they came, every digit of them.
#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    name: String,
    #[serde(default)]
    metadata: Metadata,
    response: Option<Output>,
    #[serde(default)]
    error: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Page {
    #[serde(deserialize_with = "null_as_default")]
    operations: Vec<Operation>,
    #[serde(deserialize_with = "null_as_default")]
    next_page_token: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    #[serde(deserialize_with = "null_as_default")]
    display_name: String,
    #[serde(deserialize_with = "null_as_default")]
    state: String,
    batch_stats: Value,
    output: Option<Output>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Output {
    inlined_responses: Inlined,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Inlined {
    #[serde(deserialize_with = "null_as_default")]
    inlined_responses: Vec<Box<RawValue>>,
}

impl GeminiBatches {
    pub(crate) fn new(endpoint: Endpoint<GenerateContent>) -> Self {
        Self { endpoint }
    }

    async fn find(&self, mark: &str) -> Result<Found, CallError> {
        let mut token = String::new();
        for _ in 0..PAGES {
            let mut query = vec![("pageSize", "100")];
            query.extend((!token.is_empty()).then_some(("pageToken", token.as_str())));
            let page: Page = ask(&self.endpoint, &Ask::get("/batches").query(&query)).await?;
            let marked = |operation: &Operation| operation.metadata.display_name == mark;
            if let Some(operation) = page.operations.into_iter().find(marked) {
                return Ok(Found::Here(operation.status()));
            }
            token = page.next_page_token;
            if token.is_empty() {
                return Ok(Found::Nowhere);
            }
        }
        let text = format!("{} has too many batches to look through", self.endpoint.route());
        Err(CallError::new(CallErrorKind::Provider, text))
    }
}

impl Operation {
    fn status(self) -> Status {
        let count = |key: &str| match self.metadata.batch_stats.get(key) {
            Some(Value::String(count)) => count.parse().unwrap_or(0),
            Some(Value::Number(count)) => count.as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0),
            _ => 0,
        };
        let counts = Counts {
            total: count("requestCount"),
            succeeded: count("successfulRequestCount"),
            failed: count("failedRequestCount"),
        };
        let words = text(&self.error, "message");
        let state = match self.metadata.state.rsplit("STATE_").next().unwrap_or_default() {
            "SUCCEEDED" | "PARTIALLY_SUCCEEDED" => State::Completed,
            "FAILED" => State::Failed(if words.is_empty() { "without a word why" } else { words }.to_owned()),
            "CANCELLED" => State::Cancelled,
            "CANCELLING" => State::Cancelling,
            "EXPIRED" => State::Expired,
            _ => State::Running,
        };
        let output = self.response.filter(|output| !output.inlined_responses.inlined_responses.is_empty());
        let output = output.or(self.metadata.output).unwrap_or_default();
        let inline = output.inlined_responses.inlined_responses;
        Status {
            id: self.name,
            state,
            counts,
            files: Vec::new(),
            inline: inline.into_iter().map(|line| Bytes::from(line.get().to_owned())).collect(),
            faults: Vec::new(),
        }
    }
}

impl Service for GeminiBatches {
    fn limits(&self) -> Limits {
        // The reference names no number of requests.
        Limits::new(50_000, 20 * 1000 * 1000)
    }

    fn model(&self) -> &str {
        self.endpoint.wire().model()
    }

    fn encode(&self, request: &CallRequest) -> Result<Outgoing, CallError> {
        self.endpoint.outgoing(request)
    }

    fn line(&self, custom_id: &str, sent: &Outgoing) -> Vec<u8> {
        let Ok(request) = serde_json::from_slice(&sent.body) else { return Vec::new() };
        serde_json::to_vec(&InputLine { request, metadata: Key { key: custom_id } }).unwrap_or_default()
    }

    fn read(&self, answer: &Answer, sent: &Outgoing) -> Result<CallResponse, Lost> {
        super::read(&self.endpoint, answer, sent)
    }

    fn upload<'a>(&'a self, _: &'a str, _: &'a [Bytes]) -> Boxed<'a, Result<Option<String>, CallError>> {
        Box::pin(async { Ok(None) })
    }

    fn create<'a>(
        &'a self,
        mark: &'a str,
        _: Option<&'a str>,
        lines: &'a [Bytes],
    ) -> Boxed<'a, Result<Status, Failure>> {
        Box::pin(async move {
            let mut body = format!(
                "{{\"batch\":{{\"displayName\":{},\"inputConfig\":{{\"requests\":{{\"requests\":[",
                json!(mark)
            )
            .into_bytes();
            for (index, line) in lines.iter().enumerate() {
                if index > 0 {
                    body.push(b',');
                }
                body.extend_from_slice(line);
            }
            body.extend_from_slice(b"]}}}}");
            let model = self.model();
            let model = model.strip_prefix("models/").unwrap_or(model);
            let path = format!("/models/{model}:batchGenerateContent");
            let ask = Ask::post(&path).with("application/json", body);
            Ok(ask_once::<_, Operation>(&self.endpoint, &ask).await?.status())
        })
    }

    fn find<'a>(&'a self, mark: &'a str, _: u64, _: usize) -> Boxed<'a, Result<Found, CallError>> {
        Box::pin(Self::find(self, mark))
    }

    fn status<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(async move { Ok(ask::<_, Operation>(&self.endpoint, &Ask::get(&format!("/{id}"))).await?.status()) })
    }

    fn cancel<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(async move {
            // It answers with an empty object.
            let cancel = format!("/{id}:cancel");
            ask::<_, Value>(&self.endpoint, &Ask::post(&cancel).with("application/json", "{}")).await?;
            Ok(ask::<_, Operation>(&self.endpoint, &Ask::get(&format!("/{id}"))).await?.status())
        })
    }

    fn results<'a>(
        &'a self,
        status: &'a Status,
        each: &'a mut (dyn FnMut(&[u8]) + Send),
    ) -> Boxed<'a, Result<(), CallError>> {
        Box::pin(async move {
            status.inline.iter().for_each(|line| each(line));
            Ok(())
        })
    }

    fn parse(&self, line: &[u8]) -> Option<Line> {
        let ResponseLine { metadata, response, error } = serde_json::from_slice(line).ok()?;
        let custom_id = text(&metadata, "key").to_owned();
        let answer = match (response, error) {
            (Some(body), _) => Answer::Body { status: 200, body, request_id: None },
            (None, Some(error)) => {
                let body = format!("{{\"error\":{}}}", error.get());
                let code = serde_json::from_str::<Value>(error.get()).ok()?.get("code").and_then(Value::as_u64);
                // Google's own codes of an error are small numbers; HTTP's are not.
                let status = code.filter(|code| (400..600).contains(code)).and_then(|code| u16::try_from(code).ok());
                Answer::Body { status: status.unwrap_or(0), body: RawValue::from_string(body).ok()?, request_id: None }
            }
            (None, None) => Answer::Failed("neither a response nor an error came for it".to_owned()),
        };
        Some(Line { custom_id, answer })
    }
}
