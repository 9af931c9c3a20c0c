//! Judging and lowering schemas of three sizes, against openai-python's helper on the same schemas in the same run.
//!
//! `cargo bench -p response-schema-tests --bench dynamic`
//!
//! The helper is `openai.lib._pydantic`'s; the first run fetches it with pip. Without Python its column is left out.
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::dialect::Dialect;
use response_schema::dynamic::{judge, lower};
use serde_json::{Map, Value, json};

fn main() {
    let python = python();
    println!("judge + lower, OpenAI; time per call and per byte of schema");
    println!("{:>9}  {:>12}  {:>9}  {:>14}  {:>6}", "bytes", "ours", "ns/byte", "openai-python", "ratio");
    for records in [1, 36, 1_200] {
        let schema = schema(records);
        let text = schema.to_string();
        let ours = cost(|| {
            let _ = black_box(judge(black_box(&schema), Dialect::OPENAI));
            // A megabyte of schema has too many properties for the provider, which is found at the end.
            let _ = black_box(lower(black_box(&schema), Dialect::OPENAI));
        });
        let theirs = python.as_deref().and_then(|python| helper(python, &text));
        let (theirs, ratio) = match theirs {
            Some(theirs) => (format!("{theirs:.1?}"), format!("{:.0}x", theirs.as_secs_f64() / ours.as_secs_f64())),
            None => ("-".to_owned(), "-".to_owned()),
        };
        let per_byte = ours.as_secs_f64() * 1e9 / text.len() as f64;
        println!("{:>9}  {:>12}  {per_byte:>9.1}  {theirs:>14}  {ratio:>6}", text.len(), format!("{ours:.1?}"));
    }
}

/// A schema as Pydantic writes them: definitions, references with descriptions, nullables, unions.
fn schema(records: usize) -> Value {
    let mut properties = Map::new();
    let mut definitions = Map::new();
    for i in 0..records {
        properties.insert(
            format!("record_{i}"),
            json!({"$ref": format!("#/$defs/Record{i}"), "description": "A record of the list."}),
        );
        let record = json!({
            "type": "object", "title": format!("Record {i}"), "description": "What one line of the report says.",
            "properties": {
                "identifier": {"type": "string", "description": "As it is printed.", "pattern": "^[A-Z]{2}-[0-9]+$"},
                "amount": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
                "note": {"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}], "default": null},
                "state": {"enum": ["open", "closed", "in review"], "type": "string"},
                "parts": {"type": "array", "items": {
                    "type": "object", "properties": {"name": {"type": "string"}, "weight": {"type": "number"}}, "required": ["name", "weight"]
                }},
            },
            "required": ["identifier", "amount", "note", "state", "parts"],
        });
        definitions.insert(format!("Record{i}"), record);
    }
    let required: Vec<_> = properties.keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "$defs": definitions})
}

/// The time of one call on the processor, over many, so that other work on the machine counts less.
fn cost(mut work: impl FnMut()) -> Duration {
    let begin = Instant::now();
    let start = on_cpu(begin);
    for calls in 1.. {
        work();
        let spent = on_cpu(begin).saturating_sub(start);
        if spent > Duration::from_millis(300) {
            return spent / calls;
        }
    }
    unreachable!("a call takes time")
}

/// Time that this thread has spent on a processor; on other systems than Linux, time that has passed.
fn on_cpu(begin: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => begin.elapsed(),
    }
}

/// A Python with the package `openai`, in `target/bench/openai`.
fn python() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench/openai");
    let python = home.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        Command::new(program).args(arguments).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let there = python.exists()
        || run(Path::new("python3"), &["-m", "venv", &home.to_string_lossy()])
            && run(&python, &["-m", "pip", "install", "-q", "openai==3.57.0"]);
    (there && run(&python, &["-c", "import openai"])).then_some(python)
}

/// The time of one call of the helper; it changes what it is given, so each call gets a copy, which is not counted.
fn helper(python: &Path, schema: &str) -> Option<Duration> {
    const PROGRAM: &str = "
import json, sys, time, pickle
from openai.lib._pydantic import _ensure_strict_json_schema
data = pickle.dumps(json.load(sys.stdin))
spent, calls = 0.0, 0
while spent < 0.3 or calls < 3:
    schema = pickle.loads(data)
    begin = time.process_time()
    _ensure_strict_json_schema(schema, path=(), root=schema)
    spent += time.process_time() - begin
    calls += 1
print(spent / calls)
";
    let mut child =
        Command::new(python).args(["-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(schema.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let seconds: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(Duration::from_secs_f64(seconds))
}
