//! The view in a terminal, and for whoever reads instead of one.

use std::error::Error;
use std::io::{IsTerminal, Write};

use response_schema::adapter::DynAdapter;
use response_schema::partial::{Partial, State};
use response_schema::worker::Update;
use response_schema::{SubTask, Worker};
use response_schema_examples::wait;

use crate::{PartialTicket, Ticket};

/// Shows a ticket while it is written.
pub(crate) fn show(worker: &Worker<DynAdapter>, task: SubTask) -> Result<(), Box<dyn Error>> {
    let mut screen = Screen { lines: 0, terminal: std::io::stdout().is_terminal() };
    wait(async {
        let mut reply = worker.stream::<Ticket>(task);
        while let Some(update) = reply.next().await {
            match update? {
                Update::Partial(ticket) => screen.show(&ticket)?,
                Update::Restarted(restart) => {
                    screen.lines = 0;
                    println!("once more: {}", restart.problem);
                }
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
