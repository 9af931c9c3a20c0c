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
    Broken(Fault),
}

/// Where and why there was no value.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    /// In words for the model; none if this was only a bracket in prose.
    pub(super) violation: Option<Violation>,
    /// How far the text was read to find that out.
    pub(super) reach: usize,
    /// Where the innermost open bracket stands.
    pub(super) innermost: usize,
    /// The keys of the outermost object up to there.
    pub(super) keys: Vec<String>,
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
    path: Trail,
    repairs: Record,
    doubts: Vec<Violation>,
    /// The brackets that are open.
    open: Vec<usize>,
    committed: bool,
    unclosed: Option<Tree<'t>>,
    keys: Vec<Cow<'t, str>>,
    /// Whether a string may go on past a quote that does not look like its end.
    pub(super) looks_ahead: bool,
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
            open: Vec::new(),
            committed: false,
            unclosed: None,
            keys: Vec::new(),
            looks_ahead: true,
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

    /// Reads the value at the start.
    pub(super) fn run(mut self) -> Outcome<'t> {
        let result = self.value(Place::Member);
        self.finish(result)
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
        let innermost = self.open.last().copied().unwrap_or(self.at);
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
            Err(Stop::Fault { at, expected }) => {
                let reach = self.reach.max(at);
                if !self.committed {
                    return Outcome::Broken(Fault { at, violation: None, reach, innermost, keys: Vec::new() });
                }
                let ahead: String = self.text.get(at..).unwrap_or_default().chars().take(48).collect();
                let found = match ahead.split_whitespace().next() {
                    Some(word) => format!("`{}`", cut(word)),
                    None => "the end".to_owned(),
                };
                let violation = Violation::new(&self.path, expected, found);
                self.broken(at, violation, innermost)
            }
        }
    }

    fn broken(self, at: usize, violation: Violation, innermost: usize) -> Outcome<'t> {
        let reach = self.reach.max(at);
        let keys = self.keys.into_iter().map(Cow::into_owned).collect();
        Outcome::Broken(Fault { at, violation: Some(violation), reach, innermost, keys })
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

    fn nested(&mut self, read: fn(&mut Self) -> Step<Tree<'t>>) -> Step<Tree<'t>> {
        if self.open.len() == MAX_DEPTH {
            self.committed = true;
            return Err(self.fault("less nesting"));
        }
        self.open.push(self.at);
        self.at += self.width();
        let value = read(self)?;
        self.open.pop();
        Ok(value)
    }

    fn object(&mut self) -> Step<Tree<'t>> {
        let mut entries = Vec::with_capacity(self.members);
        let mut comma = None;
        loop {
            self.space()?;
            if self.closes_with('}', '｝')? {
                self.extra_comma(comma);
                self.members = entries.len().min(64);
                return Ok(Tree::Object(entries));
            }
            if self.bytes.get(self.at) == Some(&b',') {
                self.extra_comma(Some(self.at));
                self.at += 1;
                continue;
            }
            let quoted = self.quote().is_some();
            let key = self.key()?;
            self.space()?;
            self.colon()?;
            self.committed |= quoted;
            if self.open.len() == 1 && self.keys.len() < 64 {
                self.keys.push(key.clone());
            }
            self.space()?;
            self.path.enter_key(&key);
            let value = self.value(Place::Member)?;
            self.committed |= !matches!(value, Tree::Word(_));
            self.path.leave();
            entries.push((key, value));
            comma = self.between('}', &mut entries, |entries| Tree::Object(std::mem::take(entries)))?;
        }
    }

    fn list(&mut self) -> Step<Tree<'t>> {
        let mut items = Vec::new();
        let mut comma = None;
        loop {
            self.space()?;
            if self.closes_with(']', '］')? {
                self.extra_comma(comma);
                return Ok(Tree::List(items));
            }
            self.path.enter_index(items.len());
            let value = self.value(Place::Element)?;
            self.path.leave();
            // `[1]`, `[32m` and `[see …]` are common in prose; a string or a second number is not.
            self.committed |= !matches!(value, Tree::Word(_)) && (items.len() > 1 || !matches!(value, Tree::Number(_)));
            items.push(value);
            comma = self.between(']', &mut items, |_| Tree::Null)?;
        }
    }

    /// Reads what stands between two members: a comma, or what means one. Answers where.
    fn between<E>(&mut self, close: char, so_far: &mut E, whole: fn(&mut E) -> Tree<'t>) -> Step<Option<usize>> {
        let line = self.at;
        self.space()?;
        let at = self.at;
        match self.bytes.get(at) {
            None => {
                if close == '}' && self.open.len() == 1 {
                    self.unclosed = Some(whole(so_far));
                }
                Err(Stop::End)
            }
            Some(b',') => {
                self.at += 1;
                Ok(Some(at))
            }
            Some(b'}' | b']') => Ok(None),
            Some(b';') => Ok(Some(self.separator(","))),
            Some(_) if self.mark('，') || self.mark('、') => Ok(Some(self.separator(","))),
            Some(_) if self.mark('｝') || self.mark('］') => Ok(None),
            Some(_) => {
                let new_line = self.text[line..at].contains('\n');
                let next_begins = if close == '}' {
                    self.key_at(at)
                } else {
                    // Side by side, two strings or numbers may be one that was split; a bracket may not.
                    matches!(self.bytes[at], b'{' | b'[') || new_line && self.value_at(at)
                };
                if !next_begins {
                    return Err(self.fault(if close == '}' { "`,` or `}`" } else { "`,` or `]`" }));
                }
                self.repair(RepairKind::MissingComma, "", ",");
                Ok(None)
            }
        }
    }

    /// Whether the container ends here; goes past its closing bracket.
    fn closes_with(&mut self, close: char, wide: char) -> Step<bool> {
        match self.bytes.get(self.at) {
            None => Err(Stop::End),
            Some(byte) if char::from(*byte) == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) if self.mark(wide) => {
                self.separator(close.encode_utf8(&mut [0; 4]));
                Ok(true)
            }
            Some(_) => Ok(false),
        }
    }

    fn extra_comma(&mut self, comma: Option<usize>) {
        if comma.is_some() {
            self.repair(RepairKind::ExtraComma, ",", "");
        }
    }

    fn key(&mut self) -> Step<Cow<'t, str>> {
        if let Some(quote) = self.quote() {
            return self.string(&quote, Place::Key);
        }
        let end = self.bare_key_end(self.at);
        if end == self.at {
            return Err(self.fault("a key in quotes"));
        }
        // Nothing is recorded before the colon: `{name}` in prose is common.
        if !self.key_at(self.at) {
            self.at = end;
            return if self.odd_space_end(end) == self.text.len() { Err(Stop::End) } else { Err(self.fault("`:`")) };
        }
        let key = &self.text[self.at..end];
        self.at = end;
        self.repairs.add_with(&self.path, RepairKind::BareKey, || (key.to_owned(), format!("\"{key}\"")));
        Ok(Cow::Borrowed(key))
    }

    fn colon(&mut self) -> Step<()> {
        match self.bytes.get(self.at) {
            None => Err(Stop::End),
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            Some(b'=') => {
                let arrow = self.bytes.get(self.at + 1) == Some(&b'>');
                self.repair(RepairKind::Separator, if arrow { "=>" } else { "=" }, ":");
                self.at += 1 + usize::from(arrow);
                Ok(())
            }
            Some(_) if self.mark('：') => {
                self.separator(":");
                Ok(())
            }
            Some(_) => Err(self.fault("`:`")),
        }
    }

    /// Reads an unusual separator as `to`; answers where it stood.
    fn separator(&mut self, to: &str) -> usize {
        let (at, end) = (self.at, self.at + self.width());
        let from = &self.text[at..end];
        self.repair(RepairKind::Separator, from, to);
        self.at = end;
        at
    }

    /// Goes past whitespace and comments.
    fn space(&mut self) -> Step<()> {
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

    fn repair(&mut self, kind: RepairKind, from: &str, to: &str) {
        self.repairs.add(&self.path, kind, from, to);
    }

    fn doubt(&mut self, words: &str) {
        if self.doubts.len() < 32 {
            self.doubts.push(Violation::says(&self.path, words));
        }
    }

    fn fault(&self, expected: &'static str) -> Stop {
        Stop::Fault { at: self.at, expected }
    }

    /// Whether the text goes on with this character.
    fn mark(&self, mark: char) -> bool {
        self.bytes[self.at] >= 0x80 && self.text[self.at..].starts_with(mark)
    }

    /// The width of the character here.
    fn width(&self) -> usize {
        self.text[self.at..].chars().next().map_or(0, char::len_utf8)
    }
}
