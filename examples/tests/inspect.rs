//! The program `inspect`, run as people run it.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// Cargo builds the examples of a package before its tests run, beside them.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let name = format!("inspect{}", std::env::consts::EXE_SUFFIX);
    test.parent().unwrap().parent().unwrap().join("examples").join(name)
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(program());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who refuses the arguments may be gone before it has read anything.
    let written = child.stdin.take().unwrap().write_all(input.as_bytes());
    assert!(written.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::BrokenPipe), "{written:?}");
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn line<'a>(table: &'a str, provider: &str) -> &'a str {
    table.lines().find(|line| line.starts_with(provider)).unwrap()
}

#[test]
fn a_schema_is_judged_by_every_provider() {
    let schema =
        json!({"type": "object", "properties": {"at": {"type": "string", "format": "uri"}}, "required": ["at"]});
    let table = stdout(&run(&[], &schema.to_string()));
    assert!(!table.contains('\u{1b}'), "no colour where there is no terminal");
    assert!(line(&table, "OpenAI").contains("rewritten") && table.contains("`uri` is not a valid format"));
    assert!(line(&table, "llguidance").contains("accepted"));
    // Aligned: every verdict stands in one column.
    let columns: Vec<_> = ["accepted", "rewritten", "refused"]
        .iter()
        .flat_map(|word| {
            table
                .lines()
                .filter_map(move |line| line.find(word).filter(|at| !line[..*at].trim().is_empty() && *at < 40))
        })
        .collect();
    assert!(columns.len() >= 20 && columns.iter().all(|column| *column == columns[0]), "{columns:?}\n{table}");

    let map = stdout(&run(&["-"], r#"{"type": "object", "additionalProperties": {"type": "string"}}"#));
    assert!(line(&map, "OpenAI").contains("refused") && map.contains("carry it as an array of objects"));
}

#[test]
fn verdicts_are_in_colour_where_that_is_asked_for() {
    let coloured = |name: &str| {
        let output = Command::new(program()).args(["--type", "Outline"]).env(name, "1").output().unwrap();
        stdout(&output)
    };
    let table = coloured("CLICOLOR_FORCE");
    assert!(table.contains("\u{1b}[32maccepted\u{1b}[0m") && table.contains("\u{1b}[31mrefused\u{1b}[0m"), "{table}");
    assert!(!coloured("NO_COLOR").contains('\u{1b}'));
}

#[test]
fn a_schema_is_lowered() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]});
    let lowered = stdout(&run(&["--lower", "anthropic"], &schema.to_string()));
    let lowered: Value = serde_json::from_str(&lowered).unwrap();
    assert_eq!(lowered["properties"]["n"], json!({"type": "integer", "description": "Must be at most 9."}));
    assert_eq!(lowered["additionalProperties"], false);
}

#[test]
fn types_that_are_compiled_in_are_inspected() {
    let table = stdout(&run(&["--type", "Ticket"], ""));
    // What a type says is rewritten for providers that lack the keyword, and shown like that of a schema.
    assert!(line(&table, "Anthropic").contains("rewritten") && table.contains("/properties/confidence"), "{table}");
    assert!(line(&table, "prompt text").contains("accepted"), "{table}");
    let table = stdout(&run(&["--type", "Outline"], ""));
    assert!(line(&table, "OpenAI").contains("accepted") && line(&table, "Anthropic").contains("refused"));
    let schema = stdout(&run(&["--type", "Ticket", "--lower", "claude"], ""));
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["properties"]["summary"]["maxLength"], 160);
}

#[test]
fn what_is_wrong_is_said() {
    for (arguments, input, said) in [
        (&["--lower", "nobody"][..], "{}", "there is no provider `nobody`"),
        (&["--type", "Nothing"], "", "there is no type `Nothing`; there are Ticket, Outline"),
        (&["none.json"], "", "cannot read the schema from `none.json`"),
        (&[], "{", "is not JSON"),
        (&["--low"], "{}", "there is no option `--low`"),
        (&["--lower"], "{}", "`--lower` needs the name of a provider"),
    ] {
        let output = run(arguments, input);
        assert!(!output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(said), "{stderr}");
    }
}
