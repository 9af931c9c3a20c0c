//! Values that grow, over every wire: split anywhere, with every end, and with a reader that is slow or goes away.

mod http;
#[allow(unused_macros, reason = "only its waiting is needed")]
mod provider;

use std::time::{Duration, Instant};

use http::{Area, KEY, PartialTicket, TICKET, Ticket, routes};
use response_schema::adapter::{Anthropic, DynAdapter, Gemini, Ollama, Router};
use response_schema::http::{OutputMode, Retry, Timeouts};
use response_schema::worker::{Item, Outcome, Update};
use response_schema::{Error, ErrorKind, SubTask, Worker};
use response_schema_tests_routes::loopback::{Call, Ending, Exchange, Fail, Failure, Fault, Loopback, Wire};

/// Every adapter and mode, at a server of ours.
fn adapters(server: &Loopback) -> Vec<(String, DynAdapter)> {
    let anthropic = |mode| {
        let base = server.base_url(Wire::Anthropic);
        let adapter = Anthropic::new(KEY).unwrap().base_url(base).model("claude-sonnet-5").retry(Retry::never());
        (format!("anthropic {mode:?}"), DynAdapter::new(adapter.output_mode(mode)))
    };
    let gemini = Gemini::new(KEY).unwrap().base_url(server.base_url(Wire::Gemini)).model("gemini-2.5-flash");
    let ollama = Ollama::new().base_url(server.base_url(Wire::Ollama)).model("qwen3");
    let mut all = vec![
        anthropic(OutputMode::Format),
        anthropic(OutputMode::StrictTool),
        anthropic(OutputMode::Tool),
        ("gemini".to_owned(), gemini.retry(Retry::never()).into()),
        ("ollama".to_owned(), ollama.retry(Retry::never()).into()),
    ];
    all.extend(routes(server).into_iter().map(|route| (route.adapter.capabilities().route.to_owned(), route.adapter)));
    all
}

/// A model that writes this, in the form that the adapter asks it for.
fn writes(name: &str, text: &str) -> Exchange {
    if name.ends_with("Tool") {
        let call = Call { name: "respond".to_owned(), arguments: text.to_owned() };
        Exchange { calls: vec![call], ..Exchange::default() }
    } else {
        Exchange::text(text)
    }
}

fn task() -> SubTask {
    SubTask::new("Nobody can log in.")
}

/// What a stream told.
#[derive(Debug, Default)]
struct Told {
    partials: Vec<PartialTicket>,
    /// Why an attempt was void, and how many partials had been told by then.
    void: Vec<(Outcome, usize)>,
}

async fn read(worker: &Worker<DynAdapter>) -> (Told, Result<Ticket, Error>) {
    let (mut told, mut reply) = (Told::default(), worker.stream::<Ticket>(task()));
    loop {
        let end = match reply.next().await.expect("an end") {
            Ok(Update::Partial(partial)) => {
                told.partials.extend(partial.fields());
                continue;
            }
            Ok(Update::Restarted(restart)) => {
                told.void.push((restart.outcome, told.partials.len()));
                continue;
            }
            Ok(Update::Done(reply)) => Ok(reply.value),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error),
        };
        assert!(reply.next().await.is_none(), "nothing follows the end");
        return (told, end);
    }
}

/// Each partial is one that the one before may have become, and none says what the ticket does not.
fn only_grow(partials: &[PartialTicket], ticket: &Ticket) {
    let mut known = (0, false, false);
    for PartialTicket { zeal, build, area } in partials {
        assert!(zeal.as_deref().is_none_or(|zeal| ticket.zeal.starts_with(zeal)), "{zeal:?}");
        assert!(build.as_ref().is_none_or(|build| *build == ticket.build), "{build:?}");
        assert!(area.as_ref().is_none_or(|area| *area == ticket.area), "{area:?}");
        let now = (zeal.as_ref().map_or(0, String::len), build.is_some(), area.is_some());
        assert!(now.0 >= known.0 && now.1 >= known.1 && now.2 >= known.2, "{known:?} became {now:?}");
        known = now;
    }
}

fn ticket() -> Ticket {
    Ticket { zeal: "Nobody can log in – at all \"".into(), build: None, area: Area::Login }
}

