//! What the program prints: aligned, in colour on a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program's business

use std::io::IsTerminal;

use response_schema::{Error, Reply};

use crate::{Source, Ticket};

fn paint(code: &str, text: &str) -> String {
    if std::io::stdout().is_terminal() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

fn dim(text: &str) -> String {
    paint("2", text)
}

fn bold(text: &str) -> String {
    paint("1", text)
}

/// The schema, as it was compiled into this program.
pub(crate) fn schema(name: &str, text: &str) {
    let pretty = serde_json::from_str::<serde_json::Value>(text)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| text.to_owned());
    println!("{}\n{}\n", bold(&format!("The schema of `{name}`, a constant of this program")), dim(&pretty));
}

/// A report that is about to be read.
pub(crate) fn report(text: &str) {
    println!("{} {}", paint("36", "▌"), wrap(text, 96).join(&format!("\n{} ", paint("36", "▌"))));
}

/// The value, and how it was had.
pub(crate) fn reply(reply: &Reply<Ticket>) {
    println!("{}", paint("32", &format!("{:#?}", reply.value)));
    println!("{}\n", dim(&reply.report.to_string()));
}

/// Why there is no value.
pub(crate) fn failure(error: &Error) {
    println!("{}", paint("31", &chain(error)));
    println!("{}\n", dim(&error.report().to_string()));
}

/// Why the program cannot go on.
pub(crate) fn problem(text: &str) {
    eprintln!("error: {text}");
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// How many replies were right, where that is known.
#[derive(Default)]
pub(crate) struct Tally {
    known: usize,
    right: usize,
    failed: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, source: &Source, reply: &Reply<Ticket>) {
        if let Source::Sample(sample) = source {
            self.known += 1;
            let Ticket { build, severity, .. } = &reply.value;
            if build.as_deref() == sample.build && *severity == sample.severity {
                self.right += 1;
            }
        }
    }

    pub(crate) fn failed(&mut self) {
        self.failed += 1;
    }

    pub(crate) fn any_failed(&self) -> bool {
        self.failed > 0
    }

    pub(crate) fn show(&self) {
        if self.known > 0 {
            println!(
                "{}",
                bold(&format!(
                    "{} of {} sample reports read as a careful reader would: build and severity right.",
                    self.right,
                    self.known + self.failed
                ))
            );
        }
    }
}
