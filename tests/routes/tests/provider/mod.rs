//! What is true of every provider's adapter, whatever its wire: streams say the same as whole replies however they are
//! split, faults of the connection are told apart, and cancelled calls leave nothing.

#![allow(dead_code, reason = "no test uses all of it")]

use std::time::{Duration, Instant};

use response_schema::adapter::{CallErrorKind, CallRequest, CallResponse, DynAdapter};
use response_schema_tests_routes::loopback::{Ending, Exchange, Fail, Failure, Fault, Loopback, Tokens, Wire};
use serde_json::Value;

use crate::http::{TICKET, collect, plain, typed, unmarked};

/// The most bytes that [`Provider::bounded`] reads.
pub(crate) const BOUND: usize = 64 << 10;

/// One adapter at a server of its own, set up in several ways.
pub(crate) struct Provider {
    pub(crate) server: Loopback,
    pub(crate) wire: Wire,
    /// Sends every request once.
    pub(crate) plain: DynAdapter,
    /// Sends requests again after pauses that tests can wait for.
    pub(crate) patient: DynAdapter,
    /// Waits a tenth of a second for the next byte.
    pub(crate) hasty: DynAdapter,
    /// Reads [`BOUND`] bytes.
    pub(crate) bounded: DynAdapter,
}

/// A [`Provider`] of an adapter, made at a server.
#[macro_export]
macro_rules! provider {
    ($wire:expr, $make:expr) => {{
        let server = response_schema_tests_routes::loopback::Loopback::start([]);
        let model = $make(&server).retry(response_schema::http::Retry::never());
        let limit = std::time::Duration::from_millis(100);
        let hasty = response_schema::http::Timeouts::default().with_idle(limit).with_first_byte(limit);
        $crate::provider::Provider {
            wire: $wire,
            plain: model.clone().into(),
            patient: model.clone().retry($crate::http::QUICK).into(),
            hasty: model.clone().timeouts(hasty).into(),
            bounded: model.clone().max_reply_bytes($crate::provider::BOUND).into(),
            server,
        }
    }};
}

pub(crate) const USAGE: Tokens = Tokens { input: 100, output: 42, cached: 64, reasoning: 7 };

impl Provider {
    /// The reply to a request, asked for in one piece and as a stream, which must say the same, and show what the reply
    /// holds.
    pub(crate) async fn reply(&self, exchange: Exchange, request: CallRequest) -> CallResponse {
        self.server.push(exchange.clone().times(1));
        let whole = self.plain.call(request.clone()).await.expect("a reply");
        self.server.push(exchange.times(1));
        let (shown, streamed) = collect(&self.plain, request).await;
        let streamed = streamed.expect("a streamed reply");
        assert_eq!(unmarked(streamed.clone()), unmarked(whole.clone()));
        assert_eq!(streamed.native.is_some(), whole.native.is_some());
        assert_eq!(shown.text, whole.text, "what was shown is the text");
        let [first, second] = self.server.take_requests().try_into().expect("two requests");
        assert_eq!((&first.refused, &second.refused), (&None, &None), "the provider takes the request");
        // One builder for both: the bodies differ in what asks for the stream alone.
        let without = |mut body: Value| {
            body.as_object_mut().expect("an object").remove("stream");
            body
        };
        assert_eq!(without(second.body), without(first.body));
        whole
    }

    /// Errors: their kind, their status, and the provider's words whole, unstreamed and streamed.
    pub(crate) async fn errors(&self, table: &[(Fail, CallErrorKind, u16)]) {
        let words = "Ein Fehler; 'x' is “not” permitted: \u{1f980}";
        for (fail, kind, status) in table {
            self.server.push(Exchange::from(Failure::new(*fail).message(words)).times(2));
            let error = self.plain.call(typed()).await.expect_err("an error");
            let streamed = collect(&self.plain, typed()).await.1.expect_err("an error");
            for error in [error, streamed] {
                assert_eq!((error.kind(), error.status()), (*kind, Some(*status)), "{fail:?}: {error}");
                assert!(error.to_string().contains(words), "{fail:?}: {error}");
                assert_eq!(error.retries(), 0);
            }
        }
        assert_eq!(self.server.left(), 0);
    }