#[tokio::test]
async fn typed_partials_come_over_every_wire_however_it_is_split() {
    let server = Loopback::start([]);
    for (name, adapter) in adapters(&server) {
        let streams = adapter.capabilities().streaming;
        assert_eq!(streams, name != "openai-compatible/groq", "{name}");
        let worker = Worker::new(adapter);
        for bytes in [1, 2, 3, 5, 7, 64, 4096] {
            server.push(writes(&name, TICKET).fault(Fault::Drip { bytes, pause_ms: 0 }));
            let (told, end) = read(&worker).await;
            assert_eq!(end.unwrap_or_else(|error| panic!("{name}: {error:?}")), ticket(), "{name}");
            assert!(told.void.is_empty(), "{name}");
            only_grow(&told.partials, &ticket());
            if streams {
                let last = told.partials.last().expect("partials");
                assert!(told.partials.len() > 4, "{name}: {}", told.partials.len());
                assert_eq!(last.zeal.as_ref(), Some(&ticket().zeal), "{name}");
                assert_eq!(last.area, Some(Area::Login), "{name}");
            } else {
                assert!(told.partials.is_empty(), "{name}: one final item");
            }
        }
        assert_eq!(server.left(), 0);
    }
}

#[tokio::test]
async fn a_bad_end_is_void_before_the_second_attempt() {
    let server = Loopback::start([]);
    let bad = TICKET.replace("login", "lobby");
    for (name, adapter) in adapters(&server) {
        let streams = adapter.capabilities().streaming;
        server.push(writes(&name, &bad));
        server.push(writes(&name, TICKET));
        let (told, end) = read(&Worker::new(adapter)).await;
        assert_eq!(end.unwrap_or_else(|error| panic!("{name}: {error:?}")), ticket(), "{name}");
        let [(outcome, before)] = told.void[..] else { panic!("{name}: {told:?}") };
        assert_eq!((outcome, before > 0), (Outcome::Invalid, streams), "{name}");
        only_grow(&told.partials[before..], &ticket());
        if streams {
            assert!(told.partials[before].area.is_none(), "{name}: it begins anew");
        }
    }
}

#[tokio::test]
async fn refusals_filters_and_faults_end_a_stream_as_what_they_are() {
    let server = Loopback::start([]);
    let broken = Failure::new(Fail::Overloaded).message("no room");
    for (name, adapter) in adapters(&server) {
        let _streams = adapter.capabilities().streaming;
        let worker = Worker::new(adapter);
        for (ending, kind) in [
            (Ending::Refused("No.".into()), Some(ErrorKind::Refused)),
            (Ending::Filtered, Some(ErrorKind::Filtered)),
            (Ending::Missing, Some(ErrorKind::Transport)),
            (Ending::Broken(broken.clone()), None),
        ] {
            // Ollama's wire has no word for what its provider withholds.
            let lacks = matches!(ending, Ending::Refused(_) | Ending::Filtered);
            if name == "ollama" && lacks {
                continue;
            }
            server.push(writes(&name, &TICKET[..30]).ending(ending.clone()));
            let (_, end) = read(&worker).await;
            // A route that is read whole does not see a stream break; and some wires have no word of their own for a
            // refusal.
            if let (Err(error), Some(kind)) = (&end, kind)
                && worker.route().capabilities().streaming
            {
                let same =
                    error.kind() == kind || (kind == ErrorKind::Refused && error.kind() != ErrorKind::InvalidOutput);
                assert!(same, "{name} {ending:?}: {:?}", error.kind());
            }
            assert!(end.is_err(), "{name} {ending:?}");
            server.clear();
        }
        // A cut one is asked for once more.
        server.push(writes(&name, &TICKET[..30]).ending(Ending::CutShort));
        server.push(writes(&name, TICKET));
        let (told, end) = read(&worker).await;
        assert_eq!(end.unwrap_or_else(|error| panic!("{name}: {error:?}")), ticket(), "{name}");
        assert_eq!(told.void.iter().map(|(outcome, _)| *outcome).collect::<Vec<_>>(), [Outcome::CutShort], "{name}");
    }
}

/// One provider breaks off in the middle, another answers: what was shown of the first is void.
#[tokio::test]
async fn a_chain_over_wires_begins_anew() {
    let (first, second) = (Loopback::start([]), Loopback::start([]));
    for (name, adapter) in adapters(&first) {
        if !adapter.capabilities().streaming {
            continue;
        }
        let (_, safe) = adapters(&second).remove(0);
        let chain = Router::new().route("fast", adapter).route("safe", safe).fallback(["fast", "safe"]).unwrap();
        // Some hundred bytes in, some of the ticket is seen on every wire.
        first.push(writes(&name, TICKET).ending(Ending::Missing));
        second.push(Exchange::text(TICKET));
        let (told, end) = read(&Worker::new(chain)).await;
        assert_eq!(end.unwrap_or_else(|error| panic!("{name}: {error:?}")), ticket(), "{name}");
        let [(outcome, before)] = told.void[..] else { panic!("{name}: {told:?}") };
        assert!(outcome == Outcome::Failed && before > 0, "{name}: {told:?}");
        only_grow(&told.partials[..before], &ticket());
        only_grow(&told.partials[before..], &ticket());
    }
}

