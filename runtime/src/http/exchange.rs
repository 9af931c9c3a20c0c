//! One request, until its reply is whole.
//!
//! ```text
//!  open ──► read ──► gather ──► whole? ──► reply
//!   ▲         │         │
//!   └─ pause ─┴─ fault ─┘   while nothing was handed over, attempts are left, and the deadline allows
//! ```
//!
//! Calls and streams go the same way; a call throws the pieces away. How the answer is read depends on what the
//! server says it is, not on what was asked for: a server that streams unasked, or does not although it was asked,
//! is read all the same.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use reqwest::header::LOCATION;

use super::answer::{Kind, complaint_in, complaint_in_body, kind_of};
use super::clock::Clock;
use super::complaint::{Complaint, Fault, Verdict};
use super::endpoint::Endpoint;
use super::limits;
use super::policy::asked_pause;
use super::sse::Decoder;
use super::trace::Trace;
use super::wire::{Delivery, Outgoing, Pieces, Trouble, Wire};
use crate::adapter::{CallError, CallErrorKind, CallRequest, CallResponse, RateLimits, StreamEvent};
use crate::timer::Sleep;

/// The most that is read of the body of an error.
const ERROR_BYTES: usize = 256 << 10;

/// The headers that hold the provider's mark for a request.
const REQUEST_IDS: [&str; 3] = ["x-request-id", "request-id", "x-ms-request-id"];

/// One request, until its reply is whole.
pub(super) struct Exchange<'a, W: Wire> {
    endpoint: &'a Endpoint<W>,
    outgoing: Outgoing,
    clock: Clock,
    reading: Option<Reading<W>>,
    pub(super) pieces: Pieces,
    /// A complaint in the stream that is a reply after all.
    judged: Option<CallResponse>,
    end: Option<Result<CallResponse, CallError>>,
    /// Somebody sees the pieces.
    shows: bool,
    handed_over: bool,
    retries: u32,
    /// What the provider says of its limits.
    told: RateLimits,
    pub(super) trace: Trace,
}

/// An answer that is being read.
struct Reading<W: Wire> {
    response: reqwest::Response,
    request_id: Option<String>,
    form: Form,
    reply: W::Reply,
    bytes: usize,
}

/// What an answer is.
enum Form {
    /// One JSON value.
    Whole(Vec<u8>),
    /// Events.
    Events(Decoder),
}

