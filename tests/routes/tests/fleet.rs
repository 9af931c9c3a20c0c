//! Several servers behind one route, on a clock whose hours pass in no time. `http_fleet.rs` has servers that die.

use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::future::{join, join_all};
use futures_util::stream;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, DynAdapter, Ejection, Enforcement,
    Fleet, Message, Need, ResponseFormat, ResponseStream, StreamEvent,
};
use response_schema::dialect::Guidance;
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::worker::{Clock, RetryPolicy};
use response_schema::{ErrorKind, SubTask, Worker};

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn request(text: &str) -> CallRequest {
    CallRequest::new(vec![Message::user(text)])
}

/// A server that answers each request with its name, after so long.
fn server(clock: &VirtualClock, name: &str, time: Duration) -> Scripted {
    Scripted::new([""; 0]).then(Turn::text(name).after(time)).clock(clock)
}

fn down() -> Turn {
    Turn::error(CallErrorKind::Transport, "the server could not be reached")
}

/// A server that is down for good.
fn dead() -> Scripted {
    Scripted::new([""; 0]).then(down())
}

/// The servers as a fleet, named a, b, c, that fails at once when nobody is in.
fn fleet(clock: &VirtualClock, servers: &[Scripted]) -> Fleet<Scripted> {
    let names = ["a", "b", "c"];
    Fleet::named(names.into_iter().zip(servers.iter().cloned())).clock(clock.clone()).patience(Duration::ZERO)
}

/// Who answered.
fn by(response: &CallResponse) -> &str {
    &response.answered_by.as_ref().expect("a name").name
}

fn counts(servers: &[Scripted]) -> Vec<usize> {
    servers.iter().map(|server| server.requests().len()).collect()
}

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn the_least_loaded_server_is_asked() {
    let clock = VirtualClock::new();
    let servers = [1, 1, 1].map(|time| server(&clock, "x", seconds(time)));
    let all = fleet(&clock, &servers);
    clock.run(join_all((0..9).map(|_| all.call(request("?")))));
    assert_eq!(counts(&servers), [3, 3, 3]);

    // A slow one gets fewer: it has more under way whenever there is a choice.
    let servers = [server(&clock, "slow", seconds(10)), server(&clock, "fast", seconds(1))];
    let all = fleet(&clock, &servers).limit(2);
    clock.run(join_all((0..22).map(|_| all.call(request("?")))));
    assert_eq!(counts(&servers), [2, 20]);
}

#[test]
fn load_is_measured_against_the_limit() {
    let clock = VirtualClock::new();
    let servers = [1, 1].map(|time| server(&clock, "x", seconds(time)));
    let all = fleet(&clock, &servers).limit_of("a", 3).limit_of("b", 9);
    clock.run(join_all((0..8).map(|_| all.call(request("?")))));
    assert_eq!(counts(&servers), [2, 6]);
}

#[test]
fn no_server_has_more_than_its_limit_and_nobody_is_overtaken() {
    let clock = VirtualClock::new();
    let servers = [server(&clock, "a", seconds(1)), server(&clock, "b", seconds(1))];
    let all = fleet(&clock, &servers).limit_of("a", 2).limit_of("b", 1);
    let most = Mutex::new(vec![0; 2]);
    let done = Mutex::new(Vec::new());
    clock.run(join_all((0..12).map(|number| {
        let (all, most, done, clock) = (&all, &most, &done, &clock);
        async move {
            // One after the other, and all of them long before the first is done.
            clock.sleep(Duration::from_millis(number)).await;
            let call = async {
                all.call(request(&number.to_string())).await.expect("a reply");
                done.lock().unwrap().push(number);
            };
            let watch = async {
                clock.sleep(Duration::from_millis(500)).await;
                for (most, server) in most.lock().unwrap().iter_mut().zip(all.servers()) {
                    *most = server.in_flight.max(*most);
                }
            };
            join(call, watch).await;
        }
    })));
    assert_eq!(*most.lock().unwrap(), [2, 1]);
    assert_eq!(*done.lock().unwrap(), (0..12).collect::<Vec<_>>());
    // Each server was asked in the order in which the callers came.
    for server in &servers {
        let asked: Vec<u32> =
            server.requests().iter().map(|request| request.messages[0].text().parse().unwrap()).collect();
        assert!(asked.is_sorted(), "{asked:?}");
    }
}

