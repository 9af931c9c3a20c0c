//! How long a streamed reply is waited for: for its first piece, between two, and for the whole.

use std::time::Duration;

use response_schema::adapter::CallErrorKind;
use response_schema::worker::{Budget, Outcome, Update};
use response_schema::{Error, ErrorKind, Worker};

use super::{GOOD, Part, Pet, Told, task};

const BEGUN: Part = Part::Text(r#"{"name": "Bis"#);

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// How a stream of these parts ends, and when.
fn ends(parts: Vec<Part>, limits: impl FnOnce(Worker<Told>) -> Worker<Told>) -> (Result<(), Error>, u64) {
    let told = Told::new([parts]);
    let clock = told.clock.clone();
    let worker = limits(Worker::new(told).clock(clock.clone()));
    let end = clock.run(async {
        let mut reply = worker.stream::<Pet>(task());
        loop {
            match reply.next().await.expect("an end") {
                Ok(Update::Done(_)) => return Ok(()),
                Ok(_) => {}
                Err(error) => return Err(error),
            }
        }
    });
    (end, clock.elapsed().as_secs())
}

type Limit = fn(Worker<Told>) -> Worker<Told>;

#[test]
fn each_limit_ends_the_stream_at_its_time() {
    let never = || vec![Part::Pause(1000)];
    let halfway = || vec![Part::Pause(4), BEGUN, Part::Pause(1000)];
    let table: [(Vec<Part>, Limit, u64); 6] = [
        (never(), |worker| worker.first_piece_timeout(seconds(5)), 5),
        (never(), |worker| worker.first_piece_timeout(seconds(9)).timeout(seconds(5)), 5),
        (never(), |worker| worker.idle_timeout(seconds(1)).timeout(seconds(7)), 7),
        (halfway(), |worker| worker.first_piece_timeout(seconds(5)).idle_timeout(seconds(3)), 7),
        (halfway(), |worker| worker.idle_timeout(seconds(30)).timeout(seconds(20)), 20),
        (halfway(), |worker| worker.first_piece_timeout(seconds(5)).timeout(seconds(20)), 20),
    ];
    for (i, (parts, limits, expected)) in table.into_iter().enumerate() {
        let (end, elapsed) = ends(parts, limits);
        let error = end.expect_err("too late");
        assert_eq!((error.kind(), elapsed), (ErrorKind::Timeout, expected), "{i}");
        let attempts: Vec<_> = error.report().attempts.iter().map(|attempt| attempt.outcome).collect();
        assert_eq!(attempts, [Outcome::TimedOut], "{i}: it is not tried again");
    }
}

/// Each piece begins the wait anew, so a reply may take as long as it goes on.
#[test]
fn a_slow_reply_that_goes_on_is_read_to_its_end() {
    let pause = || Part::Pause(4);
    let parts = vec![
        pause(),
        BEGUN,
        pause(),
        Part::Text("cuit\","),
        pause(),
        Part::Text(" \"legs\": 4}"),
        pause(),
        Part::End(GOOD),
    ];
    let (end, elapsed) = ends(parts, |worker| worker.first_piece_timeout(seconds(5)).idle_timeout(seconds(5)));
    assert!(end.is_ok(), "{end:?}");
    assert_eq!(elapsed, 16);
}

/// A reader that takes its time between two pieces does not run into the limits for the route.
#[test]
fn the_time_of_a_slow_reader_does_not_count() {
    let told = Told::new([vec![BEGUN, Part::Pause(2), Part::Text("cuit\", "), Part::Pause(2), Part::End(GOOD)]]);
    let clock = told.clock.clone();
    let worker = Worker::new(told).clock(clock.clone()).first_piece_timeout(seconds(3)).idle_timeout(seconds(3));
    clock.run(async {
        let mut reply = worker.stream::<Pet>(task());
        loop {
            match reply.next().await.expect("an end").expect("in time") {
                Update::Done(_) => break,
                _ => clock.advance(seconds(100)),
            }
        }
    });
}

#[test]
fn the_time_of_a_budget_is_told_apart() {
    let (end, elapsed) = ends(vec![BEGUN, Part::Pause(1000)], |worker| {
        worker.timeout(seconds(60)).budget(Budget::new().max_time(seconds(5)))
    });
    assert_eq!((end.expect_err("too late").kind(), elapsed), (ErrorKind::BudgetExceeded, 5));
}

#[test]
fn faults_end_a_stream_as_what_they_are() {
    for (kind, expected) in [
        (CallErrorKind::Transport, ErrorKind::Transport),
        (CallErrorKind::RateLimited, ErrorKind::RateLimited),
        (CallErrorKind::Unauthorized, ErrorKind::Unauthorized),
        (CallErrorKind::SchemaRefused, ErrorKind::SchemaRefused),
        (CallErrorKind::InputBlocked, ErrorKind::InputBlocked),
        (CallErrorKind::Cancelled, ErrorKind::Cancelled),
    ] {
        let error = ends(vec![BEGUN, Part::Fault(kind, "so it is")], |worker| worker).0.expect_err("a fault");
        assert_eq!(error.kind(), expected);
        assert_eq!(error.report().attempts.len(), 1);
    }
    // A stream that stops without its end, too.
    let error = ends(vec![BEGUN], |worker| worker).0.expect_err("a fault");
    assert_eq!(error.kind(), ErrorKind::Transport);
}
