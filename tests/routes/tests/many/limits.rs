//! How fast calls go out, on a clock whose minutes pass in no time.

#![allow(clippy::cast_precision_loss, reason = "counts in tests are small")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, Quota, RateLimits, Usage,
};
use response_schema::agent::Cancel;
use response_schema::testing::VirtualClock;
use response_schema::worker::{Clock as _, Limits, Update};
use response_schema::{AgentLoop, ErrorKind, SubTask, Worker, dialect};

use super::{Echo, numbers};

/// A provider that counts what comes in each minute, and refuses what is too much.
#[derive(Clone)]
struct Provider {
    clock: VirtualClock,
    /// How long a reply takes, by its number.
    takes: fn(u64) -> u64,
    output: fn(u64) -> u64,
    /// It refuses more at once, and more in any minute.
    most_at_once: usize,
    most_a_minute: usize,
    /// It tells what is left of this many in a minute: a bucket that fills steadily.
    tells: Option<f64>,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    /// Moments and tokens of what was answered.
    answered: Vec<(Instant, u64)>,
    /// What came, answered or not.
    came: Vec<Instant>,
    at_once: usize,
    most_at_once: usize,
    refused: usize,
    bucket: Option<(f64, Instant)>,
}

impl Provider {
    fn new(clock: &VirtualClock) -> Self {
        Self {
            clock: clock.clone(),
            takes: |_| 800,
            output: |_| 20,
            most_at_once: usize::MAX,
            most_a_minute: usize::MAX,
            tells: None,
            seen: Arc::default(),
        }
    }

    /// Runs over so many numbers, so many at once.
    fn run(&self, count: u64, concurrency: usize, limits: &Limits) {
        let worker = Worker::new(self.clone()).clock(self.clock.clone());
        let run = worker.many::<Echo>(numbers(count)).concurrency(concurrency).limits(limits.clone());
        let summary = self.clock.run(run.start().expect("starts").finish());
        assert_eq!(summary.valid, count, "{summary}");
    }

    /// The most that came in any minute: calls, and tokens.
    fn busiest_minute(&self) -> (usize, u64) {
        let seen = self.seen.lock().expect("seen");
        let (mut window, mut tokens, mut busiest) = (VecDeque::new(), 0, (0, 0));
        for &(at, took) in &seen.answered {
            window.push_back((at, took));
            tokens += took;
            while window.front().is_some_and(|&(first, _)| at - first >= Duration::from_mins(1)) {
                tokens -= window.pop_front().expect("one").1;
            }
            busiest = (busiest.0.max(window.len()), busiest.1.max(tokens));
        }
        busiest
    }

    fn minutes(&self) -> f64 {
        self.clock.elapsed().as_secs_f64() / 60.0
    }
}

impl Adapter for Provider {
    type Dialect = dialect::Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("provider", Enforcement::Hint)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let number: u64 = request.messages.last().and_then(|last| last.text().parse().ok()).expect("a number");
        let now = self.clock.now();
        let usage = Usage::new(500, (self.output)(number));
        let told = {
            let mut seen = self.seen.lock().expect("seen");
            seen.came.push(now);
            let minute = seen.answered.iter().rev().take_while(|(at, _)| now - *at < Duration::from_mins(1)).count();
            let told = self.tells.map(|limit| {
                let (level, at) = seen.bucket.unwrap_or((limit, now));
                let level = (level + (now - at).as_secs_f64() * limit / 60.0).min(limit);
                (level, limit)
            });
            let empty = told.is_some_and(|(level, _)| level < 1.0);
            if seen.at_once >= self.most_at_once || minute >= self.most_a_minute || empty {
                seen.refused += 1;
                return Err(CallError::new(CallErrorKind::RateLimited, "too many").with_status(429));
            }
            seen.bucket = told.map(|(level, _)| (level - 1.0, now));
            seen.answered.push((now, usage.input_tokens + usage.output_tokens));
            seen.at_once += 1;
            seen.most_at_once = seen.most_at_once.max(seen.at_once);
            told.map(|(level, limit)| {
                let missing = limit - (level - 1.0);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
                let quota =
                    Quota::new(limit as u64, (level - 1.0) as u64, Duration::from_secs_f64(missing * 60.0 / limit));
                RateLimits::new(Some(quota), None)
            })
        };
        self.clock.sleep(Duration::from_millis((self.takes)(number))).await;
        self.seen.lock().expect("seen").at_once -= 1;
        let mut response =
            CallResponse::new(format!("{{\"number\": {number}, \"part\": {}}}", number % 10), Enforcement::Hint);
        response.usage = usage;
        response.rate_limits = told.map(Box::new);
        Ok(response)
    }
}

