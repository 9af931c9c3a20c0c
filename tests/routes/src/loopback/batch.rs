//! The batch services of `OpenAI`, Anthropic and Gemini.
//!
//! Each request of a batch is judged and answered as one that came by itself: by the script of the server. What is the
//! batch's own stands in a [`BatchScript`]. Results come in the opposite order of the requests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::exchange::{Fail, Failure, Fault};
use super::judge::{name_fits, text};
use super::play::{Answer, Body};
use super::server::{Recorded, State};
use super::wire::{CREATED, Wire};

/// What becomes of batches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BatchScript {
    /// So many questions are answered before a batch has ended.
    pub polls: u32,
    /// Requests that hold one of these texts have no result.
    pub missing: Vec<String>,
    /// Theirs comes twice.
    pub twice: Vec<String>,
    /// Theirs is that the time was over. The batch ends as expired.
    pub expired: Vec<String>,
    /// There is a result that nobody asked for.
    pub stranger: bool,
    /// The provider refuses the whole batch, in these words; only where a batch can be refused after its creation.
    pub failed: Option<String>,
    /// So many batches are created, and the answer to that is lost.
    pub lose_creation: u32,
    /// So many creations come to nothing, and say so with an error of the server.
    pub drop_creation: u32,
    /// So many downloads of results break off in the middle.
    pub break_results: u32,
}

