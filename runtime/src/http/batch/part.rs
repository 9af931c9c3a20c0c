//! The items of a job that go into one batch.

use super::service::Status;

/// The items of a job that go into one batch.
#[derive(Debug)]
pub(super) struct Part {
    /// By which the batch and its requests are known.
    pub(super) mark: String,
    /// When it was begun: seconds of the Unix era.
    pub(super) since: u64,
    /// Its items, by their index; `None` for one that is no task of this job any more.
    pub(super) items: Vec<Option<usize>>,
    pub(super) file: Option<String>,
    pub(super) life: Life,
    /// How it stood when it was last asked.
    pub(super) status: Option<Status>,
}

/// How far a part has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Life {
    /// Nothing was created yet.
    Begun,
    /// It may be that something was created.
    Unclear,
    /// This batch was created.
    Created(String),
    /// Its results are taken, or there never were any.
    Over,
}

/// A mark that no other batch has. With the place of a request behind it it fits what providers take as an id.
pub(super) fn mark() -> String {
    format!("rs{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..))
}
