//! What is not structure and not a string: literals, numbers, bare words and keys, comments,
//! unusual spaces; and the short looks ahead that tell what follows.

use std::borrow::Cow;

use super::space::REACH;
use super::string::WIDE;
use super::{Parser, Place, Step, Stop};
use crate::decode::number::{is_json_number, narrow, plain_number};
use crate::decode::repair::RepairKind;
use crate::decode::tree::Tree;

impl<'t> Parser<'t> {
    /// Reads a literal, a number, or a bare word.
    pub(super) fn token(&mut self, place: Place) -> Step<Tree<'t>> {
        let start = self.at;
        if let Some(end) = self.integer_end(start) {
            self.at = end;
            return Ok(Tree::Number(Cow::Borrowed(&self.text[start..end])));
        }
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
        if place == Place::Element && token.len() == 3 && token.bytes().all(|byte| byte.is_ascii_digit()) {
            self.doubt("zeros that may belong to the number before them");
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

    /// The end of a plain whole number, if the value ends with it beyond doubt.
    #[inline]
    fn integer_end(&self, start: usize) -> Option<usize> {
        let first = start + usize::from(self.bytes[start] == b'-');
        let digits = self.bytes[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 1 && self.bytes[first] == b'0' {
            return None;
        }
        let end = first + digits;
        match self.bytes.get(end..)? {
            [b'}' | b']' | b' ' | b'\n' | b'\r', ..] => Some(end),
            // Three digits after it may be a group of its own.
            [b',', next, ..] if !next.is_ascii_digit() => Some(end),
            _ => None,
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
            if !inside(c) || (end == at && c == '-') || end - at > REACH {
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
                    let reach = self.bytes.len().min(start + REACH);
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
}
