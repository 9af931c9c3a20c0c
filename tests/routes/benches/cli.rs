//! What a run through the adapter costs beyond starting the same program by hand: time and memory.
//!
//! The program is a script that answers at once. Both ways take turns, so that both meet the machine in the same state.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pollster::block_on;
use response_schema::adapter::{Adapter, CallRequest, CodexCli, Message, ResponseFormat};
use serde_json::json;

const ROUNDS: usize = 300;
const AT_ONCE: usize = 64;
const MOST_TIME: Duration = Duration::from_millis(5);
const MOST_MEMORY: usize = 1024 * 1024;

const SCRIPT: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo 1.0.0; exit; }
cat > /dev/null
[ "$HANG" ] && exec sleep 1000
echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"{}"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
"#;

fn request() -> CallRequest {
    CallRequest::new(vec![Message::user("x".repeat(2000))])
        .with_response_schema(ResponseFormat::from_schema(json!({"type": "object"})))
}

fn by_hand(script: &std::path::Path, hang: bool) -> Child {
    let mut command = Command::new(script);
    command.args(["exec", "--json", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if hang {
        command.env("HANG", "1");
    }
    let mut child = command.spawn().expect("the script starts");
    child.stdin.take().expect("a pipe").write_all(&[b'x'; 2000]).expect("it reads");
    child
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Resident memory of this process.
fn resident() -> usize {
    let text = fs::read_to_string("/proc/self/statm").expect("Linux");
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
}

#[expect(clippy::print_stdout, reason = "it is what a benchmark is for")]
fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("fake");
    fs::write(&script, SCRIPT).expect("a script");
    Command::new("chmod").arg("755").arg(&script).status().expect("chmod");
    let codex = CodexCli::new().program(&script);
    block_on(codex.version()).expect("a version");

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut child = by_hand(&script, false);
        let mut text = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
        child.wait().expect("an exit");
        theirs.push(start.elapsed());

        let start = Instant::now();
        block_on(codex.call(request())).expect("an answer");
        ours.push(start.elapsed());
    }
    let (ours, theirs) = (median(ours), median(theirs));
    let more = ours.saturating_sub(theirs);
    println!("a run by hand {theirs:.2?}, through the adapter {ours:.2?}: {more:.2?} more (median of {ROUNDS})");

    let before = resident();
    let mut children: Vec<Child> = (0..AT_ONCE).map(|_| by_hand(&script, true)).collect();
    let by_hand = resident().saturating_sub(before) / AT_ONCE;
    for child in &mut children {
        child.kill().expect("a process");
        child.wait().expect("an exit");
    }
    let codex = CodexCli::new().program(&script).env("HANG", "1").at_once(AT_ONCE);
    block_on(codex.version()).expect("a version");
    let before = resident();
    let mut calls: Vec<_> = (0..AT_ONCE).map(|_| Box::pin(codex.call(request()))).collect();
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    for _ in 0..100 {
        for call in &mut calls {
            assert!(call.as_mut().poll(&mut context).is_pending());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let ours = resident().saturating_sub(before) / AT_ONCE;
    println!("memory of a run by hand {by_hand} bytes, through the adapter {ours} bytes ({AT_ONCE} at once)");
    drop(calls);

    assert!(more < MOST_TIME && ours.saturating_sub(by_hand) < MOST_MEMORY, "it costs more than it may");
}
