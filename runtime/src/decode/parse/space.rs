//! What may stand between two tokens: whitespace of any kind, and comments.

use super::{Parser, Step, Stop};
use crate::decode::near::is_invisible;
use crate::decode::repair::RepairKind;
use crate::decode::tree::cut;

/// How far ahead the end of a comment, or of a key, is looked for.
pub(super) const REACH: usize = 200;

impl Parser<'_> {
    /// Goes past whitespace and comments.
    #[inline]
    pub(super) fn space(&mut self) -> Step<()> {
        match self.bytes.get(self.at) {
            Some(b'/' | b'#') | None => self.gap(),
            Some(0x21..0x7f) => Ok(()),
            Some(_) => self.gap(),
        }
    }

    fn gap(&mut self) -> Step<()> {
        loop {
            while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
                self.at += 1;
            }
            let start = self.at;
            match self.bytes.get(start) {
                Some(b'/' | b'#') if self.looks_ahead => {
                    let Some(end) = self.comment_end(start) else {
                        let cut = self.committed && self.text[start..].starts_with("/*");
                        self.reach = self.text.len();
                        return if cut { Err(Stop::End) } else { Ok(()) };
                    };
                    self.at = end;
                    let comment = self.text[start..end].trim_end();
                    self.repairs.add_with(&self.path, RepairKind::Comment, || (cut(comment), String::new()));
                }
                Some(0..0x20 | 0x7f..) => {
                    self.at = self.odd_space_end(start);
                    if self.at == start {
                        return Ok(());
                    }
                    let space = &self.text[start..self.at];
                    let shown = || (cut(&space.escape_unicode().to_string()), " ".to_owned());
                    self.repairs.add_with(&self.path, RepairKind::Space, shown);
                }
                _ => return Ok(()),
            }
        }
    }

    /// The end of the comment here, if it is one and ends.
    pub(super) fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if rest.starts_with("/*") {
            // The memory of a search in vain keeps many openings from being many searches.
            return rest.get(2..)?.find("*/").map(|end| at + 2 + end + 2);
        }
        if rest.starts_with("//") || rest.starts_with('#') {
            return Some(rest.find('\n').map_or(self.text.len(), |end| at + end));
        }
        None
    }

    /// The end of the whitespace and the short comments here: what may stand between two tokens.
    pub(super) fn gap_end(&self, at: usize) -> usize {
        let mut end = self.odd_space_end(at);
        while matches!(self.bytes.get(end), Some(b'/' | b'#')) {
            let reach = self.text.floor_char_boundary(end + REACH);
            let comment = &self.text[end..reach];
            let close = match comment.as_bytes() {
                [b'/', b'*', ..] => comment[2..].find("*/").map(|at| at + 4),
                [b'/', b'/', ..] | [b'#', ..] => {
                    comment.find('\n').or((reach == self.text.len()).then_some(comment.len()))
                }
                _ => None,
            };
            let Some(length) = close else { break };
            end = self.odd_space_end(end + length);
        }
        end
    }

    /// The end of the whitespace here, of whatever kind.
    #[inline]
    pub(super) fn odd_space_end(&self, at: usize) -> usize {
        // Nearly always there is one space, or none.
        let ahead = self.bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        let at = at + ahead;
        if matches!(self.bytes.get(at), None | Some(0x21..0x7f)) {
            return at;
        }
        let space = |c: char| c.is_whitespace() || is_invisible(c) || c == '\0';
        self.text[at..].char_indices().find(|(_, c)| !space(*c)).map_or(self.text.len(), |(end, _)| at + end)
    }
}