#[test]
fn a_server_that_is_down_is_left_out_and_its_request_goes_elsewhere() {
    let clock = VirtualClock::new();
    let servers = [Scripted::new([down()]).then(Turn::text("a")).clock(&clock), server(&clock, "b", Duration::ZERO)];
    let all = fleet(&clock, &servers);
    clock.run(async {
        let response = all.call(request("?")).await.expect("a reply");
        assert_eq!((by(&response), response.retries), ("b", 1));
        assert_eq!(response.passed_over.len(), 1);
        assert_eq!(response.passed_over[0].route, "a");
        assert_eq!(response.passed_over[0].reason, "the server could not be reached");
        let status = &all.servers()[0];
        assert_eq!((status.is_in, status.in_flight), (false, 0));
        assert_eq!(status.last_fault.as_deref(), Some("the server could not be reached"));
        for _ in 0..3 {
            let response = all.call(request("?")).await.expect("a reply");
            assert_eq!((by(&response), response.passed_over.len()), ("b", 0));
        }
        // After its time out it is tried, and is in again.
        clock.sleep(seconds(1)).await;
        assert_eq!(by(&all.call(request("?")).await.expect("a reply")), "a");
        assert!(all.servers()[0].is_in);
    });
}

#[test]
fn each_failed_return_doubles_the_time_out() {
    let clock = VirtualClock::new();
    let servers = [dead(), server(&clock, "b", Duration::ZERO)];
    let all = fleet(&clock, &servers).ejection(Ejection::default().with_time_out(seconds(1), seconds(5)));
    let mut tried = Vec::new();
    clock.run(async {
        for tick in 0..200 {
            assert_eq!(by(&all.call(request("?")).await.expect("a reply")), "b");
            let count = servers[0].requests().len();
            if tried.len() < count {
                tried.push(tick);
            }
            clock.sleep(Duration::from_millis(100)).await;
        }
    });
    assert_eq!(tried, [0, 10, 30, 70, 120, 170], "in tenths of a second");
}

#[test]
fn one_call_at_a_time_tries_a_server_that_was_out() {
    let clock = VirtualClock::new();
    let back = Scripted::new([down()]).then(Turn::text("a").after(seconds(3))).clock(&clock);
    let servers = [back, server(&clock, "b", seconds(3))];
    let all = fleet(&clock, &servers);
    clock.run(async {
        all.call(request("?")).await.expect("a reply");
        clock.sleep(seconds(1)).await;
        let replies = join_all((0..5).map(|_| all.call(request("?")))).await;
        let names: Vec<_> = replies.iter().map(|reply| by(reply.as_ref().expect("a reply"))).collect();
        assert_eq!(names, ["a", "b", "b", "b", "b"]);
        // Now it is in, and takes its share.
        let replies = join_all((0..4).map(|_| all.call(request("?")))).await;
        assert_eq!(replies.iter().filter(|reply| by(reply.as_ref().expect("a reply")) == "a").count(), 2);
    });
}

#[test]
fn a_trial_that_nobody_waits_for_proves_nothing() {
    let clock = VirtualClock::new();
    let servers = [Scripted::new([down(), Turn::silence(), Turn::text("a")]).clock(&clock)];
    let all = fleet(&clock, &servers);
    clock.run(async {
        all.call(request("?")).await.expect_err("it is down");
        clock.sleep(seconds(1)).await;
        {
            let mut hangs = pin!(all.call(request("?")));
            assert!(poll(hangs.as_mut()).is_pending());
        }
        let status = &all.servers()[0];
        assert_eq!((status.is_in, status.in_flight), (false, 0));
        assert_eq!(by(&all.call(request("?")).await.expect("a reply")), "a");
    });
}

