//! What each provider makes of a JSON Schema: taken as it is, rewritten (what, and where), or refused (why).
//!
//! ```text
//! cargo run --example inspect -- schema.json                    # a table of all providers
//! cargo run --example inspect -- schema.json --lower anthropic  # the schema as one of them gets it
//! echo '{"type": "array"}' | cargo run --example inspect        # from standard input
//! cargo run --example inspect -- --type Ticket                  # of a type that is compiled in
//! ```

mod show;
mod types;

use std::io::Read;
use std::process::ExitCode;

use response_schema::dialect::Dialect;
use response_schema::dynamic::{Fate, judge, lower};
use serde_json::Value;
use types::Typed;

const USAGE: &str = "usage: inspect [FILE | - | --type NAME] [--lower PROVIDER]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(text) => {
            show::text(&text);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            show::problem(&problem);
            ExitCode::FAILURE
        }
    }
}

/// What to inspect.
enum Subject {
    Schema(Value),
    Type(&'static Typed),
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (mut file, mut name, mut lowered) = (None, None, None);
    while let Some(argument) = arguments.next() {
        let mut value = |what: &str| arguments.next().ok_or_else(|| format!("`{argument}` needs {what}\n{USAGE}"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(format!("{USAGE}\nproviders: {}\ntypes: {}", providers(), types::names())),
            "--type" => name = Some(value("the name of a type")?),
            "--lower" => lowered = Some(value("the name of a provider")?),
            option if option.starts_with("--") => return Err(format!("there is no option `{option}`\n{USAGE}")),
            _ => file = Some(argument),
        }
    }
    let subject = match (name, file) {
        (Some(_), Some(_)) => return Err(format!("give a file or a type, not both\n{USAGE}")),
        (Some(name), None) => Subject::Type(types::named(&name)?),
        (None, file) => Subject::Schema(read(file.as_deref().unwrap_or("-"))?),
    };
    match lowered {
        Some(name) => lowered_for(&subject, named(&name)?),
        None => Ok(show::table(&Dialect::ALL.iter().map(|dialect| row(&subject, dialect)).collect::<Vec<_>>())),
    }
}

fn read(path: &str) -> Result<Value, String> {
    let text = if path == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| format!("cannot read the schema from `{path}`: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("the schema in `{path}` is not JSON: {error}"))
}

/// A provider's name as it is typed: its letters and digits, those of the whole name or of its beginning.
fn named(given: &str) -> Result<&'static Dialect, String> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let given_plain = plain(given);
    let short = |dialect: &Dialect| plain(dialect.name).trim_start_matches("the").replace("commandline", "cli");
    let all = Dialect::ALL;
    let exact = all.iter().find(|dialect| short(dialect) == given_plain || plain(dialect.name) == given_plain);
    let found = exact
        .or_else(|| all.iter().find(|dialect| !given_plain.is_empty() && short(dialect).starts_with(&given_plain)));
    found.ok_or_else(|| format!("there is no provider `{given}`; there are {}", providers()))
}

fn providers() -> String {
    Dialect::ALL.iter().map(|dialect| dialect.name).collect::<Vec<_>>().join(", ")
}

fn lowered_for(subject: &Subject, dialect: &Dialect) -> Result<String, String> {
    let schema = match subject {
        Subject::Schema(schema) => lower(schema, *dialect)
            .map_err(|departures| format!("{} refuses the schema:\n{departures}", dialect.name))?,
        Subject::Type(typed) => typed.schema(dialect)?,
    };
    serde_json::to_string_pretty(&schema).map_err(|error| error.to_string())
}

/// What one provider makes of the subject.
fn row(subject: &Subject, dialect: &Dialect) -> show::Row {
    let (verdict, findings) = match subject {
        Subject::Schema(schema) => {
            let verdict = judge(schema, *dialect);
            let departures = verdict.departures();
            let refused = departures.iter().any(|departure| departure.fate() == Fate::Stays);
            // Where it is refused, only that counts.
            let told = departures.iter().filter(|departure| !refused || departure.fate() == Fate::Stays);
            let findings = told.map(|departure| (departure.pointer.clone(), what(departure))).collect();
            let verdict = match (departures.is_empty(), refused) {
                (true, _) => show::Verdict::Accepted,
                (false, false) => show::Verdict::Rewritten,
                (false, true) => show::Verdict::Refused,
            };
            (verdict, findings)
        }
        Subject::Type(typed) => match typed.schema(dialect) {
            Ok(_) => {
                let findings = rewritten(typed, dialect);
                let verdict = if findings.is_empty() { show::Verdict::Accepted } else { show::Verdict::Rewritten };
                (verdict, findings)
            }
            Err(why) => (show::Verdict::Refused, vec![(String::new(), why)]),
        },
    };
    show::Row { provider: dialect.name, verdict, findings }
}

/// What a type says that the provider gets in other words, with its place in the schema that says all of it.
fn rewritten(typed: &Typed, dialect: &Dialect) -> Vec<(String, String)> {
    let Ok(whole) = typed.schema(&Dialect::PROMPT) else { return Vec::new() };
    let verdict = judge(&whole, *dialect);
    // What stays was no reason to refuse the type: it is written in another form from the start.
    let told = verdict.departures().iter().filter(|departure| departure.fate() != Fate::Stays);
    told.map(|departure| (departure.pointer.clone(), what(departure))).collect()
}

fn what(departure: &response_schema::dynamic::Departure) -> String {
    match departure.fate() {
        Fate::Stays => format!("{}; {}", departure.found, departure.remedy),
        Fate::Wider => format!("{} (in the description, checked after parsing)", departure.rule),
        _ => departure.rule.to_string(),
    }
}
