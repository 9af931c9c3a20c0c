//! Whether a regular expression is read as it is meant.

use crate::dialect::{Anchors, Patterns};

/// Whether an engine that reads `patterns` reads this one as JSON Schema means it.
pub(super) fn reads(patterns: &Patterns, pattern: &str) -> bool {
    let mut scan = Scan { patterns, class: false, group: 0, splits: false };
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match scan.step(&bytes[at..]) {
            Some(length) => at += length,
            None => return false,
        }
    }
    patterns.anchors == Anchors::Search || (held(pattern) && !scan.splits)
}

/// Whether a pattern is held at both ends.
fn held(pattern: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    // An escaped `$` is text.
    inner.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0
}

struct Scan<'p> {
    patterns: &'p Patterns,
    class: bool,
    group: usize,
    /// Whether `|` stands outside of all groups, so that the ends hold one alternative each.
    splits: bool,
}

impl Scan<'_> {
    /// How many bytes the next piece has; nothing if it is not read.
    fn step(&mut self, rest: &[u8]) -> Option<usize> {
        let patterns = self.patterns;
        match rest {
            [b'\\', escape, tail @ ..] => self.escape(*escape, tail).then_some(2),
            [b'[', b'[', b':', ..] | [b'[', b':', ..] if self.class || rest.get(1) == Some(&b'[') => {
                self.class = true;
                patterns.rust_only.then_some(1)
            }
            [b'[', ..] => {
                self.class = true;
                Some(1)
            }
            [b']', ..] => {
                self.class = false;
                Some(1)
            }
            [b'&', b'&', ..] if self.class => patterns.rust_only.then_some(2),
            [b'(', b'?', b'=' | b'!', ..] | [b'(', b'?', b'<', b'=' | b'!', ..] if !self.class => {
                self.group += 1;
                patterns.lookaround.then_some(3)
            }
            [b'(', b'?', b':' | b'<', ..] if !self.class => {
                self.group += 1;
                Some(3)
            }
            [b'(', b'?', ..] if !self.class => {
                self.group += 1;
                patterns.rust_only.then_some(2)
            }
            [b'(', ..] if !self.class => {
                self.group += 1;
                Some(1)
            }
            [b')', ..] if !self.class => {
                self.group = self.group.saturating_sub(1);
                Some(1)
            }
            [b'|', ..] if !self.class => {
                self.splits |= self.group == 0;
                Some(1)
            }
            _ => Some(1),
        }
    }

    fn escape(&self, escape: u8, tail: &[u8]) -> bool {
        let patterns = self.patterns;
        match escape {
            b'd' | b'D' | b'w' | b'W' | b's' | b'S' => patterns.short_classes,
            b'b' if self.class => true,
            b'b' | b'B' => patterns.boundaries,
            b'p' | b'P' => patterns.unicode_classes,
            b'1'..=b'9' | b'k' => patterns.backreferences,
            b'x' | b'u' if tail.first() == Some(&b'{') => patterns.rust_only,
            b'x' | b'u' | b'c' | b'0' | b'f' | b'n' | b'r' | b't' | b'v' => true,
            b'-' if self.class => true,
            b'^' | b'$' | b'\\' | b'.' | b'*' | b'+' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'/' => {
                true
            }
            _ => patterns.rust_only,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn engines_read_what_the_sources_say() {
        let (openai, llama) = (Dialect::OPENAI.patterns, Dialect::LLAMA_CPP.patterns);
        for plain in ["^[a-z]+$", "^[0-9]{3}$", r"^a\.b$", r"^(a|b)$"] {
            assert!(reads(&openai, plain) && reads(&llama, plain), "{plain}");
        }
        for unheld in ["[a-z]", "^a", "a$", "^a|b$", r"^a\$", r"^\d+$", r"^\w$"] {
            assert!(reads(&openai, unheld) && !reads(&llama, unheld), "{unheld}");
        }
        for look in ["^(?=a)b$", "(?<!a)b", r"(a)\1"] {
            assert!(!reads(&openai, look), "{look}");
        }
        assert!(reads(&openai, r"[(?=]\\1"));
    }
}
