//! The thread that writes.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use futures_channel::oneshot;

use super::error::JournalError;

/// So many bytes are written at once, about.
const MOST: usize = 1 << 20;

/// The thread that writes, and syncs once for all that came in meanwhile.
#[derive(Debug)]
pub(super) struct Writer {
    path: Arc<Path>,
    lines: Option<mpsc::Sender<Waiting>>,
    thread: Option<JoinHandle<()>>,
}

/// A line that is to be written, and who waits for it.
struct Waiting {
    line: Vec<u8>,
    done: oneshot::Sender<Result<(), JournalError>>,
}

/// Done when an entry is on disk.
#[derive(Debug)]
#[must_use = "an entry is on disk only when this is done"]
pub struct Saved {
    path: Arc<Path>,
    done: oneshot::Receiver<Result<(), JournalError>>,
}

impl Writer {
    pub(super) fn start(path: Arc<Path>, file: Arc<File>) -> std::io::Result<Self> {
        let (lines, waiting) = mpsc::channel();
        let of = Arc::clone(&path);
        let thread =
            std::thread::Builder::new().name("journal".to_owned()).spawn(move || write(&of, &file, &waiting))?;
        Ok(Self { path, lines: Some(lines), thread: Some(thread) })
    }

    pub(super) fn append(&self, line: Vec<u8>) -> Saved {
        let (done, saved) = oneshot::channel();
        if let Some(lines) = &self.lines {
            // Without a thread the line is dropped, and the one who waits is told.
            let _ = lines.send(Waiting { line, done });
        }
        Saved { path: Arc::clone(&self.path), done: saved }
    }
}

impl Drop for Writer {
    /// Writes what is left, and lets the file go.
    fn drop(&mut self) {
        drop(self.lines.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write(path: &Path, mut file: &File, waiting: &mpsc::Receiver<Waiting>) {
    let mut failed: Option<JournalError> = None;
    let (mut bytes, mut done) = (Vec::new(), Vec::new());
    while let Ok(first) = waiting.recv() {
        let mut next = Some(first);
        while let Some(line) = next {
            bytes.extend_from_slice(&line.line);
            done.push(line.done);
            next = if bytes.len() < MOST { waiting.try_recv().ok() } else { None };
        }
        if failed.is_none() {
            // After a fault it is not known what is on disk, and half a line may be: nothing goes behind it.
            failed =
                file.write_all(&bytes).and_then(|()| file.sync_data()).err().map(|error| JournalError::io(path, error));
        }
        let result = failed.clone().map_or(Ok(()), Err);
        for one in done.drain(..) {
            // Who does not wait any more need not be told.
            let _ = one.send(result.clone());
        }
        bytes.clear();
    }
}

impl Future for Saved {
    type Output = Result<(), JournalError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.done).poll(context).map(|done| {
            done.unwrap_or_else(|_| Err(JournalError::io(&self.path, std::io::Error::other("its thread has ended"))))
        })
    }
}