    /// Errors with the provider's usual words, where those alone say what it is.
    pub(crate) async fn usual_errors(&self, table: &[(Fail, CallErrorKind)]) {
        for (fail, kind) in table {
            self.server.push(Exchange::failure(*fail));
            let error = self.plain.call(typed()).await.expect_err("an error");
            assert_eq!(error.kind(), *kind, "{fail:?}: {error}");
            let is_schema = *kind == CallErrorKind::SchemaRefused;
            assert_eq!(error.to_string().contains("please report it"), is_schema, "{error}");
        }
    }

    /// What goes wrong in the middle of a stream.
    pub(crate) async fn broken_streams(&self) {
        for (fail, kind) in [
            (Fail::ServerError, CallErrorKind::Provider),
            (Fail::Overloaded, CallErrorKind::Provider),
            (Fail::RateLimited, CallErrorKind::RateLimited),
        ] {
            let failure = Failure::new(fail).message("it broke, and the rate limit is why");
            self.server.push(Exchange::text(TICKET).ending(Ending::Broken(failure)));
            let (shown, error) = collect(&self.patient, typed()).await;
            let error = error.expect_err("an error");
            assert_eq!(shown.text, TICKET);
            assert!(error.to_string().contains("it broke"), "{error}");
            // Ollama's errors in streams have no status and no class.
            if self.wire != Wire::Ollama {
                assert_eq!(error.kind(), kind, "{error}");
            }
        }
        self.server.push(Exchange::text(TICKET).ending(Ending::Missing));
        let error = collect(&self.plain, typed()).await.1.expect_err("the end is missing");
        assert_eq!(error.kind(), CallErrorKind::Transport, "{error}");
        assert_eq!(self.server.left(), 0, "what was shown is not asked for again");
    }

    /// Bytes one by one, and in every small number.
    pub(crate) async fn any_split(&self, exchange: Exchange, request: CallRequest) {
        let expected = self.reply(exchange.clone(), request.clone()).await;
        for bytes in [1, 2, 3, 5, 7, 11, 64] {
            self.server.push(exchange.clone().fault(Fault::Drip { bytes, pause_ms: 0 }).times(2));
            let (shown, streamed) = collect(&self.plain, request.clone()).await;
            assert_eq!(unmarked(streamed.expect("a reply")), unmarked(expected.clone()), "{bytes}");
            assert_eq!(shown.text, expected.text, "{bytes}");
            let whole = self.plain.call(request.clone()).await.expect("a reply");
            assert_eq!(unmarked(whole), unmarked(expected.clone()), "{bytes}");
        }
    }

    /// Faults of the connection and of what comes over it.
    pub(crate) async fn faults(&self) {
        let transport =
            [Fault::ResetAtOnce, Fault::Reset(0), Fault::Reset(60), Fault::Close(0), Fault::Close(60), Fault::Garbage];
        let provider = [
            Fault::Body("{\"half\": ".into()),
            Fault::Body("[1, 2]".into()),
            Fault::Body("\"text\"".into()),
            Fault::Body("{}".into()),
            Fault::ContentType("text/html".into()),
            Fault::InvalidUtf8,
        ];
        let table = transport
            .map(|fault| (fault, CallErrorKind::Transport))
            .into_iter()
            .chain(provider.map(|fault| (fault, CallErrorKind::Provider)));
        for (fault, kind) in table {
            let exchange = Exchange::text("{\"a\":\"\u{fffd}\"}").fault(fault.clone());
            self.server.push(exchange.clone());
            let error = self.plain.call(typed()).await.expect_err("a fault");
            assert_eq!(error.kind(), kind, "{fault:?}: {error}");
            self.server.push(exchange);
            let error = collect(&self.plain, typed()).await.1.expect_err("a fault");
            // What is no event, or ends too early, is the stream's fault as well as the provider's.
            let of_stream = matches!(fault, Fault::Body(_)) && error.kind() == CallErrorKind::Transport;
            assert!(error.kind() == kind || of_stream, "{fault:?}: {error}");
        }
        for fault in [Fault::Huge(10 << 20), Fault::HugeFirst(10 << 20)] {
            // A stream is over where the provider says so, whatever follows.
            let only_whole = matches!(fault, Fault::Huge(_));
            self.server.push(Exchange::text(TICKET).fault(fault.clone()).times(if only_whole { 1 } else { 2 }));
            let error = self.bounded.call(typed()).await.expect_err("too large");
            assert!(error.to_string().contains("bytes, which is the limit"), "{error}");
            if !only_whole {
                let error = collect(&self.bounded, typed()).await.1.expect_err("too large");
                assert!(error.to_string().contains("bytes, which is the limit"), "{error}");
            }
        }
        // The other end is gone, without a word.
        for fault in [Fault::Silence, Fault::Stall(0), Fault::Stall(60)] {
            self.server.push(Exchange::text(TICKET).fault(fault).times(3));
            let error = self.hasty.call(typed()).await.expect_err("late");
            assert_eq!(error.kind(), CallErrorKind::Transport, "{error}");
            let error = collect(&self.hasty, typed()).await.1.expect_err("late");
            assert_eq!(error.kind(), CallErrorKind::Transport, "{error}");
            let mut urgent = typed();
            urgent.deadline = Some(Instant::now() + Duration::from_millis(50));
            let error = self.plain.call(urgent).await.expect_err("late");
            assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
        }
        assert_eq!(self.server.left(), 0);
    }