#[test]
fn requests_stay_within_five_percent_of_their_limit_and_use_it() {
    for (limit, count) in [(10, 60), (500, 3000), (6000, 20_000)] {
        let clock = VirtualClock::new();
        let provider = Provider::new(&clock);
        provider.run(count, 256, &Limits::per_minute().requests(limit));
        let (busiest, _) = provider.busiest_minute();
        let least = count as f64 / f64::from(limit);
        assert!(busiest as f64 <= f64::from(limit) * 1.05, "{busiest} of {limit}");
        assert!(provider.minutes() <= least * 1.05 + 0.02, "{} minutes for {least}", provider.minutes());
    }
}

#[test]
fn tokens_stay_within_five_percent_of_their_limit_and_use_it() {
    // Replies of very different length, which nobody can know before.
    for output in [|_| 20, |number: u64| number * 7919 % 1000] {
        let clock = VirtualClock::new();
        let provider = Provider { output, ..Provider::new(&clock) };
        let count = 2000;
        provider.run(count, 256, &Limits::per_minute().tokens(200_000));
        let (_, busiest) = provider.busiest_minute();
        let all: u64 = (0..count).map(|number| 500 + output(number)).sum();
        let least = all as f64 / 200_000.0;
        assert!(busiest as f64 <= 210_000.0, "{busiest}");
        assert!(provider.minutes() <= least * 1.05 + 0.1, "{} minutes for {least}", provider.minutes());
    }
}

#[test]
fn workers_that_share_limits_keep_them_together_and_wait_in_line() {
    let clock = VirtualClock::new();
    let provider = Provider::new(&clock);
    let limits = Limits::per_minute().requests(60);
    let workers = [(); 3].map(|()| Worker::new(provider.clone()).clock(clock.clone()).limits(limits.clone()));
    let order = clock.run(async {
        let tasks = (0..180_u64).map(|number| {
            let worker = &workers[usize::try_from(number % 3).expect("small")];
            async move { worker.run::<Echo>(SubTask::new(number.to_string())).await.expect("an echo").value.number }
        });
        futures_util::stream::iter(tasks).buffer_unordered(180).collect::<Vec<_>>().await
    });
    assert_eq!(order, (0..180).collect::<Vec<_>>(), "who came first goes first");
    assert!(provider.busiest_minute().0 <= 63, "{:?}", provider.busiest_minute());
}

#[test]
fn the_wait_in_line_is_none_of_a_tasks_time() {
    let clock = VirtualClock::new();
    let provider = Provider::new(&clock);
    let worker = Worker::new(provider.clone()).clock(clock.clone()).timeout(Duration::from_secs(2));
    let run = worker.many::<Echo>(numbers(50)).concurrency(50).limits(Limits::per_minute().requests(10));
    let summary = clock.run(run.start().expect("starts").finish());
    assert_eq!(summary.valid, 50, "{summary}");
    assert!(summary.latency.longest() < Duration::from_secs(1), "{summary}");
}

#[test]
fn too_many_at_once_halve_the_window_and_it_grows_again() {
    let clock = VirtualClock::new();
    let provider = Provider { most_at_once: 40, ..Provider::new(&clock) };
    let limits = Limits::per_minute();
    provider.run(4000, 256, &limits);
    let seen = provider.seen.lock().expect("seen");
    // All of the first wave that were too many, and now and then one round after the window has grown to it.
    assert!(seen.refused < 216 + 200, "{}", seen.refused);
    assert!(seen.most_at_once == 40 && limits.window().is_some_and(|window| (10..=60).contains(&window)));
    // A window between half and all of what goes is used.
    let rounds = clock.elapsed().as_secs_f64() / 0.8;
    assert!(rounds < 4000.0 / 20.0 + 40.0, "{rounds} rounds");
}

#[test]
fn what_the_provider_tells_is_kept_without_any_configuration() {
    let clock = VirtualClock::new();
    let provider = Provider { tells: Some(300.0), takes: |_| 100, ..Provider::new(&clock) };
    provider.run(3000, 16, &Limits::per_minute());
    let refused = provider.seen.lock().expect("seen").refused;
    assert!(refused <= 16, "{refused} refused");
    // 300 at once, and then as they come back.
    let least = 2700.0 / 300.0;
    assert!((least * 0.95..least * 1.06 + 0.1).contains(&provider.minutes()), "{} for {least}", provider.minutes());
}

