//! The example `extract`, as a process: what it reads and writes, and that it goes on after a kill.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn extract() -> Command {
    let mut program: PathBuf = std::env::current_exe().expect("this test's own path");
    program.pop();
    program.pop();
    program.extend(["examples", &format!("extract{}", std::env::consts::EXE_SUFFIX)]);
    assert!(program.exists(), "{} is not built; run `cargo build --examples` first", program.display());
    let mut command = Command::new(program);
    command.env("RESPONSE_SCHEMA_NO_REAL_CALLS", "1");
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    extract().current_dir(directory).args(arguments).output().expect("runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn rows(count: usize) -> String {
    let row = |number| json!({"id": format!("m{number}"), "body": format!("Message {number}")}).to_string() + "\n";
    (0..count).map(row).collect()
}

#[test]
fn rows_go_in_and_typed_values_come_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let csv = "id,body\n1,\"Nobody can log in!\"\n2\n3,\"We were charged twice.\"\n";
    std::fs::write(directory.path().join("mails.csv"), csv).expect("is written");
    let output = run(directory.path(), &["mails.csv", "--id", "id", "--text", "body", "--output", "out.jsonl"]);
    // One row is bad, so not all is well; the others are there.
    assert!(!output.status.success());
    assert!(said(&output).contains("items      3: 2 valid, 1 invalid input"), "{}", said(&output));
    let lines = lines(&directory.path().join("out.jsonl"));
    assert_eq!(lines.len(), 3);
    for line in &lines {
        match line["id"].as_str() {
            Some("1" | "3") => assert!(line["value"]["summary"].is_string() && line["value"]["urgent"].is_boolean()),
            _ => {
                assert!(line["error"].as_str().expect("words").contains("mails.csv, line 3: there is no field `body`"));
            }
        }
    }
    let again = run(directory.path(), &["mails.csv", "--id", "id", "--text", "body", "--output", "out.jsonl"]);
    assert!(said(&again).contains("there is a journal of an earlier run, `out.jsonl.journal`"), "{}", said(&again));
    assert!(!again.status.success());
}

#[test]
fn a_folder_and_a_schema_from_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(directory.path().join("notes")).expect("is made");
    for name in ["b.txt", "a.txt"] {
        std::fs::write(directory.path().join("notes").join(name), "Buy milk").expect("is written");
    }
    let schema = r#"{"title": "Note", "type": "object", "properties": {"todo": {"type": "array", "items": {"type": "string"}}},
        "required": ["todo"], "additionalProperties": false}"#;
    std::fs::write(directory.path().join("note.json"), schema).expect("is written");
    let output = run(directory.path(), &["notes", "--schema", "note.json"]);
    assert!(output.status.success(), "{}", said(&output));
    let lines = lines(&directory.path().join("extracted.jsonl"));
    let ids: BTreeSet<_> = lines.iter().map(|line| line["id"].as_str().expect("an id")).collect();
    assert_eq!(ids, BTreeSet::from(["a.txt", "b.txt"]));
    assert!(lines.iter().all(|line| line["value"]["todo"].is_array()));
}

#[test]
fn a_dry_run_asks_nobody_and_says_what_it_would_cost() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("mails.jsonl"), rows(1000) + "{\n").expect("is written");
    let output =
        run(directory.path(), &["mails.jsonl", "--text", "body", "--route", "openai", "--dry-run", "--price", "1,5"]);
    assert!(output.status.success(), "{}", said(&output));
    let words = said(&output);
    assert!(words.contains("1000 items, about ") && words.contains("and 200000 out: about 1."), "{words}");
    assert!(words.contains("1 rows cannot be read; the first: mails.jsonl, line 1001"), "{words}");
    assert_eq!(std::fs::read_dir(directory.path()).expect("a directory").count(), 1, "nothing is written");
}