/// A batch, as the server has it.
#[derive(Debug, Clone)]
pub struct Batched {
    /// Its id.
    pub id: String,
    /// The requests: id and body, in their order.
    pub requests: Vec<(String, Value)>,
    wire: Wire,
    mark: Value,
    url: String,
    file: String,
    polls: u32,
    results: Vec<(String, Outcome)>,
    failed: Option<String>,
    cancelling: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Outcome {
    Answered(u16, Value),
    Expired,
    Cancelled,
}

/// What is kept of batches.
#[derive(Debug, Default)]
pub(super) struct Batches {
    pub(super) script: BatchScript,
    files: BTreeMap<String, Vec<u8>>,
    pub(super) all: Vec<Batched>,
}

pub(super) fn answer(state: &State, request: &Recorded) -> Option<Answer> {
    let path = request.path.trim_start_matches("/v1beta").trim_start_matches("/v1");
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let gemini = request.path.starts_with("/v1beta/") || request.header("x-goog-api-key").is_some();
    Some(match (request.method.as_str(), parts.as_slice()) {
        ("POST", ["files"]) => upload(state, request),
        ("GET", ["files", file, "content"]) => content(state, file),
        ("POST", ["batches"]) => create_openai(state, request),
        ("POST", ["messages", "batches"]) => create_anthropic(state, request),
        ("POST", ["models", call]) if call.ends_with(":batchGenerateContent") => create_gemini(state, request),
        ("GET", ["batches"]) => list(state, request, if gemini { Wire::Gemini } else { Wire::Responses }),
        ("GET", ["messages", "batches"]) => list(state, request, Wire::Anthropic),
        ("GET", ["batches", id] | ["messages", "batches", id]) => {
            let id = if gemini { format!("batches/{id}") } else { (*id).to_owned() };
            with(state, &id, |batch| {
                batch.polls = batch.polls.saturating_sub(1);
                Answer::json(200, &batch.object())
            })
        }
        ("POST", ["batches", call]) if gemini && call.ends_with(":cancel") => {
            let id = format!("batches/{}", call.trim_end_matches(":cancel"));
            with(state, &id, |batch| {
                batch.cancel();
                Answer::json(200, &json!({}))
            })
        }
        ("POST", ["batches", id, "cancel"] | ["messages", "batches", id, "cancel"]) => with(state, id, |batch| {
            batch.cancel();
            Answer::json(200, &batch.object())
        }),
        ("GET", ["messages", "batches", id, "results"]) => {
            let broken = take(&mut state.batches().script.break_results);
            let mut answer = with(state, id, |batch| {
                if batch.is_ended() {
                    Answer::whole(200, "application/x-jsonl", batch.lines(|_| true))
                } else {
                    Wire::Anthropic.failure(&Failure::new(Fail::NotFound).message("No results yet."), 0)
                }
            });
            break_off(&mut answer, broken);
            answer
        }
        _ => return None,
    })
}

fn take(count: &mut u32) -> bool {
    let some = *count > 0;
    *count = count.saturating_sub(1);
    some
}

fn break_off(answer: &mut Answer, broken: bool) {
    if let Body::Whole(bytes) = &answer.body
        && broken
    {
        answer.fault = Some(Fault::Reset(bytes.len() * 2 / 3));
    }
}

fn with(state: &State, id: &str, act: impl FnOnce(&mut Batched) -> Answer) -> Answer {
    match state.batches().all.iter_mut().find(|batch| batch.id == id) {
        Some(batch) => act(batch),
        None => wrong(Wire::Responses, Fail::NotFound, &format!("No batch found with id '{id}'.")),
    }
}

fn wrong(wire: Wire, kind: Fail, message: &str) -> Answer {
    wire.failure(&Failure::new(kind).message(message), 0)
}

/// The file of a form.
fn upload(state: &State, request: &Recorded) -> Answer {
    let kind = request.header("content-type").unwrap_or_default();
    let Some((_, boundary)) = kind.split_once("boundary=") else {
        return wrong(Wire::Responses, Fail::InvalidRequest, "the file does not come as a form");
    };
    let boundary = format!("--{}", boundary.trim_matches('"'));
    let (mut purpose, mut file) = (String::new(), None);
    let mut rest = request.bytes.as_slice();
    while let Some(at) = find(rest, boundary.as_bytes()) {
        let part = &rest[..at];
        if let Some(end) = find(part, b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&part[..end]).to_ascii_lowercase();
            let body = part[end + 4..].strip_suffix(b"\r\n").unwrap_or(&part[end + 4..]);
            if head.contains("name=\"purpose\"") {
                purpose = String::from_utf8_lossy(body).into_owned();
            } else if head.contains("name=\"file\"") {
                file = Some(body.to_vec());
            }
        }
        rest = &rest[at + boundary.len()..];
    }
    let Some(file) = file.filter(|_| purpose == "batch") else {
        return wrong(Wire::Responses, Fail::InvalidRequest, "'batch' is the purpose, and 'file' is required");
    };
    let mut batches = state.batches();
    let id = format!("file-{:04}", batches.files.len() + 1);
    let size = file.len();
    batches.files.insert(id.clone(), file);
    let object = json!({"id": id, "object": "file", "bytes": size, "created_at": CREATED, "filename": "batch.jsonl",
        "purpose": "batch", "status": "processed"});
    Answer::json(200, &object)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn content(state: &State, file: &str) -> Answer {
    let mut batches = state.batches();
    let found = batches.all.iter().find_map(|batch| match file.strip_prefix(&format!("file-{}-", batch.id))? {
        "output" => Some(batch.lines(|outcome| matches!(outcome, Outcome::Answered(200, _)))),
        _ => Some(batch.lines(|outcome| !matches!(outcome, Outcome::Answered(200, _)))),
    });
    let Some(lines) = found.or_else(|| batches.files.get(file).cloned()) else {
        return wrong(Wire::Responses, Fail::NotFound, "No such File object");
    };
    let mut answer = Answer::whole(200, "application/octet-stream", lines);
    let broken = take(&mut batches.script.break_results);
    break_off(&mut answer, broken);
    answer
}

fn create_openai(state: &State, request: &Recorded) -> Answer {
    let (file, endpoint) = (text(&request.body, "input_file_id"), text(&request.body, "endpoint"));
    let wire = match endpoint {
        Some("/v1/responses") => Wire::Responses,
        Some("/v1/chat/completions") => Wire::Chat,
        _ => return wrong(Wire::Responses, Fail::InvalidRequest, "Invalid value for 'endpoint'."),
    };
    if text(&request.body, "completion_window") != Some("24h") {
        return wrong(Wire::Responses, Fail::InvalidRequest, "Invalid value for 'completion_window'.");
    }
    let Some(lines) = file.and_then(|file| state.batches().files.get(file).cloned()) else {
        return wrong(Wire::Responses, Fail::InvalidRequest, "No such File object");
    };
    let mut requests = Vec::new();
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line: Value = serde_json::from_slice(line).unwrap_or(Value::Null);
        let fits = text(&line, "method") == Some("POST") && text(&line, "url") == endpoint;
        let Some(id) = text(&line, "custom_id").filter(|_| fits) else {
            return wrong(Wire::Responses, Fail::InvalidRequest, "a line of the file is no request of this endpoint");
        };
        requests.push((id.to_owned(), line["body"].clone()));
    }
    let mark = request.body["metadata"].clone();
    create(state, request, wire, requests, mark, (endpoint.unwrap_or_default(), file.unwrap_or_default()))
}