#[test]
fn with_nobody_in_the_error_has_the_last_fault_of_each() {
    let clock = VirtualClock::new();
    let busy = Turn::error(CallErrorKind::RateLimited, "no room").status(429);
    let servers = [dead(), Scripted::new([""; 0]).then(busy)];
    let all = fleet(&clock, &servers);
    let error = clock.run(all.call(request("?"))).expect_err("all are out");
    assert_eq!(
        error.to_string(),
        "no server of the fleet could take the request; `a` (out for 1.0 s more): the server could not be reached; \
         `b` (out for 1.0 s more): no room"
    );
    assert_eq!((error.kind(), error.status(), error.retries()), (CallErrorKind::RateLimited, Some(429), 1));
    assert_eq!(error.retry_after(), Some(seconds(1)));
    assert_eq!(error.passed_over().len(), 2);
    // The next one asks nobody, and is told the same.
    let error = clock.run(all.call(request("?"))).expect_err("all are out");
    assert!(error.to_string().contains("no room"), "{error}");
    assert_eq!(counts(&servers), [1, 1]);
}

#[test]
fn a_patient_request_waits_for_the_first_to_return() {
    let clock = VirtualClock::new();
    let restarted = Scripted::new([down(), down(), down()]).then(Turn::text("a")).clock(&clock);
    let all = fleet(&clock, &[restarted]).patience(seconds(10));
    let response = clock.run(all.call(request("?"))).expect("a reply");
    assert_eq!((by(&response), response.retries, clock.elapsed()), ("a", 3, seconds(1 + 2 + 4)));

    // Patience counts the waiting, and has an end.
    let clock = VirtualClock::new();
    let all = fleet(&clock, &[dead()]).patience(seconds(10));
    let (one, other) = clock.run(join(all.call(request("?")), all.call(request("?"))));
    assert_eq!(clock.elapsed(), seconds(10));
    for error in [one.expect_err("it is dead"), other.expect_err("it is dead")] {
        assert_eq!(error.kind(), CallErrorKind::Transport);
        assert!(error.to_string().contains("`a` (out for "), "{error}");
    }
}

#[test]
fn those_who_wait_for_a_place_learn_that_the_server_is_out() {
    let clock = VirtualClock::new();
    let servers = [Scripted::new([down().after(seconds(2))]).then(Turn::text("a").after(seconds(2))).clock(&clock)];
    let all = fleet(&clock, &servers).limit(1);
    let replies = clock.run(join_all((0..3).map(|_| all.call(request("?")))));
    assert!(replies.iter().all(Result::is_err), "{replies:?}");
    assert_eq!((clock.elapsed(), counts(&servers)), (seconds(2), vec![1]));

    // The patient ones are served once it is back.
    let all = all.patience(seconds(5));
    let replies = clock.run(join_all((0..3).map(|_| all.call(request("?")))));
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    assert_eq!(clock.elapsed(), seconds(2 + 1 + 3 * 2));
}

#[test]
fn a_free_place_at_a_returned_server_wakes_those_who_wait_at_full_ones() {
    let clock = VirtualClock::new();
    let back = Scripted::new([down()]).then(Turn::text("a")).clock(&clock);
    let servers = [back, server(&clock, "b", seconds(100))];
    let all = fleet(&clock, &servers).limit(1);
    let (first, second) = clock.run(join(all.call(request("1")), async {
        let response = all.call(request("2")).await.expect("a reply");
        (by(&response).to_owned(), clock.elapsed())
    }));
    assert_eq!(by(&first.expect("a reply")), "b");
    assert_eq!(second, ("a".to_owned(), seconds(1)));
}

