//! Strings: their quotes, their escapes, and where they end when a quote inside lacks its backslash.
//!
//! A quote ends a string if what follows can follow a string there. Only in a text that is
//! not JSON anyway can a quote be followed by anything else; it then belongs to the string,
//! unless what follows looks like a key (two readings: the value is given up).
//!
//! A string in pieces (`"a" + "b"`) is joined: as text with bare quotes inside, its first quote would be a
//! closing one.
//!
//! A backslash before a letter that JSON does not know is kept, for the writer meant a backslash.
//! But then the writer did not escape backslashes at all, so that `\n` in the same string may be
//! a line break or a folder's name: two readings again.

use std::borrow::Cow;

use super::space::REACH;
use super::{Parser, Place, Step, Stop};
use crate::decode::repair::RepairKind;
use crate::decode::tree::cut;

/// A kind of quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
}

const QUOTES: &[Quote] = &[
    Quote { open: "\"\"\"", close: "\"\"\"" },
    Quote { open: "'''", close: "'''" },
    Quote { open: "\"", close: "\"" },
    Quote { open: "'", close: "'" },
    Quote { open: "`", close: "`" },
    Quote { open: "“", close: "”" },
    Quote { open: "”", close: "”" },
    Quote { open: "‘", close: "’" },
    Quote { open: "„", close: "“" },
    Quote { open: "«", close: "»" },
    Quote { open: "＂", close: "＂" },
];

/// Full-width marks that may follow a value.
pub(super) const WIDE: [char; 5] = ['，', '、', '；', '｝', '］'];

/// What a string's escapes and quotes told about its writer.
#[derive(Default)]
struct Traits {
    /// The first quote that was taken for content.
    first_inner: Option<usize>,
    inner: usize,
    /// Whether that quote looked like the end of one string, with another one behind it.
    side_by_side: bool,
    /// Backslashes that begin no escape.
    stray: usize,
    /// Escapes that would mean something else if backslashes were not escaped.
    letters: usize,
    control: bool,
}

impl<'t> Parser<'t> {
    /// The quotes that open here.
    #[inline]
    pub(super) fn quote(&self) -> Option<Quote> {
        self.quote_at(self.at)
    }

    #[inline]
    pub(super) fn quote_at(&self, at: usize) -> Option<Quote> {
        match self.bytes.get(at)? {
            // Two quotes are an empty string, unless a third follows.
            b'"' if self.bytes.get(at + 1) != Some(&b'"') => Some(QUOTES[2]),
            b'\'' if self.bytes.get(at + 1) != Some(&b'\'') => Some(QUOTES[3]),
            b'"' | b'\'' | b'`' | 0x80.. => {
                let rest = &self.text[at..];
                QUOTES.iter().find(|quote| rest.starts_with(quote.open)).copied()
            }
            _ => None,
        }
    }

