//! One task of a job.

use crate::adapter::{CallRequest, Message};
use crate::error::Error;
use crate::many::Mark;
use crate::worker::{Reply, Report};

/// One task of a job.
pub(super) struct Item<T> {
    pub(super) id: String,
    pub(super) input: Mark,
    /// The request without the turns of retries.
    pub(super) request: CallRequest,
    /// What retries added to the conversation.
    pub(super) turns: Vec<Message>,
    /// What was tried so far, if it has to be asked again.
    pub(super) report: Option<Box<Report>>,
    /// How often it was lost.
    pub(super) lost: u32,
    pub(super) at: At<T>,
}

/// Where an item is.
pub(super) enum At<T> {
    /// It has to be sent.
    Waiting,
    /// In the part of this index.
    Part(usize),
    /// At its end.
    Done(Box<Result<Reply<T>, Error>>),
}

impl<T> Item<T> {
    /// The request with all turns.
    pub(super) fn whole(&self) -> CallRequest {
        let mut request = self.request.clone();
        request.messages.extend(self.turns.iter().cloned());
        request
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self.at, At::Done(_))
    }

    pub(super) fn done(&mut self, result: Result<Reply<T>, Error>) {
        self.at = At::Done(Box::new(result));
    }
}