#[tokio::test]
async fn elements_come_while_the_rest_is_written() {
    let server = Loopback::start([]);
    let list = format!("{{\"value\":[{TICKET},{TICKET},{TICKET}]}}");
    for (name, adapter) in adapters(&server) {
        let streams = adapter.capabilities().streaming;
        let worker = Worker::new(adapter);
        let before = server.sent();
        server.push(writes(&name, &list));
        let mut items = worker.stream_items::<Ticket>(task());
        for expected in 0..3 {
            match items.next().await.expect("an element").unwrap_or_else(|error| panic!("{name}: {error:?}")) {
                Item::Element(place, element) => assert_eq!((place, element), (expected, ticket()), "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        assert!(matches!(items.next().await, Some(Ok(Item::Done(_)))), "{name}");
        if !streams {
            continue;
        }
        // The last third never comes; the first element does not wait for it.
        let length = usize::try_from(server.sent() - before).expect("a length");
        server.push(writes(&name, &list).fault(Fault::Stall(length * 2 / 3)));
        let mut items = worker.stream_items::<Ticket>(task());
        assert!(matches!(items.next().await, Some(Ok(Item::Element(0, _)))), "{name}");
    }
}

/// A reader that stops reading stops the provider: what it has not asked for is not sent. When it goes away, the
/// connection does.
#[tokio::test]
async fn a_slow_reader_holds_the_provider_back() {
    const HUGE: u64 = 256 << 20;
    let server = Loopback::start([]);
    for (name, adapter) in adapters(&server) {
        if !adapter.capabilities().streaming {
            continue;
        }
        let (before, gone) = (server.sent(), server.abandoned());
        server.push(writes(&name, TICKET).fault(Fault::Huge(HUGE)));
        let worker = Worker::new(adapter);
        let mut reply = worker.stream::<Ticket>(task());
        assert!(matches!(reply.next().await, Some(Ok(Update::Partial(_)))), "{name}");
        // Until the server's writes no longer go anywhere.
        let (mut sent, mut still) = (server.sent(), 0);
        while still < 50 {
            tokio::time::sleep(Duration::from_millis(1)).await;
            still = if server.sent() == sent { still + 1 } else { 0 };
            sent = server.sent();
        }
        assert!(sent - before < HUGE / 8, "{name}: {} bytes were taken", sent - before);
        drop(reply);
        provider::until(|| server.abandoned() > gone).await;
        assert!(server.sent() - before < HUGE / 8, "{name}");
    }
    provider::until(|| server.open() == 0).await;
}

/// The route's own limit between two pieces, and the worker's.
#[tokio::test]
async fn a_stream_that_stands_still_is_given_up() {
    let server = Loopback::start([]);
    let limit = Duration::from_millis(50);
    let base = server.base_url(Wire::Chat);
    let chat = response_schema::adapter::ChatCompletions::openai(KEY).unwrap().base_url(base).model("gpt-5.6");
    let hasty = chat.clone().retry(Retry::never()).timeouts(Timeouts::default().with_idle(limit)).into();
    let patient: DynAdapter = chat.retry(Retry::never()).into();
    let stalled = || server.push(Exchange::text(TICKET).fault(Fault::Stall(600)));
    let start = Instant::now();
    stalled();
    let (told, end) = read(&Worker::new(hasty)).await;
    assert_eq!((end.unwrap_err().kind(), told.partials.is_empty()), (ErrorKind::Transport, false));
    stalled();
    let (told, end) = read(&Worker::new(patient.clone()).idle_timeout(limit)).await;
    assert_eq!((end.unwrap_err().kind(), told.partials.is_empty()), (ErrorKind::Timeout, false));
    server.push(Exchange::text(TICKET).fault(Fault::Silence));
    let (told, end) = read(&Worker::new(patient.clone()).first_piece_timeout(limit)).await;
    assert_eq!((end.unwrap_err().kind(), told.partials.is_empty()), (ErrorKind::Timeout, true));
    stalled();
    let (_, end) = read(&Worker::new(patient).timeout(limit)).await;
    assert_eq!(end.unwrap_err().kind(), ErrorKind::Timeout);
    assert!(start.elapsed() < Duration::from_mins(1));
    provider::until(|| server.open() == 0).await;
}
