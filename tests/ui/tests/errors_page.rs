//! The page "Errors and what to write instead" is made from the compile-fail tests: a message cannot
//! change without the page.

use std::fmt::Write as _;
use std::path::Path;

const HEAD: &str = "\
# Errors and what to write instead

What the compiler says about types that have no strict schema. Each message underlines what must be edited and
names the way out. The page is made from the tests of the messages.

A type without parameters is checked where it is defined, a generic one where it is used with its arguments. One thing
is known only where a type is the whole reply: an enum, a list or a number then stands in an object `{\"value\": …}`,
which is one level more. An enum of ten levels compiles, and `json` of it does not.

One error is the compiler's own: `E0391`, a cycle, between generic types that contain one another. It has a way out,
the attribute `recursive`; see the page on types.
";

/// The folders of the tests, and what they hold.
const CHAPTERS: [(&str, &str); 6] = [
    ("attr", "Attributes"),
    ("shape", "Shapes and types"),
    ("bound", "Rules on values"),
    ("strict", "Limits of strict mode"),
    ("adapter", "Calls of routes"),
    ("tool", "Tools"),
];

/// What a message says: its text, and the tokens under it.
struct Said {
    text: String,
    under: Option<String>,
    notes: Vec<String>,
}

#[test]
fn the_page_is_made_from_the_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = root.join("../../runtime/src/docs/errors.md");
    let mut text = HEAD.to_owned();
    for (folder, title) in CHAPTERS {
        let _ = write!(text, "\n## {title}\n");
        let mut cases: Vec<_> = std::fs::read_dir(root.join(folder))
            .expect("a folder of tests")
            .map(|entry| entry.expect("an entry").path())
            // The case beside the faulty ones that compiles has no messages.
            .filter(|path| path.extension().is_some_and(|ext| ext == "rs") && path.with_extension("stderr").exists())
            .collect();
        cases.sort();
        for case in cases {
            chapter(&case, &mut text);
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&page, &text).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(found == text, "the page of errors differs from the tests; run with BLESS=1 and read the difference");
}

/// One faulty program and what is said about it.
fn chapter(case: &Path, text: &mut String) {
    let source = std::fs::read_to_string(case).expect("a test");
    let messages = std::fs::read_to_string(case.with_extension("stderr")).expect("what the compiler says");
    let title = source.lines().next().and_then(|line| line.strip_prefix("//! ")).expect("a title in the first line");
    let _ = write!(text, "\n### {}\n\n```text\n{}\n```\n", title.trim_end_matches('.'), body(&source));
    for said in said(&messages) {
        let _ = write!(text, "\n- ");
        if let Some(under) = said.under {
            let _ = write!(text, "on `{under}`: ");
        }
        let _ = write!(text, "{}", said.text);
        for note in said.notes {
            let _ = write!(text, "\n  - {note}");
        }
    }
    text.push('\n');
}

/// The program without what every test has.
fn body(source: &str) -> String {
    let kept = source.lines().filter(|line| {
        let common = ["use response_schema::ResponseSchema;", "use serde::Deserialize;", "fn main() {}"];
        !line.starts_with("//!") && !common.contains(line)
    });
    kept.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The errors among the compiler's output.
fn said(messages: &str) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    let mut line_above = String::new();
    for line in messages.lines() {
        if let Some(rest) = line.strip_prefix("error").and_then(|rest| rest.split_once(": ")).map(|(_, rest)| rest) {
            let text = rest.strip_prefix("evaluation panicked: ").unwrap_or(rest);
            all.push(Said { text: text.to_owned(), under: None, notes: Vec::new() });
            continue;
        }
        let Some(current) = all.last_mut() else { continue };
        if let Some((_, marked)) = line.split_once("| ")
            && let Some(start) = marked.find('^')
            && current.under.is_none()
        {
            let width = marked[start..].chars().take_while(|&c| c == '^').count();
            let shown = line_above.split_once("| ").map_or("", |(_, shown)| shown);
            current.under = shown.get(start..start + width).map(str::to_owned);
        } else if let Some(note) = line.trim_start().strip_prefix("= note: ")
            && !note.starts_with("this error originates")
            && !note.starts_with("required for")
        {
            current.notes.push(note.to_owned());
        }
        line.clone_into(&mut line_above);
    }
    all
}
