//! A run that is killed at any moment, again and again.
//!
//! The run is a process of its own: this test program, told by a variable that it is the child. Its requests go to the loopback
//! server of the parent, which breaks connections, stalls, refuses and answers nonsense, and counts.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use response_schema::adapter::ChatCompletions;
use response_schema::http::{Retry, Timeouts};
use response_schema::{Error, ErrorKind, Worker};
use response_schema_tests_routes::again;
use response_schema_tests_routes::loopback::{Ending, Exchange, Fail, Failure, Fault, Loopback, Recorded, Wire};
use serde_json::Value;

use super::{Echo, numbers};

const ITEMS: u64 = 10_000;
const KILLS: u64 = 10;
const URL: &str = "MANY_KILL_URL";
const JOURNAL: &str = "MANY_KILL_JOURNAL";

/// A number that looks like chance and is the same each time.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (number ^ (number >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// The child: runs over all numbers, and says which are reported, and last what came of it.
fn child(url: String, journal: String) {
    let short = Duration::from_millis(500);
    let route = ChatCompletions::llama_cpp()
        .base_url(url)
        .model("m")
        .timeouts(Timeouts::default().with_first_byte(short).with_idle(short))
        .retry(Retry::default().with_max_retries(4).with_pauses(Duration::from_millis(1), Duration::from_millis(20)));
    let worker = Worker::new(route);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let run = worker.many::<Echo>(numbers(ITEMS)).concurrency(128).journal(journal);
        let mut results = run.start().expect("starts");
        let mut out = std::io::stdout().lock();
        while let Some(item) = results.next().await {
            if let Ok(reply) = &item.outcome {
                assert_eq!(reply.value.number, item.index);
            }
            let lost = item.outcome.as_ref().err().map(Error::kind);
            if !lost
                .is_some_and(|kind| matches!(kind, ErrorKind::Transport | ErrorKind::RateLimited | ErrorKind::Provider))
            {
                writeln!(out, "reported {}", item.id).expect("is heard");
            }
        }
        let summary = serde_json::to_string(results.summary()).expect("JSON");
        writeln!(out, "summary {summary}").expect("is heard");
    });
}

struct Run {
    child: Child,
    heard: std::thread::JoinHandle<(Vec<String>, Option<Value>)>,
}

impl Run {
    fn start(url: &str, journal: &Path) -> Self {
        let mut child = again("kill::killed_at_any_moment_a_run_repeats_nothing_that_is_kept_and_loses_nothing")
            .env(URL, url)
            .env(JOURNAL, journal)
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let out = BufReader::new(child.stdout.take().expect("its words"));
        let heard = std::thread::spawn(move || {
            let (mut reported, mut summary) = (Vec::new(), None);
            // The last line may be torn: then nobody has heard it.
            for line in out.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                if let Some(id) = line.strip_prefix("reported ") {
                    reported.push(id.to_owned());
                } else if let Some(text) = line.strip_prefix("summary ") {
                    summary = serde_json::from_str(text).ok();
                }
            }
            (reported, summary)
        });
        Self { child, heard }
    }

    /// Waits for its end; what it has reported, and what came of it if it got there.
    fn end(mut self) -> (Vec<String>, Option<Value>) {
        self.child.wait().expect("ends");
        self.heard.join().expect("its words")
    }
}

/// CRC-32 as its definition has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}

/// How many entries each id has. All lines that are ended must be whole but those where a run was broken off.
fn read(journal: &Path, torn: &mut usize) -> BTreeMap<String, usize> {
    let text = std::fs::read(journal).unwrap_or_default();
    let mut entries = BTreeMap::new();
    *torn = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n').skip(1) {
        let value = serde_json::from_slice::<Value>(line).ok().filter(|value| {
            let before = line.windows(8).rposition(|at| at == b",\"crc\":\"").expect("a checksum");
            value["crc"].as_str() == Some(&format!("{:08x}", crc32(&line[..before])))
        });
        match value {
            Some(value) => *entries.entry(value["id"].as_str().expect("an id").to_owned()).or_insert(0) += 1,
            None => *torn += 1,
        }
    }
    entries
}

