//! Results in a journal, and out of it: those of a run over many inputs, and those of a provider's batch.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::Mark;
use super::journal::{Entry, Journal, JournalError, Outcome, Saved};
use crate::adapter::Ending;
use crate::decode::Finish;
use crate::error::{Error, ErrorKind};
use crate::worker::{Read, Reply, Settings};

/// Whether a result would be the same another time, so that it is kept.
pub(crate) fn is_final<T>(result: &Result<Reply<T>, Error>) -> bool {
    result.as_ref().err().is_none_or(|error| {
        matches!(
            error.kind(),
            ErrorKind::Refused
                | ErrorKind::Filtered
                | ErrorKind::Truncated
                | ErrorKind::InvalidOutput
                | ErrorKind::ClarificationNeeded
                | ErrorKind::InputBlocked
        )
    })
}

/// A result on its way to the disk. Its report and its text are with the journal for that time, so that nothing of them is
/// copied and the thread that writes can make a line of them.
pub(crate) struct Saving<T> {
    saved: Saved,
    entry: Arc<Entry>,
    /// What stays here.
    rest: Result<T, Error>,
}

/// Puts a result into the journal.
pub(crate) fn save<T>(journal: &Journal, id: String, input: Mark, result: Result<Reply<T>, Error>) -> Saving<T> {
    let (rest, outcome, report) = match result {
        Ok(Reply { value, mut report }) => {
            // The text stands in the outcome, and not in the report as well.
            let text = report.attempts.last_mut().and_then(|last| last.raw_text.take());
            (Ok(value), Outcome::Reply(text.unwrap_or_default()), report)
        }
        Err(error) => {
            let violations = error.violations().to_vec();
            let outcome = Outcome::Failure { kind: error.kind(), words: error.reason(), violations };
            let report = error.report().clone();
            (Err(error), outcome, report)
        }
    };
    let entry = Arc::new(Entry { id, input, outcome, report });
    Saving { saved: journal.append(Arc::clone(&entry)), entry, rest }
}

impl<T> Saving<T> {
    /// Done when it is on disk.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<(), JournalError>> {
        Pin::new(&mut self.saved).poll(context)
    }

    /// See [`Saved::hurry`].
    pub(crate) fn hurry(&self) {
        self.saved.hurry();
    }

    /// What is done when it is on disk; its id; and the result, which is copied if it is still on its way.
    pub(crate) fn parts(self) -> (Saved, String, Result<Reply<T>, Error>) {
        let Entry { id, outcome, mut report, .. } = Arc::unwrap_or_clone(self.entry);
        let result = self.rest.map(|value| {
            if let (Some(last), Outcome::Reply(text)) = (report.attempts.last_mut(), outcome) {
                last.raw_text = Some(text);
            }
            Reply { value, report }
        });
        (self.saved, id, result)
    }
}

/// The result that an earlier run kept; nothing if it does not pass any more.
pub(crate) fn recall<R: Read + ?Sized>(
    entry: Entry,
    reader: &R,
    settings: &Settings,
) -> Option<Result<Reply<R::Value>, Error>> {
    let mut report = entry.report;
    match entry.outcome {
        Outcome::Reply(text) => {
            let number = u32::try_from(report.attempts.len()).unwrap_or(u32::MAX);
            let last = report.attempts.last_mut();
            let cut = last.as_ref().is_some_and(|last| last.finish == Some(Ending::CutShort));
            let finish = if cut { Finish::Length } else { Finish::Stop };
            let decoded = reader.read(&text, finish, settings.context.clone().with_attempt(number)).ok()?;
            if let Some(last) = last {
                last.raw_text = Some(text);
            }
            Some(Ok(Reply { value: decoded.value, report }))
        }
        Outcome::Failure { kind, words, violations } => Some(Err(Error::recalled(kind, words, violations, report))),
    }
}
