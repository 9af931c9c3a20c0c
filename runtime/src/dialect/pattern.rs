//! Which regular expressions a provider reads as they are meant.
//!
//! A pattern is scanned once for what it needs ([`Needs`]); a provider's [`Patterns`] say what it has. What
//! is wanting makes the pattern a sentence of the description. The scan errs on the side of a need: a
//! sentence costs little, a pattern that is read wrongly costs valid replies.

use super::{Anchors, Patterns};

/// What a pattern needs of an engine, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs(u16);

impl Needs {
    /// A match anywhere: it is not held by `^` and `$`, or has them inside.
    const SEARCH: u16 = 1;
    /// `\d`, `\w`, which are easily spelled out.
    const SHORT: u16 = 1 << 1;
    /// `\b`, `\B`.
    const BOUNDARY: u16 = 1 << 2;
    /// `\p{…}`.
    const UNICODE: u16 = 1 << 3;
    /// `(?=…)` and its like.
    const LOOK: u16 = 1 << 4;
    /// `\1`, `\k<…>`.
    const BACK: u16 = 1 << 5;
    /// What JavaScript does not read.
    const RUST: u16 = 1 << 6;
    /// A character that JSON text escapes may match.
    const ESCAPED: u16 = 1 << 7;
    /// A character beyond ASCII in a list of characters.
    const WIDE: u16 = 1 << 8;
    /// `*?` and its like.
    const LAZY: u16 = 1 << 9;
    /// An escape in a list of characters, other than of `[`, `]` and `-`.
    const LISTED: u16 = 1 << 10;

    /// What a pattern needs, given as JSON text with its quotes.
    pub(crate) const fn of(quoted: &str) -> Self {
        let mut scan =
            Scan { bytes: quoted.as_bytes(), at: 1, needs: 0, depth: 0, listing: false, last: None, open: None };
        scan.run();
        Self(scan.needs)
    }

    /// Whether `\d` and `\w` stand in it.
    const fn short(self) -> bool {
        self.0 & Self::SHORT != 0
    }
}

/// How a pattern travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Travel {
    /// As it is.
    Whole,
    /// With `\d` and `\w` spelled out.
    Spelled,
    /// Not at all.
    Told,
}

impl Patterns {
    /// How a pattern travels, given as JSON text with its quotes.
    pub(crate) const fn travel(&self, quoted: &str) -> Travel {
        let needs = Needs::of(quoted);
        if needs.0 & !(self.has() | Needs::SHORT) != 0 {
            Travel::Told
        } else if needs.short() && !self.short_classes {
            Travel::Spelled
        } else {
            Travel::Whole
        }
    }

    /// What the provider has, as bits.
    const fn has(&self) -> u16 {
        let Self {
            anchors,
            short_classes,
            boundaries,
            unicode_classes,
            lookaround,
            backreferences,
            rust_only,
            escaped_characters,
            wide_lists,
            lazy,
            listed_escapes,
            beside_others: _,
        } = *self;
        let all = [
            (matches!(anchors, Anchors::Search), Needs::SEARCH),
            (short_classes, Needs::SHORT),
            (boundaries, Needs::BOUNDARY),
            (unicode_classes, Needs::UNICODE),
            (lookaround, Needs::LOOK),
            (backreferences, Needs::BACK),
            (rust_only, Needs::RUST),
            (escaped_characters, Needs::ESCAPED),
            (wide_lists, Needs::WIDE),
            (lazy, Needs::LAZY),
            (listed_escapes, Needs::LISTED),
        ];
        let mut has = 0;
        let mut i = 0;
        while i < all.len() {
            if all[i].0 {
                has |= all[i].1;
            }
            i += 1;
        }
        has
    }
}

/// A scan of a pattern in JSON text, where `\` is `\\`.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    needs: u16,
    /// Groups that are open.
    depth: usize,
    /// Whether it is in a list of characters.
    listing: bool,
    /// The last item, if it is a character that a range may begin with.
    last: Option<u8>,
    /// The beginning of a range whose end is awaited.
    open: Option<u8>,
}

