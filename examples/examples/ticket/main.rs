//! A typed ticket out of free text, by default from a model in this process.
//!
//! ```text
//! cargo run --release --example ticket                    # built-in sample reports
//! cargo run --release --example ticket -- report.txt      # a report of yours
//! echo "…" | cargo run --release --example ticket -- -    # the same, from standard input
//! cargo run --release --example ticket -- --route offline # another route; an unknown name lists them
//! ```

mod samples;
mod show;

use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;

use response_schema::adapter::DynAdapter;
use response_schema::{Reply, ResponseSchema, SubTask, Worker};
use response_schema_examples::{routes, wait};
use serde::Deserialize;

/// A support ticket taken from a free-form report.
#[derive(Debug, Clone, PartialEq, Deserialize, ResponseSchema)]
pub(crate) struct Ticket {
    /// One sentence.
    #[response(max_length = 160)]
    pub(crate) summary: String,
    /// Build in which it was first seen.
    #[response(pattern = r"^[0-9]+(\.[0-9]+)+$")]
    pub(crate) build: Option<String>,
    /// How much it hinders work.
    pub(crate) severity: Severity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Cosmetic.
    Low,
    /// Annoying, with a way around it.
    Medium,
    /// A feature does not work.
    High,
    /// Nobody can work.
    Blocking,
}

/// The schema, fixed when this program was compiled.
const SCHEMA: &str = response_schema::json::<Ticket>();

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(problem) => {
            show::problem(&problem);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let (route, path) = arguments(std::env::args().skip(1))?;
    let reports = reports(path)?;
    show::schema(response_schema::name::<Ticket>(), SCHEMA);
    let worker = Worker::new(routes::open(&route)?).timeout(Duration::from_mins(2));
    let mut tally = show::Tally::default();
    for report in &reports {
        show::report(report.text());
        match wait(read(&worker, report.text())) {
            Ok(reply) => {
                show::reply(&reply);
                tally.count(report, &reply);
            }
            Err(error) => {
                show::failure(&error);
                tally.failed();
            }
        }
    }
    tally.show();
    Ok(if tally.any_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The route's name, and the file with the report, if there is one.
fn arguments(mut arguments: impl Iterator<Item = String>) -> Result<(String, Option<String>), String> {
    let (mut route, mut path) = (routes::ROUTES[0].name.to_owned(), None);
    while let Some(argument) = arguments.next() {
        if argument == "--route" {
            route = arguments.next().ok_or("`--route` wants a name behind it")?;
        } else if path.replace(argument).is_some() {
            return Err("there is room for one report".to_owned());
        }
    }
    Ok((route, path))
}

/// Asks for a ticket. Worked examples do more for a small model than any instruction.
async fn read(worker: &Worker<DynAdapter>, report: &str) -> Result<Reply<Ticket>, response_schema::Error> {
    let mut task = SubTask::new(report).system("Turn the user's report into a ticket.");
    for (report, ticket) in samples::WORKED {
        task = task.example(*report, *ticket);
    }
    worker.run::<Ticket>(task).await
}

/// A report to read, and what is right about it where that is known.
pub(crate) enum Source {
    Sample(&'static samples::Sample),
    Given(String),
}

impl Source {
    fn text(&self) -> &str {
        match self {
            Self::Sample(sample) => sample.report,
            Self::Given(text) => text,
        }
    }
}

/// The built-in samples, or the report in the named file (`-` for standard input).
fn reports(argument: Option<String>) -> Result<Vec<Source>, String> {
    let Some(path) = argument else {
        return Ok(samples::SAMPLES.iter().map(Source::Sample).collect());
    };
    let text = if path == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(&path)
    };
    let text = text.map_err(|error| format!("cannot read the report from `{path}`: {error}"))?;
    if text.trim().is_empty() {
        return Err(format!("the report in `{path}` is empty; write what happened, in your own words"));
    }
    Ok(vec![Source::Given(text)])
}