#[test]
fn no_request_waits_beyond_its_deadline() {
    let clock = VirtualClock::new();
    let servers = [server(&clock, "a", seconds(100))];
    let all = fleet(&clock, &servers).limit(1);
    let mut late = request("2");
    late.deadline = Some(clock.now() + seconds(7));
    let (_, error) = clock.run(join(all.call(request("1")), async {
        let result = all.call(late).await;
        assert_eq!(clock.elapsed(), seconds(7));
        result.expect_err("the deadline passed")
    }));
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert!(error.to_string().contains("all servers of the fleet were busy or out"), "{error}");

    let all = fleet(&clock, &[dead()]).patience(seconds(60));
    let mut late = request("2");
    let start = clock.now();
    late.deadline = Some(start + seconds(3));
    assert_eq!(clock.run(all.call(late)).expect_err("late").kind(), CallErrorKind::Timeout);
    assert_eq!(clock.now() - start, seconds(3));
}

#[test]
fn a_request_that_breaks_every_server_leaves_the_fleet_in() {
    let clock = VirtualClock::new();
    let broken = || Turn::error(CallErrorKind::Provider, "internal error").status(500);
    let servers = [0, 1, 2].map(|_| Scripted::new([broken(), broken()]).then(Turn::text("x")).clock(&clock));
    let all = fleet(&clock, &servers).patience(seconds(30));
    for _ in 0..2 {
        let error = clock.run(all.call(request("poison"))).expect_err("an error");
        assert_eq!((error.kind(), error.status()), (CallErrorKind::Provider, Some(500)));
        assert_eq!(error.to_string().matches("internal error").count(), 3, "{error}");
    }
    assert!(all.servers().iter().all(|server| server.is_in));
    assert_eq!((clock.elapsed(), counts(&servers)), (Duration::ZERO, vec![2, 2, 2]));
    clock.run(all.call(request("?"))).expect("a reply");
}

#[test]
fn errors_of_its_own_in_a_row_put_a_server_out() {
    let clock = VirtualClock::new();
    let broken = Turn::error(CallErrorKind::Provider, "internal error").status(500);
    let servers = [Scripted::new([""; 0]).then(broken), server(&clock, "b", Duration::ZERO)];
    let all = fleet(&clock, &servers);
    for _ in 0..20 {
        clock.run(all.call(request("?"))).expect("a reply");
    }
    assert_eq!(counts(&servers), [3, 20]);
}

#[test]
fn what_is_wrong_with_the_request_is_not_the_servers_fault() {
    let clock = VirtualClock::new();
    for kind in [CallErrorKind::InvalidRequest, CallErrorKind::InputBlocked, CallErrorKind::SchemaRefused] {
        let servers = [Scripted::new([Turn::error(kind, "wrong").status(400)]), server(&clock, "b", Duration::ZERO)];
        let all = fleet(&clock, &servers);
        let error = clock.run(all.call(request("?"))).expect_err("an error");
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, "wrong"));
        assert!(all.servers()[0].is_in);
        assert_eq!(counts(&servers), [1, 0]);
    }
    // One of several equals that does not know the key or the model is set up wrong, and must not draw all calls.
    for (kind, status) in [(CallErrorKind::Unauthorized, 401), (CallErrorKind::InvalidRequest, 404)] {
        let wrong = Scripted::new([""; 0]).then(Turn::error(kind, "who?").status(status));
        let servers = [wrong, server(&clock, "b", Duration::ZERO)];
        let all = fleet(&clock, &servers);
        for _ in 0..5 {
            assert_eq!(by(&clock.run(all.call(request("?"))).expect("a reply")), "b");
        }
        assert_eq!(counts(&servers), [1, 5]);
    }
}

