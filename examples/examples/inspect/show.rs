//! What the program prints: aligned, in colour on a terminal unless `NO_COLOR` is set, and elsewhere if `CLICOLOR_FORCE` is.
#![allow(clippy::print_stderr)] // a program's business

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

/// What a provider makes of a schema.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    Accepted,
    Rewritten,
    Refused,
}

/// A provider's row: each finding has a place and what is to be said about it.
pub(crate) struct Row {
    pub(crate) provider: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) findings: Vec<(String, String)>,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rewritten => "rewritten",
            Self::Refused => "refused",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Self::Accepted => "32",
            Self::Rewritten => "33",
            Self::Refused => "31",
        }
    }
}

fn paint(code: &str, text: &str) -> String {
    let set = |name: &str, off: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != off);
    let plain = set("NO_COLOR", "") || !(set("CLICOLOR_FORCE", "0") || std::io::stdout().is_terminal());
    if plain { text.to_owned() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}

/// The table: provider, verdict, place, and what there is to say, one finding a line.
pub(crate) fn table(rows: &[Row]) -> String {
    let providers = rows.iter().map(|row| row.provider.chars().count()).max().unwrap_or(0);
    let verdicts = "rewritten".len();
    let places =
        rows.iter().flat_map(|row| &row.findings).map(|(place, _)| place.chars().count().max(1)).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let mut begin = format!(
            "{}{}  {}{}",
            paint("1", row.provider),
            " ".repeat(providers - row.provider.chars().count()),
            paint(row.verdict.colour(), row.verdict.word()),
            " ".repeat(verdicts - row.verdict.word().len()),
        );
        if row.findings.is_empty() {
            let _ = writeln!(text, "{}", begin.trim_end());
        }
        for (place, what) in &row.findings {
            let place = if place.is_empty() { "/" } else { place };
            let gap = " ".repeat(places - place.chars().count());
            let _ = writeln!(text, "{begin}  {}{gap}  {what}", paint("36", place));
            begin = " ".repeat(providers + 2 + verdicts);
        }
    }
    text.pop();
    text
}

pub(crate) fn text(text: &str) {
    // Whoever reads may stop, as `head` does.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

pub(crate) fn problem(text: &str) {
    eprintln!("error: {text}");
}
