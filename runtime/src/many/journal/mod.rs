//! What is finished, on disk.
//!
//! A journal is a file of JSON Lines: a header, then a line for each finished item, in the order in which they were
//! finished. It is only ever appended to.
//!
//! ```text
//! {"journal":"response-schema","version":1,"name":"Ticket","schema":"5f0c…","crc":"90ab12cd"}
//! {"id":"mail-17","input":"c3ab…","value":{"summary":"…"},"report":{…},"crc":"1f00dd1e"}
//! {"id":"mail-4","input":"77e0…","error":{"kind":"refused",…},"report":{…},"crc":"0be5a11e"}
//! {"note":"batch","about":{…},"crc":"5ca1ab1e"}
//! ```
//!
//! **Every line stands for itself.** Its last member is a checksum of all that stands before it. A line whose checksum
//! does not hold is no entry, wherever it stands: its item is asked again. So a torn tail needs no treatment of its own, be
//! it of one line or, after a loss of power, of several: opening ends the last line, and goes on behind it. Nothing
//! is cut off, and [`Journal::damaged`] says which lines were passed over. A line whose checksum holds is as it was written, so
//! its members are read in the order in which they are written. What is as nearly always is not in it.
//!
//! **An entry is on disk before it is reported.** [`Journal::append`] is done when the entry is synced. One thread
//! writes: it takes what has come in meanwhile, writes that, and syncs once for all of it, so the disk's pace
//! bounds the delay and not the number of items. Between two syncs there are at least some milliseconds, for a sync costs the
//! machine as much as many items; a line that comes after a pause goes to disk at once, and so do those of a run that can do
//! nothing else before they are there. After a write that failed nothing more is
//! written: what is behind half a line would be lost with it.
//!
//! **An item is known by its id and its input.** Both are in the entry, the input as a [`Mark`]. An item whose input
//! changed is another one, and is asked again. Two items may be the same to the letter, with the same id or
//! without one: they have as many entries, and [`Journal::take`] hands each out once. Nothing has to be counted
//! or remembered for that while a run goes on: what is held in memory is at most 20 bytes for each entry that was there when
//! the journal was opened, and those only point into the file.
//!
//! **One schema.** The header has the schema's [`Fingerprint`]. Opening the journal for another schema is an error.
//! **One process.** The file is locked as long as the journal is open. Opening it twice is an error.
//!
//! It is of no concern here how results are had; [`note`](Journal::note) keeps what those must know who have them in
//! another way, such as the marks of batches that a provider works on.

mod entry;
mod error;
mod index;
mod lean;
mod line;
mod locked;
mod members;
mod object;
#[cfg(test)]
mod tests;
mod window;
mod writer;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

pub use entry::{Entry, Outcome};
pub use error::{JournalError, JournalErrorKind};
pub use writer::Saved;

use super::mark::{Fingerprint, Mark};
use crate::adapter::ResponseFormat;
use crate::dialect::Refusal;
use index::{Index, Slot};
use line::{Head, Line, NoteLine};
use locked::Locked;
use window::Window;
use writer::Writer;

/// Lines with other members, or with theirs in another order, are of another version.
const VERSION: u32 = 1;

/// What is finished, on disk. Clones are the same journal; it is closed when the last one is dropped.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Open>);

#[derive(Debug)]
struct Open {
    path: Arc<Path>,
    header: Header,
    notes: Vec<(String, Value)>,
    damaged: Vec<u64>,
    finished: usize,
    reading: Mutex<Reading>,
    writer: Writer,
}

/// What a journal is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The schema's name.
    pub name: String,
    /// The schema's mark.
    pub schema: Fingerprint,
}

impl Header {
    /// That of a journal for values of this schema.
    ///
    /// # Errors
    ///
    /// If the type has no schema at all.
    pub fn of(format: &ResponseFormat) -> Result<Self, Refusal> {
        Ok(Self { name: format.name().to_owned(), schema: Fingerprint::of(format)? })
    }

    /// That a journal is for another schema.
    fn refuse(&self, found: &Self) -> JournalErrorKind {
        JournalErrorKind::OtherSchema {
            found: found.name.clone(),
            found_schema: found.schema,
            asked: self.name.clone(),
            asked_schema: self.schema,
        }
    }

    fn line(&self) -> Vec<u8> {
        line::sealed(&Line {
            journal: line::MAGIC.into(),
            version: VERSION,
            name: self.name.as_str().into(),
            schema: self.schema,
        })
    }
}

