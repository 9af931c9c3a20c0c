//! Requests around batches: small ones that may be repeated, one that may not, and long answers read line by line.

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Method, Request, Response};
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::adapter::{CallError, CallErrorKind};
use crate::http::complaint::{Complaint, Verdict};
use crate::http::endpoint::Endpoint;
use crate::http::policy::asked_pause;
use crate::http::wire::Wire;

/// The most that is read of the body of an error, and the most that a small answer may have.
const ERROR_BYTES: usize = 256 << 10;
const ANSWER_BYTES: usize = 256 << 20;

/// Why a request brought nothing.
#[derive(Debug)]
pub struct Failure {
    pub(crate) error: CallError,
    /// It was surely not carried out.
    pub(crate) refused: bool,
    /// Sending it again may help.
    again: bool,
}

/// One request of the kind.
pub(super) struct Ask<'a> {
    pub(super) method: Method,
    pub(super) path: &'a str,
    pub(super) query: &'a [(&'a str, &'a str)],
    pub(super) body: Option<(&'a str, Bytes)>,
}

impl<'a> Ask<'a> {
    pub(super) fn get(path: &'a str) -> Self {
        Self { method: Method::GET, path, query: &[], body: None }
    }

    pub(super) fn post(path: &'a str) -> Self {
        Self { method: Method::POST, path, query: &[], body: None }
    }

    pub(super) fn with(mut self, content_type: &'a str, body: impl Into<Bytes>) -> Self {
        self.body = Some((content_type, body.into()));
        self
    }

    pub(super) fn query(mut self, query: &'a [(&'a str, &'a str)]) -> Self {
        self.query = query;
        self
    }
}

/// Asks until there is an answer, as often as the endpoint's rule for further attempts allows.
pub(super) async fn ask<W: Wire, T: DeserializeOwned>(endpoint: &Endpoint<W>, ask: &Ask<'_>) -> Result<T, CallError> {
    repeat(endpoint, ask, |failure| failure.again).await.map_err(|failure| failure.error)
}

/// The same for what must not be done twice: it is sent again only after it was surely not carried out.
pub(super) async fn ask_once<W: Wire, T: DeserializeOwned>(
    endpoint: &Endpoint<W>,
    ask: &Ask<'_>,
) -> Result<T, Failure> {
    repeat(endpoint, ask, |failure| failure.again && failure.refused).await
}

async fn repeat<W: Wire, T: DeserializeOwned>(
    endpoint: &Endpoint<W>,
    ask: &Ask<'_>,
    again: impl Fn(&Failure) -> bool,
) -> Result<T, Failure> {
    let mut retries = 0;
    loop {
        let failure = match whole(endpoint, ask).await {
            Ok(value) => return Ok(value),
            Err(failure) => failure,
        };
        if !again(&failure) || !pause(endpoint, retries, &failure).await {
            return Err(Failure { error: scrubbed(endpoint, failure.error).with_retries(retries), ..failure });
        }
        retries += 1;
    }
}

fn scrubbed<W: Wire>(endpoint: &Endpoint<W>, error: CallError) -> CallError {
    error.map_message(|text| endpoint.settings().scrub(text))
}

/// Waits before the next attempt; `false` if there is to be none.
async fn pause<W: Wire>(endpoint: &Endpoint<W>, retries: u32, failure: &Failure) -> bool {
    match endpoint.settings().retry.pause(retries, failure.error.retry_after()) {
        Some(pause) => {
            tokio::time::sleep_until(Instant::now() + pause).await;
            true
        }
        None => false,
    }
}

async fn whole<W: Wire, T: DeserializeOwned>(endpoint: &Endpoint<W>, ask: &Ask<'_>) -> Result<T, Failure> {
    let mut response = open(endpoint, ask).await?;
    let mut body = Vec::new();
    while let Some(chunk) = chunk(endpoint, &mut response).await? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_BYTES {
            return Err(odd(endpoint, format!("sent more than {ANSWER_BYTES} bytes where a short answer is due")));
        }
    }
    serde_json::from_slice(&body)
        .map_err(|_| odd(endpoint, "did not answer with what is due there; is the base URL right?"))
}

