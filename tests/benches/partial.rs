//! Values that grow, against parsing the whole once, and against those who parse anew at each piece.
//!
//! `cargo bench -p response-schema-tests --bench partial`
#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

#[path = "../tests/decode_types/mod.rs"]
mod types;

use std::hint::black_box;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use jiter::{JsonValue, PartialMode};
use response_schema::decode::decode;
use response_schema::partial::{Growing, Partial};
use serde_json::{Value, json};
use types::Order;

/// How many prefixes of a text stand for all.
const PREFIXES: usize = 10;

/// Bytes of a piece: two or three tokens of a model.
const PIECE: usize = 10;

fn main() {
    time();
    memory();
    unchanged();
}

/// The time of one run on the processor, so that other work on the machine counts less; the best of some. The system counts in
/// ticks of milliseconds: runs are repeated until there are many.
fn cost(mut work: impl FnMut()) -> Duration {
    let mut round = || {
        let begin = Instant::now();
        let start = on_cpu(begin);
        for runs in 1.. {
            work();
            let spent = on_cpu(begin).saturating_sub(start);
            if spent > Duration::from_millis(50) {
                return spent / runs;
            }
        }
        unreachable!("a run takes time")
    };
    (0..3).map(|_| round()).min().unwrap_or_default()
}

/// What one costs for each unit of the other: the middle of some rounds in turns.
fn ratio(mut one: impl FnMut(), mut other: impl FnMut()) -> f64 {
    let mut rounds: Vec<_> = (0..5).map(|_| cost(&mut one).as_secs_f64() / cost(&mut other).as_secs_f64()).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Time that this thread has spent on a processor; on other systems than Linux, time that has passed.
fn on_cpu(begin: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match stat.split(' ').next().and_then(|nanos| nanos.parse().ok()) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => begin.elapsed(),
    }
}

/// An order of about this many bytes.
fn order(bytes: usize) -> String {
    let line = json!({"product": "A bag of food, \"dry\", 5 kg", "amount": 3, "price": 12.5, "severity": "in_review", "note": null});
    let count = bytes / line.to_string().len();
    json!({"id": 9_007_199_254_740_993_u64, "customer": "Ann", "lines": vec![line; count.max(1)]}).to_string()
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    (0..text.len()).step_by(PIECE).map(move |at| &text[at..text.len().min(at + PIECE)])
}

/// Reads a text piece by piece, and looks at each snapshot.
fn grow(text: &str, mut look: impl FnMut(&Partial<Order>)) -> Growing<Order> {
    let mut growing = Growing::new();
    for piece in pieces(text) {
        if let Some(snapshot) = growing.push(piece) {
            look(&snapshot);
        }
    }
    growing
}

fn time() {
    println!("an object in pieces of {PIECE} bytes        100 KB         1 MB        10 MB   to the whole, 1 MB");
    let texts = [100_000, 1_000_000, 10_000_000].map(order);
    let row = |name: &str, work: &dyn Fn(&str)| {
        let times = texts.each_ref().map(|text| cost(|| work(text)));
        // In turns, so that both see the same machine.
        let ratio = ratio(
            || work(&texts[1]),
            || drop(black_box(serde_json::from_str::<Value>(black_box(&texts[1])).expect("JSON"))),
        );
        let [small, middle, large] = times.map(|time| format!("{:.2} ms", time.as_secs_f64() * 1e3));
        println!("{name:<32} {small:>12} {middle:>12} {large:>12} {ratio:>12.2}");
    };
    row("serde_json's Value, whole", &|text| {
        black_box(serde_json::from_str::<Value>(black_box(text)).expect("JSON"));
    });
    row("the type, whole", &|text| {
        black_box(decode::<Order>(black_box(text)).expect("an order"));
    });
    row("jiter, whole", &|text| {
        black_box(JsonValue::parse(black_box(text.as_bytes()), false).expect("JSON"));
    });
    row("growing, in one piece", &|text| {
        let mut growing = Growing::<Order>::new();
        drop(black_box(growing.push(black_box(text))));
    });
    row("growing, a snapshot a piece", &|text| {
        black_box(grow(black_box(text), |snapshot| drop(black_box(snapshot.clone()))));
    });
    row("growing, and what changed", &|text| {
        black_box(grow(black_box(text), |snapshot| drop(black_box(snapshot.changed()))));
    });
    println!();

    // Those who parse anew take minutes, so a few prefixes stand for all: the cost is linear in their length.
    println!("parsing each of the prefixes anew, 1 MB   ({PREFIXES} of them measured)   to the whole   to growing");
    let text = &texts[1];
    let whole = cost(|| drop(black_box(serde_json::from_str::<Value>(black_box(text)).expect("JSON"))));
    let ours = cost(|| drop(black_box(grow(black_box(text), |snapshot| drop(black_box(snapshot.clone()))))));
    let anew = |name: &str, parse: &dyn Fn(&str)| {
        let prefixes = (1..=PREFIXES).map(|i| &text[..text.len() * i / PREFIXES]);
        let time = prefixes.map(|prefix| cost(|| parse(black_box(prefix)))).sum::<Duration>();
        let all = time * u32::try_from(text.len() / PIECE / PREFIXES).unwrap_or(u32::MAX);
        println!(
            "{name:<32} {:>10.1} s {:>24.0} {:>12.0}",
            all.as_secs_f64(),
            all.as_secs_f64() / whole.as_secs_f64(),
            all.as_secs_f64() / ours.as_secs_f64()
        );
    };
    anew("jiter, partial mode", &|prefix| {
        let mode = PartialMode::TrailingStrings;
        drop(black_box(JsonValue::parse_with_config(prefix.as_bytes(), false, mode)));
    });
    anew("growing, from the start", &|prefix| {
        let mut growing = Growing::<Order>::new();
        drop(black_box(growing.push(prefix)));
    });
    println!();
}

fn memory() {
    println!("held at most                         100 KB         1 MB        10 MB   of the text");
    let texts = [100_000, 1_000_000, 10_000_000].map(order);
    let row = |name: &str, work: &dyn Fn(&str)| {
        let held = texts.each_ref().map(|text| measure(|| work(text)).bytes_max);
        let [small, middle, large] = held.map(|bytes| format!("{:.2} MB", bytes as f64 / 1e6));
        println!("{name:<32} {small:>12} {middle:>12} {large:>12} {:>12.2}", held[2] as f64 / texts[2].len() as f64);
    };
    row("serde_json's Value, whole", &|text| drop(serde_json::from_str::<Value>(text).expect("JSON")));
    row("growing", &|text| drop(grow(text, |snapshot| drop(snapshot.clone()))));
    println!();
}

fn unchanged() {
    println!("a piece that changes nothing, and a snapshot         1 KB         1 MB");
    let times = [1_000, 1_000_000].map(|bytes| {
        let mut growing = Growing::<Order>::new();
        drop(growing.push(&order(bytes)));
        let rounds = 20_000;
        let time = cost(|| {
            for _ in 0..rounds {
                black_box(growing.push(" "));
                black_box(growing.snapshot());
            }
        });
        time.as_secs_f64() / f64::from(rounds) * 1e9
    });
    println!("{:<45} {:>8.0} ns {:>9.0} ns", "", times[0], times[1]);
}
