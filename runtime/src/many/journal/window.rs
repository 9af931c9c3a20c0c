//! Reading lines where they are.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::locked::Locked;

/// A part of the file. Entries are nearly in the order in which they are asked for, so what was read for one has the next ones
/// as well.
#[derive(Debug)]
pub(super) struct Window {
    file: Arc<Locked>,
    bytes: Vec<u8>,
    /// Where it begins in the file.
    from: u64,
}

impl Window {
    const SIZE: usize = 1 << 16;

    pub(super) const fn new(file: Arc<Locked>) -> Self {
        Self { file, bytes: Vec::new(), from: 0 }
    }

    /// The line that begins there, with its end if it has one; empty at the end of the file.
    pub(super) fn line(&mut self, at: u64) -> io::Result<&[u8]> {
        let mut wanted = Self::SIZE;
        loop {
            let inside = at.checked_sub(self.from).and_then(|offset| usize::try_from(offset).ok());
            let line = inside.and_then(|begin| {
                let length = memchr::memchr(b'\n', self.bytes.get(begin..)?)?;
                Some(begin..=begin + length)
            });
            if let Some(line) = line {
                return Ok(&self.bytes[line]);
            }
            if self.from == at && self.bytes.len() < wanted / 2 {
                return Ok(&self.bytes);
            }
            self.bytes.resize(wanted, 0);
            let length = read_at(&self.file, &mut self.bytes, at)?;
            self.bytes.truncate(length);
            self.from = at;
            wanted *= 2;
        }
    }
}

/// Fills the buffer from there on, as far as the file goes. The file's cursor belongs to the one who writes.
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(file, &mut buffer[filled..], at + filled as u64);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(file, &mut buffer[filled..], at + filled as u64);
        match read {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
