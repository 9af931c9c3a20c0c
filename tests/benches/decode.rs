//! Decoding against `serde_json` on clean replies, its speed through prose, and how its time grows
//! on input made to hurt.
//!
//! `cargo bench -p response-schema-tests --bench decode`
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

#[path = "../tests/decode_types/mod.rs"]
mod types;

use std::hint::black_box;
use std::time::{Duration, Instant};

use response_schema::decode::{Decoder, decode};
use serde_json::json;
use types::{Animal, Order};

fn main() {
    // `cargo bench … -- noisy`: only the table of that name.
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let tables: [(&str, fn()); 4] =
        [("clean", clean), ("noisy", noisy), ("dynamic", dynamic), ("adversarial", adversarial)];
    for (name, table) in tables {
        if only.is_empty() || only.iter().any(|only| only == name) {
            table();
        }
    }
}

/// The time of one run on the processor, so that other work on the machine counts less. The
/// system counts in ticks of milliseconds: runs are repeated until there are many.
fn cost(mut work: impl FnMut()) -> Duration {
    let begin = Instant::now();
    let start = on_cpu(begin);
    for runs in 1.. {
        work();
        let spent = on_cpu(begin).saturating_sub(start);
        if spent > Duration::from_millis(150) {
            return spent / runs;
        }
    }
    unreachable!("a run takes time")
}

/// Time that this thread has spent on a processor; on other systems than Linux, time that has passed.
fn on_cpu(begin: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => begin.elapsed(),
    }
}

fn rate(bytes: usize, time: Duration) -> String {
    let rate = bytes as f64 / time.as_secs_f64() / 1e6;
    if rate >= 10_000.0 { format!("{:.1} GB/s", rate / 1e3) } else { format!("{rate:.0} MB/s") }
}

/// An order of about this many bytes.
fn order(bytes: usize) -> String {
    let line = json!({"product": "A bag of food, \"dry\", 5 kg", "amount": 3, "price": 12.5, "severity": "in_review", "note": null});
    let count = bytes / line.to_string().len();
    json!({"id": 9_007_199_254_740_993_u64, "customer": "Ann", "lines": vec![line; count.max(1)]}).to_string()
}

fn clean() {
    println!("clean JSON                    serde_json       decode   ratio");
    for (name, bytes, repeat) in [("1 KB", 1_000, 2000), ("100 KB", 100_000, 20), ("10 MB", 10_000_000, 1)] {
        let text = order(bytes);
        // In turns, so that both see the same machine.
        let (mut serde, mut ours) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..8 {
            serde += cost(|| {
                for _ in 0..repeat {
                    black_box(serde_json::from_str::<Order>(black_box(&text)).unwrap());
                }
            });
            ours += cost(|| {
                for _ in 0..repeat {
                    black_box(decode::<Order>(black_box(&text)).unwrap());
                }
            });
        }
        let size = text.len() * repeat;
        println!(
            "{name:<24} {:>15} {:>12}   {:.3}",
            rate(8 * size, serde),
            rate(8 * size, ours),
            ours.as_secs_f64() / serde.as_secs_f64()
        );
    }
    println!();
}

fn noisy() {
    println!("noisy text                             rate");
    let prose =
        "It was the best of times, it was the worst of times (so they say), and \"nobody\" knew. ".repeat(120_000);
    let code = "fn main() { let x = [1, 2]; if a < b { call(&x[0]); } } // {see}\n".repeat(150_000);
    let chinese = "这是最好的时代，这是最坏的时代：智慧的年头，愚昧的年头。".repeat(120_000);
    let answer = "{\"name\":\"Rex\",\"legs\":4}";
    let single = order(10_000_000).replace('\'', "’").replace("\\\"", "”").replace('"', "'").replace("null", "None");
    for (name, text) in [
        ("English prose, an answer", format!("{prose}{answer}")),
        ("Chinese prose, an answer", format!("{chinese}{answer}")),
        ("Rust code, an answer", format!("{code}{answer}")),
        ("reasoning, an answer", format!("<think>{prose}</think>{answer}")),
    ] {
        let time = cost(|| {
            black_box(decode::<Animal>(black_box(&text)).unwrap());
        });
        println!("{name:<30} {:>12}", rate(text.len(), time));
    }
    for (name, text) in [
        ("10 MB in a fence", format!("Here:\n```json\n{}\n```", order(10_000_000))),
        ("10 MB, a trailing comma", order(10_000_000).replace("}]}", "},]}")),
        ("10 MB, a Python dict", single),
    ] {
        let time = cost(|| {
            black_box(decode::<Order>(black_box(&text)).unwrap());
        });
        println!("{name:<30} {:>12}", rate(text.len(), time));
    }
    println!();
}