impl Journal {
    /// Opens a journal, or begins it if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, is open already, here or in another process, is no journal, or is that of
    /// another schema.
    pub fn open(path: impl Into<PathBuf>, header: &Header) -> Result<Self, JournalError> {
        let path: Arc<Path> = path.into().into();
        let io = |error| JournalError::io(&path, error);
        if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
            std::fs::create_dir_all(directory).map_err(io)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(io)?;
        let file = Locked::try_new(file).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::new(&path, JournalErrorKind::InUse),
            TryLockError::Error(error) => io(error),
        })?;
        let begun = begin(&path, &file, header)?;
        let file = Arc::new(file);
        let mut window = Window::new(Arc::clone(&file));
        let found = scan(&mut window, begun).map_err(io)?;
        if !found.ended {
            (&**file).write_all(b"\n").map_err(io)?;
        }
        let reading = Reading { window, index: found.index };
        Ok(Self(Arc::new(Open {
            writer: Writer::start(Arc::clone(&path), file).map_err(io)?,
            path,
            header: header.clone(),
            notes: found.notes,
            damaged: found.damaged,
            finished: reading.index.len(),
            reading: Mutex::new(reading),
        })))
    }

    /// Whether it is for this schema.
    ///
    /// # Errors
    ///
    /// If it is for another one.
    pub fn expect(&self, asked: &Header) -> Result<(), JournalError> {
        if self.0.header == *asked {
            return Ok(());
        }
        Err(JournalError::new(&self.0.path, asked.refuse(&self.0.header)))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// How many entries there were when it was opened.
    #[must_use]
    pub fn finished(&self) -> usize {
        self.0.finished
    }

    /// The lines, counted from 1, that are no entries: torn or changed. Their items are asked again.
    #[must_use]
    pub fn damaged(&self) -> &[u64] {
        &self.0.damaged
    }

    /// The notes that were there when it was opened, in their order: name and value.
    #[must_use]
    pub fn notes(&self) -> &[(String, Value)] {
        &self.0.notes
    }

    /// The next entry of an item that was there when the journal was opened, each once: replies first, and then failures.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn take(&self, id: &str, input: Mark) -> Result<Option<Entry>, JournalError> {
        let mut reading = self.0.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = index::hash(id, input);
        while let Some(at) = reading.index.take(hash) {
            let line = reading.window.line(at).map_err(|error| JournalError::io(&self.0.path, error))?;
            let entry = line::opened(line).and_then(Entry::read);
            if let Some(entry) = entry.filter(|entry| entry.id == id && entry.input == input) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Puts an entry behind the others. It is done when the entry is on disk.
    pub fn append(&self, entry: &Entry) -> Saved {
        self.0.writer.append(|lines| entry.write(lines))
    }

    /// Puts a note behind the entries: anything that must be known when the journal is opened again.
    pub fn note(&self, name: &str, about: &Value) -> Saved {
        let line = line::sealed(&NoteLine { note: name.into(), about: about.clone() });
        self.0.writer.append(|lines| lines.extend(line))
    }
}

/// Reads the header, or writes what is missing of it; then where the entries begin.
fn begin(path: &Path, file: &File, header: &Header) -> Result<u64, JournalError> {
    let io = |error| JournalError::io(path, error);
    let ours = header.line();
    let mut first = Vec::new();
    BufReader::new(file).take(line::MOST_HEADER).read_until(b'\n', &mut first).map_err(io)?;
    if let Some(missing) = ours.strip_prefix(&*first).filter(|missing| !missing.is_empty()) {
        let mut writing = file;
        writing.write_all(missing).and_then(|()| file.sync_all()).map_err(io)?;
        sync_directory(path).map_err(io)?;
        return Ok(ours.len() as u64);
    }
    if first != ours {
        let found = line::opened(&first)
            .and_then(|body| serde_json::from_str::<Line<'_>>(body).ok())
            .filter(|line| line.journal == line::MAGIC);
        return Err(JournalError::new(
            path,
            match found {
                None => JournalErrorKind::NoJournal,
                Some(found) if found.version != VERSION => JournalErrorKind::OtherVersion(found.version),
                Some(found) => header.refuse(&Header { name: found.name.into_owned(), schema: found.schema }),
            },
        ));
    }
    Ok(first.len() as u64)
}

/// A new file is there after a loss of power only if its directory is synced.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

struct Found {
    index: Index,
    notes: Vec<(String, Value)>,
    damaged: Vec<u64>,
    /// Whether the last line is ended.
    ended: bool,
}

/// Reads all lines behind the header.
fn scan(window: &mut Window, begin: u64) -> io::Result<Found> {
    let mut slots = Vec::new();
    let mut found = Found { index: Index::new(Vec::new()), notes: Vec::new(), damaged: Vec::new(), ended: true };
    let (mut at, mut number) = (begin, 1);
    loop {
        let line = window.line(at)?;
        if line.is_empty() {
            break;
        }
        number += 1;
        found.ended = line.last() == Some(&b'\n');
        let body = line::opened(line);
        if let Some(Head { id, input, failed }) = body.and_then(Head::of) {
            slots.push(Slot { hash: index::hash(&id, input), at, failed });
        } else if let Some(NoteLine { note, about }) = body.and_then(|body| serde_json::from_str(body).ok()) {
            found.notes.push((note.into_owned(), about));
        } else {
            found.damaged.push(number);
        }
        at += line.len() as u64;
    }
    found.index = Index::new(slots);
    Ok(found)
}

#[derive(Debug)]
struct Reading {
    window: Window,
    index: Index,
}