fn create_anthropic(state: &State, request: &Recorded) -> Answer {
    let wire = Wire::Anthropic;
    let requests = request.body["requests"].as_array().cloned().unwrap_or_default();
    let requests: Vec<_> = requests
        .into_iter()
        .map(|request| (text(&request, "custom_id").unwrap_or_default().to_owned(), request["params"].clone()))
        .collect();
    if requests.is_empty() || requests.iter().any(|(id, _)| !name_fits(id)) {
        return wrong(
            wire,
            Fail::InvalidRequest,
            "requests.0.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
        );
    }
    create(state, request, wire, requests, Value::Null, ("/v1/messages", ""))
}

fn create_gemini(state: &State, request: &Recorded) -> Answer {
    let batch = &request.body["batch"];
    let requests = batch["inputConfig"]["requests"]["requests"].as_array().cloned().unwrap_or_default();
    let requests: Vec<_> = requests
        .into_iter()
        .map(|request| (text(&request["metadata"], "key").unwrap_or_default().to_owned(), request["request"].clone()))
        .collect();
    // The reference says that the name is required, and Google's own SDK leaves it out.
    let name = text(batch, "displayName").unwrap_or_default();
    if requests.is_empty() {
        return wrong(Wire::Gemini, Fail::InvalidRequest, "* BatchGenerateContentRequest.batch.input_config: required");
    }
    let url = request.path.replace(":batchGenerateContent", ":generateContent");
    create(state, request, Wire::Gemini, requests, json!(name), (&url, ""))
}

fn create(
    state: &State,
    request: &Recorded,
    wire: Wire,
    requests: Vec<(String, Value)>,
    mark: Value,
    (url, file): (&str, &str),
) -> Answer {
    let mut ids: Vec<&String> = requests.iter().map(|(id, _)| id).collect();
    ids.sort();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return wrong(wire, Fail::InvalidRequest, "custom_id is not unique");
    }
    if take(&mut state.batches().script.drop_creation) {
        return wire.failure(&Failure::new(Fail::ServerError), 0);
    }
    let script = state.batches().script.clone();
    let mut results = Vec::new();
    let holds = |body: &Value, texts: &[String]| texts.iter().any(|text| body.to_string().contains(text));
    for (id, body) in requests.iter().rev() {
        let outcome = if holds(body, &script.expired) {
            Outcome::Expired
        } else {
            let (status, body) = state.one(wire, url, &request.headers, body);
            Outcome::Answered(status, body)
        };
        if !holds(body, &script.missing) {
            results.push((id.clone(), outcome.clone()));
        }
        if holds(body, &script.twice) {
            results.push((id.clone(), outcome));
        }
    }
    if script.stranger {
        results.push(("nobody-0".to_owned(), Outcome::Answered(200, json!({}))));
    }
    let mut batches = state.batches();
    let number = batches.all.len() + 1;
    let id = match wire {
        Wire::Anthropic => format!("msgbatch_{number:04}"),
        Wire::Gemini => format!("batches/{number:04}"),
        _ => format!("batch_{number:04}"),
    };
    let batch = Batched {
        id,
        requests,
        wire,
        mark,
        url: url.to_owned(),
        file: file.to_owned(),
        polls: script.polls + 1,
        results,
        failed: script.failed,
        cancelling: false,
    };
    let mut answer = Answer::json(200, &batch.object());
    batches.all.push(batch);
    if take(&mut batches.script.lose_creation) {
        answer.fault = Some(Fault::ResetAtOnce);
    }
    answer
}