#[test]
fn what_is_dropped_frees_its_place() {
    let clock = VirtualClock::new();
    let servers = [Scripted::new([Turn::silence(), Turn::silence()]).then(Turn::text("a")).clock(&clock)];
    let all = fleet(&clock, &servers).limit(1);
    let in_flight = || all.servers()[0].in_flight;
    {
        let mut hangs = pin!(all.call(request("1")));
        assert!(poll(hangs.as_mut()).is_pending());
        let mut waits = Box::pin(all.call(request("2")));
        let mut stays = pin!(all.call(request("3")));
        assert!(poll(waits.as_mut()).is_pending() && poll(stays.as_mut()).is_pending());
        assert_eq!((in_flight(), counts(&servers)[0]), (1, 1));
        // One who waits goes away; the next in the queue is not held up by it.
        drop(waits);
        hangs.set(all.call(request("4")));
        assert_eq!(in_flight(), 1, "granted to the one who waits");
        // Granted, and gone before it was taken up.
        stays.set(all.call(request("5")));
        assert_eq!(in_flight(), 0);
    }
    let mut stream = all.call_streamed(request("6"));
    assert!(poll(pin!(stream.next())).is_pending());
    assert_eq!(in_flight(), 1);
    drop(stream);
    assert_eq!(in_flight(), 0);
    clock.run(all.call(request("7"))).expect("a reply");
}

#[test]
fn a_thousand_cancelled_calls_leave_nothing_behind() {
    let clock = VirtualClock::new();
    let servers = [server(&clock, "a", seconds(1)), Scripted::new([""; 0]).then(down()).clock(&clock)];
    let all = fleet(&clock, &servers).limit(3).patience(seconds(5));
    let worker = Worker::new(all.clone()).timeout(Duration::from_millis(1500)).clock(clock.clone());
    let worker = worker.retry(RetryPolicy::NEVER);
    let results = clock.run(join_all((0..1000).map(|_| worker.run_text(SubTask::new("?")))));
    let done = results.iter().filter(|result| result.is_ok()).count();
    let late =
        results.iter().filter_map(|result| result.as_ref().err()).all(|error| error.kind() == ErrorKind::Timeout);
    assert!(late && done == 3, "{done}");
    assert!(all.servers().iter().all(|server| server.in_flight == 0));
    clock.run(all.call(request("?"))).expect("a reply");
}

/// A server whose streams are written out.
#[derive(Clone)]
struct Streams(Arc<Mutex<Vec<Written>>>);

/// One stream.
type Written = Vec<Result<StreamEvent, CallErrorKind>>;

impl Adapter for Streams {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("streams", Enforcement::Hint).with_streaming()
    }

    async fn call(&self, _: CallRequest) -> Result<CallResponse, CallError> {
        unreachable!("it is streamed from")
    }

    fn call_streamed(&self, _: CallRequest) -> ResponseStream<'_> {
        let events = self.0.lock().unwrap().remove(0);
        ResponseStream::new(stream::iter(
            events.into_iter().map(|event| event.map_err(|kind| CallError::new(kind, "it broke"))),
        ))
    }

    fn is_stand_in(&self) -> bool {
        true
    }
}

