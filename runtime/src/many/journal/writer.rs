//! The thread that writes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::error::JournalError;
use super::locked::Locked;

/// From one sync to the next there is at least this, so that fast runs share syncs. A line that comes alone does not wait, and
/// nor do those of a run that has nothing else to do.
const PACE: Duration = Duration::from_millis(20);

/// A buffer that grew larger is let go.
const LARGE: usize = 1 << 20;

/// The thread that writes. Lines are gathered in one buffer; it takes that, writes it, and syncs once for all of it.
#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    path: Arc<Path>,
    lines: Mutex<Lines>,
    /// There is something to write, or no more will come.
    more: Condvar,
}

#[derive(Debug, Default)]
struct Lines {
    /// Those that the thread has not taken.
    bytes: Vec<u8>,
    /// How many there were.
    appended: u64,
    /// So many of them, from the first, are on disk.
    synced: u64,
    /// Why the others will not get there.
    failed: Option<JournalError>,
    /// Who waits, by the number of the line.
    waiting: BTreeMap<u64, Waker>,
    /// The thread waits to be told of a line.
    idle: bool,
    /// Somebody cannot go on before they are on disk.
    hurry: bool,
    closed: bool,
}

/// Done when an entry is on disk.
#[derive(Debug)]
#[must_use = "an entry is on disk only when this is done"]
pub struct Saved {
    shared: Arc<Shared>,
    /// The number of its line, from 1.
    line: u64,
}

impl Writer {
    pub(super) fn start(path: Arc<Path>, file: Arc<Locked>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { path, lines: Mutex::default(), more: Condvar::new() });
        let of = Arc::clone(&shared);
        let write = move || of.write(&file).unwrap_or_else(|error| of.fail(error));
        let thread = thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Takes a line, which is put behind those that are there.
    pub(super) fn append(&self, line: impl FnOnce(&mut Vec<u8>)) -> Saved {
        let mut lines = self.shared.lock();
        if lines.failed.is_none() {
            line(&mut lines.bytes);
        }
        lines.appended += 1;
        let line = lines.appended;
        if std::mem::take(&mut lines.idle) {
            self.shared.more.notify_one();
        }
        drop(lines);
        Saved { shared: Arc::clone(&self.shared), line }
    }
}

impl Drop for Writer {
    /// Writes what is left, and lets the file go.
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.more.notify_one();
        // A task that the thread itself wakes may drop the journal with it.
        if let Some(writing) = self.thread.take().filter(|writing| writing.thread().id() != thread::current().id()) {
            let _ = writing.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, mut file: &File) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        while let Some(last) = self.take(&mut bytes) {
            let begun = Instant::now();
            file.write_all(&bytes)?;
            file.sync_data()?;
            bytes.clear();
            bytes.shrink_to(LARGE);
            let mut lines = self.lock();
            lines.synced = last;
            let later = lines.waiting.split_off(&(last + 1));
            let told = std::mem::replace(&mut lines.waiting, later);
            drop(lines);
            tell(told);
            let left = PACE.saturating_sub(begun.elapsed());
            let _ = self.more.wait_timeout_while(self.lock(), left, |lines| !lines.hurry && !lines.closed);
        }
        Ok(())
    }

    /// It is not known what is on disk now, and half a line may be: nothing goes behind it.
    fn fail(&self, error: std::io::Error) {
        let mut lines = self.lock();
        lines.failed = Some(JournalError::io(&self.path, error));
        lines.bytes = Vec::new();
        let told = std::mem::take(&mut lines.waiting);
        drop(lines);
        tell(told);
    }

    /// Waits for lines and takes them; gives the number of the last. Nothing if no more will come.
    fn take(&self, bytes: &mut Vec<u8>) -> Option<u64> {
        let mut lines = self.lock();
        lines.idle = true;
        let waited = self.more.wait_while(lines, |lines| lines.bytes.is_empty() && !lines.closed);
        lines = waited.unwrap_or_else(PoisonError::into_inner);
        (lines.idle, lines.hurry) = (false, false);
        std::mem::swap(&mut lines.bytes, bytes);
        (!bytes.is_empty()).then_some(lines.appended)
    }
}

/// A waker is not ours: one that panics harms nobody else who waits.
fn tell(told: BTreeMap<u64, Waker>) {
    for waker in told.into_values() {
        let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
    }
}

impl Saved {
    /// Whoever waits has nothing else to do: the entry is not to wait for others that could share its sync.
    pub(in super::super) fn hurry(&self) {
        let mut lines = self.shared.lock();
        if lines.synced < self.line && !std::mem::replace(&mut lines.hurry, true) {
            self.shared.more.notify_one();
        }
    }
}

impl Future for Saved {
    type Output = Result<(), JournalError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut lines = self.shared.lock();
        if lines.synced >= self.line {
            return Poll::Ready(Ok(()));
        }
        if let Some(failed) = &lines.failed {
            return Poll::Ready(Err(failed.clone()));
        }
        if lines.waiting.get(&self.line).is_some_and(|waker| waker.will_wake(context.waker())) {
            return Poll::Pending;
        }
        let before = lines.waiting.insert(self.line, context.waker().clone());
        // What a waker drops with it may be a task that has the journal: not under the lock.
        drop(lines);
        drop(before);
        Poll::Pending
    }
}
