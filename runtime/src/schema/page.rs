//! Where a document goes, and a document that leaves its rules open.
//!
//! The text of a document is the same for most dialects but for the rules of its values, which some enforce and others are
//! told. So a walk may leave a [`Hole`] where a rule belongs; what it writes is a [`Template`], which each dialect copies
//! piece by piece, with its own words in the holes. It costs a small part of a walk.

use super::family::{self, Family};
use super::lower::{Description, Lowered};
use super::node::Kind;
use super::rules::Rules;
use super::write::{Draft, Writer};
use crate::dialect::Dialect;

/// Where a walk writes a document.
pub(crate) struct Page<'a> {
    pub(crate) out: Writer<'a>,
    rules: Ruling<'a>,
}

/// What becomes of rules.
enum Ruling<'a> {
    /// They are written for a dialect.
    For(&'a Dialect),
    /// They are left open.
    Open(&'a mut [Hole], &'a mut Holes),
}

/// A place in a text where rules belong.
#[derive(Clone, Copy)]
struct Hole {
    at: usize,
    rules: Rules,
    kind: Kind,
    /// Whether the text before it is a description without its closing quote.
    described: bool,
}

impl Hole {
    const NONE: Self = Self { at: 0, rules: Rules::new(), kind: Kind::Null, described: false };
}

/// How many holes there are, and what is to be written into them.
#[derive(Clone, Copy)]
struct Holes {
    len: usize,
    groups: u16,
}

impl<'a> Page<'a> {
    /// A page with the rules as a dialect takes them.
    pub(crate) const fn of(dialect: &'a Dialect, out: Writer<'a>) -> Self {
        Self { out, rules: Ruling::For(dialect) }
    }

    /// Puts the rules of a value: the end of its description, and keywords.
    pub(crate) const fn rules(&mut self, rules: &Rules, kind: Kind, described: bool) {
        match &mut self.rules {
            Ruling::For(dialect) => put(rules, kind, described, dialect, &mut self.out),
            Ruling::Open(list, holes) => {
                if holes.len < list.len() {
                    list[holes.len] = Hole { at: self.out.len(), rules: *rules, kind, described };
                }
                holes.len += 1;
                holes.groups |= family::groups(rules, kind);
            }
        }
    }
}

const fn put(rules: &Rules, kind: Kind, described: bool, dialect: &Dialect, out: &mut Writer<'_>) {
    let lowered = Lowered::of(rules, kind, dialect);
    let mut text = Description::resume(described, out);
    lowered.put_sentences(&mut text);
    text.close();
    lowered.put_keywords(out);
}

/// A template in the making, of at most so many bytes and holes.
pub(crate) struct Sketch<const BYTES: usize, const HOLES: usize> {
    text: Draft<BYTES>,
    list: [Hole; HOLES],
    holes: Holes,
}

impl<const BYTES: usize, const HOLES: usize> Sketch<BYTES, HOLES> {
    /// Nothing yet.
    #[allow(clippy::large_stack_arrays)] // in const evaluation they stand on no thread's stack
    pub(crate) const fn new() -> Self {
        Self { text: Draft::new(), list: [Hole::NONE; HOLES], holes: Holes { len: 0, groups: 0 } }
    }

    /// The page to write on.
    pub(crate) const fn page(&mut self) -> Page<'_> {
        Page { out: self.text.writer(), rules: Ruling::Open(&mut self.list, &mut self.holes) }
    }

    /// Nothing will come: it would not fit.
    pub(crate) const fn close(&mut self) {
        self.holes.len = usize::MAX;
    }

    /// The template, if it fits.
    pub(crate) const fn template(&self) -> Option<Template<'_>> {
        match self.text.text() {
            Some(text) if self.holes.len <= HOLES => {
                Some(Template { text, list: self.list.split_at(self.holes.len).0, groups: self.holes.groups })
            }
            _ => None,
        }
    }
}

/// A document that leaves its rules open.
#[derive(Clone, Copy)]
pub(crate) struct Template<'a> {
    text: &'a str,
    list: &'a [Hole],
    groups: u16,
}

impl Template<'_> {
    /// Which dialects a dialect fills it like.
    pub(crate) const fn family(&self, dialect: &Dialect) -> Family {
        Family::of(dialect, self.groups)
    }

    /// Puts the document with the rules as a dialect takes them.
    pub(crate) const fn fill(&self, dialect: &Dialect, mut out: Writer<'_>) {
        let mut done = 0;
        let mut i = 0;
        while i < self.list.len() {
            let hole = &self.list[i];
            out.put_inner(self.text, done, self.text.len() - hole.at);
            put(&hole.rules, hole.kind, hole.described, dialect, &mut out);
            done = hole.at;
            i += 1;
        }
        out.put_inner(self.text, done, 0);
    }
}
