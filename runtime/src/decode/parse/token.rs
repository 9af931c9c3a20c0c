//! What is not structure and not a string: literals, numbers, bare words and keys, comments,
//! unusual spaces; and the short looks ahead that tell what follows.

use std::borrow::Cow;

use super::string::WIDE;
use super::{Parser, Place, Step, Stop};
use crate::decode::number::{is_json_number, narrow, plain_number};
use crate::decode::repair::RepairKind;
use crate::decode::tree::Tree;

/// How far ahead a key is looked for.
const KEY_REACH: usize = 200;

impl<'t> Parser<'t> {
    /// Reads a literal, a number, or a bare word.
    pub(super) fn token(&mut self, place: Place) -> Step<Tree<'t>> {
        let start = self.at;
        let mut end = self.token_end(start);
        if !self.text[start..end].contains(char::is_alphanumeric) {
            return Err(self.fault("a value"));
        }
        if place == Place::Member {
            end = self.groups_end(start, end);
        }
        let token = &self.text[start..end];
        self.at = end;
        let literal = |this: &mut Self, to: &str, tree| {
            this.repair(RepairKind::Literal, token, to);
            Ok(tree)
        };
        match token {
            "null" => return Ok(Tree::Null),
            "true" => return Ok(Tree::Bool(true)),
            "false" => return Ok(Tree::Bool(false)),
            "None" | "Null" | "NULL" | "nil" | "undefined" => return literal(self, "null", Tree::Null),
            "True" | "TRUE" => return literal(self, "true", Tree::Bool(true)),
            "False" | "FALSE" => return literal(self, "false", Tree::Bool(false)),
            _ => {}
        }
        if is_json_number(token) {
            return Ok(Tree::Number(Cow::Borrowed(token)));
        }
        if let Some(number) = plain_number(token).or_else(|| narrow(token).and_then(|token| plain_number(&token))) {
            self.repair(RepairKind::Literal, token, &number);
            return Ok(Tree::Number(Cow::Owned(number)));
        }
        // A word ends where the value ends; two words in a row are prose.
        let next = self.odd_space_end(end);
        match self.bytes.get(next) {
            None if place != Place::Whole => Err(Stop::End),
            None | Some(b',' | b'}' | b']' | b';' | b'/' | b'#') => Ok(Tree::Word(Cow::Borrowed(token))),
            Some(_) if self.text[end..next].contains('\n') || self.text[next..].starts_with(WIDE) => {
                Ok(Tree::Word(Cow::Borrowed(token)))
            }
            Some(_) => {
                self.at = start;
                Err(self.fault("a value in quotes"))
            }
        }
    }

    fn token_end(&self, start: usize) -> usize {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.' | b'$' | b'%');
        let ahead = self.bytes[start..].iter().take_while(|byte| plain(**byte)).count();
        let start = start + ahead;
        if self.bytes.get(start).is_none_or(u8::is_ascii) {
            return start;
        }
        let tail = self.text[start..].char_indices();
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '.' | '$' | '%');
        tail.into_iter().find(|(_, c)| !inside(*c)).map_or(self.text.len(), |(at, _)| start + at)
    }

    /// The end of a number whose digits are grouped by commas: `12,500`. In an object, where a key
    /// has to follow a comma, this is its one reading.
    fn groups_end(&self, start: usize, mut end: usize) -> usize {
        let digits = |from: usize| self.bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let sign = usize::from(matches!(self.bytes[start], b'-' | b'+'));
        if !(1..=3).contains(&digits(start + sign)) || start + sign + digits(start + sign) != end {
            return end;
        }
        while self.bytes.get(end) == Some(&b',') && digits(end + 1) == 3 {
            end += 4;
        }
        if self.bytes.get(end) == Some(&b'.') { end + 1 + digits(end + 1) } else { end }
    }

    /// The end of a key without quotes, or `at` if none begins there.
    pub(super) fn bare_key_end(&self, at: usize) -> usize {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
        let mut end = at;
        for c in self.text[at..].chars() {
            if !inside(c) || (end == at && c == '-') || end - at > KEY_REACH {
                break;
            }
            end += c.len_utf8();
        }
        end
    }

    /// Whether a key with its colon stands here.
    pub(super) fn key_at(&self, at: usize) -> bool {
        let end = match self.quote_at(at) {
            Some(quote) => {
                let start = at + quote.open.len();
                let close = quote.close.as_bytes();
                let mut end = start;
                loop {
                    let reach = self.bytes.len().min(start + KEY_REACH);
                    let body = self.bytes.get(end..reach).unwrap_or_default();
                    match body.iter().position(|byte| *byte == close[0] || *byte == b'\n') {
                        Some(ahead) => end += ahead,
                        None => return false,
                    }
                    if self.bytes[end..].starts_with(close) {
                        break end + close.len();
                    }
                    if self.bytes[end] == b'\n' {
                        return false;
                    }
                    end += 1;
                }
            }
            None => self.bare_key_end(at),
        };
        end > at && {
            let rest = &self.bytes[self.gap_end(end)..];
            match rest.first() {
                Some(b':') => true,
                Some(b'=') => self.quote_at(at).is_some(),
                _ => rest.starts_with("：".as_bytes()),
            }
        }
    }

    /// Whether a value begins here.
    pub(super) fn value_at(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            None | Some(b'{' | b'[' | b'-' | b'0'..=b'9') => true,
            Some(_) if self.quote_at(at).is_some() => true,
            Some(_) => {
                let word = &self.text[at..self.token_end(at)];
                matches!(word, "true" | "false" | "null" | "True" | "False" | "None")
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
            let reach = self.text.floor_char_boundary(end + KEY_REACH);
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
    pub(super) fn odd_space_end(&self, at: usize) -> usize {
        // Nearly always there is one space, or none.
        let ahead = self.bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        let at = at + ahead;
        if matches!(self.bytes.get(at), None | Some(0x21..0x7f)) {
            return at;
        }
        let space = |c: char| {
            c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{180e}' | '\0')
        };
        self.text[at..].char_indices().find(|(_, c)| !space(*c)).map_or(self.text.len(), |(end, _)| at + end)
    }
}
