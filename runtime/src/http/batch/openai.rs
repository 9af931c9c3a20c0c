//! `OpenAI`'s Batch API, for both of its wires and for those who copied it.
//!
//! What is known of it, and from where (the types of openai-python 3.57 and of the `OpenAPI` description, the guide to
//! batches; read 2026-11):
//!
//! - A file of lines `{"custom_id", "method": "POST", "url": "/v1/responses", "body": {…}}` is uploaded with
//!   `POST /files` (multipart: `purpose` = `batch`, `file`), at most 50,000 lines and 200 MB. Such a file goes by itself
//!   after 30 days.
//! - `POST /batches` with `input_file_id`, `endpoint`, `completion_window` (`24h` is the only one) and `metadata` (up to 16
//!   keys, values up to 512 characters) makes a batch of it. At most 2,000 batches an hour.
//! - `GET /batches/ID`: `status` is `validating`, `in_progress`, `finalizing`, `cancelling`, or, at the end, `completed`,
//!   `failed` (with `errors.data` of `code`, `message`, `line`), `expired`, `cancelled`; `request_counts` has `total`,
//!   `completed`, `failed`.
//! - `POST /batches/ID/cancel`; requests under way are still answered, for up to ten minutes.
//! - The lines of `output_file_id` and `error_file_id` (`GET /files/ID/content`), in no order: `{"custom_id", "response":
//!   {"status_code", "request_id", "body"}, "error"}`. Expired requests stand in the error file with `response` null and
//!   `error.code` `batch_expired`, cancelled ones with `batch_cancelled`.
//! - `GET /batches?limit=100&after=ID` lists them, the newest first, with their metadata: by that a batch is found again
//!   whose creation was not written down.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::service::{Answer, Boxed, Counts, Found, Limits, Line, Lost, Service, State, Status};
use super::transport::{Ask, Failure, ask, ask_once, lines};
use super::{MARK, SLACK};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse};
use crate::http::endpoint::Endpoint;
use crate::http::json::text;
use crate::http::wire::{Outgoing, Wire};

/// Pages of batches that are looked at at most, of 100 each.
const PAGES: usize = 100;

/// The service at the place of an endpoint.
pub(crate) struct OpenAiBatches<W: Wire> {
    endpoint: Endpoint<W>,
}

/// A line of the input.
#[derive(Serialize)]
struct InputLine<'a> {
    custom_id: &'a str,
    method: &'static str,
    url: &'a str,
    body: &'a RawValue,
}

/// A line of the output.
#[derive(Deserialize)]
struct OutputLine {
    custom_id: String,
    response: Option<Response>,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status_code: u16,
    request_id: Option<String>,
    body: Option<Box<RawValue>>,
}

impl<W: Wire> fmt::Debug for OpenAiBatches<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiBatches").field("endpoint", &self.endpoint).finish()
    }
}

impl<W: Wire> OpenAiBatches<W> {
    pub(crate) fn new(endpoint: Endpoint<W>) -> Self {
        Self { endpoint }
    }

    fn url(sent: &Outgoing) -> String {
        format!("/v1{}", sent.path)
    }

    fn odd(&self, what: &str) -> CallError {
        CallError::new(CallErrorKind::Provider, format!("{} {what}", self.endpoint.route()))
    }

    async fn upload(&self, mark: &str, lines: &[Bytes]) -> Result<String, CallError> {
        let boundary = format!("response-schema-{mark}");
        let body = form(&boundary, mark, lines);
        let kind = format!("multipart/form-data; boundary={boundary}");
        // A file that is uploaded twice costs nothing, and goes by itself.
        let made: Value = ask(&self.endpoint, &Ask::post("/files").with(&kind, body)).await?;
        let id = text(&made, "id");
        if id.is_empty() { Err(self.odd("took a file and did not say under which id")) } else { Ok(id.to_owned()) }
    }

    async fn create(&self, mark: &str, file: &str, url: &str) -> Result<Status, Failure> {
        let body = json!({
            "input_file_id": file,
            "endpoint": url,
            "completion_window": "24h",
            "metadata": { MARK: mark },
        });
        let made: Value =
            ask_once(&self.endpoint, &Ask::post("/batches").with("application/json", body.to_string())).await?;
        Ok(status(&made))
    }

    async fn find(&self, mark: &str, since: u64) -> Result<Found, CallError> {
        let mut after: Option<String> = None;
        for _ in 0..PAGES {
            let mut query = vec![("limit", "100")];
            query.extend(after.as_deref().map(|after| ("after", after)));
            let page: Value = ask(&self.endpoint, &Ask::get("/batches").query(&query)).await?;
            let batches = page.get("data").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let marked = |batch: &&Value| batch.get("metadata").is_some_and(|metadata| text(metadata, MARK) == mark);
            if let Some(batch) = batches.iter().find(marked) {
                return Ok(Found::Here(status(batch)));
            }
            let older = |batch: &Value| {
                batch.get("created_at").and_then(Value::as_u64).is_some_and(|created| created + SLACK < since)
            };
            let more = page.get("has_more").and_then(Value::as_bool).unwrap_or(false);
            match batches.last() {
                Some(last) if more && !older(last) => after = Some(text(last, "id").to_owned()),
                _ => return Ok(Found::Nowhere),
            }
        }
        Err(self.odd("has more batches than can be looked through for one that may have been created"))
    }
}

