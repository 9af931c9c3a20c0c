//! Text to the JSON values in it.
//!
//! One pass from left to right. Prose is skipped many bytes at a time; the marks it stops at are
//! brackets, fences and tags. At a bracket, `serde_json` tells whether complete JSON
//! stands there, and how long it is, without building anything; only where it does not, the
//! tolerant parser has a look. Then the search goes on
//!
//! - behind a complete value, so that nothing inside of it is taken for the answer;
//! - behind the whole of a broken value, if it was one beyond doubt;
//! - else right behind the bracket, which was prose.
//!
//! # Linear time
//!
//! Every byte that is read is either behind the new start, or read again only for a bracket that
//! failed within its first few tokens. What would break this (a comment, or a quote inside of a
//! string, looked for through the whole text from many starts) is counted as waste; when the
//! waste exceeds the text a few times, the parser stops looking ahead.

mod fence;
mod marks;
pub(super) mod reasoning;

use std::cell::{Cell, RefCell};
use std::ops::Range;

use serde::de::IgnoredAny;

use super::parse::{Fault, Outcome, Parsed, Parser};
use fence::Fence;
use marks::{Begins, begins, next_mark, numbers_end};

/// What a reply holds.
#[derive(Debug, Default)]
pub(super) struct Found<'t> {
    /// The values, whole and broken, in order; none inside another.
    pub(super) pieces: Vec<Piece<'t>>,
    /// The value that the text ends inside of.
    pub(super) cut: Option<Unfinished<'t>>,
    /// Whether reasoning was left out.
    pub(super) reasoning: bool,
    /// Whether the text ends inside of reasoning.
    pub(super) open_reasoning: bool,
}

/// A value that stands in the text.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    pub(super) span: Range<usize>,
    /// Whether it stands in a fence of another language than JSON.
    pub(super) foreign: bool,
    /// Whether no freedom will make another value of it.
    pub(super) done: Cell<bool>,
    pub(super) content: Content<'t>,
}

#[derive(Debug)]
pub(super) enum Content<'t> {
    /// It is JSON, and was not read yet.
    Json,
    /// The same, and it is a list of plain numbers.
    Numbers,
    /// It was read, and is JSON, perhaps after repair. The first close look takes the value; another reads it
    /// again, up to `limit`.
    Read { parsed: RefCell<Option<Box<Parsed<'t>>>>, limit: usize },
    /// It was JSON beyond doubt, and has no reading.
    Broken(Broken),
}

/// What was JSON beyond doubt, and has no reading. Its fault is found anew if it is asked for: there may be many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Broken {
    /// How many keys of the answer its outermost object has up to the fault.
    pub(super) score: usize,
    /// Where the text ended for the parser, and whether it looked ahead.
    pub(super) limit: usize,
    pub(super) looked_ahead: bool,
    /// Whether it ends before its end.
    pub(super) unfinished: bool,
    /// Whether the fault is a place to be filled in: `<name>`, `...`.
    pub(super) template: bool,
}

/// A value that the text ends inside of.
#[derive(Debug)]
pub(super) struct Unfinished<'t> {
    pub(super) start: usize,
    /// The value, if only its last brace was missing.
    pub(super) unclosed: Option<Parsed<'t>>,
    /// Whether it is beyond doubt that a value began.
    pub(super) certain: bool,
}

/// Of which values the trees are wanted, although they may be JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    Objects,
    All,
}

/// What is to be known of the answer, to look for it.
#[derive(Clone, Copy)]
pub(super) struct Wants<'w> {
    pub(super) reads: Reads,
    /// Whether a list of numbers may be the answer.
    pub(super) numbers: bool,
    /// Whether a key is one of the answer's.
    pub(super) knows: &'w dyn Fn(&str) -> bool,
}

/// Finds the values in a text.
pub(super) fn scan<'t>(text: &'t str, wants: Wants<'_>) -> Found<'t> {
    Scanner { text, wants, found: Found::default(), fence: None, waste: 0 }.run()
}

struct Scanner<'t, 'w> {
    text: &'t str,
    wants: Wants<'w>,
    found: Found<'t>,
    fence: Option<Fence>,
    /// Bytes that were read in vain.
    waste: usize,
}

