//! The lines of what another reader takes its bytes from.
//!
//! The reader of CSV counts a line when it meets its end, which it does late: before `\r\n` is whole, and before lines
//! that it passes over. So lines are counted here.

use std::collections::VecDeque;
use std::io::Read;

/// Bytes, and the lines in which they stand.
pub(super) struct Lines<R> {
    reader: R,
    read: u64,
    line: u64,
    /// Whether the line has more than its end.
    begun: bool,
    /// The last byte that is no white space.
    last: u8,
    /// Whether all is read.
    ended: bool,
    /// The places where lines begin that are not empty, and the lines.
    starts: VecDeque<(u64, u64)>,
}

impl<R> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, read: 0, line: 1, begun: false, last: 0, ended: false, starts: VecDeque::new() }
    }

    /// The last byte that is no white space, once all is read.
    pub(super) fn last(&self) -> Option<u8> {
        self.ended.then_some(self.last)
    }

    /// The line of what begins at this place, or behind the ends of lines there. Places before it are not asked for again.
    pub(super) fn line_at(&mut self, place: u64) -> u64 {
        while self.starts.pop_front_if(|(start, _)| *start < place).is_some() {}
        self.starts.front().map_or(self.line, |(_, line)| *line)
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.ended = count == 0;
        if let Some(last) = buffer[..count].iter().rfind(|byte| !byte.is_ascii_whitespace()) {
            self.last = *last;
        }
        for (place, byte) in (self.read..).zip(&buffer[..count]) {
            match byte {
                b'\n' => (self.line, self.begun) = (self.line + 1, false),
                b'\r' => self.begun = false,
                _ if !self.begun => {
                    self.begun = true;
                    self.starts.push_back((place, self.line));
                }
                _ => {}
            }
        }
        self.read += count as u64;
        Ok(count)
    }
}
