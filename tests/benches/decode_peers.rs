//! Decoding against other repairers on the same replies: wrong values, missed values, speed.
//!
//! `cargo bench -p response-schema-tests --bench decode_peers`
//!
//! The others know no schema, so what they return is held to the schema afterwards, as their users
//! would do: a value that breaks it counts as refused. The speed on the replies is that of one after the
//! other; ours holds the value to the schema within the time that is told. It takes part twice: with each schema
//! read once before, as a format that stands for many replies has it, and with the schema read for each reply.
//! The large reply counts only if all of its elements come back.
//!
//! Python's `json_repair` comes from pip, into an environment under `target/`. It takes part twice: as it
//! mostly is used, and with the schema, which guides its repairs.
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::adapter::ResponseFormat;
use response_schema::decode::{Decoder, Finish, Target};
use response_schema_tests_routes::python;
use serde_json::{Value, json};

struct Case {
    text: String,
    schema: Value,
    format: ResponseFormat,
    expected: Value,
    finish: Finish,
    valid: jsonschema::Validator,
}

/// How many bytes the large reply has, about.
const LARGE: usize = 200_000;

/// How often each is timed; the shortest time counts.
const ROUNDS: usize = 50;

/// What the Python peer is installed from; `schema` is what its repairs by a schema need.
const JSON_REPAIR: &str = "json_repair[schema]==0.64.6";

/// What came out of each case, if anything.
type Results = Vec<Option<Value>>;

type Repair<'r> = &'r dyn Fn(&Case) -> Option<Value>;

fn cases() -> Vec<Case> {
    include_str!("../tests/data/noisy.jsonl")
        .lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            Case {
                text: case["text"].as_str().unwrap_or_default().to_owned(),
                schema: case["schema_hint"].clone(),
                format: ResponseFormat::from_schema(case["schema_hint"].clone()),
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
        format: ResponseFormat::from_schema(schema.clone()),
        schema,
        expected: Value::Array(vec![item; bytes / line.len()]),
        finish: Finish::Unknown,
    }
}

fn decoded(case: &Case, schema: &impl Target) -> Option<Value> {
    Decoder::new().finish(case.finish).decode_value(&case.text, schema).ok().map(|done| done.value)
}

/// The shortest time of a few runs.
fn shortest(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..ROUNDS).map(run).min().unwrap_or_default()
}

fn main() {
    let cases = cases();
    let ours = |case: &Case| decoded(case, &case.format);
    let anew = |case: &Case| decoded(case, &case.schema);
    let llm_json = |case: &Case| {
        let text = llm_json::repair_json(&case.text, &llm_json::RepairOptions::default()).ok()?;
        serde_json::from_str(&text).ok()
    };
    let jsonfix = |case: &Case| serde_json::from_str(&jsonfix::repair_extract(&case.text).ok()?).ok();
    println!("on {} replies           wrong values   missed         speed   a 200 KB reply", cases.len());
    let peers: [(&str, Repair<'_>); 4] = [
        ("response-schema", &ours),
        ("  reading each schema anew", &anew),
        ("llm_json", &llm_json),
        ("jsonfix", &jsonfix),
    ];
    for (name, repair) in peers {
        let results: Vec<_> = cases.iter().map(repair).collect();
        let small = shortest(|| cases.iter().for_each(|case| drop(black_box(repair(black_box(case))))));
        let case = large(LARGE);
        let large = repair(&case).filter(|value| *value == case.expected);
        let large = large.map(|_| (case.text.len(), shortest(|| drop(black_box(repair(black_box(&case)))))));
        row(name, &cases, results, small, large);
    }
    for (name, results, small, time) in python(&cases) {
        row(&name, &cases, results, small, time.map(|time| (large(LARGE).text.len(), time)));
    }
}

fn row(name: &str, cases: &[Case], results: Results, small: Duration, large: Option<(usize, Duration)>) {
    let (mut wrong, mut missed) = (0, 0);
    for (case, result) in cases.iter().zip(results) {
        match result.filter(|value| case.valid.is_valid(value)) {
            Some(value) => wrong += usize::from(value != case.expected),
            None => missed += usize::from(case.expected != Value::Null),
        }
    }
    let rate = |(bytes, time): (usize, Duration)| format!("{:.1} MB/s", bytes as f64 / time.as_secs_f64() / 1e6);
    let bytes = cases.iter().map(|case| case.text.len()).sum();
    let small = rate((bytes, small));
    let large = large.map_or_else(|| "wrong".to_owned(), rate);
    println!("{name:<26} {wrong:>9} {missed:>8} {small:>13} {large:>16}");
}

/// Runs the Python peer over all cases in one process, without the schema and with it.
fn python(cases: &[Case]) -> Vec<(String, Results, Duration, Option<Duration>)> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json_repair");
    let python = python::environment(&home, &[JSON_REPAIR]);
    let large = large(LARGE);
    let asked = json!({
        "texts": cases.iter().map(|case| &case.text).collect::<Vec<_>>(),
        "schemas": cases.iter().map(|case| &case.schema).collect::<Vec<_>>(),
        "large": {"text": large.text, "schema": large.schema, "expected": large.expected},
    });
    let mut child = Command::new(python)
        .args(["-B", "-c", include_str!("decode_peers.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    child.stdin.take().expect("a pipe").write_all(asked.to_string().as_bytes()).expect("Python reads");
    let output = child.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "{}", output.status);
    let runs: Vec<(String, Results, f64, Option<f64>)> = serde_json::from_slice(&output.stdout).expect("JSON");
    let time = Duration::from_secs_f64;
    runs.into_iter().map(|(name, results, small, large)| (name, results, time(small), large.map(time))).collect()
}