/// The file with its purpose, as a form.
fn form(boundary: &str, mark: &str, lines: &[Bytes]) -> Vec<u8> {
    let mut body = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum::<usize>() + 512);
    body.extend_from_slice(
        format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--{boundary}\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"{mark}.jsonl\"\r\n\
             content-type: application/jsonl\r\n\r\n"
        )
        .as_bytes(),
    );
    for line in lines {
        body.extend_from_slice(line);
        body.push(b'\n');
    }
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    body
}

/// A batch object.
fn status(batch: &Value) -> Status {
    let count = |key: &str| {
        let counts = batch.get("request_counts");
        let count = counts.and_then(|counts| counts.get(key)).and_then(Value::as_u64).unwrap_or(0);
        usize::try_from(count).unwrap_or(usize::MAX)
    };
    let errors = batch.get("errors").and_then(|errors| errors.get("data")).and_then(Value::as_array);
    let errors = errors.map_or(&[][..], Vec::as_slice);
    let words = |error: &Value| {
        let (code, message) = (text(error, "code"), text(error, "message"));
        if code.is_empty() { message.to_owned() } else { format!("{message} ({code})") }
    };
    let state = match text(batch, "status") {
        "completed" => State::Completed,
        "expired" => State::Expired,
        "cancelled" => State::Cancelled,
        "cancelling" => State::Cancelling,
        "failed" => {
            let said: Vec<_> = errors.iter().map(words).collect();
            State::Failed(if said.is_empty() { "without a word why".to_owned() } else { said.join("; ") })
        }
        _ => State::Running,
    };
    let file = |key: &str| Some(text(batch, key)).filter(|id| !id.is_empty()).map(str::to_owned);
    let fault = |error: &Value| {
        let line = error.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok())?;
        Some((line.checked_sub(1)?, words(error)))
    };
    Status {
        id: text(batch, "id").to_owned(),
        state,
        counts: Counts { total: count("total"), succeeded: count("completed"), failed: count("failed") },
        files: ["output_file_id", "error_file_id"].into_iter().filter_map(file).collect(),
        inline: Vec::new(),
        faults: errors.iter().filter_map(fault).collect(),
    }
}

impl<W: Wire> Service for OpenAiBatches<W> {
    fn limits(&self) -> Limits {
        // 200 MB, with room for what a megabyte may be.
        Limits::new(50_000, 200 * 1000 * 1000)
    }

    fn model(&self) -> &str {
        self.endpoint.wire().model()
    }

    fn encode(&self, request: &CallRequest) -> Result<Outgoing, CallError> {
        let outgoing = self.endpoint.outgoing(request)?;
        if outgoing.streams {
            let text = format!("{} streams every reply, and a batch streams none", self.endpoint.route());
            return Err(CallError::new(CallErrorKind::Unsupported, text));
        }
        Ok(outgoing)
    }

    fn line(&self, custom_id: &str, sent: &Outgoing) -> Vec<u8> {
        let Ok(body) = serde_json::from_slice(&sent.body) else { return Vec::new() };
        let line = InputLine { custom_id, method: "POST", url: &Self::url(sent), body };
        serde_json::to_vec(&line).unwrap_or_default()
    }

    fn read(&self, answer: &Answer, sent: &Outgoing) -> Result<CallResponse, Lost> {
        super::read(&self.endpoint, answer, sent)
    }

    fn upload<'a>(&'a self, mark: &'a str, lines: &'a [Bytes]) -> Boxed<'a, Result<Option<String>, CallError>> {
        Box::pin(async move { Self::upload(self, mark, lines).await.map(Some) })
    }

    fn create<'a>(
        &'a self,
        mark: &'a str,
        file: Option<&'a str>,
        lines: &'a [Bytes],
    ) -> Boxed<'a, Result<Status, Failure>> {
        Box::pin(async move {
            // All lines of a file go to one place.
            let first: Option<Value> = lines.first().and_then(|line| serde_json::from_slice(line).ok());
            let url = first.as_ref().map(|line| text(line, "url")).unwrap_or_default();
            Self::create(self, mark, file.unwrap_or_default(), url).await
        })
    }

    fn find<'a>(&'a self, mark: &'a str, since: u64, _: usize) -> Boxed<'a, Result<Found, CallError>> {
        Box::pin(Self::find(self, mark, since))
    }

    fn status<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(
            async move { ask(&self.endpoint, &Ask::get(&format!("/batches/{id}"))).await.map(|batch| status(&batch)) },
        )
    }

    fn cancel<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>> {
        Box::pin(async move {
            ask(&self.endpoint, &Ask::post(&format!("/batches/{id}/cancel"))).await.map(|batch| status(&batch))
        })
    }

    fn results<'a>(
        &'a self,
        status: &'a Status,
        each: &'a mut (dyn FnMut(&[u8]) + Send),
    ) -> Boxed<'a, Result<(), CallError>> {
        Box::pin(async move {
            for file in &status.files {
                lines(&self.endpoint, &Ask::get(&format!("/files/{file}/content")), each).await?;
            }
            Ok(())
        })
    }

    fn parse(&self, line: &[u8]) -> Option<Line> {
        let OutputLine { custom_id, response, error } = serde_json::from_slice(line).ok()?;
        let words = || format!("{} ({})", text(&error, "message"), text(&error, "code"));
        let answer = match (response, text(&error, "code")) {
            (Some(Response { status_code, request_id, body: Some(body) }), _) => {
                Answer::Body { status: status_code, body, request_id }
            }
            (_, "batch_expired") => Answer::Expired(words()),
            (_, "batch_cancelled") => Answer::Cancelled(words()),
            _ if error.is_null() => Answer::Failed("neither a response nor an error came for it".to_owned()),
            _ => Answer::Failed(words()),
        };
        Some(Line { custom_id, answer })
    }
}
