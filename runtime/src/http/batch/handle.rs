//! The steps of a job, as they are kept.

use serde::{Deserialize, Serialize};

use crate::adapter::Message;
use crate::many::{Fingerprint, Mark};
use crate::worker::Report;

/// What must be known to go on with a job in another process. It serializes; there are no keys in it, but the feedback on
/// bad replies and those replies are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handle {
    pub(super) schema: Fingerprint,
    pub(super) route: String,
    pub(super) model: String,
    /// The steps, as JSON.
    pub(super) steps: Vec<serde_json::Value>,
}

/// One step of a job. In a journal each is a note.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(super) enum Step {
    /// These items are about to become a batch with this mark.
    Begun {
        mark: String,
        route: String,
        model: String,
        /// Seconds of the Unix era.
        since: u64,
        items: Vec<(String, Mark)>,
    },
    /// Their lines are uploaded.
    Uploaded { mark: String, file: String },
    /// The batch is there.
    Created { mark: String, batch: String },
    /// The provider refused to create it: there is none.
    Refused { mark: String },
    /// An item of it has to be asked again.
    Again { of: String, id: String, input: Mark, lost: u32, turns: Vec<Message>, report: Option<Box<Report>> },
    /// All its results are taken.
    Taken { mark: String },
}

/// The name of the notes in a journal.
pub(super) const NOTE: &str = "batch";
