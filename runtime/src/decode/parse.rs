//! A JSON parser that reads on where a fault has one reading only.
//!
//! It is a recursive descent over the text with a fixed bound on depth. Whatever it reads other
//! than JSON has it, it records as a [`Repair`]; where two readings are possible it notes that,
//! and the value is not used. It knows nothing of schemas: a bare word stays a
//! [`Tree::Word`] until the coercer finds out what it can be.
//!
//! Three outcomes are told apart, because the scanner goes on differently after each: a
//! complete value; text that ends inside the value; and text that is no value. In the last case,
//! whether the parser was **committed** says if this was JSON with a fault (then nothing inside
//! of it is an answer) or only a bracket in prose (then the search goes on right behind it).

mod container;
mod space;
mod string;
mod token;

use std::borrow::Cow;

use super::repair::{Record, RepairKind};
use super::trail::Trail;
use super::tree::{Tree, cut};
use crate::check::Violation;

/// How deep values may nest. What `serde_json` takes, less some room for wrappers that are added.
const MAX_DEPTH: usize = 120;

/// A value with its record.
#[derive(Debug, Clone)]
pub(super) struct Parsed<'t> {
    pub(super) tree: Tree<'t>,
    pub(super) repairs: Record,
    /// Where more than one reading is possible.
    pub(super) doubts: Vec<Violation>,
    /// How many values there are in it, about.
    pub(super) size: usize,
}

/// How an attempt at a value ended.
#[derive(Debug)]
pub(super) enum Outcome<'t> {
    /// A value, and where it ends.
    Complete(Parsed<'t>, usize),
    /// The text ended inside the value.
    Cut {
        /// The object, if its closing brace was all that was missing.
        unclosed: Option<Parsed<'t>>,
        committed: bool,
        /// Where the innermost open bracket stands.
        innermost: usize,
    },
    /// There was no value.
    Broken(Fault<'t>),
}

impl Outcome<'_> {
    /// How far the text was read, which ends at `limit` for the parser.
    pub(super) fn reach(&self, limit: usize) -> usize {
        match self {
            Self::Complete(_, end) => *end,
            Self::Broken(fault) => fault.reach,
            Self::Cut { .. } => limit,
        }
    }
}

/// Where and why there was no value.
#[derive(Debug)]
pub(super) struct Fault<'t> {
    pub(super) at: usize,
    /// Whether this was JSON up to there; else only a bracket in prose.
    pub(super) committed: bool,
    /// How far the text was read to find that out.
    pub(super) reach: usize,
    /// Where the innermost open bracket stands.
    pub(super) innermost: usize,
    /// The keys of the outermost object up to there.
    pub(super) keys: Vec<Cow<'t, str>>,
    path: Trail<'t>,
    expected: &'static str,
    /// The text from there on.
    rest: &'t str,
}

impl Fault<'_> {
    /// The fault in words for the model.
    pub(super) fn violation(&self) -> Violation {
        let ahead: String = self.rest.chars().take(48).collect();
        let found = match ahead.split_whitespace().next() {
            Some(word) => format!("`{}`", cut(word)),
            None => "the end".to_owned(),
        };
        self.path.violation(self.expected, found)
    }
}

/// Why parsing stopped.
pub(super) enum Stop {
    End,
    Fault { at: usize, expected: &'static str },
}

type Step<T> = Result<T, Stop>;

/// Where a string stands: what may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Member,
    Element,
    Whole,
}