    /// Too many requests, overload and broken connections are sat out; what is wrong with a request is not.
    pub(crate) async fn storms(&self) {
        for fail in [Fail::RateLimited, Fail::Overloaded, Fail::ServerError, Fail::BadGateway] {
            let failure = Failure::new(fail).retry_after("0");
            self.server.push(Exchange::from(failure.clone()).times(2));
            self.server.push(Exchange::text(TICKET));
            let reply = self.patient.call(typed()).await.expect("a reply after all");
            assert_eq!((reply.retries, reply.text.as_str()), (2, TICKET), "{fail:?}");
            self.server.push(Exchange::from(failure).times(3));
            let error = self.patient.call(typed()).await.expect_err("too many");
            assert_eq!(error.retries(), 2, "{fail:?}: {error}");
            assert_eq!(self.server.left(), 0);
        }
        self.server.push(Exchange::text(TICKET).fault(Fault::ResetAtOnce).times(2));
        self.server.push(Exchange::text(TICKET));
        assert_eq!(self.patient.call(typed()).await.expect("a reply after all").retries, 2);
        for fail in [Fail::InvalidRequest, Fail::Unauthorized, Fail::Forbidden, Fail::NotFound] {
            self.server.push(Exchange::failure(fail));
            let error = self.patient.call(typed()).await.expect_err("wrong");
            assert_eq!(error.retries(), 0, "{fail:?}: {error}");
        }
        assert_eq!(self.server.left(), 0);
        let _ = self.server.take_requests();
    }

    /// Calls that are dropped while the server is silent, or in the middle of a stream.
    /// The provider must be a fresh one: whole replies leave connections open for the next.
    pub(crate) async fn cancelled_calls(self, calls: usize) {
        self.server.keep_requests(0);
        let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let Self { server, plain, .. } = self;
        for (i, fault) in [Fault::Silence, Fault::Stall(100)].into_iter().enumerate() {
            server.clear();
            server.push(Exchange::text(TICKET).fault(fault).always());
            let served = server.served();
            for at_once in 0..calls / 50 {
                let wave = (0..50).map(|_| tokio::spawn(call_or_stream(plain.clone(), i == 1)));
                let wave: Vec<_> = wave.collect();
                let due = served + 50 * (at_once as u64 + 1);
                until(|| server.served() >= due).await;
                for call in wave {
                    call.abort();
                    assert!(call.await.expect_err("it never ends").is_cancelled());
                }
            }
            until(|| server.open() == 0).await;
            assert_eq!(server.abandoned(), calls * (i + 1));
        }
        until(|| tokio::runtime::Handle::current().metrics().num_alive_tasks() <= tasks).await;
    }
}

async fn call_or_stream(adapter: DynAdapter, stream: bool) {
    if stream {
        let _ = collect(&adapter, plain()).await;
    } else {
        let _ = adapter.call(plain()).await;
    }
}

/// The names of an object's fields. Their order in a [`Value`] depends on the features of `serde_json`.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Waits until something holds that is sure to come.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_mins(1);
    while !holds() {
        assert!(Instant::now() < end, "it never came");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
