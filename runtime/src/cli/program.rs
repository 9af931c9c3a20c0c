//! Finding a command line, and finding out whether it will do.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::output::{Enough, Reader};
use super::process::{Ended, How, Job};
use super::version::Version;
use crate::adapter::{CallError, CallErrorKind};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(30);

/// A command line as its users know it.
#[derive(Debug)]
pub(super) struct Program {
    /// Its name, to find it by and to name it in messages.
    pub(super) name: &'static str,
    /// The oldest version that has all the options used.
    pub(super) oldest: Version,
    /// How to install or update it.
    pub(super) install: &'static str,
}

impl Program {
    /// The file of a program: the path as it is, made absolute since it may be started in another folder, or what the
    /// name stands for on the path of `environment`.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not executable.
    pub(super) fn find(&self, given: &OsStr, environment: &[(OsString, OsString)]) -> Result<PathBuf, CallError> {
        if Path::new(given).components().count() > 1 {
            let path = std::path::absolute(given).map_err(|error| self.not_found(given).with_source(error))?;
            return match look(&path) {
                Found::Executable => Ok(path),
                Found::NotExecutable => Err(self.not_executable(&path)),
                Found::Nothing => Err(self.not_found(given)),
            };
        }
        let folders = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        let mut dead = None;
        for folder in env::split_paths(folders.unwrap_or_default()).filter(|folder| !folder.as_os_str().is_empty()) {
            let path = folder.join(given);
            match look(&path) {
                Found::Executable => return Ok(path),
                Found::NotExecutable => dead = dead.or(Some(path)),
                Found::Nothing => {}
            }
        }
        Err(match dead {
            Some(path) => self.not_executable(&path),
            None => self.not_found(given),
        })
    }

    /// What to run to be told the version.
    pub(super) fn ask_version(path: PathBuf, environment: Vec<(OsString, OsString)>, deadline: Option<Instant>) -> Job {
        let patience = Instant::now() + PATIENCE;
        Job {
            program: path,
            arguments: vec!["--version".into()],
            environment,
            directory: None,
            input: Vec::new(),
            files: Vec::new(),
            deadline: Some(deadline.map_or(patience, |deadline| deadline.min(patience))),
            most_output: 1024 * 1024,
        }
    }

    /// The version, if it is one that will do.
    pub(super) fn judge_version(&self, path: &Path, said: &Said, ended: &Ended) -> Result<Version, CallError> {
        let (name, file) = (self.name, path.display());
        match (said.0, ended.how) {
            (Some(version), _) if version >= self.oldest => Ok(version),
            (Some(version), _) => Err(CallError::new(
                CallErrorKind::Unavailable,
                format!("`{name}` is too old: {file} is {version}, and {} is needed; {}", self.oldest, self.install),
            )),
            (None, How::Late) => {
                Err(CallError::new(CallErrorKind::Timeout, format!("{file} did not say its version in time")))
            }
            (None, How::Cancelled) => Err(CallError::new(CallErrorKind::Cancelled, "the call was cancelled")),
            (None, _) => {
                let stderr = if ended.stderr.is_empty() { "nothing" } else { &ended.stderr };
                Err(CallError::new(
                    CallErrorKind::Unavailable,
                    format!(
                        "{file} does not say its version, so it is no `{name}`; on standard error it said: {stderr}"
                    ),
                ))
            }
        }
    }

    /// Why a file that was found did not start.
    pub(super) fn not_started(path: &Path, directory: Option<&Path>, error: io::Error) -> CallError {
        if let Some(directory) = directory
            && !directory.is_dir()
        {
            let text = format!("the working folder {} does not exist", directory.display());
            return CallError::new(CallErrorKind::InvalidRequest, text).with_source(error);
        }
        let (kind, why) = match error.kind() {
            io::ErrorKind::ArgumentListTooLong => {
                (CallErrorKind::InputBlocked, "its arguments or its environment are longer than the system allows")
            }
            io::ErrorKind::NotFound => {
                (CallErrorKind::Unavailable, "the interpreter that its first line names is missing")
            }
            io::ErrorKind::PermissionDenied => (CallErrorKind::Unavailable, "the system forbids it"),
            io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                (CallErrorKind::Transport, "the system has no room for another process now")
            }
            _ => (CallErrorKind::Unavailable, "it is no program for this machine"),
        };
        CallError::new(kind, format!("{} did not start: {why}", path.display())).with_source(error)
    }

    fn not_found(&self, given: &OsStr) -> CallError {
        let given = Path::new(given).display();
        CallError::new(
            CallErrorKind::Unavailable,
            format!("`{given}` was not found; {}, or name its file with `program`", self.install),
        )
    }

    fn not_executable(&self, path: &Path) -> CallError {
        let file = path.display();
        CallError::new(CallErrorKind::Unavailable, format!("{file} is not executable; {}", self.install))
    }
}

/// The version that a program said, once it has.
#[derive(Debug, Default)]
pub(super) struct Said(Option<Version>);

impl Reader for Said {
    fn line(&mut self, line: &str) -> ControlFlow<Enough> {
        self.0 = self.0.or_else(|| Version::find(line));
        ControlFlow::Continue(())
    }
}

enum Found {
    Executable,
    NotExecutable,
    Nothing,
}

fn look(path: &Path) -> Found {
    match path.metadata() {
        Ok(file) if file.is_file() && file.permissions().mode() & 0o111 != 0 => Found::Executable,
        Ok(file) if file.is_file() => Found::NotExecutable,
        _ => Found::Nothing,
    }
}