#[test]
fn options_that_make_no_sense_are_said() {
    let directory = tempfile::tempdir().expect("a directory");
    for (arguments, words) in [
        (&[][..], "extract INPUT [OPTIONS]"),
        (&["none.jsonl"], "`none.jsonl` cannot be read"),
        (&["x", "--speed"], "there is no option --speed"),
        (&["x", "--price", "1"], "--price needs two numbers"),
        (&["x", "--concurrency"], "--concurrency needs a value"),
        (&["x", "--tokens", "many"], "--tokens needs a number, and `many` is none"),
    ] {
        let output = run(directory.path(), arguments);
        assert!(!output.status.success() && said(&output).contains(words), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn killed_it_goes_on_with_resume_and_each_row_has_one_result() {
    const ROWS: usize = 20_000;
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("mails.jsonl"), rows(ROWS)).expect("is written");
    let arguments = ["mails.jsonl", "--id", "id", "--text", "body", "--output", "out.jsonl", "--resume"];
    let journal = directory.path().join("out.jsonl.journal");
    let kept = || String::from_utf8_lossy(&std::fs::read(&journal).unwrap_or_default()).lines().count();
    for least in [1, 2000] {
        let mut child =
            extract().current_dir(directory.path()).args(arguments).stderr(Stdio::null()).spawn().expect("runs");
        while kept() < least && child.try_wait().expect("its state").is_none() {
            std::thread::yield_now();
        }
        // SIGKILL, where there are signals.
        child.kill().expect("is killed");
        child.wait().expect("ends");
    }
    let before = kept() - 1;
    assert!((1..ROWS).contains(&before), "{before}");
    let output = run(directory.path(), &arguments);
    assert!(output.status.success(), "{}", said(&output));
    let words = said(&output);
    // A line may have been torn.
    let from: usize = words
        .split("before     ")
        .nth(1)
        .expect(&words)
        .split(' ')
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    assert!((before.saturating_sub(2)..=before).contains(&from), "{from} of {before}: {words}");
    let lines = lines(&directory.path().join("out.jsonl"));
    let ids: BTreeSet<_> = lines.iter().map(|line| line["id"].as_str().expect("an id")).collect();
    assert_eq!((lines.len(), ids.len()), (ROWS, ROWS));
    assert!(lines.iter().all(|line| line["value"]["topic"].is_string()));
}

#[cfg(feature = "http")]
#[test]
fn with_a_cache_another_run_asks_for_new_rows_only() {
    use response_schema_tests_routes::loopback::{Exchange, Loopback, Wire};

    let directory = tempfile::tempdir().expect("a directory");
    let mail = json!({"summary": "A message.", "topic": "other", "urgent": false, "people": []});
    let server = Loopback::start([Exchange::text(mail.to_string()).always()]);
    let route = format!("openai@{}", server.base_url(Wire::Responses));
    let run = |rows: usize, output: &str| {
        std::fs::write(directory.path().join("mails.jsonl"), self::rows(rows)).expect("is written");
        let arguments = ["mails.jsonl", "--id", "id", "--text", "body", "--route", &route, "--cache", "replies"];
        let mut command = extract();
        command.env_remove("RESPONSE_SCHEMA_NO_REAL_CALLS").env("OPENAI_API_KEY", "sk-not-a-key-of-anyone");
        let output_of = command.current_dir(directory.path()).args(arguments).args(["--output", output]).output();
        let done = output_of.expect("runs");
        assert!(done.status.success(), "{}", said(&done));
        let mut lines = lines(&directory.path().join(output));
        lines.sort_by_key(|line| line["id"].to_string());
        (said(&done), lines, server.requests().len())
    };
    let (words, first, asked) = run(20, "first.jsonl");
    assert_eq!((first.len(), asked), (20, 20));
    assert!(!words.contains("from the cache"), "{words}");
    let (words, second, asked) = run(20, "second.jsonl");
    assert!(words.contains("before     0 from the journal, 20 from the cache"), "{words}");
    assert_eq!((second, asked), (first, 20), "nothing is asked");
    let (words, third, asked) = run(25, "third.jsonl");
    assert!(words.contains("25 valid") && words.contains("20 from the cache"), "{words}");
    assert_eq!((third.len(), asked), (25, 25));
}

#[cfg(unix)]
#[test]
fn ctrl_c_brings_what_is_under_way_to_its_end_and_says_how_to_go_on() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("mails.jsonl"), rows(50_000)).expect("is written");
    let arguments = ["mails.jsonl", "--id", "id", "--text", "body"];
    let child = extract().current_dir(directory.path()).args(arguments).stderr(Stdio::piped()).spawn().expect("runs");
    let journal = directory.path().join("extracted.jsonl.journal");
    while std::fs::metadata(&journal).map_or(0, |data| data.len()) < 10_000 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("runs").success());
    let output = child.wait_with_output().expect("ends");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("stopping: ") && words.contains("ended      it was told to stop"), "{words}");
    assert!(words.contains("go on with the same command and --resume; what is done is in `extracted.jsonl.journal`"));
    // What is in the journal is in the output, and nothing else.
    let kept = std::fs::read_to_string(journal).expect("text").lines().count() - 1;
    assert_eq!(lines(&directory.path().join("extracted.jsonl")).len(), kept);
}