/// Reads an answer line by line. It begins anew after a fault, and says so first.
pub(super) async fn lines<W: Wire>(
    endpoint: &Endpoint<W>,
    ask: &Ask<'_>,
    each: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<(), CallError> {
    // Lines that were handed over already are left out the next time: the file is the same.
    let (mut done, mut retries) = (0, 0);
    loop {
        let failure = match read_lines(endpoint, ask, &mut done, each).await {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        if !failure.again || !pause(endpoint, retries, &failure).await {
            return Err(scrubbed(endpoint, failure.error).with_retries(retries));
        }
        retries += 1;
    }
}

async fn read_lines<W: Wire>(
    endpoint: &Endpoint<W>,
    ask: &Ask<'_>,
    done: &mut usize,
    each: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<(), Failure> {
    let most = endpoint.settings().max_reply_bytes;
    let mut response = open(endpoint, ask).await?;
    let (mut pending, mut number) = (Vec::new(), 0);
    let mut hand_over = |line: &[u8]| {
        if !line.trim_ascii().is_empty() {
            number += 1;
            if number > *done {
                each(line);
                *done = number;
            }
        }
    };
    while let Some(chunk) = chunk(endpoint, &mut response).await? {
        let mut rest = chunk.as_ref();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            pending.extend_from_slice(&rest[..end]);
            hand_over(&pending);
            pending.clear();
            rest = &rest[end + 1..];
        }
        pending.extend_from_slice(rest);
        if pending.len() > most {
            return Err(odd(endpoint, format!("sent a line of more than {most} bytes, which is the limit")));
        }
    }
    hand_over(&pending);
    Ok(())
}

async fn open<W: Wire>(endpoint: &Endpoint<W>, ask: &Ask<'_>) -> Result<Response, Failure> {
    let client = endpoint.client().map_err(Failure::certain)?;
    let request = request(endpoint, ask).map_err(Failure::certain)?;
    let limit = endpoint.settings().timeouts.first_byte;
    let response = match tokio::time::timeout(limit, client.execute(request)).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            // What did not get as far as a connection was not carried out.
            let (refused, again) = (error.is_connect() || error.is_builder(), !error.is_builder());
            let text = format!("{} could not be reached", endpoint.route());
            let error = CallError::new(CallErrorKind::Transport, text).with_source(error.without_url());
            return Err(Failure { error, refused, again });
        }
        Err(_) => return Err(silent(endpoint, "did not answer", limit)),
    };
    if response.status().is_success() { Ok(response) } else { Err(refused(endpoint, response).await) }
}

fn request<W: Wire>(endpoint: &Endpoint<W>, ask: &Ask<'_>) -> Result<Request, CallError> {
    let mut request = endpoint.request_to(ask.method.clone(), ask.path)?;
    if !ask.query.is_empty() {
        request.url_mut().query_pairs_mut().extend_pairs(ask.query);
    }
    match &ask.body {
        Some((content_type, body)) => {
            let kind = HeaderValue::from_str(content_type).map_err(|error| {
                CallError::new(CallErrorKind::InvalidRequest, "the content type cannot be sent").with_source(error)
            })?;
            request.headers_mut().insert(CONTENT_TYPE, kind);
            *request.body_mut() = Some(body.clone().into());
        }
        None => {
            request.headers_mut().remove(CONTENT_TYPE);
        }
    }
    Ok(request)
}

async fn chunk<W: Wire>(endpoint: &Endpoint<W>, response: &mut Response) -> Result<Option<Bytes>, Failure> {
    let limit = endpoint.settings().timeouts.idle;
    match tokio::time::timeout(limit, response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk),
        Ok(Err(error)) => {
            let text = format!("{} broke off its answer", endpoint.route());
            let error = CallError::new(CallErrorKind::Transport, text).with_source(error.without_url());
            Err(Failure { error, refused: false, again: true })
        }
        Err(_) => Err(silent(endpoint, "sent nothing more", limit)),
    }
}

async fn refused<W: Wire>(endpoint: &Endpoint<W>, mut response: Response) -> Failure {
    let status = response.status().as_u16();
    let pause = asked_pause(response.headers());
    let mut body = Vec::new();
    while body.len() < ERROR_BYTES {
        match chunk(endpoint, &mut response).await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            _ => break,
        }
    }
    body.truncate(ERROR_BYTES);
    let complaint = Complaint::of_body(status, &body);
    let Verdict::Failed { kind, again } = complaint.verdict() else {
        return odd(endpoint, format!("answered HTTP {status}"));
    };
    let mark = if complaint.code.is_empty() { &complaint.class } else { &complaint.code };
    let mark = if mark.is_empty() { String::new() } else { format!(" ({mark})") };
    let text = format!("{} answered HTTP {status}{mark}: {}", endpoint.route(), complaint.message);
    let mut error = CallError::new(kind, text).with_status(status);
    if let Some(pause) = pause.or_else(|| complaint.asked_pause()) {
        error = error.with_retry_after(pause);
    }
    // After 408 and 5xx nobody knows how far the server had come.
    let refused = (400..500).contains(&status) && status != 408 && status != 409;
    Failure { error, refused, again }
}

fn silent<W: Wire>(endpoint: &Endpoint<W>, lacks: &str, limit: std::time::Duration) -> Failure {
    let text = format!("{} {lacks} for {limit:?}", endpoint.route());
    Failure { error: CallError::new(CallErrorKind::Transport, text), refused: false, again: true }
}

fn odd<W: Wire>(endpoint: &Endpoint<W>, did: impl std::fmt::Display) -> Failure {
    let text = format!("{} {did}", endpoint.route());
    Failure { error: CallError::new(CallErrorKind::Provider, text), refused: false, again: false }
}

impl Failure {
    /// Nothing was sent.
    fn certain(error: CallError) -> Self {
        Self { error, refused: true, again: false }
    }
}
