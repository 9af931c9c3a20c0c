//! What the program prints: the choice of a route, and a table of reports.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program's business

use response_schema::adapter::NoRoute;
use response_schema::worker::Spent;
use response_schema::{Error, Reply, Report};

use crate::Verdict;

const HEAD: [&str; 7] = ["message", "verdict", "route", "guarantee", "attempts", "tokens", "passed over"];

/// Which route was chosen, and why none does what is asked for next.
pub(crate) fn choice(chosen: &str, none: Option<&NoRoute>) {
    println!("enforced schemas: `{chosen}` does");
    if let Some(none) = none {
        println!("and streaming: {none}");
    }
    println!();
}

/// A row for each message.
pub(crate) fn show(rows: &[(&str, Result<Reply<Verdict>, Error>)]) {
    let mut table = vec![HEAD.map(str::to_owned)];
    for (message, result) in rows {
        let (verdict, report) = match result {
            Ok(Reply { value: Verdict { team, urgency, needs_person }, report, .. }) => {
                let person = if *needs_person { ", a person" } else { "" };
                (format!("{team:?}, {urgency:?}{person}"), report)
            }
            Err(error) => (error.to_string(), error.report()),
        };
        table.push(row(message, verdict, report));
    }
    let widths: Vec<_> =
        (0..HEAD.len()).map(|column| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    for row in &table {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        println!("{}", cells.join("  ").trim_end());
    }
}

fn row(message: &str, verdict: String, report: &Report) -> [String; 7] {
    let short: String = message.chars().take(32).collect();
    let passed: Vec<_> =
        report.passed_over.iter().map(|passed| format!("{} ({})", passed.route, passed.reason)).collect();
    [
        if short.len() < message.len() { format!("{short}…") } else { short },
        verdict,
        report.name.clone().unwrap_or_else(|| report.route.to_string()),
        report.enforcement.to_string(),
        report.attempts.len().to_string(),
        format!("{} + {}", report.usage.input_tokens, report.usage.output_tokens),
        passed.join(", "),
    ]
}

/// What all of it took.
pub(crate) fn spent(spent: &Spent) {
    let usage = spent.usage;
    println!("\n{} calls, {} tokens in, {} out", spent.calls, usage.input_tokens, usage.output_tokens);
}

/// Why the program cannot go on.
pub(crate) fn problem(text: &str) {
    eprintln!("error: {text}");
}
