//! Text that matches a regular expression.
//!
//! An expression is read into a tree, and the tree is walked at random. The syntax is that of the
//! engine that checks values (regex-lite). What the tree leaves out (word boundaries, flags) is
//! made good by asking that engine: text that it does not match is drawn again.

use super::random::Random;

/// Part of an expression.
#[derive(Debug, Clone)]
enum Part {
    /// One of these characters, as ranges; never empty.
    Class(Vec<(char, char)>),
    Sequence(Vec<Self>),
    Either(Vec<Self>),
    /// So many times; without an upper end, any number.
    Repeat(Box<Self>, u32, Option<u32>),
}

/// A regular expression to make text from.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Part);

impl Pattern {
    /// Reads an expression; `None` if it is not one that this reader knows.
    pub(crate) fn parse(source: &str) -> Option<Self> {
        let mut reader = Reader { rest: source.chars().collect(), next: 0 };
        let part = reader.either()?;
        (reader.next == reader.rest.len()).then_some(Self(part))
    }

    /// Text that matches, but for what the tree leaves out. `reach` bounds how far open
    /// repetitions go.
    pub(crate) fn text(&self, reach: u32, random: &mut Random) -> String {
        let mut text = String::new();
        put(&self.0, reach, random, &mut text);
        text
    }
}

/// Text longer than this takes the shortest way to its end.
const LONG: usize = 4096;

fn put(part: &Part, reach: u32, random: &mut Random, text: &mut String) {
    match part {
        Part::Class(ranges) => text.push(character(ranges, random)),
        Part::Sequence(parts) => parts.iter().for_each(|part| put(part, reach, random, text)),
        Part::Either(parts) => put(random.pick(parts), reach, random, text),
        Part::Repeat(part, least, most) => {
            let room = most.map_or(reach, |most| (most - least).min(reach.max(8)));
            let mut more = random.between(0, room.into());
            if most.is_some() && random.once_in(6) {
                more = room.into();
            }
            for count in 0..i128::from(*least) + more {
                if count >= i128::from(*least) && text.len() > LONG {
                    break;
                }
                put(part, reach, random, text);
            }
        }
    }
}

/// A character of a class: mostly one that people type.
fn character(ranges: &[(char, char)], random: &mut Random) -> char {
    if !random.once_in(6) {
        let typed = cut(ranges, ' ', '~');
        if !typed.is_empty() {
            return within(*random.pick(&typed), random);
        }
    }
    within(*random.pick(ranges), random)
}

fn within((low, high): (char, char), random: &mut Random) -> char {
    let code = random.between(u32::from(low).into(), u32::from(high).into());
    // Between the two there may be surrogates, which are no characters.
    u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(low)
}

/// What of a class lies between two characters.
fn cut(ranges: &[(char, char)], from: char, to: char) -> Vec<(char, char)> {
    ranges.iter().filter(|(low, high)| *low <= to && *high >= from).map(|(l, h)| (*l.max(&from), *h.min(&to))).collect()
}

/// The characters that are not in a class.
fn negate(mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    ranges.sort_unstable();
    let mut rest = Vec::new();
    let mut next = Some('\0');
    for (low, high) in ranges {
        if let Some(start) = next.filter(|start| *start < low) {
            rest.push((start, before(low)));
        }
        next = next.filter(|start| *start > high).or_else(|| after(high));
    }
    rest.extend(next.map(|start| (start, char::MAX)));
    rest
}

fn before(c: char) -> char {
    (0..u32::from(c)).rev().find_map(char::from_u32).unwrap_or('\0')
}

fn after(c: char) -> Option<char> {
    (u32::from(c) + 1..=u32::from(char::MAX)).find_map(char::from_u32)
}

const DIGIT: &[(char, char)] = &[('0', '9')];
const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const SPACE: &[(char, char)] = &[('\t', '\r'), (' ', ' ')];