fn answer(number: u64, before: u64) -> Exchange {
    let part = if number.is_multiple_of(31) { 10 } else { number % 10 };
    let good = Exchange::text(format!("{{\"number\": {number}, \"part\": {part}}}"));
    if number.is_multiple_of(97) {
        return good.ending(Ending::Refused("I would rather not".to_owned()));
    }
    match mixed(number * 13 + before) % 1000 {
        0..15 => good.fault(Fault::ResetAtOnce),
        15..30 => Failure::new(Fail::RateLimited).retry_after("0").into(),
        30..45 => Exchange::text("I think that …"),
        45..55 => good.fault(Fault::Garbage),
        55..65 => good.fault(Fault::Reset(60)),
        65..67 => good.fault(Fault::Silence),
        _ => good,
    }
}

#[test]
fn killed_at_any_moment_a_run_repeats_nothing_that_is_kept_and_loses_nothing() {
    if let (Ok(url), Ok(journal)) = (std::env::var(URL), std::env::var(JOURNAL)) {
        return child(url, journal);
    }
    let directory = tempfile::tempdir().expect("a directory");
    let journal = directory.path().join("echo.jsonl");
    let asked: Arc<Mutex<BTreeMap<u64, u64>>> = Arc::default();
    let counted = Arc::clone(&asked);
    let server = Loopback::answering(move |request: &Recorded| {
        let messages = request.body["messages"].as_array().expect("messages");
        let said = messages.iter().find(|message| message["role"] == "user").expect("a prompt");
        let number: u64 = said["content"].as_str().expect("text").parse().expect("a number");
        let mut asked = counted.lock().expect("asked");
        let times = asked.entry(number).or_default();
        *times += 1;
        answer(number, *times - 1)
    });
    server.keep_requests(0);
    let url = server.base_url(Wire::Chat);
    // How often an item had been asked for when it was first seen in the journal.
    let mut paid: BTreeMap<String, u64> = BTreeMap::new();
    let mut look = |reported: &[String], kills: u64| {
        let mut torn = 0;
        let kept = read(&journal, &mut torn);
        assert!(torn as u64 <= kills, "{torn} lines are torn after {kills} kills");
        let asked = asked.lock().expect("asked").clone();
        for (id, entries) in &kept {
            assert_eq!(*entries, 1, "{id}");
            let times = asked[&id[1..].parse().expect("a number")];
            assert_eq!(*paid.entry(id.clone()).or_insert(times), times, "{id} was asked again after it was kept");
        }
        for id in reported {
            assert!(kept.contains_key(id), "{id} was reported, and is not kept");
        }
        kept.len() as u64
    };
    let mut kills = 0;
    let mut seen = 0;
    while kills < KILLS {
        let mut run = Run::start(&url, &journal);
        // After as many more as chance says, at any moment of what comes then.
        let more = mixed(kills) % (ITEMS / KILLS);
        while look(&[], kills + 1) < seen + more && run.child.try_wait().expect("its state").is_none() {}
        std::thread::sleep(Duration::from_micros(mixed(kills + 100) % 5000));
        run.child.kill().expect("is killed");
        let (reported, summary) = run.end();
        kills += 1;
        let kept = look(&reported, kills);
        assert!(kept >= seen, "something is lost");
        seen = kept;
        if summary.is_some() {
            // A fast machine is done before it has been killed so often.
            break;
        }
    }
    // What went wrong on the way is left to the next run.
    for _ in 0..10 {
        let (reported, summary) = Run::start(&url, &journal).end();
        let summary = summary.expect("it gets to its end");
        assert_eq!(summary["ended"]["why"], "complete", "{summary}");
        seen = look(&reported, kills);
        if seen == ITEMS {
            break;
        }
    }
    assert_eq!(seen, ITEMS);
    let asked_before = asked.lock().expect("asked").clone();
    let (reported, summary) = Run::start(&url, &journal).end();
    let summary = summary.expect("it gets to its end");
    assert_eq!((reported.len() as u64, summary["from_journal"].as_u64()), (ITEMS, Some(ITEMS)));
    assert_eq!(*asked.lock().expect("asked"), asked_before, "nothing is asked again");
    let refused = (0..ITEMS).filter(|number| number % 97 == 0).count() as u64;
    let invalid = (0..ITEMS).filter(|number| number % 97 != 0 && number % 31 == 0).count() as u64;
    assert_eq!(summary["failed"]["refused"], refused);
    let bad = summary["failed"]["invalid_output"].as_u64().expect("a count");
    // Those whose two replies were both nonsense by chance, too.
    assert!((invalid..invalid + 20).contains(&bad), "{bad}");
}