/// The batches of a wire, the newest first, three on a page.
fn list(state: &State, request: &Recorded, of: Wire) -> Answer {
    const PAGE: usize = 3;
    let mut batches = state.batches();
    // To look at them takes time as well.
    batches.all.iter_mut().for_each(|batch| batch.polls = batch.polls.saturating_sub(1));
    let same = |wire: Wire| if wire == Wire::Chat { Wire::Responses } else { wire };
    let after = request
        .query
        .split('&')
        .find_map(|pair| ["after=", "after_id=", "pageToken="].iter().find_map(|key| pair.strip_prefix(key)));
    let mut all: Vec<_> = batches.all.iter().rev().filter(|batch| same(batch.wire) == of).collect();
    if let Some(after) = after.map(|after| after.replace("%2F", "/")) {
        let at = all.iter().position(|batch| batch.id == after).map_or(all.len(), |at| at + 1);
        all.drain(..at);
    }
    let more = all.len() > PAGE;
    all.truncate(PAGE);
    let data: Vec<_> = all.iter().map(|batch| batch.object()).collect();
    let last = all.last().map(|batch| batch.id.clone());
    Answer::json(
        200,
        &match of {
            Wire::Gemini => json!({"operations": data, "nextPageToken": last.filter(|_| more)}),
            _ => json!({"object": "list", "data": data, "has_more": more,
                "first_id": all.first().map(|batch| &batch.id), "last_id": last}),
        },
    )
}

impl Batched {
    fn is_ended(&self) -> bool {
        self.polls == 0
    }

    /// What was answered by then stays; half of it, for a batch that had not ended.
    fn cancel(&mut self) {
        if self.is_ended() {
            return;
        }
        let half = self.results.len().div_ceil(2);
        self.results[half..].iter_mut().for_each(|(_, outcome)| *outcome = Outcome::Cancelled);
        (self.cancelling, self.polls) = (true, 1);
    }

    fn count(&self, what: impl Fn(&Outcome) -> bool) -> usize {
        self.results.iter().filter(|(_, outcome)| what(outcome)).count()
    }

    /// It, as its provider shows it.
    fn object(&self) -> Value {
        let ended = self.is_ended();
        let good = if ended { self.count(|outcome| matches!(outcome, Outcome::Answered(200, _))) } else { 0 };
        let expired = self.count(|outcome| *outcome == Outcome::Expired);
        let cancelled = self.count(|outcome| *outcome == Outcome::Cancelled);
        let total = self.requests.len();
        match self.wire {
            Wire::Anthropic => {
                let status = if ended {
                    "ended"
                } else if self.cancelling {
                    "canceling"
                } else {
                    "in_progress"
                };
                let bad = if ended { self.results.len() - good - expired - cancelled } else { 0 };
                let then = |count: usize| if ended { count } else { 0 };
                json!({"id": self.id, "type": "message_batch", "processing_status": status,
                    "request_counts": {"processing": if ended { 0 } else { total }, "succeeded": good, "errored": bad,
                        "canceled": then(cancelled), "expired": then(expired)},
                    "created_at": moment(), "expires_at": moment(), "ended_at": ended.then(moment),
                    "cancel_initiated_at": self.cancelling.then(moment), "archived_at": null,
                    "results_url": ended.then(|| format!("/v1/messages/batches/{}/results", self.id))})
            }
            Wire::Gemini => {
                let state = match (ended, &self.failed) {
                    (false, _) => "RUNNING",
                    (true, Some(_)) => "FAILED",
                    (true, None) if self.cancelling => "CANCELLED",
                    (true, None) => "SUCCEEDED",
                };
                let mut object = json!({"name": self.id, "metadata": {
                    "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
                    "name": self.id, "model": "models/gemini-3-pro", "displayName": self.mark,
                    "state": format!("BATCH_STATE_{state}"), "createTime": moment(), "updateTime": moment(),
                    "batchStats": {"requestCount": total.to_string()}}});
                if ended {
                    let results: Vec<Value> =
                        self.results.iter().map(|(id, outcome)| gemini_line(id, outcome)).collect();
                    let output = json!({"inlinedResponses": {"inlinedResponses": results}});
                    object["done"] = json!(true);
                    if let Some(words) = &self.failed {
                        object["error"] = json!({"code": 3, "message": words});
                    } else {
                        object["metadata"]["output"] = output.clone();
                        object["response"] = output;
                    }
                }
                object
            }
            _ => {
                let status = match (ended, &self.failed) {
                    (false, _) if self.cancelling => "cancelling",
                    (false, _) => "in_progress",
                    (true, Some(_)) => "failed",
                    (true, None) if self.cancelling => "cancelled",
                    (true, None) if expired > 0 => "expired",
                    (true, None) => "completed",
                };
                let failed = self.failed.as_ref().filter(|_| ended);
                let file = |kind: &str, any: bool| {
                    (ended && failed.is_none() && any).then(|| format!("file-{}-{kind}", self.id))
                };
                let errors = failed.map(|words| {
                    json!({"object": "list", "data": [{"code": "invalid_request", "message": words, "param": null, "line": 1}]})
                });
                json!({"id": self.id, "object": "batch", "endpoint": self.url, "input_file_id": self.file,
                    "completion_window": "24h", "status": status, "created_at": seconds(), "metadata": self.mark,
                    "errors": errors, "output_file_id": file("output", good > 0),
                    "error_file_id": file("error", self.results.len() > good),
                    "request_counts": {"total": total, "completed": good, "failed": if ended { total - good.min(total) } else { 0 }}})
            }
        }
    }

