//! A value that fills in while the model writes: in the terminal, or on a web page.
//!
//! ```text
//! cargo run --release --example live               # a small model in this process
//! cargo run --example live -- offline | cat        # without a terminal: a line for each change
//! cargo run --release --features web --example live -- --serve 8000
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

mod terminal;
#[cfg(feature = "web")]
mod web;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use response_schema::{ResponseSchema, SubTask, Worker};
use response_schema_examples::{exit, routes};
use serde::{Deserialize, Serialize};

/// A support ticket.
#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
struct Ticket {
    /// One sentence.
    #[response(max_length = 200)]
    summary: String,
    severity: Severity,
    /// What to do first.
    #[response(min_items = 1, max_items = 4)]
    steps: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[response(partial)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    Medium,
    High,
}

const REPORT: &str = "Since the update the printer on the second floor prints every page twice. It is not urgent.";

/// What is asked about a report.
fn task(report: &str) -> SubTask {
    SubTask::new(report).system("Answer with a ticket as JSON.").example(
        "Nobody can log in since 2.14.3!",
        r#"{"summary": "Login fails since 2.14.3.", "severity": "high", "steps": ["Roll back to 2.14.2."]}"#,
    )
}

fn main() -> ExitCode {
    exit(run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let (mut route, mut port) = (routes::ROUTES[0].name.to_owned(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--serve" {
            port = Some(arguments.next().ok_or("`--serve` needs a port")?.parse::<u16>()?);
        } else {
            route = argument;
        }
    }
    // The stand-in for a model writes in pieces if it is told their size.
    if route == "offline" {
        route.push_str(":6");
    }
    let worker = Worker::new(routes::open(&route)?).timeout(Duration::from_mins(2));
    match port {
        None => terminal::show(&worker, task(REPORT)),
        #[cfg(feature = "web")]
        Some(port) => web::serve(worker, port),
        #[cfg(not(feature = "web"))]
        Some(_) => Err("the page is behind a feature: run it with `--features web`".into()),
    }
}
