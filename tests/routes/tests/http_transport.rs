//! What goes wrong on the way: connections, waiting, further attempts, bounds, secrets, cancellation.

mod http;

use std::cell::RefCell;
use std::fmt::Write as _;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant, SystemTime};

use http::{KEY, QUICK, TICKET, chat, collect, openai, plain, routes, typed};
use response_schema::adapter::{Adapter, CallErrorKind, ChatCompletions, DynAdapter, OpenAi, ResponseFormat};
use response_schema::http::{Retry, Timeouts};
use response_schema_tests_routes::loopback::{Exchange, Fail, Failure, Fault, Loopback, Wire};
use serde_json::json;

const SHORT: Duration = Duration::from_millis(150);

#[tokio::test]
async fn faults_of_the_transport_are_tried_again_and_counted() {
    let server = Loopback::start([]);
    let adapter: DynAdapter = chat(&server).retry(QUICK).into();
    let faults = [
        Exchange::default().fault(Fault::ResetAtOnce),
        Exchange::text(TICKET).fault(Fault::Reset(40)),
        Exchange::text(TICKET).fault(Fault::Close(40)),
        Exchange::default().fault(Fault::Garbage),
        Exchange::failure(Fail::RequestTimeout),
        Exchange::failure(Fail::Conflict),
        Exchange::failure(Fail::RateLimited),
        Exchange::failure(Fail::ServerError),
        Exchange::failure(Fail::BadGateway),
        Exchange::failure(Fail::Overloaded),
    ];
    for fault in faults {
        for answers in 0..=3_u32 {
            server.clear();
            server.push(fault.clone().times(answers.max(1)));
            if answers == 0 {
                server.clear();
            }
            server.push(Exchange::text(TICKET).times(1));
            let result = adapter.call(typed()).await;
            if answers <= 2 {
                let response = result.unwrap();
                assert_eq!((response.text.as_str(), response.retries), (TICKET, answers), "{fault:?}");
            } else {
                let error = result.unwrap_err();
                assert_eq!(error.retries(), 2, "{fault:?}: {error}");
                assert!(error.kind().is_transient(), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_wrong_with_the_request_is_never_tried_again() {
    let server = Loopback::start([]);
    let fails = [
        Fail::InvalidRequest,
        Fail::SchemaRefused,
        Fail::Unauthorized,
        Fail::Forbidden,
        Fail::NotFound,
        Fail::TooLarge,
        Fail::ContextTooLong,
        Fail::QuotaUsedUp,
    ];
    for fail in fails {
        server.push(Exchange::failure(fail));
        let error = openai(&server).retry(QUICK).call(typed()).await.unwrap_err();
        assert_eq!((error.retries(), server.take_requests().len()), (0, 1), "{error}");
    }
    // Nor where the server itself says that it is of no use.
    server.push(Exchange::failure(Fail::ServerError).header("x-should-retry", "false"));
    let error = openai(&server).retry(QUICK).call(typed()).await.unwrap_err();
    assert_eq!((error.retries(), server.take_requests().len()), (0, 1), "{error}");
}

#[tokio::test]
async fn providers_say_how_long_to_wait() {
    let server = Loopback::start([]);
    let adapter = openai(&server).retry(QUICK);
    let limited = |after: &str| Exchange::from(Failure::new(Fail::RateLimited).retry_after(after));

    server.push(limited("1"));
    server.push(Exchange::text(TICKET));
    let begun = Instant::now();
    assert_eq!(adapter.call(typed()).await.unwrap().retries, 1);
    assert!(begun.elapsed() >= Duration::from_secs(1));

    // A date that has come allows it at once.
    server.push(limited(&httpdate(SystemTime::now() - Duration::from_mins(1))));
    server.push(Exchange::text(TICKET));
    assert_eq!(adapter.call(typed()).await.unwrap().retries, 1);

    // More than the deadline leaves, and more than the policy allows: the error comes at once and says how long.
    let mut soon = typed();
    soon.deadline = Some(Instant::now() + Duration::from_secs(20));
    server.push(limited("30"));
    let begun = Instant::now();
    let error = openai(&server).retry(QUICK).call(soon).await.unwrap_err();
    assert_eq!((error.kind(), error.retry_after()), (CallErrorKind::RateLimited, Some(Duration::from_secs(30))));
    server.push(limited(&httpdate(SystemTime::now() + Duration::from_hours(1))));
    let error = adapter.call(typed()).await.unwrap_err();
    assert!(error.retry_after().is_some_and(|wait| wait > Duration::from_mins(59)), "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!((error.retries(), server.left()), (0, 0));
}

fn httpdate(time: SystemTime) -> String {
    // Of days since 1970, by the civil calendar (Hinnant's algorithm).
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let era_day = days + 719_468;
    let (era, doe) = (era_day / 146_097, era_day % 146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let year = yoe + era * 400 + u64::from(month <= 2);
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let (hour, minute, second) = (rest / 3_600, rest % 3_600 / 60, rest % 60);
    let month = months[usize::try_from(month).unwrap() - 1];
    let weekday = weekdays[usize::try_from(days % 7).unwrap()];
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Servers that stop talking, each in its own place.
#[tokio::test]
async fn every_wait_has_a_limit() {
    let server = Loopback::start([]);
    let limits = Timeouts::default().with_first_byte(SHORT).with_idle(SHORT);
    let adapter: DynAdapter = chat(&server).timeouts(limits).into();
    for fault in [Fault::Silence, Fault::Stall(0), Fault::Stall(60)] {
        server.push(Exchange::text(TICKET).fault(fault.clone()).times(2));
        let error = adapter.call(typed()).await.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Transport, "{fault:?}: {error}");
        assert!(error.to_string().contains("150ms"), "{error}");
        let error = collect(&adapter, typed()).await.1.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Transport, "{fault:?}: {error}");
    }
    // The deadline of the request, and the total of the route, hold over all of it, attempts included.
    for (total, deadline) in [(Duration::from_mins(1), Some(SHORT)), (SHORT, None)] {
        for fault in [Fault::Silence, Fault::Stall(60), Fault::Drip { bytes: 1, pause_ms: 20 }] {
            server.push(Exchange::text(TICKET).fault(fault.clone()));
            let mut request = typed();
            request.deadline = deadline.map(|deadline| Instant::now() + deadline);
            let adapter = chat(&server).retry(QUICK).timeouts(Timeouts::default().with_total(total));
            let error = adapter.call(request).await.unwrap_err();
            assert_eq!(error.kind(), CallErrorKind::Timeout, "{fault:?}: {error}");
        }
    }
    let mut late = typed();
    late.deadline = Some(Instant::now());
    let error = chat(&server).call(late).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout, "{error}");
    // A limit that no clock can count to is none.
    server.push(Exchange::text(TICKET));
    let endless = Timeouts::default().with_total(Duration::MAX).with_idle(Duration::MAX).with_first_byte(Duration::MAX);
    assert_eq!(chat(&server).timeouts(endless).call(typed()).await.unwrap().text, TICKET);
}

/// Bytes that come one by one make the same reply.
#[tokio::test]
async fn replies_split_anywhere() {
    let server = Loopback::start([]);
    for route in routes(&server) {
        for bytes in [1, 2, 7] {
            let drip = Exchange::text(TICKET).fault(Fault::Drip { bytes, pause_ms: 0 }).times(2);
            server.push(drip);
            assert_eq!(route.adapter.call(typed()).await.unwrap().text, TICKET);
            assert_eq!(collect(&route.adapter, typed()).await.0.text, TICKET);
        }
    }
}

/// A stream that has shown something is not begun again; one that has not is.
#[tokio::test]
async fn streams_are_begun_again_only_while_nothing_was_shown() {
    let server = Loopback::start([]);
    let adapter: DynAdapter = chat(&server).retry(QUICK).into();
    server.push(Exchange::failure(Fail::Overloaded));
    server.push(Exchange::text(TICKET).fault(Fault::Reset(0)));
    server.push(Exchange::text(TICKET));
    let (shown, response) = collect(&adapter, typed()).await;
    assert_eq!((shown.text.as_str(), response.unwrap().retries), (TICKET, 2));

    let mut slow = Exchange::text(TICKET).fault(Fault::Close(1200));
    slow.pace_ms = 5;
    server.push(slow);
    let (shown, error) = collect(&adapter, typed()).await;
    let error = error.unwrap_err();
    assert_eq!((error.kind(), error.retries()), (CallErrorKind::Transport, 0), "{error}");
    assert!(!shown.text.is_empty() && TICKET.starts_with(&shown.text), "{shown:?}");
    assert_eq!(server.left(), 0);
}

/// What came is shown before the fault that came with it, in one write or in many.
#[tokio::test]
async fn what_came_before_a_fault_is_shown() {
    let chunk = json!({"choices": [{"index": 0, "delta": {"content": "so far"}}]});
    let body = format!("data: {chunk}\n\ndata: {}\n\n", json!({"error": {"message": "it broke"}}));
    let server = Loopback::start([Exchange::default().fault(Fault::Body(body))]);
    let (shown, error) = collect(&chat(&server).into(), typed()).await;
    assert_eq!(shown.text, "so far");
    assert!(error.unwrap_err().to_string().contains("it broke"));
}

#[tokio::test]
async fn large_replies_are_bounded() {
    let server = Loopback::start([]);
    let adapter: DynAdapter = chat(&server).max_reply_bytes(1 << 20).retry(QUICK).into();
    for fault in [Fault::HugeFirst(8 << 20), Fault::Huge(8 << 20)] {
        server.push(Exchange::text(TICKET).fault(fault.clone()));
        let error = adapter.call(typed()).await.unwrap_err();
        assert_eq!((error.kind(), error.retries()), (CallErrorKind::Provider, 0), "{fault:?}: {error}");
        assert!(error.to_string().contains("1048576"), "{error}");
    }
    server.push(Exchange::text(TICKET).fault(Fault::HugeFirst(8 << 20)));
    let error = collect(&adapter, typed()).await.1.unwrap_err();
    assert!(error.to_string().contains("1048576"), "{error}");
    // What comes after a stream's end is not waited for.
    server.push(Exchange::text(TICKET).fault(Fault::Huge(8 << 20)));
    assert_eq!(collect(&adapter, typed()).await.1.unwrap().text, TICKET);
    // Padding below the limit is harmless.
    server.push(Exchange::text(TICKET).fault(Fault::HugeFirst(256 << 10)).times(2));
    assert_eq!(adapter.call(typed()).await.unwrap().text, TICKET);
    assert_eq!(collect(&adapter, typed()).await.1.unwrap().text, TICKET);
}

#[tokio::test]
async fn answers_that_are_not_what_they_say() {
    let server = Loopback::start([]);
    for route in routes(&server) {
        let name = route.adapter.capabilities().route;
        server.push(Exchange::text(TICKET).fault(Fault::ContentType("text/html; charset=utf-8".into())).times(2));
        let error = route.adapter.call(typed()).await.unwrap_err();
        assert!(error.to_string().contains("`text/html`") && error.to_string().contains("base URL"), "{name}: {error}");
        assert!(collect(&route.adapter, typed()).await.1.is_err());
        // Kinds that say nothing are read as what was asked for.
        server.push(Exchange::text(TICKET).fault(Fault::ContentType("text/plain".into())).times(2));
        assert_eq!(route.adapter.call(typed()).await.unwrap().text, TICKET, "{name}");
        assert_eq!(collect(&route.adapter, typed()).await.1.unwrap().text, TICKET, "{name}");
        for text in ["bad \u{fffd} byte", "{\"a\": \"\u{fffd}\"}"] {
            server.push(Exchange::text(text).fault(Fault::InvalidUtf8).times(2));
            let error = route.adapter.call(typed()).await.unwrap_err();
            assert_eq!(error.kind(), CallErrorKind::Provider, "{name}: {error}");
            let error = collect(&route.adapter, typed()).await.1.unwrap_err();
            assert_eq!(error.kind(), CallErrorKind::Provider, "{name}: {error}");
        }
        for body in ["", "{", "null", "[]", "<html>", "data: {\n\n"] {
            server.push(Exchange::default().fault(Fault::Body(body.into())).times(2));
            assert!(route.adapter.call(typed()).await.is_err(), "{name}: {body}");
            assert!(collect(&route.adapter, typed()).await.1.is_err(), "{name}: {body}");
        }
        server.clear();
    }
}

/// A server that streams unasked, and one that does not although it is asked.
#[tokio::test]
async fn the_answers_form_is_its_own_word() {
    let server = Loopback::start([]);
    let mut unasked = typed();
    unasked.parameters.extra.insert("stream".into(), json!(true));
    server.push(Exchange::text(TICKET));
    assert_eq!(chat(&server).call(unasked).await.unwrap().text, TICKET);
    let mut refused = typed();
    refused.parameters.extra.insert("stream".into(), json!(false));
    refused.parameters.extra.insert("stream_options".into(), json!(null));
    server.push(Exchange::text(TICKET));
    let (shown, response) = collect(&chat(&server).into(), refused).await;
    assert_eq!((shown.text.as_str(), response.unwrap().text.as_str()), (TICKET, TICKET));
}

#[tokio::test]
async fn nobody_there() {
    let server = Loopback::start([]);
    let url = server.url();
    drop(server);
    let adapter = OpenAi::new(KEY).unwrap().model("m").base_url(&url).retry(QUICK);
    let error = adapter.call(typed()).await.unwrap_err();
    assert_eq!((error.kind(), error.retries()), (CallErrorKind::Transport, 2), "{error}");
    assert!(error.to_string().contains("could not be reached"), "{error}");
    let error = adapter.base_url("no url").call(typed()).await.unwrap_err();
    assert_eq!((error.kind(), error.retries()), (CallErrorKind::InvalidRequest, 0), "{error}");
}

/// No key goes to where a redirect points.
#[tokio::test]
async fn redirects_are_not_followed() {
    let server = Loopback::start([]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let here = format!("http://{}", listener.local_addr().unwrap());
    let place = server.base_url(Wire::Chat);
    let redirecting = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut vec![0; 65_536]).await.unwrap();
        let head = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {place}\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
    });
    let error = chat(&server).base_url(here).retry(QUICK).call(typed()).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (CallErrorKind::InvalidRequest, Some(307)), "{error}");
    assert!(error.to_string().contains(&server.base_url(Wire::Chat)), "{error}");
    assert!(server.requests().is_empty());
    redirecting.await.unwrap();
}

#[tokio::test]
async fn a_client_of_ones_own() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("x-mine", "yes".parse().unwrap());
    let client =
        reqwest::Client::builder().tls_backend_preconfigured(no_tls()).default_headers(headers).build().unwrap();
    assert_eq!(openai(&server).client(client).call(typed()).await.unwrap().text, TICKET);
    assert_eq!(server.requests()[0].header("x-mine"), Some("yes"));
}

fn no_tls() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

/// Without a runtime there is an error, not a panic.
#[test]
fn calls_outside_a_runtime_are_refused_in_words() {
    let adapter = ChatCompletions::llama_cpp();
    let error = pollster::block_on(adapter.call(plain())).unwrap_err();
    assert!(error.to_string().contains("tokio"), "{error}");
}

/// A thousand calls that nobody waits for leave no connection and no task.
#[tokio::test]
async fn cancelled_calls_leave_nothing() {
    let server = Loopback::start([]);
    server.keep_requests(0);
    let tasks = tokio::runtime::Handle::current().metrics().num_alive_tasks();
    for route in routes(&server) {
        server.push(Exchange::text(TICKET).fault(Fault::Stall(60)).always());
        let name = route.adapter.capabilities().route;
        let (before, abandoned) = (server.served(), server.abandoned());
        for _ in 0..20 {
            let mut calls = Vec::new();
            for i in 0..50_u64 {
                let adapter = route.adapter.clone();
                calls.push(tokio::spawn(async move {
                    if i % 2 == 0 {
                        adapter.call(typed()).await.map(drop)
                    } else {
                        collect(&adapter, typed()).await.1.map(drop)
                    }
                }));
            }
            // All of them are under way, in every state, when they are dropped.
            let asked = server.served() + 50;
            until(|| server.served() >= asked.min(before + 1000)).await;
            calls.iter().for_each(tokio::task::JoinHandle::abort);
            for call in calls {
                assert!(call.await.unwrap_err().is_cancelled());
            }
        }
        assert_eq!(server.served() - before, 1000, "{name}");
        until(|| server.open() == 0).await;
        assert!(server.abandoned() - abandoned > 0, "{name}");
        server.clear();
    }
    until(|| tokio::runtime::Handle::current().metrics().num_alive_tasks() <= tasks).await;
}

/// Waits until it is so; fails after long.
async fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never was so");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Every text that a program could print or log, with the key in none of them, wherever a server puts it.
#[tokio::test]
async fn keys_are_in_no_text() {
    listen();
    let server = Loopback::start([]);
    let mut texts = String::new();
    let told = format!("Incorrect API key provided: {KEY}.");
    let gateway = format!("{}?api_key={KEY}", server.base_url(Wire::Responses));
    let adapters: Vec<DynAdapter> = vec![
        openai(&server).header("x-gateway-token", KEY).trace_contents(true).retry(QUICK).into(),
        openai(&server).base_url(&gateway).into(),
        openai(&server).base_url(format!("http://me:{KEY}@127.0.0.1:1/?key={KEY}")).into(),
        chat(&server).into(),
        ChatCompletions::azure(server.url() + "/openai/v1", KEY).unwrap().model("m").retry(Retry::never()).into(),
        ChatCompletions::groq(format!("{KEY}\n")).unwrap().model("m").into(),
        response_schema::adapter::Glm::new(KEY).unwrap().base_url(format!("ftp://{KEY}@h")).model("m").into(),
    ];
    for adapter in &adapters {
        let _ = write!(texts, "{adapter:?} {:?}", adapter.capabilities());
        for exchange in [
            Exchange::text(TICKET),
            Exchange::failure(Fail::Unauthorized)
                .fault(Fault::Body(json!({"error": {"message": told, "param": KEY}}).to_string())),
            Exchange::failure(Fail::BadGateway).fault(Fault::Body(format!("<html>{told}</html>"))),
            Exchange::default().fault(Fault::Body(json!({"error": told}).to_string())),
            Exchange::default().fault(Fault::Body(json!({"output": told, "choices": told}).to_string())),
            Exchange::default().fault(Fault::ContentType(format!("text/{KEY}"))),
            Exchange::default().fault(Fault::ResetAtOnce),
            Exchange::from(Failure::new(Fail::Overloaded).message(&told)),
        ] {
            server.clear();
            server.push(exchange.always());
            for result in [adapter.call(typed()).await, collect(adapter, typed()).await.1] {
                match result {
                    Ok(response) => {
                        let _ = write!(texts, "{response:?}");
                    }
                    Err(error) => {
                        let _ = write!(texts, "{error} {error:?} {error:#?}");
                        let mut source = std::error::Error::source(&error);
                        while let Some(error) = source {
                            let _ = write!(texts, "{error} {error:?}");
                            source = error.source();
                        }
                    }
                }
            }
        }
    }
    let concrete = openai(&server).base_url(gateway).header("x-api-key", KEY);
    let dry = concrete.dry_run(&typed()).unwrap();
    let _ = write!(texts, "{concrete:?} {concrete:#?} {dry} {dry:?}");
    let _ = write!(texts, "{:?} {:?}", chat(&server), http::glm(&server));
    let heard = heard();
    assert!(heard.contains("gen_ai.input.messages"), "the listener hears");
    for text in [&texts, &heard] {
        if let Some(at) = text.find(&KEY[3..]) {
            panic!("the key is in: {}", &text[at.saturating_sub(200)..(at + 60).min(text.len())]);
        }
    }
    // The key was where it belongs.
    assert!(server.requests().iter().any(|request| request.header("authorization") == Some(&*format!("Bearer {KEY}"))));
}

/// Spans and events have OpenTelemetry's names, and no content unless that is asked for.
#[tokio::test]
async fn traces_say_what_happened_and_not_what_was_said() {
    listen();
    let server = Loopback::start([Exchange::failure(Fail::Overloaded), Exchange::text(TICKET)]);
    openai(&server).retry(QUICK).call(typed()).await.unwrap();
    server.push(Exchange::failure(Fail::Unauthorized));
    let _ = chat(&server).call(typed()).await;
    let text = heard();
    for part in [
        "gen_ai.operation.name=\"chat\"",
        "gen_ai.provider.name=\"openai\"",
        "gen_ai.request.model=\"gpt-5.6\"",
        "gen_ai.output.type=\"json\"",
        "gen_ai.usage.input_tokens=20",
        "gen_ai.usage.output_tokens=10",
        "gen_ai.response.finish_reasons=\"stop\"",
        "http.request.resend_count=1",
        "http.response.status_code=503",
        "server.address=\"127.0.0.1\"",
        "error.type=Unauthorized",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for content in ["Nobody can log in", "You sort reports", "gen_ai.input.messages"] {
        assert!(!text.contains(content), "{content} in {text}");
    }
}

/// Writes down what is told, for each thread apart: a test and its calls are one.
///
/// It listens to the whole program. A listener of one thread would miss what another thread was the first to reach.
struct Heard;

thread_local! {
    static HEARD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Listens, from an empty page on.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| tracing::subscriber::set_global_default(Heard).unwrap());
    HEARD.take();
}

/// What this thread told since it listens.
fn heard() -> String {
    HEARD.take()
}

impl Heard {
    fn write(fields: impl FnOnce(&mut dyn tracing::field::Visit)) {
        struct Writer<'a>(&'a mut String);
        impl tracing::field::Visit for Writer<'_> {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                let _ = writeln!(self.0, "{field}={value:?}");
            }
        }
        HEARD.with_borrow_mut(|text| fields(&mut Writer(text)));
    }
}

impl tracing::Subscriber for Heard {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target().starts_with("response_schema")
    }

    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        Self::write(|visit| span.record(visit));
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, values: &tracing::span::Record<'_>) {
        Self::write(|visit| values.record(visit));
    }

    fn event(&self, event: &tracing::Event<'_>) {
        Self::write(|visit| event.record(visit));
    }

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

/// A schema of a name that no provider would take comes out with one that it takes.
#[tokio::test]
async fn names_are_made_to_fit() {
    let server = Loopback::start([Exchange::text("{}").always()]);
    for title in [json!("Fruit or vehicle"), json!("Result<Vec<Row>, Oops>"), json!("x".repeat(200)), json!(7)] {
        let schema =
            json!({"type": "object", "title": title, "properties": {}, "required": [], "additionalProperties": false});
        for route in routes(&server) {
            let request = plain().with_response_schema(ResponseFormat::from_schema(schema.clone()));
            route.adapter.call(request).await.unwrap();
        }
    }
    assert!(server.requests().iter().all(|request| request.refused.is_none()));
}
