//! A thousand runs of each command line that are let go at mixed moments leave nothing behind: no process, no zombie, no descriptor, no
//! file, no thread.
//!
//! The counts are those of a whole process, so the work is done in one of its own.

use std::collections::HashSet;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use response_schema::adapter::{CallRequest, ClaudeCli, CodexCli, DynAdapter, Message, ResponseFormat};
use response_schema::worker::{Clock, SystemClock};
use response_schema_tests_routes::again;
use serde_json::json;

const RUNS: usize = 1000;

/// Marks the process that does the work, and every process that it starts.
const MARK: &str = "SOAK_OF_RESPONSE_SCHEMA";

/// Processes with this mark, beside this one. Zombies have no environment; they are counted as children.
fn marked(mark: &str) -> usize {
    let sign = format!("{MARK}={mark}\0");
    let numbers =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |pid: &u32| {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|all| all.windows(sign.len()).any(|part| part == sign.as_bytes()))
    };
    numbers.filter(|&pid| pid != std::process::id()).filter(has).count()
}

fn children() -> usize {
    let parent = |stat: &str| stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok();
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| parent(stat) == Some(std::process::id()))
        .count()
}

fn entries(folder: &str) -> HashSet<String> {
    fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Waits until there are no more than before: the threads that clean up are not waited for by anybody.
fn settles(what: &str, most: usize, mut count: impl FnMut() -> usize) {
    let start = Instant::now();
    while count() > most {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}: {} are left, {most} were there before", count());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_thousand_cancelled_runs_leave_nothing_behind() {
    if let Ok(mark) = std::env::var(MARK) {
        return soak(&mark);
    }
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("{}-{}", std::process::id(), folder.path().display());
    let status = again("a_thousand_cancelled_runs_leave_nothing_behind")
        .env(MARK, &mark)
        .env("TMPDIR", folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(marked(&mark), 0);
    let left = entries(folder.path().to_str().unwrap());
    assert!(left.iter().all(|name| name == "fake"), "{left:?}");
}

fn soak(mark: &str) {
    let script = std::env::temp_dir().join("fake");
    // It has children, which have children; it answers now and then.
    fs::write(
        &script,
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 99.0.0; exit; }\n(sleep 500 & sleep 500) &\ncat > /dev/null\n\
         echo '{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"{}\"}}'\n\
         [ $(($$ % 3)) = 0 ] && echo '{\"type\":\"turn.completed\"}' || wait\n",
    )
    .unwrap();
    Command::new("chmod").arg("755").arg(&script).status().unwrap();
    let routes: [DynAdapter; 2] = [
        CodexCli::new().program(&script).pass_env(MARK).at_once(6).into(),
        ClaudeCli::new().program(&script).pass_env(MARK).at_once(6).into(),
    ];
    // The first deadline that is waited for starts the one thread that keeps time for all.
    pollster::block_on(SystemClock::default().sleep_until(Instant::now() + Duration::from_millis(1)));
    let before = (entries("/proc/self/fd").len(), entries("/proc/self/task").len());
    for route in &routes {
        let_go(route);
        settles("marked processes", 0, || marked(mark));
        settles("children", 0, children);
        settles("threads", before.1, || entries("/proc/self/task").len());
        settles("descriptors", before.0, || entries("/proc/self/fd").len());
    }
}

fn let_go(route: &DynAdapter) {
    let next = AtomicUsize::new(0);
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let run = next.fetch_add(1, Ordering::Relaxed);
                    if run >= RUNS {
                        return;
                    }
                    let mut request = CallRequest::new(vec![Message::user("x".repeat(run * 97))]).with_response_schema(
                        ResponseFormat::from_schema(json!({
                            "type": "object",
                            "properties": {},
                            "required": [],
                            "additionalProperties": false,
                        })),
                    );
                    if run % 10 == 9 {
                        request.deadline = Some(Instant::now() + Duration::from_millis(run as u64 % 40));
                    }
                    let mut call = Box::pin(route.call(request));
                    let mut context = Context::from_waker(Waker::noop());
                    // From not even started, over half started, to well under way or done.
                    let until = Instant::now() + Duration::from_micros((run as u64 * 7919) % 25_000);
                    while !run.is_multiple_of(7) && Instant::now() < until {
                        if call.as_mut().poll(&mut context).is_ready() {
                            answered.fetch_add(1, Ordering::Relaxed);
                            break;
                        }
                        std::thread::sleep(Duration::from_micros(200));
                    }
                    drop(call);
                }
            });
        }
    });
    // Some were let go, and some were not, or it was no test.
    let answered = answered.into_inner();
    assert!((1..RUNS / 2).contains(&answered), "{route:?}: {answered} of {RUNS} runs ended by themselves");
}