    /// Reads a string, also one that was written in pieces: `"a" + "b"`.
    #[inline]
    pub(super) fn string(&mut self, quote: &Quote, place: Place) -> Step<Cow<'t, str>> {
        if let Some(end) = self.plain_end(place) {
            let text = &self.text[self.at + 1..end];
            self.at = end + 1;
            return Ok(Cow::Borrowed(text));
        }
        let mut text = self.piece(quote, place)?;
        while place != Place::Key
            && let Some(next) = self.next_piece(self.at)
        {
            self.repair(RepairKind::Joined, "+", "");
            self.at = next;
            let Some(quote) = self.quote() else { break };
            let more = self.piece(&quote, place)?;
            text.to_mut().push_str(&more);
        }
        Ok(text)
    }

    /// The closing quote of a string as they mostly are: with nothing special in it, and followed by what follows
    /// a string.
    #[inline]
    fn plain_end(&self, place: Place) -> Option<usize> {
        let start = self.at + 1;
        if self.bytes[self.at] != b'"' {
            return None;
        }
        let special = |byte: &u8| matches!(byte, b'"' | b'\\') || *byte < 0x20;
        let end = start + self.bytes[start..].iter().position(special)?;
        if self.bytes[end] != b'"' {
            return None;
        }
        let ends = match (place, self.bytes.get(end + 1)?) {
            (Place::Key, b':') => true,
            (Place::Member, b'}') => self.depth < 2,
            (Place::Member | Place::Element, b',') => self.looks_ahead && self.goes_on(end + 2, place),
            _ => false,
        };
        ends.then_some(end)
    }

    /// Where the next piece of a string begins, if a `+` and quotes follow.
    fn next_piece(&self, at: usize) -> Option<usize> {
        let plus = self.odd_space_end(at);
        if !self.looks_ahead || self.bytes.get(plus) != Some(&b'+') {
            return None;
        }
        let next = self.gap_end(plus + 1);
        self.quote_at(next).map(|_| next)
    }

    fn piece(&mut self, quote: &Quote, place: Place) -> Step<Cow<'t, str>> {
        if quote.open != "\"" {
            self.repair(RepairKind::Quotes, quote.open, "\"");
        }
        let first = quote.close.as_bytes()[0];
        self.at += quote.open.len();
        let mut run = self.at;
        let mut owned: Option<String> = None;
        let mut traits = Traits::default();
        // Many quotes that open may wait for one that closes. What was searched in vain too often is searched no more.
        let far = self.looks_ahead || quote.open == quote.close;
        let start = self.at;
        let end = if far { self.bytes.len() } else { self.bytes.len().min(start + REACH) };
        loop {
            let rest = self.bytes.get(self.at..end).unwrap_or_default();
            let Some(ahead) = rest.iter().position(|byte| *byte == first || *byte == b'\\' || *byte < 0x20) else {
                if end < self.bytes.len() {
                    return Err(Stop::Fault { at: start, expected: "the end of the string" });
                }
                self.reach = self.text.len();
                return Err(match traits.first_inner {
                    // Not the end is missing, but a backslash somewhere.
                    Some(at) => {
                        Stop::Fault { at, expected: "the end of the string, or `\\\"` for a quote inside of it" }
                    }
                    None => Stop::End,
                });
            };
            self.at += ahead;
            let byte = self.bytes[self.at];
            match byte {
                b'\\' => {
                    let owned = owned.get_or_insert_default();
                    owned.push_str(&self.text[run..self.at]);
                    self.escape(quote, owned, &mut traits)?;
                    run = self.at;
                }
                0..0x20 => {
                    if place == Place::Key {
                        return Err(self.fault("the end of the key"));
                    }
                    if !std::mem::replace(&mut traits.control, true) {
                        let escaped = char::from(byte).escape_default().to_string();
                        self.repair(RepairKind::Control, &format!("U+{byte:04X}"), &escaped);
                    }
                    self.at += 1;
                }
                _ if !self.text.is_char_boundary(self.at) || !self.text[self.at..].starts_with(quote.close) => {
                    self.at += 1;
                }
                // With a quote inside before it, this `+` would be inside, too.
                _ if place != Place::Key
                    && traits.inner == 0
                    && self.next_piece(self.at + quote.close.len()).is_some() =>
                {
                    break;
                }
                _ if self.ends_string(self.at + quote.close.len(), place, quote)? => break,
                _ => {
                    let after = self.at + quote.close.len();
                    let next = self.odd_space_end(after);
                    traits.side_by_side |= traits.inner == 0 && next > after && self.quote_at(next).is_some();
                    self.swerve();
                    traits.first_inner.get_or_insert(self.at);
                    traits.inner += 1;
                    self.at = after;
                }
            }
        }
        let tail = &self.text[run..self.at];
        self.at += quote.close.len();
        let text = match owned {
            None => Cow::Borrowed(tail),
            Some(mut owned) => {
                owned.push_str(tail);
                Cow::Owned(owned)
            }
        };
        self.judge(&traits, &text, place);
        Ok(text)
    }

    /// Records and doubts what the string as a whole showed.
    fn judge(&mut self, traits: &Traits, text: &str, place: Place) {
        if traits.inner > 0 {
            self.repair(RepairKind::InnerQuote, "\"", "\\\"");
            // Between list elements, `", "` may be the end of one and the start of the next.
            let odd = traits.inner % 2 == 1;
            if odd && place == Place::Element {
                self.doubt("quotes inside of a string lack their backslash, so where it ends is unclear");
            }
            self.odd_strings += usize::from(odd);
            if traits.side_by_side {
                self.doubt("two strings side by side, which may be one, or two with a comma between");
            }
        }
        if traits.stray > 0 {
            if traits.letters > 0 {
                self.doubt(
                    "some backslashes begin an escape and some do not; write each backslash of the text as `\\\\`",
                );
            }
            self.repair(RepairKind::Backslash, &cut(text), "\\\\");
        }
    }

    /// Reads an escape, or a backslash that begins none.
    fn escape(&mut self, quote: &Quote, out: &mut String, traits: &mut Traits) -> Step<()> {
        let Some(next) = self.text[self.at + 1..].chars().next() else { return Err(Stop::End) };
        // Texts in other quotes come from languages with more escapes.
        let foreign = quote.open != "\"";
        let start = self.at;
        self.at += 1 + next.len_utf8();
        let known = match next {
            '"' => Some('"'),
            '/' => Some('/'),
            '\\' => Some('\\'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '\'' | '`' => {
                if !foreign {
                    self.repair(RepairKind::Backslash, &self.text[start..self.at], next.encode_utf8(&mut [0; 4]));
                }
                out.push(next);
                return Ok(());
            }
            'u' => {
                let c = self.unicode()?;
                if c.is_none() {
                    self.at = start + 2;
                }
                c
            }
            'x' if self.hex(2).is_some() => {
                if !foreign {
                    self.doubt("`\\x` and two digits may be a character or a backslash; JSON has neither");
                }
                let c = self.hex(2).and_then(char::from_u32);
                self.at += 2;
                c
            }
            '\n' | '\r' => {
                self.doubt("a backslash at the end of a line");
                None
            }
            _ => None,
        };
        if let Some(c) = known {
            traits.letters += usize::from(!matches!(next, '"' | '/'));
            out.push(c);
        } else {
            traits.stray += 1;
            out.push('\\');
            out.push(next);
        }
        Ok(())
    }

    /// Reads the digits of `\u`, and the second half of a pair; `None` if there are no digits.
    fn unicode(&mut self) -> Step<Option<char>> {
        const LONE: &str = "both halves of a surrogate pair";
        let Some(first) = self.hex(4) else {
            let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            return if self.at + digits == self.bytes.len() { Err(Stop::End) } else { Ok(None) };
        };
        self.at += 4;
        if let Some(c) = char::from_u32(first) {
            return Ok(Some(c));
        }
        let rest = &self.bytes[self.at..];
        if rest.len() < 6
            && b"\\u".starts_with(&rest[..rest.len().min(2)])
            && rest.iter().skip(2).all(u8::is_ascii_hexdigit)
        {
            return Err(Stop::End);
        }
        if !rest.starts_with(b"\\u") || !(0xd800..0xdc00).contains(&first) {
            return Err(self.fault(LONE));
        }
        self.at += 2;
        match self.hex(4) {
            Some(second @ 0xdc00..0xe000) => {
                self.at += 4;
                Ok(char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)))
            }
            _ => Err(self.fault(LONE)),
        }
    }

    fn hex(&self, digits: usize) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + digits)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }

    /// Whether a string that stands at `place` ends before `at`.
    fn ends_string(&mut self, at: usize, place: Place, quote: &Quote) -> Step<bool> {
        if place == Place::Key || !self.looks_ahead || quote.open.len() > 1 && quote.open.is_ascii() {
            return Ok(true);
        }
        let next = self.odd_space_end(at);
        if self.bytes.get(next) == Some(&b':') && place != Place::Whole {
            self.swerve();
            return Err(Stop::Fault { at, expected: "`,` after the value, or `\\\"` for a quote inside of it" });
        }
        let new_line = || self.text[at..next].contains('\n');
        Ok(match self.bytes.get(next) {
            None | Some(b';' | b'#') => true,
            Some(_) if place == Place::Whole => false,
            Some(b'}' | b']') => self.depth < 2 || self.may_follow_bracket(next + 1),
            Some(b',') => self.goes_on(next + 1, place),
            Some(b'/') => matches!(self.bytes.get(next + 1), Some(b'/' | b'*')),
            Some(_) if self.text[next..].starts_with(WIDE) => true,
            Some(_) if place == Place::Element => new_line() && self.value_at(next),
            Some(_) => self.key_at(next) && (new_line() || self.quote_at(next).is_some()),
        })
    }

    /// Whether what follows a closing bracket can follow it inside of a value.
    fn may_follow_bracket(&self, at: usize) -> bool {
        let next = self.odd_space_end(at);
        self.text[at..next].contains('\n')
            || matches!(self.bytes.get(next), None | Some(b',' | b'}' | b']' | b'/' | b'#'))
            || self.text[next..].starts_with(WIDE)
    }

    /// Whether what follows a comma can follow it.
    fn goes_on(&self, at: usize, place: Place) -> bool {
        let next = self.odd_space_end(at);
        match self.bytes.get(next) {
            None | Some(b'}' | b']' | b',' | b'#') => true,
            Some(b'/') => matches!(self.bytes.get(next + 1), Some(b'/' | b'*')),
            Some(_) if place == Place::Element => self.value_at(next),
            // Cut inside of the key: it has no colon yet.
            Some(_) => self.key_at(next) || !self.text[next..].chars().skip(1).any(|c| matches!(c, '"' | '\'' | ':')),
        }
    }
}