struct Reader {
    rest: Vec<char>,
    next: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.next).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.next += 1;
        Some(c)
    }

    fn skip(&mut self, text: &str) -> bool {
        let there = text.chars().enumerate().all(|(i, c)| self.rest.get(self.next + i) == Some(&c));
        self.next += if there { text.chars().count() } else { 0 };
        there
    }

    fn either(&mut self) -> Option<Part> {
        let mut parts = vec![self.sequence()?];
        while self.skip("|") {
            parts.push(self.sequence()?);
        }
        Some(if parts.len() == 1 { parts.remove(0) } else { Part::Either(parts) })
    }

    fn sequence(&mut self) -> Option<Part> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            let part = self.part()?;
            parts.push(self.repeated(part)?);
        }
        Some(Part::Sequence(parts))
    }

    fn part(&mut self) -> Option<Part> {
        let nothing = Part::Sequence(Vec::new());
        Some(match self.take()? {
            '^' | '$' => nothing,
            '.' => Part::Class(negate(vec![('\n', '\n')])),
            '[' => Part::Class(self.class()?),
            '(' => {
                if self.skip("?P<") || self.skip("?<") {
                    while self.take()? != '>' {}
                } else if self.skip("?") {
                    // Flags, alone or before a group.
                    loop {
                        match self.take()? {
                            ':' => break,
                            ')' => return Some(nothing),
                            'i' | 'm' | 's' | 'u' | 'U' | '-' => {}
                            _ => return None,
                        }
                    }
                }
                let inner = self.either()?;
                self.skip(")").then_some(inner)?
            }
            '\\' if self.skip("b") || self.skip("B") || self.skip("A") || self.skip("z") => nothing,
            '\\' => Part::Class(self.escape()?),
            c => Part::Class(vec![(c, c)]),
        })
    }

    fn repeated(&mut self, mut part: Part) -> Option<Part> {
        loop {
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => {
                    self.next += 1;
                    let inner: String = std::iter::from_fn(|| self.take().filter(|c| *c != '}')).collect();
                    let (least, most) = match inner.split_once(',') {
                        None => (inner.trim().parse().ok()?, inner.trim().parse().ok()),
                        Some((least, "")) => (least.trim().parse().ok()?, None),
                        Some((least, most)) => (least.trim().parse().unwrap_or(0), Some(most.trim().parse().ok()?)),
                    };
                    self.next -= 1;
                    (least, most)
                }
                _ => return Some(part),
            };
            self.next += 1;
            // Lazy repetitions match the same texts.
            self.skip("?");
            part = Part::Repeat(Box::new(part), least, most);
        }
    }

    /// A class in brackets, from behind the opening one.
    fn class(&mut self) -> Option<Vec<(char, char)>> {
        let negated = self.skip("^");
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let c = self.take()?;
            let low = match c {
                ']' if !first => break,
                '[' if self.skip(":") => {
                    ranges.extend(self.named()?);
                    first = false;
                    continue;
                }
                '[' => {
                    ranges.extend(self.class()?);
                    first = false;
                    continue;
                }
                '\\' => self.escape()?,
                c => vec![(c, c)],
            };
            first = false;
            match low[..] {
                [(low, end)]
                    if low == end && self.peek() == Some('-') && self.rest.get(self.next + 1) != Some(&']') =>
                {
                    self.next += 1;
                    let high = match self.take()? {
                        '\\' => self.escape()?.first()?.0,
                        c => c,
                    };
                    ranges.push((low, high));
                }
                _ => ranges.extend(low),
            }
        }
        let ranges = if negated { negate(ranges) } else { ranges };
        (!ranges.is_empty()).then_some(ranges)
    }

    /// A class such as `alpha`, from behind `[:`.
    fn named(&mut self) -> Option<Vec<(char, char)>> {
        let negated = self.skip("^");
        let name: String = std::iter::from_fn(|| self.take().filter(|c| *c != ':')).collect();
        let ranges: &[(char, char)] = match name.as_str() {
            "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
            "alpha" => &[('A', 'Z'), ('a', 'z')],
            "digit" => DIGIT,
            "lower" => &[('a', 'z')],
            "upper" => &[('A', 'Z')],
            "space" => SPACE,
            "word" => WORD,
            "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
            "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
            _ => return None,
        };
        self.skip("]").then(|| if negated { negate(ranges.to_vec()) } else { ranges.to_vec() })
    }

    /// What is behind a backslash.
    fn escape(&mut self) -> Option<Vec<(char, char)>> {
        let c = self.take()?;
        let one = match c {
            'd' => return Some(DIGIT.to_vec()),
            'D' => return Some(negate(DIGIT.to_vec())),
            'w' => return Some(WORD.to_vec()),
            'W' => return Some(negate(WORD.to_vec())),
            's' => return Some(SPACE.to_vec()),
            'S' => return Some(negate(SPACE.to_vec())),
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'x' => self.code(2)?,
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            c if !c.is_ascii_alphanumeric() => c,
            _ => return None,
        };
        Some(vec![(one, one)])
    }

    /// A character by its number, in braces or of so many digits.
    fn code(&mut self, digits: usize) -> Option<char> {
        let text: String = if self.skip("{") {
            std::iter::from_fn(|| self.take().filter(|c| *c != '}')).collect()
        } else {
            (0..digits).map_while(|_| self.take()).collect()
        };
        char::from_u32(u32::from_str_radix(&text, 16).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use regex_lite::Regex;

    use super::{Pattern, negate};
    use crate::testing::random::Random;

    #[test]
    fn text_matches_its_pattern_from_end_to_end() {
        for source in [
            r"\d+(\.\d+)*",
            "[A-Z]{2,4}-[0-9]{3}",
            "(?:red|green|blue)?",
            r"[^\s@]+@[\w.-]+\.[a-z]{2,}",
            "(?P<year>[0-9]{4})-(?<month>0[1-9]|1[0-2])",
            r"\S\D\W",
            r"a{0}b{3}c{2,}?",
            r"[]a-]x[a\-z]\x41\u{1F980}\u0042",
            r"[[:alpha:]_][[:^digit:]&&]",
            ".",
            r"\p",
            "",
        ] {
            let Ok(regex) = Regex::new(&format!("^(?:{source})$")) else {
                continue;
            };
            let pattern = Pattern::parse(source).unwrap_or_else(|| panic!("{source} is not read"));
            let mut random = Random::new(7);
            for _ in 0..200 {
                let text = pattern.text(4, &mut random);
                assert!(regex.is_match(&text), "{source} does not match {text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_expression_is_not_read() {
        for source in ["(", ")", "[", "[a", r"\", "a{x}", "(?x)a", r"\q"] {
            assert!(Pattern::parse(source).is_none(), "{source}");
        }
    }

    #[test]
    fn negated_classes_are_what_is_left() {
        assert_eq!(negate(vec![('b', 'y'), ('c', 'd')]), [('\0', 'a'), ('z', char::MAX)]);
        assert_eq!(negate(vec![('\0', 'z')]), [('{', char::MAX)]);
        assert_eq!(negate(vec![('\0', char::MAX)]), []);
    }
}