#[test]
fn a_stream_goes_to_another_server_until_it_has_shown_something() {
    let text = |text: &str| Ok(StreamEvent::Text(text.to_owned()));
    let done = |text: &str| Ok(StreamEvent::Done(Box::new(CallResponse::new(text, Enforcement::Hint))));
    let broken = || Err(CallErrorKind::Transport);
    let streams = |events: Vec<Vec<_>>| Streams(Arc::new(Mutex::new(events)));
    let clock = VirtualClock::new();
    let read = |fleet: &Fleet<Streams>| {
        clock.run(async {
            let (mut stream, mut shown) = (fleet.call_streamed(request("?")), String::new());
            loop {
                match stream.next().await.expect("an end") {
                    Ok(StreamEvent::Text(text)) => shown.push_str(&text),
                    Ok(StreamEvent::Done(response)) => {
                        assert!(stream.next().await.is_none());
                        return (shown, Ok(*response));
                    }
                    Ok(other) => panic!("{other:?}"),
                    Err(error) => return (shown, Err(error)),
                }
            }
        })
    };

    let servers = [streams(vec![vec![broken()]]), streams(vec![vec![text("he"), text("llo"), done("hello")]])];
    let all = Fleet::new(servers).clock(clock.clone()).patience(Duration::ZERO);
    let (shown, reply) = read(&all);
    let reply = reply.expect("a reply");
    assert_eq!((shown.as_str(), by(&reply), reply.retries), ("hello", "2", 1));
    assert_eq!(reply.passed_over[0].reason, "it broke");
    assert!(!all.servers()[0].is_in);

    let servers = [streams(vec![vec![text("he"), broken()]]), streams(vec![vec![text("hello"), done("hello")]])];
    let all = Fleet::new(servers).clock(clock.clone()).patience(Duration::ZERO);
    let (shown, reply) = read(&all);
    assert_eq!((shown.as_str(), reply.expect_err("it broke").kind()), ("he", CallErrorKind::Transport));
    assert!(!all.servers()[0].is_in);
    // The next stream has the other server.
    assert_eq!(read(&all).0, "hello");
    assert!(all.servers().iter().all(|server| server.in_flight == 0));
}

#[test]
fn a_fleet_promises_what_its_weakest_server_does() {
    let strong = Capabilities::new("strong", Enforcement::Enforced)
        .with_tools(Enforcement::Enforced)
        .with_tools_beside_schema()
        .with_streaming();
    let hint = Capabilities::new("hint", Enforcement::Hint).with_tools(Enforcement::Hint).with_streaming();
    let bare = Capabilities::new("bare", Enforcement::Enforced);
    let of = |capable: &[Capabilities]| {
        Fleet::new(capable.iter().map(|capable| Scripted::new(["{}"]).capable(*capable)).collect::<Vec<_>>())
    };
    let named = |mut capable: Capabilities| {
        capable.route = "fleet";
        capable
    };
    assert_eq!(of(&[strong, strong]).capabilities(), named(strong));
    assert_eq!(of(&[strong, hint]).capabilities(), named(hint));
    let all = of(&[strong, hint, bare]);
    let least = all.capabilities();
    assert_eq!((least.schema, least.tools), (Enforcement::Hint, None));
    assert!(!least.tools_with_schema && !least.streaming);
    assert_eq!(all.guarantee(&ResponseFormat::of::<Vec<u8>>()).unwrap(), Enforcement::Hint);
    // What is demanded is refused before anything is sent.
    let error = pollster::block_on(Worker::new(all).require(Need::enforced()).run::<Vec<u8>>(SubTask::new("?")));
    assert_eq!(error.expect_err("a hint is not enough").kind(), ErrorKind::NotEnforced);

    let none = Fleet::<Scripted>::new([]);
    assert_eq!(none.capabilities().schema, Enforcement::None);
    let error = pollster::block_on(none.call(request("?"))).expect_err("nobody");
    assert!(error.to_string().contains("has no servers"), "{error}");
    assert!(format!("{none:?}").contains("Fleet"));
}

#[test]
fn typed_calls_go_through_a_fleet_and_the_report_names_the_server() {
    let clock = VirtualClock::new();
    let servers = [dead(), Scripted::new([""; 0]).then(r#"{"value": [1, 2]}"#)];
    let all = fleet(&clock, &servers);
    let list: Vec<u8> = clock.run(all.extract("Count.")).expect("a list");
    assert_eq!(list, [1, 2]);
    let reply = clock.run(Worker::new(all.clone()).run::<Vec<u8>>(SubTask::new("Count."))).expect("a list");
    assert_eq!((reply.report.name.as_deref(), reply.report.route.as_ref()), (Some("b"), "scripted"));
    // The same without its type.
    let erased = DynAdapter::from(all);
    assert_eq!(erased.capabilities().route, "fleet");
    assert_eq!(clock.run(erased.extract::<Vec<u8>>("Count.")).expect("a list"), [1, 2]);
}
