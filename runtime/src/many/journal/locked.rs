//! The file of a journal, which nobody else may open as one.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// A file with a lock on it.
///
/// It is unlocked before it is closed: a process that this one is just starting has a copy of every open file for a
/// moment, and until it lets go of that, closing ends no lock.
#[derive(Debug)]
pub(super) struct Locked(File);

impl Locked {
    /// Locks a file, if nobody else has.
    pub(super) fn try_new(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // If that fails, closing does it.
        let _ = self.0.unlock();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, TryLockError};

    use super::Locked;

    #[test]
    fn what_is_let_go_can_be_locked_though_a_copy_is_still_open() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("journal.jsonl");
        let locked = Locked::try_new(File::create(&path).expect("a file")).expect("is free");
        // What a process that is being started has.
        let copy = locked.try_clone().expect("a copy");
        let again = || Locked::try_new(File::open(&path).expect("opens"));
        assert!(matches!(again(), Err(TryLockError::WouldBlock)));
        drop(locked);
        drop(again().expect("is free again"));
        drop(copy);
    }
}