/// A schema that is only known at run time, and a fault in every line.
fn dynamic() {
    let line = "  {'product': \"A bag of food, 5 kg\", \"amount\": 3, \"price\": 12.5, open: True,},\n";
    let text = format!("```json\n[\n{}]\n```\n", line.repeat(12_000));
    let schema = json!({"type": "array", "items": {"type": "object"}});
    let time = cost(|| {
        black_box(Decoder::new().decode_value(black_box(&text), &schema).unwrap());
    });
    println!("{:<30} {:>12}", "1 MB, faults all over, dynamic", rate(text.len(), time));
    println!();
}

fn adversarial() {
    println!("input made to hurt               typed: 1 MB       2 MB   ratio     schema: 1 MB       2 MB   ratio");
    let units = [
        "{",
        "[",
        "\"",
        "`",
        "~",
        "<",
        "<think>",
        "</think>",
        "<think></think>",
        "{“</think>",
        "{\"a\":\"</think>",
        "[{\"a\":",
        "{\"a\":",
        "{\"",
        "{'",
        "{\"a\"",
        "[\"",
        "[1,",
        "[1,[2],",
        "{\"a\":\"\",\"b\\\"c\":1}",
        "[1 ",
        "{\"a\":1}",
        "{a:",
        "{/*",
        "[/*",
        "{//",
        "{\"a\":\"x\" y}",
        "[\"x\" y]",
        "[\"x\" y",
        "{\"a\":\"\" ",
        "\\",
        "{\\\"",
        "{&quot;",
        "> {\n",
        "```\n",
        "```json\n{\"a\":\"\n",
        "```json\n{\"a\":\"\n```\n",
        "{“",
        "\"\"\"",
        "['''",
        "{\"a\":[",
        "[[1,2],",
        "{\"a\" ",
        "} ",
        "<|channel|>analysis",
        "｛",
        "{\u{a0}",
        "[,",
        "{\"a\":{\"b\":\"\\",
        "{\"k\":\"v\",'",
        "[\"x\" \"y\", ",
        "[x, ",
        "{\"v\":[[[[[[1,",
        "#",
        "{#\n",
        "{,",
        "{\"a\":\"x\" + ",
        "\"a\" + ",
        "[\"a\" /**/ + ",
        "{\"a\" /**/ ",
        "{\"a\" // b\n",
        "{\"v\":５",
        "{{\"a\":1,",
        "` a",
        "``` a",
        "~~~ `` ",
        "[\"low\",\"hihg\",",
        "{\"label\":\"x\",",
        "{\"LABEL\":\"x\",",
        "{x: {",
        "[“",
        "{«",
        "[„</think>",
        "f(&x[0]); ",
    ];
    for unit in units {
        grows(&format!("{unit:?}"), |bytes| unit.repeat(bytes / unit.len()));
    }
    grows("\"{}\" after as much space", |bytes| " ".repeat(bytes / 2) + &"{}".repeat(bytes / 4));
}

/// One row: the time of a text by the type and by a schema, and of one twice as long.
fn grows(name: &str, text: impl Fn(usize) -> String) {
    // Every key may be missing, so that hardly anything is told from the answer by its keys.
    let list = json!({"type": "array", "items": {"enum": ["low", "medium", "high"]}});
    let schema = json!({"type": "object", "properties": {"label": {"type": "string"}, "list": list}});
    let scale = std::env::var("SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1_000_000);
    let typed = |text: &str| decode::<Animal>(text).is_ok();
    let dynamic = |text: &str| Decoder::new().decode_value(text, &schema).is_ok();
    let readers: [&dyn Fn(&str) -> bool; 2] = [&typed, &dynamic];
    print!("{name:<28}");
    for read in readers {
        let time = |bytes: usize| {
            let text = text(bytes);
            cost(|| {
                black_box(read(black_box(&text)));
            })
        };
        let (one, two) = (time(scale), time(2 * scale));
        let ratio = two.as_secs_f64() / one.as_secs_f64();
        let slow = ratio > 2.6 && two > Duration::from_millis(5) || one > Duration::from_millis(200);
        let note = if slow { "  <--" } else { "     " };
        print!(" {:>8.2} ms {:>8.2} ms   {ratio:.2}{note}", one.as_secs_f64() * 1e3, two.as_secs_f64() * 1e3);
    }
    println!();
}
