//! A value that fills in while the model writes.
//!
//! ```text
//! cargo run --release --example live               # a small model in this process
//! cargo run --example live -- offline | cat        # without a terminal: a line for each change
//! ```

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::error::Error;
use std::io::{IsTerminal, Write};

use response_schema::partial::{Partial, State};
use response_schema::worker::Update;
use response_schema::{ResponseSchema, SubTask, Worker};
use response_schema_examples::{routes, wait};
use serde::Deserialize;

/// A support ticket.
#[derive(Debug, Deserialize, ResponseSchema)]
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

#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    Medium,
    High,
}

const REPORT: &str = "Since the update the printer on the second floor prints every page twice. It is not urgent.";

fn main() -> Result<(), Box<dyn Error>> {
    let route = std::env::args().nth(1).unwrap_or_else(|| routes::ROUTES[0].name.to_owned());
    let worker = Worker::new(routes::open(&route)?);
    let task = SubTask::new(REPORT).system("Answer with a ticket as JSON.").example(
        "Nobody can log in since 2.14.3!",
        r#"{"summary": "Login fails since 2.14.3.", "severity": "high", "steps": ["Roll back to 2.14.2."]}"#,
    );
    let mut screen = Screen { lines: 0, terminal: std::io::stdout().is_terminal() };
    wait(async {
        let mut reply = worker.stream::<Ticket>(task);
        while let Some(update) = reply.next().await {
            match update? {
                Update::Partial(ticket) => screen.show(&ticket)?,
                Update::Restarted(restart) => println!("once more: {}", restart.problem),
                Update::Done(reply) => println!("\n{:#?}\n{}", reply.value, reply.report),
                _ => {}
            }
        }
        Ok(())
    })
}

/// A terminal, or whatever stands in its place.
struct Screen {
    /// Lines that the last snapshot took.
    lines: usize,
    terminal: bool,
}

impl Screen {
    fn show(&mut self, ticket: &Partial<Ticket>) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if !self.terminal {
            for change in
                ticket.changed().iter().filter(|change| change.state == State::Done && !change.path.is_empty())
            {
                writeln!(out, "done  {}", change.path)?;
            }
            return Ok(());
        }
        if self.lines > 0 {
            write!(out, "\x1b[{}A\x1b[J", self.lines)?;
        }
        let PartialTicket { summary, severity, steps } = ticket.fields().unwrap_or_default();
        let steps = steps.unwrap_or_default();
        writeln!(out, "summary   {}", summary.unwrap_or_default())?;
        writeln!(out, "severity  {}", severity.map_or_else(String::new, |severity| format!("{severity:?}")))?;
        for step in &steps {
            writeln!(out, "  - {step}")?;
        }
        self.lines = 2 + steps.len();
        out.flush()
    }
}
