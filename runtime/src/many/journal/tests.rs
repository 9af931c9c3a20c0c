use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Entry, Header, Journal, JournalErrorKind, Outcome};
use crate::adapter::ResponseFormat;
use crate::error::ErrorKind;
use crate::many::Mark;
use crate::worker::{Report, SubTask};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("some/where/items.jsonl")
    }

    fn open(&self) -> Journal {
        Journal::open(self.path(), &header("Ticket")).expect("a journal")
    }

    /// The lines as one who knows nothing of this code would read them.
    fn lines(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path()).expect("text");
        assert!(text.ends_with('\n'), "{text}");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn header(title: &str) -> Header {
    Header::of(&ResponseFormat::from_schema(json!({"title": title, "type": "object"}))).expect("a schema")
}

fn mark(text: &str) -> Mark {
    Mark::of(&SubTask::new(text).into())
}

fn reply(id: &str, input: &str, text: &str) -> Entry {
    Entry { id: id.to_owned(), input: mark(input), outcome: Outcome::Reply(text.to_owned()), report: Report::unsent() }
}

fn append(journal: &Journal, entry: &Entry) {
    pollster::block_on(journal.append(entry)).expect("is saved");
}

/// What is there for an item, in the order in which it is handed out.
fn taken(journal: &Journal, id: &str, input: &str) -> Vec<String> {
    std::iter::from_fn(|| journal.take(id, mark(input)).expect("can be read"))
        .map(|entry| match entry.outcome {
            Outcome::Reply(text) => text,
            Outcome::Failure { words, .. } => words,
        })
        .collect()
}

#[test]
fn entries_are_there_when_they_are_saved_and_found_the_next_time() {
    let place = Place::new();
    let journal = place.open();
    append(&journal, &reply("a", "x", "{\"n\": 1}"));
    assert_eq!(place.lines()[1]["value"], json!({"n": 1}), "on disk, and to be read, while it is open");
    append(&journal, &reply("b", "x", "text"));
    assert_eq!(taken(&journal, "a", "x"), [""; 0], "this run's own");
    pollster::block_on(journal.note("batch", &json!({"id": "b_1"}))).expect("is saved");
    drop(journal);
    let journal = place.open();
    assert_eq!((journal.finished(), journal.damaged()), (2, &[][..]));
    assert_eq!(journal.notes(), [("batch".to_owned(), json!({"id": "b_1"}))]);
    assert_eq!(taken(&journal, "a", "x"), ["{\"n\": 1}"]);
    assert_eq!(taken(&journal, "a", "x"), [""; 0], "each once");
    assert_eq!((taken(&journal, "b", "y"), taken(&journal, "c", "x")), (vec![], vec![]), "another input, another id");
}

#[test]
fn items_that_are_the_same_have_as_many_entries_and_replies_come_first() {
    let place = Place::new();
    let journal = place.open();
    let refused = Outcome::Failure { kind: ErrorKind::Refused, words: "no".to_owned(), violations: Vec::new() };
    append(&journal, &Entry { outcome: refused, ..reply("", "x", "") });
    for text in ["one", "two"] {
        append(&journal, &reply("", "x", text));
    }
    drop(journal);
    assert_eq!(taken(&place.open(), "", "x"), ["one", "two", "no"]);
}

#[test]
fn cut_anywhere_it_opens_with_what_is_whole() {
    let place = Place::new();
    let journal = place.open();
    for number in 0..3 {
        append(&journal, &reply(&number.to_string(), "x", "{\"a\": \"\u{1f98a}\"}"));
    }
    drop(journal);
    let whole = fs::read(place.path()).expect("bytes");
    for cut in 0..=whole.len() {
        fs::write(place.path(), &whole[..cut]).expect("is written");
        let journal = place.open();
        // A line that lacks its end and nothing else is whole.
        let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
        let entries = ends.filter(|end| *end <= cut).count().saturating_sub(1);
        assert_eq!(journal.finished(), entries, "cut at {cut}");
        append(&journal, &reply("new", "y", "n"));
        drop(journal);
        let journal = place.open();
        assert_eq!(
            (journal.finished(), taken(&journal, "new", "y")),
            (entries + 1, vec!["n".to_owned()]),
            "cut at {cut}"
        );
        assert!(journal.damaged().len() <= 1);
        for number in 0..entries {
            assert_eq!(taken(&journal, &number.to_string(), "x").len(), 1, "cut at {cut}");
        }
    }
}

#[test]
fn a_line_that_was_changed_is_passed_over_and_said() {
    let place = Place::new();
    let journal = place.open();
    for id in ["a", "b", "c"] {
        append(&journal, &reply(id, "x", "{\"n\": 1}"));
    }
    drop(journal);
    let text = fs::read_to_string(place.path()).expect("text");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[2] = lines[2].replace("\"n\": 1", "\"n\": 2");
    fs::write(place.path(), lines.join("\n") + "\n").expect("is written");
    let journal = place.open();
    assert_eq!((journal.finished(), journal.damaged()), (2, &[3][..]));
    assert_eq!((taken(&journal, "b", "x").len(), taken(&journal, "c", "x").len()), (0, 1));
}