#[test]
fn a_pause_that_is_asked_for_is_made_by_all() {
    let clock = VirtualClock::new();
    let provider = Provider { most_a_minute: 30, takes: |_| 10, ..Provider::new(&clock) };
    provider.run(90, 8, &Limits::per_minute());
    let seen = provider.seen.lock().expect("seen");
    // Without a word from the provider pauses double up to a minute; nothing is lost.
    assert!(seen.answered.len() == 90 && seen.refused < 60, "{}", seen.refused);
    assert!(clock.elapsed() < Duration::from_mins(5), "{:?}", clock.elapsed());
}

#[test]
fn who_goes_away_keeps_nobody_waiting() {
    let clock = VirtualClock::new();
    let provider = Provider::new(&clock);
    let worker = Worker::new(provider.clone()).clock(clock.clone()).limits(Limits::per_minute().requests(60));
    clock.run(async {
        let ask = |number: u64| worker.run::<Echo>(SubTask::new(number.to_string()));
        // One that is dropped while it is first in line.
        for _ in 0..3 {
            let (gone, sleep) = (std::pin::pin!(ask(1)), std::pin::pin!(clock.sleep(Duration::from_millis(1))));
            futures_util::future::select(gone, sleep).await;
        }
        assert_eq!(ask(2).await.expect("an echo").value.number, 2);
    });
}

#[test]
fn streams_wait_for_their_turn_too() {
    let clock = VirtualClock::new();
    let provider = Provider::new(&clock);
    let worker = Worker::new(provider).clock(clock.clone()).limits(Limits::per_minute().requests(6));
    clock.run(async {
        for number in 0..3 {
            let mut reply = worker.stream::<Echo>(SubTask::new(number.to_string()));
            let mut done = false;
            while let Some(update) = reply.next().await {
                done |= matches!(update.expect("an echo"), Update::Done(reply) if reply.value.number == number);
            }
            assert!(done);
        }
    });
    // One every ten seconds, and the last one's own time.
    assert!((20_000..22_000).contains(&clock.elapsed().as_millis()), "{:?}", clock.elapsed());
}

#[test]
fn a_loops_calls_wait_for_their_turn_and_one_in_line_can_be_stopped() {
    let clock = VirtualClock::new();
    let provider = Provider { most_a_minute: 30, takes: |_| 10, ..Provider::new(&clock) };
    let limits = Limits::per_minute().requests(6);
    let cancel = Cancel::new();
    let mut agent = AgentLoop::new(provider.clone())
        .response_schema::<Echo>()
        .clock(clock.clone())
        .timeout(Duration::from_secs(2))
        .limits(limits)
        .cancelled_by(&cancel);
    clock.run(async {
        for number in 0..3 {
            // The wait is none of a run's time.
            assert_eq!(agent.run(number.to_string()).await.expect("an echo").value.number, number);
        }
        let (run, stop) = (agent.run("3"), clock.sleep(Duration::from_secs(1)));
        let (run, stop) = (std::pin::pin!(run), std::pin::pin!(stop));
        let futures_util::future::Either::Right(((), run)) = futures_util::future::select(run, stop).await else {
            panic!("it is not its turn yet");
        };
        cancel.cancel();
        assert_eq!(run.await.expect_err("is stopped").kind(), ErrorKind::Cancelled);
    });
    assert!((20_000..23_000).contains(&clock.elapsed().as_millis()), "{:?}", clock.elapsed());
    assert_eq!(provider.seen.lock().expect("seen").came.len(), 3);
}

#[test]
fn a_loops_call_that_is_refused_because_there_are_too_many_waits_for_another_turn() {
    let clock = VirtualClock::new();
    let provider = Provider { most_a_minute: 30, takes: |_| 1500, ..Provider::new(&clock) };
    let mut agent =
        AgentLoop::new(provider.clone()).response_schema::<Echo>().clock(clock.clone()).limits(Limits::per_minute());
    clock.run(async {
        for number in 0..31 {
            assert_eq!(agent.run(number.to_string()).await.expect("an echo").value.number, number);
        }
    });
    assert!(provider.seen.lock().expect("seen").refused > 0);
}

#[test]
fn a_limit_of_nothing_is_one_and_ends() {
    let clock = VirtualClock::new();
    for limits in [Limits::per_minute().requests(0), Limits::per_minute().tokens(0)] {
        let worker = Worker::new(Provider::new(&clock)).clock(clock.clone()).limits(limits);
        let run = worker.many::<Echo>(numbers(3)).start().expect("starts");
        assert_eq!(clock.run(run.finish()).valid, 3);
    }
}