    /// The results that are asked for, a line each.
    fn lines(&self, which: impl Fn(&Outcome) -> bool) -> Vec<u8> {
        let lines = self.results.iter().filter(|(_, outcome)| which(outcome));
        let lines = lines.map(|(id, outcome)| match self.wire {
            Wire::Anthropic => anthropic_line(id, outcome),
            _ => openai_line(id, outcome),
        });
        lines.fold(Vec::new(), |mut all, line| {
            all.extend_from_slice(line.to_string().as_bytes());
            all.push(b'\n');
            all
        })
    }
}

fn openai_line(id: &str, outcome: &Outcome) -> Value {
    let error = |code: &str, message: &str| json!({"code": code, "message": message});
    let (response, error) = match outcome {
        Outcome::Answered(status, body) => {
            (json!({"status_code": status, "request_id": format!("req-{id}"), "body": body}), Value::Null)
        }
        Outcome::Expired => (
            Value::Null,
            error("batch_expired", "This request could not be executed before the completion window expired."),
        ),
        Outcome::Cancelled => (Value::Null, error("batch_cancelled", "This request was cancelled.")),
    };
    json!({"id": format!("batch_req_{id}"), "custom_id": id, "response": response, "error": error})
}

fn anthropic_line(id: &str, outcome: &Outcome) -> Value {
    let result = match outcome {
        Outcome::Answered(200, body) => json!({"type": "succeeded", "message": body}),
        Outcome::Answered(_, body) => json!({"type": "errored", "error": body}),
        Outcome::Expired => json!({"type": "expired"}),
        Outcome::Cancelled => json!({"type": "canceled"}),
    };
    json!({"custom_id": id, "result": result})
}

fn gemini_line(id: &str, outcome: &Outcome) -> Value {
    let metadata = json!({"key": id});
    match outcome {
        Outcome::Answered(200, body) => json!({"response": body, "metadata": metadata}),
        Outcome::Answered(_, body) => json!({"error": body["error"], "metadata": metadata}),
        Outcome::Expired => json!({"error": {"code": 4, "message": "deadline exceeded"}, "metadata": metadata}),
        Outcome::Cancelled => json!({"error": {"code": 1, "message": "cancelled"}, "metadata": metadata}),
    }
}

fn seconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Now, as Anthropic and Google write it.
fn moment() -> String {
    let (days, time) = (seconds() / 86_400, seconds() % 86_400);
    // The day of a count of days since 1970, by going through the years and months.
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}.123456Z", month + 1, left + 1)
}
