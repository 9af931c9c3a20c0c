//! Structured data out of many texts: a file of JSON Lines or CSV, or a folder of text files, in; JSON Lines out.
//!
//! ```text
//! cargo run --example extract -- mails.csv --text body --id id --route offline
//! cargo run --release --example extract -- notes/ --schema note.schema.json --output notes.jsonl
//! cargo run --features http --example extract -- mails.jsonl --text body --route openai --dry-run --price 0.25,2
//! cargo run --release --example extract -- notes/ --route embedded --output notes.jsonl --resume
//! ```
//!
//! Without `--schema` the type is [`Mail`], below: change it to what you are after. What is finished is in a journal
//! beside the output, so that a run that was broken off in any way goes on with `--resume`, and never asks again for what is in there.
//! With `--cache FOLDER` replies outlive the journal: another run, with other rows around them or another output, does
//! not ask for them again.

mod inputs;
mod options;
mod progress;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use response_schema::adapter::{DynAdapter, ResponseFormat};
use response_schema::many::{Cached, Ended, Item, Many, Summary};
use response_schema::worker::{Budget, Limits, Prices};
use response_schema::{ResponseSchema, Worker};
use response_schema_examples::{routes, wait};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use inputs::Inputs;
use options::Options;
use progress::{Progress, say};

/// What a message is about.
#[derive(Debug, Serialize, Deserialize, ResponseSchema)]
struct Mail {
    /// One sentence.
    summary: String,
    topic: Topic,
    /// Whether somebody has to act today.
    urgent: bool,
    /// Names of people, as they are written.
    #[response(max_items = 10)]
    people: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "lowercase")]
enum Topic {
    Billing,
    Support,
    Sales,
    Other,
}

const INSTRUCTIONS: &str = "Read the text, and write down what is asked for. Make nothing up.";

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            say(&problem);
            ExitCode::FAILURE
        }
    }
}

/// Whether all is done, and done well.
fn run(options: &Options) -> Result<bool, String> {
    let format = match &options.schema {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("`{path}` cannot be read: {error}"))?;
            let schema: Value =
                serde_json::from_str(&text).map_err(|error| format!("`{path}` holds no JSON: {error}"))?;
            ResponseFormat::from_schema(schema)
        }
        None => ResponseFormat::of::<Mail>(),
    };
    let inputs = Inputs::of(options, INSTRUCTIONS)?;
    if options.dry_run {
        say(&inputs.estimate(&format, options.price)?);
        return Ok(true);
    }
    let journal = options.journal();
    if !options.resume && std::fs::exists(&journal).unwrap_or(false) {
        return Err(format!("there is a journal of an earlier run, `{journal}`: go on with --resume, or remove it"));
    }
    let route = routes::open(&options.route)?;
    let cached = options.cache.as_ref().map(|folder| Cached::new(route.clone(), folder));
    let worker = Worker::new(cached.clone().map_or(route, DynAdapter::from));
    let done = match options.schema {
        Some(_) => all(worker.many_values(inputs.read()?, format), options, inputs.count()?),
        None => all(worker.many::<Mail>(inputs.read()?), options, inputs.count()?),
    };
    if let Some(problem) = cached.and_then(|cached| cached.problem()) {
        say(&problem);
    }
    done
}

fn all<T: Serialize + Send>(many: Many<'_, DynAdapter, T>, options: &Options, count: u64) -> Result<bool, String> {
    let mut many = many.concurrency(options.concurrency).journal(options.journal());
    if options.retry_failed {
        many = many.retry_failed();
    }
    let mut limits = Limits::per_minute();
    if let Some(requests) = options.requests {
        limits = limits.requests(requests);
    }
    if let Some(tokens) = options.tokens {
        limits = limits.tokens(tokens);
    }
    let mut budget = Budget::new();
    if let Some((input, output)) = options.price {
        budget = budget.prices(Prices::per_million(input, output));
    }
    if let Some(dollars) = options.max_cost {
        budget = budget.max_cost_usd(dollars);
    }
    let summary = wait(follow(many.limits(limits).budget(budget), options, count))?;
    say(&summary.to_string());
    if !summary.is_complete() {
        say(&format!("go on with the same command and --resume; what is done is in `{}`", options.journal()));
    }
    Ok(summary.is_complete() && summary.failures() == 0)
}

/// Writes each result as it comes.
async fn follow<T: Serialize + Send>(
    many: Many<'_, DynAdapter, T>,
    options: &Options,
    count: u64,
) -> Result<Summary, String> {
    let mut results = many.start().map_err(|error| error.to_string())?;
    // All results of earlier runs come first, from the journal: the output is written anew.
    let unwritten = |error: std::io::Error| format!("`{}` cannot be written: {error}", options.output);
    let mut output = BufWriter::new(File::create(&options.output).map_err(unwritten)?);
    let mut stops = stops()?;
    let mut progress = Progress::new(count);
    loop {
        // Ctrl-C first: results of a fast route are there at any time.
        let next = match select(stops.next(), std::pin::pin!(results.next())).await {
            Either::Left(_) => None,
            Either::Right((next, _)) => Some(next),
        };
        match next {
            Some(Some(item)) => {
                writeln!(output, "{}", line(&item)).map_err(unwritten)?;
                progress.show(results.summary());
            }
            Some(None) => break,
            None => {
                results.stop();
                let under_way = results.under_way();
                progress.say(&format!("stopping: {under_way} are under way; once more to stop at once"));
            }
        }
    }
    output.flush().map_err(unwritten)?;
    progress.end();
    let summary = results.summary().clone();
    if summary.ended == Some(Ended::Complete) {
        say(&format!("the results are in `{}`", options.output));
    }
    Ok(summary)
}

/// A result as a line of the output.
fn line<T: Serialize>(item: &Item<T>) -> Value {
    match &item.outcome {
        Ok(reply) => json!({ "id": item.id, "value": reply.value }),
        Err(error) => {
            let why = std::iter::successors(std::error::Error::source(error), |error| error.source());
            let words: Vec<_> = std::iter::once(error.to_string()).chain(why.map(ToString::to_string)).collect();
            json!({ "id": item.id, "error": words.join(": ") })
        }
    }
}

/// Each Ctrl-C. The second one ends the program at once: what is done is in the journal.
fn stops() -> Result<mpsc::UnboundedReceiver<()>, String> {
    let (send, stops) = mpsc::unbounded();
    let mut told = false;
    ctrlc::set_handler(move || {
        if std::mem::replace(&mut told, true) || send.unbounded_send(()).is_err() {
            std::process::exit(130);
        }
    })
    .map_err(|error| format!("Ctrl-C cannot be listened to: {error}"))?;
    Ok(stops)
}
