//! Results in a journal, and out of it: those of a run over many inputs, and those of a provider's batch.

use super::Mark;
use super::journal::{Entry, Journal, Outcome, Saved};
use crate::adapter::Ending;
use crate::decode::Finish;
use crate::error::{Error, ErrorKind};
use crate::worker::{Read, Reply, Report, Settings};

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

/// Puts a result into the journal. Its report goes there and comes back, so that nothing of it is copied.
pub(crate) fn save<T>(journal: &Journal, id: &mut String, input: Mark, result: &mut Result<Reply<T>, Error>) -> Saved {
    let outcome = Outcome::Reply(String::new());
    let mut entry = Entry { id: std::mem::take(id), input, outcome, report: Report::unsent() };
    let saved = match result {
        Ok(reply) => {
            std::mem::swap(&mut entry.report, &mut reply.report);
            // The text stands in the outcome, and not in the report as well.
            let text = entry.report.attempts.last_mut().and_then(|last| last.raw_text.take());
            entry.outcome = Outcome::Reply(text.unwrap_or_default());
            let saved = journal.append(&entry);
            std::mem::swap(&mut entry.report, &mut reply.report);
            if let (Some(last), Outcome::Reply(text)) = (reply.report.attempts.last_mut(), entry.outcome) {
                last.raw_text = Some(text);
            }
            saved
        }
        Err(error) => {
            let violations = error.violations().to_vec();
            entry.outcome = Outcome::Failure { kind: error.kind(), words: error.reason(), violations };
            entry.report = error.report().clone();
            journal.append(&entry)
        }
    };
    *id = entry.id;
    saved
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
