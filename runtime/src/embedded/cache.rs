//! Where fetched models live, and how a file gets there whole or not at all.
//!
//! The directory is, in this order: what the builder was given, the environment variable
//! [`DIRECTORY_VARIABLE`], the platform's cache directory for the user. A file is written under
//! a temporary name in the same directory and then renamed; an advisory lock on a file beside
//! it makes a second process wait for the first one and use its result. What a killed process
//! left under a temporary name is removed by the next one that holds the lock.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::error::{ModelError, ModelErrorKind};

/// Names the cache directory, ahead of the platform's own.
pub(super) const DIRECTORY_VARIABLE: &str = "RESPONSE_SCHEMA_CACHE";

/// Begins the name of every file that is not finished yet.
const UNFINISHED: &str = ".unfinished-";

/// A directory of model files.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The cache in `chosen`, or in the user's own place.
    pub(super) fn locate(chosen: Option<&Path>) -> Result<Self, ModelError> {
        let given = chosen
            .map(Path::to_path_buf)
            .or_else(|| std::env::var_os(DIRECTORY_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from));
        if let Some(directory) = given {
            return Ok(Self { directory });
        }
        let strategy = etcetera::choose_base_strategy().map_err(|cause| {
            ModelError::new(
                ModelErrorKind::Cache,
                format!(
                    "this user has no home directory to keep a cache in; name one with the \
                     `{DIRECTORY_VARIABLE}` environment variable or `EmbeddedBuilder::cache_dir`"
                ),
            )
            .caused_by(cause)
        })?;
        Ok(Self { directory: strategy.cache_dir().join("response-schema") })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Waits until no other process works on `name`, then holds it until the guard is dropped.
    ///
    /// `on_wait` is told when there is somebody to wait for.
    pub(super) fn lock(&self, name: &str, on_wait: impl FnOnce()) -> Result<Lock, ModelError> {
        fs::create_dir_all(&self.directory)
            .map_err(|cause| ModelError::cache(&self.directory, "create the cache directory", cause))?;
        let path = self.path(&format!("{name}.lock"));
        let blame = |cause| ModelError::cache(&path, "lock", cause);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(blame)?;
        if file.try_lock().is_err() {
            on_wait();
            file.lock().map_err(blame)?;
        }
        let prefix = format!("{UNFINISHED}{name}-");
        self.sweep(&prefix);
        Ok(Lock { cache: self.clone(), prefix, _file: file })
    }

    /// Removes what a killed process left behind. Trouble here is nobody's concern: the names
    /// are never read, and the next writer reports a directory that it cannot use.
    fn sweep(&self, prefix: &str) {
        let Ok(entries) = fs::read_dir(&self.directory) else {
            return;
        };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                let path = entry.path();
                let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            }
        }
    }
}

/// The right to write one name of the cache.
#[derive(Debug)]
pub(super) struct Lock {
    cache: Cache,
    prefix: String,
    /// Unlocked when it is closed.
    _file: File,
}

impl Lock {
    /// A file that vanishes when it is dropped, unless [`keep`](Self::keep) names it.
    pub(super) fn temporary_file(&self) -> Result<NamedTempFile, ModelError> {
        tempfile::Builder::new()
            .prefix(&self.prefix)
            .tempfile_in(&self.cache.directory)
            .map_err(|cause| ModelError::cache(&self.cache.directory, "write into", cause))
    }

    /// A directory that vanishes with its contents when it is dropped.
    pub(super) fn temporary_directory(&self) -> Result<tempfile::TempDir, ModelError> {
        tempfile::Builder::new()
            .prefix(&self.prefix)
            .tempdir_in(&self.cache.directory)
            .map_err(|cause| ModelError::cache(&self.cache.directory, "write into", cause))
    }

    /// Makes a finished file visible under `name`, in one step.
    pub(super) fn keep(&self, file: NamedTempFile, name: &str) -> Result<PathBuf, ModelError> {
        let path = self.cache.path(name);
        file.as_file().sync_all().map_err(|cause| ModelError::cache(&path, "write", cause))?;
        file.persist(&path).map_err(|fault| ModelError::cache(&path, "write", fault.error))?;
        Ok(path)
    }
}

/// Copies everything, and answers the lowercase SHA-256 of what passed through.
pub(super) fn copy_hashed(from: &mut impl Read, to: &mut impl Write) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                hasher.update(&buffer[..count]);
                to.write_all(&buffer[..count])?;
            }
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
