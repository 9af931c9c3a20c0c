//! Processes that hang, flood, die, leave others behind, and do not listen.

use std::fs;
use std::time::{Duration, Instant};

use pollster::block_on;
use response_schema::adapter::{Adapter, CallErrorKind, CallRequest, Enforcement, Message};

use crate::fake::{CLAUDE_ANSWERS, CODEX_ANSWERS, Fake, eventually, request, request_within, runs};

const SOON: Duration = Duration::from_secs(2);

#[test]
fn a_hanging_process_is_killed_at_the_deadline() {
    let fake = Fake::new("echo $$ > pid; exec sleep 1000");
    let error = block_on(fake.claude().call(request_within(SOON))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert_eq!(error.to_string(), "`claude` had not answered when the deadline passed; it had written nothing");
    assert!(!runs(fake.wait_for_pid("pid")));
}

#[test]
fn signals_that_can_be_ignored_are_not_relied_on() {
    let fake = Fake::new("trap '' TERM INT HUP QUIT PIPE; echo $$ > pid; while :; do sleep 1; done");
    let error = block_on(fake.codex().call(request_within(SOON))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert!(!runs(fake.wait_for_pid("pid")));
}

#[test]
fn the_whole_group_is_killed() {
    let fake = Fake::new("sh -c 'echo $$ > child; sleep 1000 & echo $! > grandchild; wait' & wait");
    let error = block_on(fake.claude().call(request_within(SOON))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    for name in ["child", "grandchild"] {
        let pid = fake.wait_for_pid(name);
        eventually("the process is gone", || (!runs(pid)).then_some(()));
    }
}

#[test]
fn what_a_process_leaves_behind_neither_stays_nor_holds_up_the_answer() {
    let fake = Fake::new(&format!("sleep 1000 & echo $! > left\n{CLAUDE_ANSWERS}"));
    let start = Instant::now();
    let response = block_on(fake.claude().call(request("count"))).unwrap();
    assert_eq!(response.text, "{\"n\":1}");
    // It has the same standard output, so that one never ends by itself.
    assert!(start.elapsed() < Duration::from_secs(100));
    let left = fake.wait_for_pid("left");
    eventually("the process is gone", || (!runs(left)).then_some(()));
}

#[test]
fn an_answer_counts_though_the_process_does_not_exit() {
    let fake = Fake::new(&format!("echo $$ > pid\n{CODEX_ANSWERS}\nexec sleep 1000"));
    let response = block_on(fake.codex().call(request("count"))).unwrap();
    assert_eq!(response.text, "{\"n\":1}");
    assert!(!runs(fake.wait_for_pid("pid")));
}

#[test]
fn dropping_the_call_kills_the_process() {
    let fake = Fake::new("echo $$ > pid; trap '' TERM; while :; do sleep 1; done");
    let claude = fake.claude();
    let mut call = Box::pin(claude.call(request("count")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    eventually("the script runs", || {
        assert!(call.as_mut().poll(&mut context).is_pending());
        fake.folder.path().join("pid").exists().then_some(())
    });
    let pid = fake.wait_for_pid("pid");
    assert!(runs(pid));
    drop(call);
    eventually("the process is gone", || (!runs(pid)).then_some(()));
}

#[test]
fn a_flood_is_ended_at_its_bound() {
    for body in ["yes flood", "exec tr '\\0' x < /dev/zero", "while :; do echo '{\"type\":\"noise\"}'; done"] {
        let fake = Fake::new(body);
        let error = block_on(fake.claude().max_output(1 << 20).call(request("count"))).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Provider, "{body}: {error}");
        assert!(error.to_string().contains("wrote more than"), "{body}: {error}");
    }
}

#[test]
fn a_flood_of_complaints_is_read_and_forgotten() {
    let fake = Fake::new(&format!("yes complaint | head -c 20000000 >&2\n{CLAUDE_ANSWERS}"));
    assert_eq!(block_on(fake.claude().max_output(10_000).call(request("count"))).unwrap().text, "{\"n\":1}");
}

#[test]
fn one_long_line_is_read_to_its_end() {
    let text = "x".repeat(3_000_000);
    let fake = Fake::new(
        "cat > prompt; printf '{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"'; cat prompt; echo '\"}'",
    );
    let response = block_on(fake.claude().call(CallRequest::new(vec![Message::user(&text)]))).unwrap();
    assert_eq!(response.text.len(), text.len());
    assert_eq!(response.enforcement, Enforcement::None);
}

#[test]
fn a_process_that_dies_in_the_middle_of_a_line_has_not_answered() {
    let half = r#"printf '{"type":"result","subtype":"success","structured_output":{"n"'"#;
    for end in ["exit 0", "exit 7", "kill -9 $$", "kill -SEGV $$"] {
        let fake = Fake::new(&format!("{half}\necho 'it broke' >&2\n{end}"));
        let error = block_on(fake.claude().call(request("count"))).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Transport, "{end}: {error}");
        assert!(error.to_string().ends_with("it broke"), "{end}: {error}");
    }
}

#[test]
fn a_process_that_closes_its_input_early_may_still_answer() {
    let prompt = "p".repeat(8 << 20);
    for body in ["exec <&-", "head -c 10 > /dev/null", ":"] {
        let fake = Fake::new(&format!("{body}\n{CLAUDE_ANSWERS}"));
        assert_eq!(block_on(fake.claude().call(request(&prompt))).unwrap().text, "{\"n\":1}", "{body}");
    }
}

#[test]
fn a_process_that_closes_its_output_and_goes_on_is_killed_at_the_deadline() {
    let fake = Fake::new("echo $$ > pid; exec >&- 2>&-; exec sleep 1000");
    let error = block_on(fake.claude().call(request_within(SOON))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert!(!runs(fake.wait_for_pid("pid")));
}

#[test]
fn prompts_and_instructions_longer_than_any_argument_arrive_whole() {
    let prompt = format!("{}\u{fc}", "p".repeat(4 << 20));
    let system = "s".repeat(3 << 20);
    let find = "while [ $# -gt 0 ]; do [ \"$1\" = --system-prompt-file ] && wc -c < \"$2\" > system; shift; done";
    let fake = Fake::new(&format!("{find}\nwc -c > prompt\n{CLAUDE_ANSWERS}"));
    let mut request = request(&prompt);
    request.messages.insert(0, Message::system(&system));
    block_on(fake.claude().call(request)).unwrap();
    assert_eq!(fake.read("prompt").trim(), prompt.len().to_string());
    assert_eq!(fake.read("system").trim(), system.len().to_string());
}

#[test]
fn arguments_longer_than_the_system_allows_are_an_error_of_the_request() {
    let fake = Fake::new(CLAUDE_ANSWERS);
    let error = block_on(fake.claude().arg("x".repeat(1 << 20)).call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
}

#[test]
fn bytes_that_are_no_text_spoil_nothing_else() {
    let fake = Fake::new(&format!(
        "printf '\\377\\376 noise\\n\\303{{\"type\":\"\\377\"}}\\n\\033[?25h\\0337'\n{CLAUDE_ANSWERS}\nprintf '\\377'"
    ));
    assert_eq!(block_on(fake.claude().call(request("count"))).unwrap().text, "{\"n\":1}");
    let fake = Fake::new(r#"printf '{"type":"result","subtype":"success","result":"a\377b"}\n'"#);
    let response = block_on(fake.claude().call(CallRequest::new(vec![Message::user("hi")]))).unwrap();
    assert_eq!(response.text, "a\u{fffd}b");
}

#[test]
fn no_more_run_at_once_than_may() {
    let body = format!("mkdir -p now; : > now/$$; ls now | wc -l >> counts; sleep 0.1; rm now/$$\n{CLAUDE_ANSWERS}");
    let fake = Fake::new(&body);
    let claude = fake.claude().at_once(2);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let claude = claude.clone();
            scope.spawn(move || block_on(claude.call(request("count"))).unwrap());
        }
    });
    let counts: Vec<u32> = fake.read("counts").lines().map(|line| line.trim().parse().unwrap()).collect();
    assert_eq!(counts.len(), 8);
    assert_eq!(counts.iter().max(), Some(&2), "{counts:?}");
}

#[test]
fn waiting_for_room_ends_at_the_deadline_too() {
    let fake = Fake::new("echo $$ > pid; exec sleep 1000");
    let claude = fake.claude().at_once(1);
    block_on(claude.version()).unwrap();
    let mut first = Box::pin(claude.call(request("count")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    eventually("the script runs", || {
        assert!(first.as_mut().poll(&mut context).is_pending());
        fake.folder.path().join("pid").exists().then_some(())
    });
    let error = block_on(claude.call(request_within(SOON))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert!(error.to_string().contains("at once"), "{error}");
    drop(first);
    // The room is free again.
    let error = block_on(claude.call(request_within(SOON))).unwrap_err();
    assert!(error.to_string().contains("had not answered"), "{error}");
}

#[test]
fn the_file_of_the_schema_is_there_while_it_is_needed_and_gone_after_every_ending() {
    let find = "while [ $# -gt 0 ]; do [ \"$1\" = --output-schema ] && { echo \"$2\" > path; cat \"$2\" > schema; }; shift; done";
    for end in [CODEX_ANSWERS, "exit 3", "kill -9 $$", "sleep 1000", "yes", "echo '{\"type\":\"turn.failed\"}'"] {
        let fake = Fake::new(&format!("{find}\n{end}"));
        let _ = block_on(fake.codex().max_output(100_000).call(request_within(Duration::from_secs(1))));
        let schema: serde_json::Value = serde_json::from_str(&fake.read("schema")).unwrap();
        assert_eq!(schema["properties"]["n"]["type"], "integer", "{end}");
        let path = fake.read("path");
        assert!(fs::symlink_metadata(path.trim()).is_err(), "{end}: {path}");
    }
}