#[test]
fn what_cannot_be_opened_is_said_and_left_as_it_is() {
    let place = Place::new();
    let journal = place.open();
    append(&journal, &reply("a", "x", "1"));
    let in_use = Journal::open(place.path(), &header("Ticket")).expect_err("is open");
    assert!(matches!(in_use.kind(), JournalErrorKind::InUse), "{in_use}");
    drop(journal);
    let before = fs::read(place.path()).expect("bytes");
    let other = Journal::open(place.path(), &header("Pet")).expect_err("another schema");
    assert!(matches!(other.kind(), JournalErrorKind::OtherSchema { .. }), "{other}");
    assert!(other.to_string().contains("has values of `Ticket`") && other.to_string().contains("`Pet`"), "{other}");
    assert_eq!(fs::read(place.path()).expect("bytes"), before);
    for text in ["{\"id\": 1}\n", "a,b\n1,2\n", "x", "{", "{\"journal\":\"response-schema\"}\n", "\n"] {
        fs::write(place.path(), text).expect("is written");
        let opened = Journal::open(place.path(), &header("Ticket"));
        if text == "{" {
            // The beginning of a header: it is finished.
            assert!(opened.is_ok());
            continue;
        }
        let error = opened.expect_err(text);
        assert!(matches!(error.kind(), JournalErrorKind::NoJournal), "{text}: {error}");
        assert_eq!(fs::read_to_string(place.path()).expect("text"), text);
    }
    fs::remove_file(place.path()).expect("is removed");
    fs::create_dir(place.path()).expect("is made");
    let error = Journal::open(place.path(), &header("Ticket")).expect_err("a directory");
    assert!(matches!(error.kind(), JournalErrorKind::Io(_)), "{error}");
}

#[test]
fn many_that_are_saved_at_once_are_all_there() {
    let place = Place::new();
    let journal = place.open();
    let saved: Vec<_> = (0..2000).map(|number| journal.append(&reply(&format!("{number}"), "x", "{}"))).collect();
    for saved in saved {
        pollster::block_on(saved).expect("is saved");
    }
    // A line longer than the window in which the file is read.
    let long = format!("{{\"a\": \"{}\"}}", "y".repeat(300_000));
    append(&journal, &reply("long", "x", &long));
    drop(journal);
    let journal = place.open();
    assert_eq!(journal.finished(), 2001);
    assert_eq!(taken(&journal, "long", "x"), [long]);
    assert!((0..2000).rev().all(|number| taken(&journal, &number.to_string(), "x") == ["{}"]));
}

#[test]
fn all_that_wait_at_once_are_told() {
    let place = Place::new();
    let journal = place.open();
    let all: Vec<_> = (0..500).map(|number| journal.append(&reply(&number.to_string(), "x", "{}"))).collect();
    let (some, others): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(number, _)| number % 3 == 0);
    let wait = |saved: Vec<(usize, super::Saved)>| {
        let saved = saved.into_iter().rev().map(|(_, saved)| saved);
        move || pollster::block_on(futures_util::future::join_all(saved)).into_iter().all(|done| done.is_ok())
    };
    std::thread::scope(|scope| {
        let threads = [some, others].map(|saved| scope.spawn(wait(saved)));
        assert!(threads.into_iter().all(|thread| thread.join().expect("ends")));
    });
    assert_eq!(place.lines().len(), 501);
}

/// Waits for an entry with this waker. The first ones may be on disk before they are waited for.
fn wait_with(waker: &std::task::Waker, journal: &Journal) {
    let pending = |saved: &mut super::Saved| {
        std::pin::Pin::new(saved).poll(&mut std::task::Context::from_waker(waker)).is_pending()
    };
    while !pending(&mut journal.append(&reply("a", "x", "{}"))) {}
}

#[test]
fn a_task_that_is_woken_may_drop_the_journal() {
    struct Drops(std::sync::Mutex<Option<Journal>>);
    impl std::task::Wake for Drops {
        fn wake(self: std::sync::Arc<Self>) {
            drop(self.0.lock().expect("a journal").take());
        }
    }
    let place = Place::new();
    let journal = place.open();
    let waker = std::task::Waker::from(std::sync::Arc::new(Drops(Some(journal.clone()).into())));
    wait_with(&waker, &journal);
    drop(journal);
    drop(waker);
    // The writing thread lets the file go.
    while Journal::open(place.path(), &header("Ticket")).is_err() {
        std::thread::yield_now();
    }
}

#[test]
fn a_waker_that_panics_leaves_nobody_waiting() {
    struct Panics;
    impl std::task::Wake for Panics {
        fn wake(self: std::sync::Arc<Self>) {
            panic!("a waker that panics");
        }
    }
    let place = Place::new();
    let journal = place.open();
    let waker = std::task::Waker::from(std::sync::Arc::new(Panics));
    wait_with(&waker, &journal);
    for _ in 0..100 {
        append(&journal, &reply("b", "x", "{}"));
    }
}

/// A full disk, as far as a program can tell.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_no_more_is_an_error_for_all_that_wait() {
    let place = Place::new();
    fs::create_dir_all(place.path().parent().expect("a directory")).expect("is made");
    let file = fs::OpenOptions::new().append(true).open("/dev/full").expect("opens");
    let writer = super::writer::Writer::start(
        place.path().into(),
        super::locked::Locked::try_new(file).expect("is free").into(),
    )
    .expect("a thread");
    let saved = [writer.append(|lines| lines.extend(b"x\n")), writer.append(|lines| lines.extend(b"y\n"))];
    for saved in saved {
        let error = pollster::block_on(saved).expect_err("no room");
        assert!(error.to_string().contains("items.jsonl"), "{error}");
        assert!(std::error::Error::source(&error).is_some());
    }
}
