//! Results in a journal, and out of it.

use crate::adapter::Ending;
use crate::decode::Finish;
use crate::error::{Error, ErrorKind};
use crate::many::Journal;
use crate::many::Mark;
use crate::many::journal::{Entry, Outcome, Saved};
use crate::worker::{Read, Reply, Settings};

/// Whether a result would be the same another time, so that it is kept.
pub(super) fn is_final<T>(result: &Result<Reply<T>, Error>) -> bool {
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

/// Puts a result into the journal.
pub(super) fn save<T>(journal: &Journal, id: &str, input: Mark, result: &Result<Reply<T>, Error>) -> Saved {
    let (outcome, mut report) = match result {
        Ok(reply) => (Outcome::Reply(String::new()), reply.report.clone()),
        Err(error) => {
            let violations = error.violations().to_vec();
            (Outcome::Failure { kind: error.kind(), words: error.reason(), violations }, error.report().clone())
        }
    };
    let outcome = match outcome {
        // The text stands in the outcome, and not in the report as well.
        Outcome::Reply(_) => {
            let last = report.attempts.last_mut();
            Outcome::Reply(last.and_then(|last| last.raw_text.take()).unwrap_or_default())
        }
        failure => failure,
    };
    journal.append(&Entry { id: id.to_owned(), input, outcome, report })
}

/// The result of an earlier run; nothing if it does not pass any more.
pub(super) fn recall<R: Read>(entry: Entry, reader: &R, settings: &Settings) -> Option<Result<Reply<R::Value>, Error>> {
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
        #[allow(unreachable_patterns, reason = "there may be more of them one day")]
        _ => None,
    }
}
