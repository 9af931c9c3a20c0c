//! What is wrong with a journal.

use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::mark::Fingerprint;

/// What is wrong with a journal. Cheap to clone: a failure of the disk meets all that wait for it.
#[derive(Debug, Clone)]
pub struct JournalError {
    path: PathBuf,
    kind: JournalErrorKind,
}

/// What sort of fault a [`JournalError`] is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum JournalErrorKind {
    /// The file cannot be read or written.
    Io(Arc<std::io::Error>),
    /// The journal is open already, in this process or in another one.
    InUse,
    /// The file is no journal. It was left as it is.
    NoJournal,
    /// The journal is of a version that is not known.
    OtherVersion(u32),
    /// The journal has values of another schema.
    OtherSchema {
        /// The name of the journal's schema.
        found: String,
        /// Its mark.
        found_schema: Fingerprint,
        /// The name of the schema that it was opened for.
        asked: String,
        /// Its mark.
        asked_schema: Fingerprint,
    },
}

impl JournalError {
    pub(super) fn new(path: &Path, kind: JournalErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::new(path, JournalErrorKind::Io(Arc::new(error)))
    }

    /// The journal's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What sort of fault it is.
    #[must_use]
    pub fn kind(&self) -> &JournalErrorKind {
        &self.kind
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            JournalErrorKind::Io(_) => write!(f, "the journal `{path}` cannot be read or written"),
            JournalErrorKind::InUse => {
                write!(f, "the journal `{path}` is in use: another run works with it, here or in another process")
            }
            JournalErrorKind::NoJournal => {
                write!(f, "`{path}` is no journal, and was left as it is; give the journal a file of its own")
            }
            JournalErrorKind::OtherVersion(version) => {
                write!(f, "the journal `{path}` is of version {version}, and {} is known", super::VERSION)
            }
            JournalErrorKind::OtherSchema { found, found_schema, asked, asked_schema } => write!(
                f,
                "the journal `{path}` has values of `{found}` ({found_schema}), and `{asked}` ({asked_schema}) is asked \
                 for: values of two schemas are not mixed; begin another journal, or go back to the schema"
            ),
        }
    }
}

impl StdError for JournalError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.kind {
            JournalErrorKind::Io(error) => Some(&**error),
            _ => None,
        }
    }
}
