//! The module as a whole, with the real model.

use std::sync::atomic::AtomicBool;

use super::*;

const TICKET: &str = r#"{"type":"object","properties":{"summary":{"type":"string"},"build":{"anyOf":[{"type":"string","pattern":"^\\d+(\\.\\d+)*$"},{"type":"null"}]},"severity":{"type":"string","enum":["low","medium","high","blocking"]},"confidence":{"type":"integer","minimum":0,"maximum":100},"labels":{"type":"array","items":{"type":"string"},"maxItems":5}},"required":["summary","build","severity","confidence","labels"],"additionalProperties":false}"#;

#[test]
#[ignore = "prototype"]
fn prototype() {
    let begun = std::time::Instant::now();
    let threads = std::env::var("T").map_or(1, |t| t.parse().expect("number"));
    let model = Embedded::builder().threads(threads).build().expect("loads");
    eprintln!("loaded {} in {:?}", model.name(), begun.elapsed());
    let turns = [
        Turn { role: Role::System, text: "Turn the report into a ticket." },
        Turn { role: Role::User, text: "The app crashes when I open settings. Version 2.4.1. It happens sometimes, not a big deal." },
        Turn { role: Role::Assistant, text: r#"{"summary": "The app crashes when settings are opened.", "build": "2.4.1", "severity": "low", "confidence": 80, "labels": ["crash", "settings"]}"# },
        Turn { role: Role::User, text: "Nobody in the company can log in since this morning!! Everything is down." },
        Turn { role: Role::Assistant, text: r#"{"summary": "No user can log in.", "build": null, "severity": "blocking", "confidence": 95, "labels": ["login", "outage"]}"# },
        Turn { role: Role::User, text: "Exporting to PDF in 3.10 gives blank pages for some of our customers, quite annoying." },
    ];
    for _ in 0..3 {
        let job = Job { turns: &turns, schema: Some(TICKET), max_tokens: None, temperature: None, seed: None, cancel: &AtomicBool::new(false) };
        let out = model.generate(&job, &mut |_| {}).expect("generates");
        let speed = f64::from(out.completion_tokens) / out.writing.as_secs_f64();
        let read = f64::from(out.prompt_tokens - out.cached_tokens) / out.reading.as_secs_f64();
        eprintln!("{out:?}\n{read:.1} read/s {speed:.1} tok/s");
    }
    let turns = [Turn { role: Role::User, text: "Tell me a story about a fox." }];
    let job = Job { turns: &turns, schema: None, max_tokens: Some(100), temperature: None, seed: None, cancel: &AtomicBool::new(false) };
    let out = model.generate(&job, &mut |_| {}).expect("generates");
    eprintln!("{out:?} {:.1} tok/s", f64::from(out.completion_tokens) / out.writing.as_secs_f64());
    let status = std::fs::read_to_string("/proc/self/status").expect("linux");
    for line in status.lines().filter(|l| l.starts_with("VmRSS") || l.starts_with("VmHWM")) { eprintln!("{line}"); }
}