impl Scan<'_> {
    const fn need(&mut self, needs: u16) {
        self.needs |= needs;
    }

    /// The byte `ahead` of the next one; the closing quote past the end.
    const fn peek(&self, ahead: usize) -> u8 {
        if self.at + ahead < self.bytes.len() { self.bytes[self.at + ahead] } else { b'"' }
    }

    const fn run(&mut self) {
        let end = self.bytes.len() - 1;
        if self.peek(0) == b'^' {
            self.at += 1;
        } else {
            self.need(Needs::SEARCH);
        }
        let mut held = false;
        let mut repeats = false;
        while self.at < end {
            let byte = self.bytes[self.at];
            let begin = self.at;
            let repeated = repeats;
            repeats = false;
            held = false;
            match byte {
                b'\\' => self.escape(),
                _ if self.listing => self.listed(byte),
                b'[' => {
                    self.listing = true;
                    (self.last, self.open) = (None, None);
                    if self.peek(1) == b'^' {
                        self.need(Needs::ESCAPED);
                        self.at += 1;
                    }
                    // JavaScript reads an empty list.
                    if self.peek(1) == b']' {
                        self.need(Needs::RUST);
                        self.at += 1;
                    }
                }
                b'.' => self.need(Needs::ESCAPED),
                b'(' => self.group(),
                b')' => self.depth = self.depth.saturating_sub(1),
                b'|' if self.depth == 0 => self.need(Needs::SEARCH),
                b'$' if self.at + 1 == end => held = true,
                b'^' | b'$' => self.need(Needs::SEARCH),
                b'?' if repeated => self.need(Needs::LAZY),
                b'*' | b'+' | b'?' => repeats = true,
                b'{' => {
                    while self.at + 1 < end && self.bytes[self.at] != b'}' {
                        self.at += 1;
                    }
                    repeats = true;
                }
                // Alone, they are faults in JavaScript.
                b'}' | b']' => self.need(Needs::RUST),
                _ => {}
            }
            if self.at == begin || byte != b'\\' {
                self.at += 1;
            }
        }
        if !held {
            self.need(Needs::SEARCH);
        }
    }

    /// At `(`: what kind of group it is.
    const fn group(&mut self) {
        self.depth += 1;
        if self.peek(1) == b'?' {
            match (self.peek(2), self.peek(3)) {
                (b':', _) => {}
                (b'=' | b'!', _) | (b'<', b'=' | b'!') => self.need(Needs::LOOK),
                _ => self.need(Needs::RUST),
            }
            self.at += 2;
        }
    }

    /// At a character of a list.
    const fn listed(&mut self, byte: u8) {
        match byte {
            b']' => self.listing = false,
            // Lists in lists, and what is done with them.
            b'[' => self.need(Needs::RUST),
            b'&' | b'-' | b'~' if self.peek(1) == byte => self.need(Needs::RUST),
            b'-' if self.last.is_some() && self.peek(1) != b']' => {
                self.open = self.last;
                self.last = None;
            }
            0x80.. => {
                self.need(Needs::WIDE);
                // A range up to it passes over `\`.
                if self.open.is_some() {
                    self.need(Needs::ESCAPED);
                }
                (self.last, self.open) = (None, None);
            }
            _ => self.character(byte),
        }
    }

    /// A character that stands for itself.
    const fn character(&mut self, byte: u8) {
        if byte == b'"' || byte == b'\\' {
            self.need(Needs::ESCAPED);
        }
        if let Some(from) = self.open
            && ((from <= b'"' && b'"' <= byte) || (from <= b'\\' && b'\\' <= byte))
        {
            self.need(Needs::ESCAPED);
        }
        self.last = if self.listing && self.open.is_none() { Some(byte) } else { None };
        self.open = None;
    }

    /// At a `\` of the JSON text.
    const fn escape(&mut self) {
        if self.peek(1) != b'\\' {
            // A character that JSON escapes: a quote, or a control character.
            self.need(Needs::ESCAPED);
            self.at += if self.peek(1) == b'u' { 6 } else { 2 };
            (self.last, self.open) = (None, None);
            return;
        }
        let byte = self.peek(2);
        self.at += if byte == b'\\' { 4 } else { 3 };
        let listed = if self.listing { Needs::LISTED } else { 0 };
        match byte {
            b'd' | b'w' => self.need(Needs::SHORT),
            // These have quotes or control characters among them, so spelling them out would not do.
            b's' | b'S' | b'D' | b'W' => self.need(Needs::SHORT | Needs::ESCAPED | listed),
            b'b' | b'B' => self.need(Needs::BOUNDARY | listed),
            b'p' | b'P' => self.need(Needs::UNICODE | Needs::ESCAPED | listed),
            b'1'..=b'9' | b'k' => self.need(Needs::BACK | listed),
            b'n' | b't' | b'r' | b'f' | b'v' | b'\\' | b'0' | b'c' => self.need(Needs::ESCAPED | listed),
            b'x' | b'u' if self.peek(0) != b'{' => self.need(Needs::ESCAPED | listed),
            b'[' | b']' => return self.character(byte),
            b'-' if self.listing => return self.character(byte),
            b'/' => {
                self.need(Needs::LISTED);
                return self.character(byte);
            }
            b'^' | b'$' | b'.' | b'*' | b'+' | b'?' | b'(' | b')' | b'{' | b'}' | b'|' => {
                self.need(listed);
                return self.character(byte);
            }
            _ => self.need(Needs::RUST | Needs::ESCAPED | listed),
        }
        (self.last, self.open) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::{Needs, Travel};
    use crate::dialect::Dialect;

    fn needs(pattern: &str) -> u16 {
        Needs::of(&serde_json::to_string(pattern).expect("text")).0
    }

    #[test]
    fn a_plain_pattern_needs_nothing() {
        for pattern in
            ["^$", "^[0-9]{3}$", "^(a|b)c*$", "^a{0,5}$", r"^\.x\+$", "^[A-Za-z_-]+$", r"^[\]\[-]$", "^é$", "^(?:a)+$"]
        {
            assert_eq!(needs(pattern), 0, "{pattern}");
        }
    }

    #[test]
    fn each_need_is_found() {
        for (pattern, need) in [
            ("a$", Needs::SEARCH),
            ("^a", Needs::SEARCH),
            ("^a|b$", Needs::SEARCH),
            ("^(a$|b$)$", Needs::SEARCH),
            (r"^a\$", Needs::SEARCH),
            (r"^\d[\w.]$", Needs::SHORT),
            (r"^a\b$", Needs::BOUNDARY),
            (r"^\p{L}$", Needs::UNICODE | Needs::ESCAPED),
            (r"^(?=a)$", Needs::LOOK),
            (r"^(?<!a)$", Needs::LOOK),
            (r"^(a)\1$", Needs::BACK),
            (r"^(?i)a$", Needs::RUST),
            (r"^(?P<n>a)$", Needs::RUST),
            (r"^[[:alpha:]]$", Needs::RUST),
            (r"^[a-z&&b]$", Needs::RUST),
            (r"^a\-b$", Needs::RUST | Needs::ESCAPED),
            (r"^[\s\S]$", Needs::SHORT | Needs::ESCAPED | Needs::LISTED),
            ("^.$", Needs::ESCAPED),
            ("^[^a]$", Needs::ESCAPED),
            ("^\"$", Needs::ESCAPED),
            (r"^\\$", Needs::ESCAPED),
            ("^\n$", Needs::ESCAPED),
            ("^[ -~]$", Needs::ESCAPED),
            ("^[A-z]$", Needs::ESCAPED),
            (r"^[!-\]]$", Needs::ESCAPED),
            ("^[é]$", Needs::WIDE),
            ("^[a-é]$", Needs::WIDE),
            ("^[!-é]$", Needs::WIDE | Needs::ESCAPED),
            ("^a*?$", Needs::LAZY),
            ("^a{2}?$", Needs::LAZY),
            (r"^[\.]$", Needs::LISTED),
            (r"^\/$", Needs::LISTED),
        ] {
            let found = needs(pattern);
            assert!(found == need || pattern.contains('é'), "{pattern}: {found:b}, not {need:b}");
            assert_eq!(found & need, need, "{pattern}: {found:b}");
        }
    }

    #[test]
    fn a_pattern_travels_as_the_provider_reads_it() {
        let travel =
            |pattern: &str, dialect: &Dialect| dialect.patterns.travel(&serde_json::to_string(pattern).expect("text"));
        assert_eq!(travel(r"\d", &Dialect::OPENAI), Travel::Whole);
        assert_eq!(travel(r"\d", &Dialect::LLAMA_CPP), Travel::Told);
        assert_eq!(travel(r"^\d$", &Dialect::LLAMA_CPP), Travel::Spelled);
        assert_eq!(travel(r"^\d$", &Dialect::XGRAMMAR), Travel::Whole);
        assert_eq!(travel(r"^(?i)a$", &Dialect::CLAUDE_CLI), Travel::Told);
        assert_eq!(travel(r"^(?i)a$", &Dialect::GUIDANCE), Travel::Whole);
    }
}