impl<'t> Scanner<'t, '_> {
    fn run(mut self) -> Found<'t> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(mark) = next_mark(bytes, at) {
            if self.fence.as_ref().is_some_and(|fence| fence.end <= mark) {
                self.fence = None;
            }
            at = match bytes[mark] {
                b'`' | b'~' => self.fence(mark),
                b'<' => self.tag(mark),
                b'[' if mark > 0 && bytes[mark - 1] == 0x1b => mark + 1,
                b'[' if reasoning::opens_in_brackets(&self.text[mark..]) => self.tag(mark),
                b'{' | b'[' => self.value(mark),
                // The first bytes of `｛`, and of a few other characters.
                _ if self.text[mark..].starts_with('｛') => self.value(mark),
                _ => mark + 1,
            };
        }
        self.found
    }

    fn fence(&mut self, mark: usize) -> usize {
        if self.fence.is_some() {
            return fence::run_end(self.text, mark);
        }
        match Fence::open(self.text, mark) {
            Ok(fence) => {
                let body = fence.body;
                self.fence = Some(fence);
                body
            }
            Err(end) => end,
        }
    }

    /// Goes past reasoning that begins here, or drops what came before its end.
    fn tag(&mut self, mark: usize) -> usize {
        match reasoning::read(self.text, mark) {
            reasoning::Tag::None => mark + 1,
            reasoning::Tag::Span(end) => {
                self.found.reasoning = true;
                end
            }
            reasoning::Tag::Unclosed => {
                self.found.reasoning = true;
                self.found.open_reasoning = true;
                self.text.len()
            }
            // The opening tag was swallowed by a chat template: all up to here was reasoning.
            reasoning::Tag::Close(end) => {
                self.found.reasoning = true;
                self.found.pieces.clear();
                self.found.cut = None;
                end
            }
        }
    }

    /// Looks at the bracket at `start`; answers where to go on.
    fn value(&mut self, start: usize) -> usize {
        let begins = begins(self.text.as_bytes(), start);
        if begins == Begins::Prose {
            // Of many braces side by side only the last can begin something.
            let run = fence::run_end(self.text, start);
            return if self.text.as_bytes()[start] == b'{' { run.max(start + 2) - 1 } else { start + 1 };
        }
        if begins == Begins::Numbers
            && let Some(end) = numbers_end(self.text.as_bytes(), start)
        {
            self.numbers(start..end);
            return end;
        }
        // Without a use for the tree, first whether it is JSON: that costs little. With one, first the
        // tree, and whether it is JSON only if the parser took something for another thing than JSON does.
        let json = matches!(begins, Begins::Json | Begins::Numbers);
        let reads = match self.wants.reads {
            Reads::Nothing => false,
            Reads::Objects => self.text.as_bytes()[start] != b'[',
            Reads::All => true,
        };
        if json
            && !reads
            && let Some(end) = self.json_end(start)
        {
            return end;
        }
        let limit = self.fence.as_ref().map_or(self.text.len(), |fence| fence.close);
        let looked_ahead = self.may_waste();
        let (outcome, swerved) = self.attempt(start, limit);
        if json && reads && swerved {
            self.waste += outcome.reach(limit) - start;
            if let Some(end) = self.json_end(start) {
                return end;
            }
        }
        // A fence line may stand inside of a string. Only worth a look if nothing was found before it.
        if limit < self.text.len() && !matches!(outcome, Outcome::Complete(..)) && self.may_waste() {
            let (unbounded, _) = self.attempt(start, self.text.len());
            if matches!(unbounded, Outcome::Complete(..)) {
                return self.take(start, self.text.len(), unbounded, looked_ahead);
            }
            self.waste += unbounded.reach(self.text.len()) - start;
        }
        self.take(start, limit, outcome, looked_ahead)
    }

    /// Notes a list of numbers. Of those that are no answer one may be told of, the last in a row: in code there are many.
    fn numbers(&mut self, span: Range<usize>) {
        let foreign = self.foreign();
        match self.found.pieces.last_mut() {
            Some(last)
                if !self.wants.numbers && last.foreign == foreign && matches!(last.content, Content::Numbers) =>
            {
                last.span = span;
            }
            _ => self.push(span, Content::Numbers),
        }
    }

    /// Notes the value at `start` if it is JSON; answers where to go on.
    fn json_end(&mut self, start: usize) -> Option<usize> {
        let mut values = serde_json::Deserializer::from_str(&self.text[start..]).into_iter::<IgnoredAny>();
        let Some(Ok(_)) = values.next() else { return None };
        let end = start + values.byte_offset();
        self.push(start..end, Content::Json);
        Some(end)
    }

    /// An attempt at the value at `start`, and whether JSON may read there what the parser did not.
    fn attempt(&self, start: usize, limit: usize) -> (Outcome<'t>, bool) {
        let mut parser = Parser::bounded(self.text, start, limit);
        parser.looks_ahead = self.may_waste();
        parser.run()
    }

    fn may_waste(&self) -> bool {
        self.waste < 4 * self.text.len() + 4096
    }

    /// Notes how an attempt ended; answers where to go on.
    fn take(&mut self, start: usize, limit: usize, outcome: Outcome<'t>, looked_ahead: bool) -> usize {
        match outcome {
            Outcome::Complete(parsed, end) => {
                self.push(start..end, Content::Read { parsed: RefCell::new(Some(Box::new(parsed))), limit });
                end
            }
            Outcome::Cut { unclosed, committed, innermost } if limit == self.text.len() => {
                let certain = committed || marks::may_be_cut(&self.text[start..]);
                self.waste += limit - start;
                if certain && let Some(close) = self.reasoning_end(start, limit) {
                    return close;
                }
                self.found.cut = Some(Unfinished { start, unclosed, certain });
                if certain { limit } else { innermost + 1 }
            }
            Outcome::Cut { unclosed, committed, innermost } => {
                if !committed {
                    self.waste += limit - start;
                    return innermost + 1;
                }
                // Only its last brace is missing, and the fence says that nothing followed.
                if let Some(parsed) = unclosed
                    && !self.text[limit..].trim_end().contains(['{', '['])
                {
                    self.found.cut = Some(Unfinished { start, unclosed: Some(parsed), certain: true });
                    return limit;
                }
                let broken = Broken { score: 0, limit, looked_ahead, unfinished: true, template: false };
                self.push(start..limit, Content::Broken(broken));
                limit
            }
            Outcome::Broken(Fault { at, committed: true, keys, reach, .. }) => {
                self.waste += reach - start;
                let end = region_end(self.text, start, limit).unwrap_or(limit);
                if let Some(close) = self.reasoning_end(start, end) {
                    self.waste += end - start;
                    return close;
                }
                let template = marks::is_template(&self.text[at.min(limit)..limit]);
                let end = end.max(at.min(limit));
                let score = keys.iter().filter(|key| (self.wants.knows)(key)).count();
                let broken = Broken { score, limit, looked_ahead, unfinished: false, template };
                self.push(start..end, Content::Broken(broken));
                end.max(start + 1)
            }
            Outcome::Broken(fault) => {
                self.waste += fault.reach - start;
                fault.innermost + self.text[fault.innermost..].chars().next().map_or(1, char::len_utf8)
            }
        }
    }

    /// Where the end of reasoning stands in what was no value. Reasoning whose start is missing may hold anything.
    fn reasoning_end(&self, start: usize, end: usize) -> Option<usize> {
        // What was read in vain is read again from there.
        if self.may_waste() { reasoning::close_in(self.text, start..end) } else { None }
    }

    fn push(&mut self, span: Range<usize>, content: Content<'t>) {
        let foreign = self.foreign();
        self.found.pieces.push(Piece { span, foreign, done: Cell::new(false), content });
    }

    fn foreign(&self) -> bool {
        self.fence.as_ref().is_some_and(|fence| fence.foreign)
    }
}

/// The end of a broken value: where its brackets balance, strings left out.
///
/// A string ends with its line, so that one missing quote does not swallow the rest.
fn region_end(text: &str, start: usize, limit: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[..limit];
    let mut depth = 0_usize;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && !matches!(bytes[at], b'"' | b'\n') {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}
