//! Files that a process is to read and nobody else is to find.

use std::ffi::OsString;
use std::io::{self, Write};

/// A file that a process can open by its path while this value lives.
///
/// On Linux it has no name anywhere: the path leads to this process's own descriptor, so nothing is left behind even if
/// this process is killed. Elsewhere it is a temporary file, readable by its owner alone, that goes with this value.
#[derive(Debug)]
pub(super) struct HandedFile {
    /// Kept open, or kept from being removed.
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "it lives as long as this value"))]
    file: File,
    path: OsString,
}

#[cfg(target_os = "linux")]
type File = std::fs::File;

#[cfg(not(target_os = "linux"))]
type File = tempfile::NamedTempFile;

impl HandedFile {
    /// A file with these contents.
    pub(super) fn new(contents: &[u8]) -> io::Result<Self> {
        let mut file = create()?;
        file.write_all(contents)?;
        file.flush()?;
        let path = path(&file);
        Ok(Self { file, path })
    }

    /// Where the process finds it.
    pub(super) fn path(&self) -> &OsString {
        &self.path
    }
}

#[cfg(target_os = "linux")]
fn create() -> io::Result<File> {
    tempfile::tempfile()
}

/// The process may be a script that starts the real one, so the path names this process and not "self".
#[cfg(target_os = "linux")]
fn path(file: &File) -> OsString {
    use std::os::fd::AsRawFd;
    format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into()
}

#[cfg(not(target_os = "linux"))]
fn create() -> io::Result<File> {
    tempfile::Builder::new().prefix("response-schema-").suffix(".json").tempfile()
}

#[cfg(not(target_os = "linux"))]
fn path(file: &File) -> OsString {
    file.path().as_os_str().to_owned()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn another_process_reads_it_and_it_goes_with_its_value() {
        let file = HandedFile::new(b"{\"type\":\"object\"}").unwrap();
        let path = file.path().clone();
        for _ in 0..2 {
            let output = Command::new("cat").arg(&path).output().unwrap();
            assert_eq!(output.stdout, b"{\"type\":\"object\"}", "{output:?}");
        }
        drop(file);
        // The number may be another file's by now.
        let output = Command::new("cat").arg(&path).output().unwrap();
        assert_ne!(output.stdout, b"{\"type\":\"object\"}");
    }
}