impl<'a, W: Wire> Exchange<'a, W> {
    pub(super) fn new(endpoint: &'a Endpoint<W>, request: CallRequest, delivery: Delivery) -> Result<Self, CallError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(CallError::new(
                CallErrorKind::Transport,
                "HTTP runs on tokio: call this within a tokio runtime, one with timers and input and output enabled",
            ));
        }
        let clock = Clock::new(endpoint.settings().timeouts.total, request.deadline);
        let request = endpoint.complete(request)?;
        let outgoing = endpoint.wire().encode(&request, delivery)?;
        let trace = Trace::begin(endpoint, &request);
        Ok(Self {
            endpoint,
            outgoing,
            clock,
            reading: None,
            pieces: Pieces::default(),
            judged: None,
            end: None,
            shows: delivery == Delivery::Stream,
            handed_over: false,
            retries: 0,
            told: RateLimits::default(),
            trace,
        })
    }

    /// Reads what came back in another way than by a call, as a call would have read it. A status of 0 is one that is not
    /// known.
    #[cfg(feature = "many")]
    pub(super) fn read_whole(
        endpoint: &'a Endpoint<W>,
        outgoing: &Outgoing,
        status: u16,
        body: &[u8],
        request_id: Option<&str>,
    ) -> Result<CallResponse, Fault> {
        let exchange = Self {
            endpoint,
            outgoing: outgoing.clone(),
            clock: Clock::new(endpoint.settings().timeouts.total, None),
            reading: None,
            pieces: Pieces::default(),
            judged: None,
            end: None,
            shows: false,
            handed_over: false,
            retries: 0,
            told: RateLimits::default(),
            trace: Trace::none(),
        };
        if status >= 300 {
            let complaint = Complaint::of_body(status, body);
            return exchange.judge(&complaint, &format!("answered HTTP {status}"), request_id).map_err(|mut fault| {
                fault.error = fault.error.with_status(status);
                fault
            });
        }
        let read = match complaint_in_body(body) {
            Some(complaint) => Err(complaint.into()),
            None => serde_json::from_slice(body)
                .map_err(Trouble::from)
                .and_then(|reply| endpoint.wire().read(reply, outgoing)),
        };
        match read {
            Ok(mut response) => {
                response.id = response.id.or_else(|| request_id.map(str::to_owned));
                Ok(response)
            }
            Err(trouble) => exchange.trouble(trouble, request_id),
        }
    }

    /// The next piece; the whole reply last.
    pub(super) async fn next(&mut self) -> Result<StreamEvent, CallError> {
        loop {
            if let Some(piece) = self.pieces.next() {
                self.handed_over = true;
                return Ok(piece);
            }
            // What came before a fault is handed over before it.
            if let Some(end) = self.end.take() {
                return end.map(|response| StreamEvent::Done(Box::new(response)));
            }
            self.end = self.advance().await.transpose();
        }
    }

    /// What the provider says of its limits, if it says anything.
    fn told(&self) -> Option<RateLimits> {
        (self.told != RateLimits::default()).then_some(self.told)
    }

    /// One step, and again after a fault that may be mended.
    pub(super) async fn advance(&mut self) -> Result<Option<CallResponse>, CallError> {
        loop {
            match self.step().await {
                Ok(None) => return Ok(None),
                Ok(Some(mut response)) => {
                    response.retries = self.retries;
                    response.rate_limits = self.told().map(Box::new);
                    // A stream that came in one piece after all.
                    if self.shows && !self.handed_over && self.pieces.is_empty() {
                        self.pieces.whole(&response);
                    }
                    self.trace.end(&response);
                    return Ok(Some(response));
                }
                Err(fault) => {
                    self.reading = None;
                    self.mend(fault).await?;
                    self.pieces.clear();
                }
            }
        }
    }

    /// Waits for the next attempt, or gives the fault back if there is to be none.
    async fn mend(&mut self, fault: Fault) -> Result<(), CallError> {
        let may_be_mended = fault.again && !self.handed_over;
        let pause =
            may_be_mended.then(|| self.endpoint.settings().retry.pause(self.retries, fault.error.retry_after()));
        let until = pause.flatten().and_then(|pause| Instant::now().checked_add(pause));
        let Some(until) = until.filter(|until| *until < self.clock.end) else {
            let error = fault.error.map_message(|text| self.endpoint.settings().scrub(text)).with_retries(self.retries);
            let error = match self.told() {
                Some(told) => error.with_rate_limits(told),
                None => error,
            };
            self.trace.fail(&error);
            return Err(error);
        };
        self.retries += 1;
        self.told.throttled += u32::from(fault.error.kind() == CallErrorKind::RateLimited);
        self.trace.again(&fault.error, self.retries);
        Sleep::until(until).await;
        Ok(())
    }

    /// Opens the answer, or reads one more part of it.
    async fn step(&mut self) -> Result<Option<CallResponse>, Fault> {
        let Some(reading) = &mut self.reading else {
            return self.open().await;
        };
        let timeouts = self.endpoint.settings().timeouts;
        let chunk = self
            .clock
            .within(timeouts.idle, "sent nothing more", reading.response.chunk())
            .await
            .map_err(|late| late.fault(self.endpoint))?;
        let chunk = chunk.map_err(|error| unreachable(self.endpoint, "broke off its reply", error))?;
        let Some(chunk) = chunk else {
            return self.end();
        };
        reading.bytes = reading.bytes.saturating_add(chunk.len());
        let most = self.endpoint.settings().max_reply_bytes;
        if reading.bytes > most {
            return Err(self.fault(CallErrorKind::Provider, format!("sent more than {most} bytes, which is the limit")));
        }
        match &mut reading.form {
            Form::Whole(body) => {
                body.extend_from_slice(&chunk);
                Ok(None)
            }
            Form::Events(decoder) => {
                decoder.push(&chunk);
                match self.gather(false)? {
                    ControlFlow::Continue(()) => Ok(None),
                    ControlFlow::Break(()) => self.read(),
                }
            }
        }
    }

    /// Sends the request and looks at the head of the answer.
    async fn open(&mut self) -> Result<Option<CallResponse>, Fault> {
        let request = self.endpoint.request(&self.outgoing)?;
        let client = self.endpoint.client()?;
        let timeouts = self.endpoint.settings().timeouts;
        let response = self
            .clock
            .within(timeouts.first_byte, "did not answer", client.execute(request))
            .await
            .map_err(|late| late.fault(self.endpoint))?
            .map_err(|error| unreachable(self.endpoint, "could not be reached", error))?;
        let request_id = REQUEST_IDS.iter().find_map(|name| response.headers().get(*name));
        let request_id = request_id.and_then(|id| id.to_str().ok()).map(str::to_owned);
        if let Some(told) = limits::told(response.headers()) {
            (self.told.requests, self.told.tokens) = (told.requests, told.tokens);
        }
        if !response.status().is_success() {
            return self.refused(response, request_id.as_deref()).await.map(Some);
        }
        let form = match kind_of(response.headers()) {
            Kind::Events(framing) => Form::Events(Decoder::new(framing)),
            Kind::Unstated if self.outgoing.streams => Form::Events(Decoder::new(W::FRAMING)),
            Kind::Json | Kind::Unstated => Form::Whole(Vec::new()),
            Kind::Other(kind) => {
                return Err(self.fault(
                    CallErrorKind::Provider,
                    format!("answered with `{kind}` and not with JSON; is the base URL right?"),
                ));
            }
        };
        self.reading = Some(Reading { response, request_id, form, reply: W::Reply::default(), bytes: 0 });
        Ok(None)
    }

    /// Reads the body of an answer that is an error.
    async fn refused(
        &mut self,
        mut response: reqwest::Response,
        request_id: Option<&str>,
    ) -> Result<CallResponse, Fault> {
        let status = response.status();
        if status.is_redirection() {
            let place = response.headers().get(LOCATION).and_then(|place| place.to_str().ok()).unwrap_or("elsewhere");
            let text = format!("redirects to {place}; keys are not sent along, so set the base URL to the right place");
            return Err(Fault::from(self.error(CallErrorKind::InvalidRequest, text).with_status(status.as_u16())));
        }
        let pause = asked_pause(response.headers());
        let not_again = response.headers().get("x-should-retry").is_some_and(|value| value == "false");
        let timeouts = self.endpoint.settings().timeouts;
        let mut body = Vec::new();
        // An error whose body breaks off is still that error.
        while body.len() < ERROR_BYTES {
            match self.clock.within(timeouts.idle, "", response.chunk()).await {
                Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
                _ => break,
            }
        }
        body.truncate(ERROR_BYTES);
        let complaint = Complaint::of_body(status.as_u16(), &body);
        let answered = format!("answered HTTP {}", status.as_u16());
        self.judge(&complaint, &answered, request_id).map_err(|mut fault| {
            fault.again &= !not_again;
            fault.error = fault.error.with_status(status.as_u16());
            if let Some(pause) = pause.or_else(|| complaint.asked_pause()) {
                fault.error = fault.error.with_retry_after(pause);
            }
            fault
        })
    }

    /// Gathers the events that are complete; at the end of the stream the rest as well.
    fn gather(&mut self, at_end: bool) -> Result<ControlFlow<()>, Fault> {
        let endpoint = self.endpoint;
        let wire = endpoint.wire();
        let Some(Reading { form: Form::Events(decoder), reply, request_id, .. }) = &mut self.reading else {
            return Ok(ControlFlow::Continue(()));
        };
        loop {
            let event = match decoder.next() {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(ControlFlow::Continue(())),
                Err(_) => return Err(self.fault(CallErrorKind::Provider, "sent bytes that are not UTF-8".to_owned())),
            };
            let gathered = match complaint_in(&event) {
                Some(complaint) => Err(complaint.into()),
                None => wire.gather(&self.outgoing, reply, &event, &mut self.pieces),
            };
            match gathered {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(())),
                // What does not parse at the end of a stream was cut there.
                Err(Trouble::Malformed(_)) if at_end => return Err(self.broken_off()),
                Err(trouble) => {
                    let request_id = request_id.clone();
                    return match self.trouble(trouble, request_id.as_deref()) {
                        Ok(response) => {
                            self.judged = Some(response);
                            Ok(ControlFlow::Break(()))
                        }
                        Err(fault) => Err(fault),
                    };
                }
            }
        }
    }

    /// The answer has come to its end.
    fn end(&mut self) -> Result<Option<CallResponse>, Fault> {
        match &mut self.reading {
            Some(Reading { form: Form::Whole(body), reply, request_id, .. }) => {
                let parsed = match complaint_in_body(body) {
                    Some(complaint) => Err(complaint.into()),
                    None => serde_json::from_slice(body).map_err(Trouble::from),
                };
                match parsed {
                    Ok(parsed) => *reply = parsed,
                    Err(trouble) => {
                        let request_id = request_id.clone();
                        return self.trouble(trouble, request_id.as_deref()).map(Some);
                    }
                }
                self.read()
            }
            Some(Reading { form: Form::Events(decoder), .. }) => {
                decoder.finish();
                // Whether the reply is whole is asked next, however the stream ended.
                let _ = self.gather(true)?;
                self.read()
            }
            None => Ok(None),
        }
    }

    /// Reads the reply, which is parsed or gathered.
    fn read(&mut self) -> Result<Option<CallResponse>, Fault> {
        if let Some(response) = self.judged.take() {
            return Ok(Some(response));
        }
        let Some(reading) = self.reading.take() else { return Ok(None) };
        let whole = matches!(reading.form, Form::Whole(_));
        if !whole && !W::is_whole(&reading.reply) {
            return Err(self.broken_off());
        }
        let wire = self.endpoint.wire();
        match wire.read(reading.reply, &self.outgoing) {
            Ok(mut response) => {
                response.id = response.id.or(reading.request_id);
                Ok(Some(response))
            }
            Err(trouble) => self.trouble(trouble, reading.request_id.as_deref()).map(Some),
        }
    }

    fn trouble(&self, trouble: Trouble, request_id: Option<&str>) -> Result<CallResponse, Fault> {
        match trouble {
            Trouble::Complaint(complaint) => self.judge(&complaint, "sent an error", request_id),
            Trouble::Malformed(how) => {
                Err(self.fault(CallErrorKind::Provider, format!("sent what is not a reply of this wire: {how}")))
            }
        }
    }

    /// What becomes of a complaint, in words with the provider's own whole.
    fn judge(&self, complaint: &Complaint, did: &str, request_id: Option<&str>) -> Result<CallResponse, Fault> {
        let (kind, again) = match self.endpoint.wire().judge(complaint, &self.outgoing) {
            Verdict::Failed { kind, again } => (kind, again),
            Verdict::Reply(response) => return Ok(*response),
        };
        let mut text = did.to_owned();
        let mark = if complaint.code.is_empty() { &complaint.class } else { &complaint.code };
        if !mark.is_empty() {
            let _ = write!(text, " ({mark})");
        }
        if !complaint.message.is_empty() {
            let _ = write!(text, ": {}", complaint.message);
        }
        if !complaint.param.is_empty() && !complaint.message.contains(&complaint.param) {
            let _ = write!(text, " [at {}]", complaint.param);
        }
        if let Some(id) = request_id {
            let _ = write!(text, " [request {id}]");
        }
        match (kind, &self.outgoing.schema) {
            (CallErrorKind::Unauthorized, _) => text.push_str("; check the key, and what it may do"),
            (CallErrorKind::SchemaRefused, Some(schema)) if schema.passed && !complaint.param.starts_with("tools") => {
                let _ = write!(
                    text,
                    "; the check for {} had passed the schema `{}`, so the provider has a rule that the check lacks: \
                     please report it",
                    schema.dialect, schema.name
                );
            }
            _ => {}
        }
        let mut error = self.error(kind, text);
        if let Some(status) = complaint.status {
            error = error.with_status(status);
        }
        Err(Fault { error, again })
    }

    fn broken_off(&self) -> Fault {
        Fault::transient(
            CallErrorKind::Transport,
            format!("{} ended its stream before the reply was whole", self.endpoint.route()),
        )
    }

    fn fault(&self, kind: CallErrorKind, did: String) -> Fault {
        Fault::from(self.error(kind, did))
    }

    fn error(&self, kind: CallErrorKind, did: impl std::fmt::Display) -> CallError {
        CallError::new(kind, format!("{} {did}", self.endpoint.route()))
    }
}

/// A fault of the connection. The URL is left out: it may hold a key.
fn unreachable<W: Wire>(endpoint: &Endpoint<W>, did: &str, error: reqwest::Error) -> Fault {
    let error = error.without_url();
    let message = format!("{} {did}", endpoint.route());
    // What cannot be built or decoded is no better the second time.
    let again = !(error.is_builder() || error.is_redirect());
    Fault { error: CallError::new(CallErrorKind::Transport, message).with_source(error), again }
}
