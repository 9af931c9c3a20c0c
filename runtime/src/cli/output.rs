//! What a process writes: lines within a bound, and the end of its complaints.

use std::borrow::Cow;
use std::ops::ControlFlow;

/// How much is kept of what a process writes to its standard error.
const TAIL: usize = 16 * 1024;

/// Takes the lines of a process, decoded, as they come.
pub(super) trait Reader {
    /// One line. `Break` says that nothing of what may follow is needed.
    fn line(&mut self, line: &str) -> ControlFlow<Enough>;
}

/// Why a reader needs no more lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enough {
    /// It has the whole answer; the process may end by itself.
    Answered,
    /// Whatever the process does now is in vain.
    InVain,
}

/// Splits output into lines. Everything together is bounded, for a line may be as long as the whole.
#[derive(Debug)]
pub(super) struct Lines {
    line: Vec<u8>,
    read: usize,
    most: usize,
}

/// The output is longer than its bound.
#[derive(Debug)]
pub(super) struct Flood;

impl Lines {
    pub(super) fn new(most: usize) -> Self {
        Self { line: Vec::new(), read: 0, most }
    }

    /// Bytes so far.
    pub(super) fn read(&self) -> usize {
        self.read
    }

    /// Takes a piece of output.
    pub(super) fn push(&mut self, piece: &[u8], reader: &mut dyn Reader) -> Result<ControlFlow<Enough>, Flood> {
        self.read = self.read.saturating_add(piece.len());
        if self.read > self.most {
            return Err(Flood);
        }
        let mut pieces = piece.split(|&byte| byte == b'\n');
        // `split` yields one piece at least; what stands behind the last line break is kept.
        let mut current = pieces.next().unwrap_or_default();
        for next in pieces {
            self.line.extend_from_slice(current);
            if let ControlFlow::Break(enough) = self.end(reader) {
                return Ok(ControlFlow::Break(enough));
            }
            current = next;
        }
        self.line.extend_from_slice(current);
        Ok(ControlFlow::Continue(()))
    }

    /// Takes what stands behind the last line break as a line.
    pub(super) fn end(&mut self, reader: &mut dyn Reader) -> ControlFlow<Enough> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() { ControlFlow::Continue(()) } else { reader.line(line) }
    }
}

/// The end of a text that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Tail(Vec<u8>);

impl Tail {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.0.extend_from_slice(piece);
        // Cut only now and then, so that a flood costs no more than twice its length in moves.
        if self.0.len() > 2 * TAIL {
            self.0.drain(..self.0.len() - TAIL);
        }
    }

    /// The end as text, without control characters.
    pub(super) fn text(&self) -> String {
        let end = &self.0[self.0.len().saturating_sub(TAIL)..];
        plain(&String::from_utf8_lossy(end)).trim().to_owned()
    }
}

/// A text without terminal control sequences.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_control() && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                // A control sequence goes on to its final letter, a title to its bell.
                Some('[') => drop(chars.by_ref().find(|c| ('@'..='~').contains(c))),
                Some(']') => drop(chars.by_ref().find(|&c| c == '\u{7}' || c == '\\')),
                _ => {}
            },
            '\n' | '\t' => plain.push(c),
            _ if c.is_control() => {}
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Kept(Vec<String>, usize);

    impl Reader for Kept {
        fn line(&mut self, line: &str) -> ControlFlow<Enough> {
            self.0.push(line.to_owned());
            if self.0.len() == self.1 { ControlFlow::Break(Enough::Answered) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn lines_are_the_same_however_they_are_cut() {
        let text = "one\r\n\n two \u{fc}\nlast";
        for size in 1..=text.len() {
            let mut kept = Kept(Vec::new(), 9);
            let mut lines = Lines::new(100);
            for piece in text.as_bytes().chunks(size) {
                assert!(lines.push(piece, &mut kept).unwrap().is_continue());
            }
            assert!(lines.end(&mut kept).is_continue());
            assert_eq!(kept.0, ["one", "two \u{fc}", "last"], "in pieces of {size}");
        }
    }

    #[test]
    fn more_than_the_bound_is_a_flood_and_a_break_ends_reading() {
        let mut kept = Kept(Vec::new(), 1);
        let mut lines = Lines::new(6);
        assert_eq!(lines.push(b"a\nb\n", &mut kept).unwrap(), ControlFlow::Break(Enough::Answered));
        assert_eq!(kept.0, ["a"]);
        assert!(lines.push(b"xyz", &mut kept).is_err());
    }

    #[test]
    fn bytes_that_are_no_text_do_not_end_a_line() {
        let mut kept = Kept(Vec::new(), 9);
        assert!(Lines::new(100).push(b"a\xff\xfeb\n", &mut kept).unwrap().is_continue());
        assert_eq!(kept.0, ["a\u{fffd}\u{fffd}b"]);
    }

    #[test]
    fn the_tail_of_a_flood_is_kept() {
        let mut tail = Tail::default();
        for i in 0..20_000 {
            tail.push(format!("line {i}\n").as_bytes());
        }
        let text = tail.text();
        assert!(text.ends_with("line 19999") && text.len() <= TAIL, "{} bytes", text.len());
    }

    #[test]
    fn control_sequences_are_no_text() {
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m\u{1b}]0;title\u{7} and\tplain\u{8}"), "red and\tplain");
        assert_eq!(plain("\u{1b}7\u{1b}[?25h{}"), "{}");
    }
}