pub(super) struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The place of the value that is read.
    path: Trail<'t>,
    repairs: Record,
    doubts: Vec<Violation>,
    /// How many brackets are open.
    depth: usize,
    /// Where the innermost of them stood when the parser stopped.
    innermost: Option<usize>,
    committed: bool,
    unclosed: Option<Tree<'t>>,
    /// The keys of the outermost object, if the parser stopped inside of it.
    keys: Vec<Cow<'t, str>>,
    /// Whether a string may go on past a quote that does not look like its end.
    pub(super) looks_ahead: bool,
    /// Whether a quote was read otherwise than JSON reads it, in what was JSON up to there.
    swerved: bool,
    /// How far the text was searched in vain.
    reach: usize,
    /// How many values were begun.
    size: usize,
    /// How many members the last object had: the next is likely to have as many.
    members: usize,
    /// How many strings had an odd number of bare quotes inside.
    odd_strings: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            path: Trail::default(),
            repairs: Record::default(),
            doubts: Vec::new(),
            depth: 0,
            innermost: None,
            committed: false,
            unclosed: None,
            keys: Vec::new(),
            looks_ahead: true,
            swerved: false,
            reach: 0,
            size: 0,
            members: 0,
            odd_strings: 0,
        }
    }

    /// A parser for text that ends at `limit`.
    pub(super) fn bounded(text: &'t str, at: usize, limit: usize) -> Self {
        Self::new(text[..limit].trim_end(), at)
    }

    /// A parser for text that is JSON: every quote ends its string.
    pub(super) fn strict(text: &'t str, at: usize) -> Self {
        Self { looks_ahead: false, ..Self::new(text, at) }
    }

    /// Reads the value at the start. Answers also whether JSON may have another reading of it, or one at all.
    pub(super) fn run(mut self) -> (Outcome<'t>, bool) {
        let result = self.value(Place::Member);
        let swerved = self.swerved;
        (self.finish(result), swerved)
    }

    /// Reads a text that is one value and nothing else.
    pub(super) fn whole(mut self) -> Outcome<'t> {
        let result = self.space().and_then(|()| self.value(Place::Whole)).and_then(|tree| {
            self.space()?;
            if self.at < self.bytes.len() { Err(self.fault("nothing after the value")) } else { Ok(tree) }
        });
        self.finish(result)
    }

    fn finish(mut self, result: Step<Tree<'t>>) -> Outcome<'t> {
        let innermost = self.innermost.unwrap_or(self.at);
        match result {
            Ok(tree) => {
                let (parsed, end) = self.parsed(tree);
                Outcome::Complete(parsed, end)
            }
            Err(Stop::End) => {
                let committed = self.committed;
                let unclosed = self.unclosed.take().map(|tree| self.parsed(tree).0);
                Outcome::Cut { unclosed, committed, innermost }
            }
            Err(Stop::Fault { at, expected }) => Outcome::Broken(Fault {
                at,
                committed: self.committed,
                reach: self.reach.max(at),
                innermost,
                keys: self.keys,
                path: self.path,
                expected,
                rest: self.text.get(at..).unwrap_or_default(),
            }),
        }
    }

    fn parsed(mut self, tree: Tree<'t>) -> (Parsed<'t>, usize) {
        if self.odd_strings > 1 {
            self.doubts.push(Violation::says(
                "",
                "quotes inside of strings lack their backslash, so where a string ends is unclear",
            ));
        }
        (Parsed { tree, repairs: self.repairs, doubts: self.doubts, size: self.size }, self.at)
    }

    #[inline]
    fn value(&mut self, place: Place) -> Step<Tree<'t>> {
        self.size += 1;
        match self.bytes.get(self.at) {
            None => Err(Stop::End),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(_) => match self.quote() {
                Some(quote) => self.string(&quote, place).map(Tree::Text),
                None if self.mark('｛') => self.nested(Self::object),
                None if self.mark('［') => self.nested(Self::list),
                None => self.token(place),
            },
        }
    }

    #[inline]
    fn nested(&mut self, read: fn(&mut Self) -> Step<Tree<'t>>) -> Step<Tree<'t>> {
        if self.depth == MAX_DEPTH {
            self.committed = true;
            return Err(self.fault("less nesting"));
        }
        let start = self.at;
        self.depth += 1;
        self.at += self.width();
        let value = read(self);
        if value.is_err() {
            self.innermost.get_or_insert(start);
        }
        self.depth -= 1;
        value
    }

    /// Takes a quote for something else than JSON does.
    fn swerve(&mut self) {
        self.swerved |= self.repairs.first().is_none();
    }

    fn repair(&mut self, kind: RepairKind, from: &str, to: &str) {
        self.repairs.add(&self.path, kind, from, to);
    }

    fn doubt(&mut self, words: &str) {
        if self.doubts.len() < 32 {
            self.doubts.push(self.path.violation("", words));
        }
    }

    #[inline]
    fn fault(&self, expected: &'static str) -> Stop {
        Stop::Fault { at: self.at, expected }
    }

    /// Whether the text goes on with this character.
    #[inline]
    fn mark(&self, mark: char) -> bool {
        self.bytes[self.at] >= 0x80 && self.text[self.at..].starts_with(mark)
    }

    /// The width of the character here.
    #[inline]
    fn width(&self) -> usize {
        match self.bytes.get(self.at) {
            None => 0,
            Some(0..0x80) => 1,
            Some(_) => self.text[self.at..].chars().next().map_or(0, char::len_utf8),
        }
    }
}
