//! Decoding against other repairers on the same replies: wrong values, missed values, speed.
//!
//! `cargo bench -p response-schema-tests --bench decode_peers`
//!
//! The others know no schema, so what they return is held to the schema afterwards, as their users
//! would do: a value that breaks it counts as refused. The speed on the replies is that of one after the
//! other; ours reads the schema and holds the value to it each time. The large reply counts only if
//! all of its elements come back. Python's `json_repair` takes part if
//! `python3` finds it (`pip install json_repair`; `PYTHON` names another interpreter).
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::decode::{Decoder, Finish};
use serde_json::{Value, json};

struct Case {
    text: String,
    schema: Value,
    expected: Value,
    finish: Finish,
    valid: jsonschema::Validator,
}

type Repair<'r> = &'r dyn Fn(&Case) -> Option<Value>;

fn cases() -> Vec<Case> {
    include_str!("../tests/data/noisy.jsonl")
        .lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            Case {
                text: case["text"].as_str().unwrap_or_default().to_owned(),
                schema: case["schema_hint"].clone(),
                expected: case["expected"].clone(),
                finish: if case["finish"] == "length" { Finish::Length } else { Finish::Unknown },
                valid: jsonschema::validator_for(&case["schema_hint"]).unwrap(),
            }
        })
        .collect()
}

/// A large reply with common faults, and its case.
fn large(bytes: usize) -> Case {
    let line = "  {'product': \"A bag of food, 5 kg\", \"amount\": 3, \"price\": 12.5, open: True,},\n";
    let text = format!("Here you are:\n```json\n[\n{}]\n```\n", line.repeat(bytes / line.len()));
    let schema = json!({"type": "array", "items": {"type": "object"}});
    let item = json!({"product": "A bag of food, 5 kg", "amount": 3, "price": 12.5, "open": true});
    Case {
        text,
        valid: jsonschema::validator_for(&schema).unwrap(),
        schema,
        expected: Value::Array(vec![item; bytes / line.len()]),
        finish: Finish::Unknown,
    }
}

/// The shortest time of a few runs.
fn shortest(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..20).map(run).min().unwrap_or_default()
}

fn main() {
    let cases = cases();
    let ours = |case: &Case| {
        Decoder::new().finish(case.finish).decode_value(&case.text, &case.schema).ok().map(|done| done.value)
    };
    let llm_json = |case: &Case| {
        let text = llm_json::repair_json(&case.text, &llm_json::RepairOptions::default()).ok()?;
        serde_json::from_str(&text).ok()
    };
    let jsonfix = |case: &Case| serde_json::from_str(&jsonfix::repair_extract(&case.text).ok()?).ok();
    println!("on {} replies         wrong values   missed         speed   a 200 KB reply", cases.len());
    let peers: [(&str, Repair<'_>); 3] = [("response-schema", &ours), ("llm_json", &llm_json), ("jsonfix", &jsonfix)];
    for (name, repair) in peers {
        let results: Vec<_> = cases.iter().map(repair).collect();
        let small = shortest(|| cases.iter().for_each(|case| drop(black_box(repair(black_box(case))))));
        let case = large(200_000);
        let large = repair(&case).filter(|value| *value == case.expected);
        let large = large.map(|_| (case.text.len(), shortest(|| drop(black_box(repair(black_box(&case)))))));
        row(name, &cases, results, Some(small), large);
    }
    match python(&cases) {
        Some((results, time)) => {
            row("json_repair (Python)", &cases, results, None, Some((large(200_000).text.len(), time)));
        }
        None => println!("json_repair (Python)   not installed"),
    }
}

fn row(
    name: &str,
    cases: &[Case],
    results: Vec<Option<Value>>,
    small: Option<Duration>,
    large: Option<(usize, Duration)>,
) {
    let (mut wrong, mut missed) = (0, 0);
    for (case, result) in cases.iter().zip(results) {
        match result.filter(|value| case.valid.is_valid(value)) {
            Some(value) => wrong += usize::from(value != case.expected),
            None => missed += usize::from(case.expected != Value::Null),
        }
    }
    let rate = |(bytes, time): (usize, Duration)| format!("{:.1} MB/s", bytes as f64 / time.as_secs_f64() / 1e6);
    let bytes = cases.iter().map(|case| case.text.len()).sum();
    let small = small.map_or_else(|| "-".to_owned(), |time| rate((bytes, time)));
    let large = large.map_or_else(|| "wrong".to_owned(), rate);
    println!("{name:<24} {wrong:>9} {missed:>8} {small:>13} {large:>16}");
}

/// Runs the Python peer over all cases in one process.
fn python(cases: &[Case]) -> Option<(Vec<Option<Value>>, Duration)> {
    const SCRIPT: &str = "\
import json, sys, time
import json_repair
texts = json.load(sys.stdin)
out = [json_repair.loads(text) for text in texts[:-1]]
times = []
for _ in range(3):
    start = time.perf_counter()
    json_repair.loads(texts[-1])
    times.append(time.perf_counter() - start)
print(json.dumps([out, min(times)]))";
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let large = large(200_000);
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).chain([large.text.as_str()]).collect();
    child.stdin.take()?.write_all(serde_json::to_string(&texts).ok()?.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let (results, seconds): (Vec<Value>, f64) = serde_json::from_slice(&output.stdout).ok()?;
    Some((results.into_iter().map(Some).collect(), Duration::from_secs_f64(seconds)))
}
