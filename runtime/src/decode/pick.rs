//! Which of the values in a reply is the answer.
//!
//! Candidates are looked at from the last to the first, and the first look that succeeds wins. A
//! candidate of the schema's own shape goes before one whose root has to be unwrapped, and one in
//! a fence of another language after all others.
//!
//! An answer that was begun later and cannot be read is not passed over for an earlier one: the
//! model has withdrawn that. What came later and is something else altogether (a log line, a
//! footnote, a template) is.

mod known;
mod ways;

use std::ops::Range;

use super::coerce::{Freedom, coerce, suits};
use super::error::{DecodeError, DecodeErrorKind as Kind};
use super::parse::{Fault, Outcome, Parsed, Parser};
use super::plan::{Plan, Shape};
use super::repair::{Record, Repair, RepairKind};
use super::scan::{self, Broken, Content, Found, Piece, Reads, Wants};
use super::settled::settled;
use super::trail::Trail;
use super::tree::Tree;
use super::validate::{fits, has_shape, validate};
use super::{Finish, Leniency};
use crate::check::{Violation, Violations};

/// How a value is made: of JSON text by serde, and of a tree that has passed all checks.
pub(super) struct Make<'m, V> {
    pub(super) read: &'m dyn Fn(&str) -> Result<V, serde_json::Error>,
    pub(super) build: &'m dyn Fn(&Tree<'_>) -> Result<V, Violation>,
}

/// The answer.
pub(super) struct Answer<V> {
    pub(super) value: V,
    pub(super) repairs: Vec<Repair>,
    pub(super) span: Range<usize>,
}

/// A search through a reply.
pub(super) struct Search<'s, V> {
    pub(super) text: &'s str,
    pub(super) plan: &'s Plan<'s>,
    pub(super) leniency: Leniency,
    pub(super) finish: Finish,
    pub(super) make: &'s Make<'s, V>,
}

/// What a look at a candidate said.
enum Look<'t, V> {
    Fits(Answer<V>, Tree<'t>),
    /// It has the schema's shape and breaks a rule, or has several readings: no other is looked at.
    Ends(DecodeError),
    /// It is no answer; how many keys of an answer it has, and why it is none.
    Other(usize, Why<'t>),
}

/// Why a candidate is no answer: put into words for the one that comes nearest.
enum Why<'t> {
    /// It was not looked at closely.
    Stranger,
    /// It is a broken value.
    Broken,
    /// There is an error already.
    Known(DecodeError),
    /// As far as it could be read, it is not the schema's; whether another look may read it otherwise.
    Unfit(Tree<'t>, bool),
}

type Out<V> = Result<Answer<V>, DecodeError>;

impl<'s, V> Search<'s, V> {
    /// Finds the answer.
    pub(super) fn run(&self) -> Out<V> {
        if self.leniency == Leniency::Strict {
            return self.strict();
        }
        let found = scan::scan(self.text, self.wants(self.reads(), &|key| self.knows(key)));
        if let Some(cut) = &found.cut
            && (cut.certain || self.root_list().is_some())
        {
            return self.unfinished(&found);
        }
        if found.open_reasoning {
            return Err(DecodeError::detailed(Kind::CutShort, "it ends inside of its reasoning"));
        }
        match self.choose(&found) {
            Err(error) if self.leniency == Leniency::Repair => self.unescaped(error),
            result => result,
        }
    }

    /// The whole text is the value, or there is none.
    fn strict(&self) -> Out<V> {
        match Parser::strict(self.text, 0).whole() {
            Outcome::Complete(parsed, _) => {
                let freedom = Freedom { values: false, root: false };
                self.settled(self.look(parsed, 0..self.text.len(), freedom, true), Kind::Invalid)
            }
            Outcome::Cut { .. } => Err(DecodeError::new(Kind::CutShort)),
            Outcome::Broken(fault) => Err(malformed(&fault)),
        }
    }

    /// The text ends inside a value: only its last brace may be missing.
    fn unfinished(&self, found: &Found<'s>) -> Out<V> {
        let error = || DecodeError::new(Kind::CutShort);
        let cut = found.cut.as_ref().ok_or_else(error)?;
        let Some(parsed) =
            cut.unclosed.as_ref().filter(|_| self.finish == Finish::Stop && self.leniency == Leniency::Repair)
        else {
            return Err(error());
        };
        let span = cut.start..self.text.len();
        match self.look(parsed.clone(), span, Freedom { values: true, root: false }, false) {
            Look::Fits(mut answer, tree) if self.has_all_keys(&tree) => {
                answer.repairs.push(whole(RepairKind::LastBrace, "", "}"));
                answer.repairs.retain(|repair| repair.kind != RepairKind::MissingNull);
                Ok(answer)
            }
            _ => Err(error()),
        }
    }

    fn choose(&self, found: &Found<'s>) -> Out<V> {
        if found.pieces.is_empty() {
            if found.cut.is_some() {
                return Err(DecodeError::new(Kind::CutShort));
            }
            return self.bare(found.reasoning);
        }
        let values = self.leniency == Leniency::Repair;
        // The candidate that comes nearest to an answer is the one whose faults are told.
        let mut nearest: Option<(usize, usize, bool, Why<'_>)> = None;
        for root in [false, true] {
            let freedom = Freedom { values, root };
            for foreign in [false, true] {
                let pieces = found.pieces.iter().enumerate().rev().filter(|(_, piece)| piece.foreign == foreign);
                for (at, piece) in pieces {
                    if piece.done.get() {
                        continue;
                    }
                    match self.piece(piece, freedom, false) {
                        Look::Fits(answer, tree) => return self.only_reading(answer, &tree, at, found, freedom),
                        Look::Ends(error) if !foreign => return Err(error),
                        Look::Ends(_) => {}
                        Look::Other(score, why) => {
                            piece.done.set(matches!(why, Why::Unfit(_, false)));
                            let closer = |(best, .., before): &(usize, usize, bool, Why<'_>)| {
                                score > *best || score == *best && matches!(before, Why::Stranger)
                            };
                            if nearest.as_ref().is_none_or(closer) {
                                nearest = Some((score, at, root, why));
                            }
                        }
                    }
                }
            }
            if !root
                && values
                && let Some(result) = self.lines(found)
            {
                return result;
            }
        }
        let Some((score, at, root, mut why)) = nearest else { return Err(DecodeError::new(Kind::NoJson)) };
        let piece = &found.pieces[at];
        if matches!(why, Why::Stranger) {
            match self.piece(piece, Freedom { values, root }, true) {
                Look::Ends(error) => return Err(error),
                Look::Other(_, closer) => why = closer,
                Look::Fits(..) => {}
            }
        }
        if let (Why::Broken, Content::Broken(broken)) = (&why, &piece.content) {
            return Err(self.broken(piece.span.start, broken));
        }
        self.settled(Look::Other(score, why), Kind::NoJson)
    }

    /// Whether what serde reads is the answer. Not where it would take anything at all.
    fn trusts_serde(&self) -> bool {
        self.plan.trusts_serde && self.needs_keys()
    }

    /// Of which values the trees will be asked for.
    fn reads(&self) -> Reads {
        match &self.plan.node(self.inner_root()).shape {
            _ if self.trusts_serde() => Reads::Nothing,
            Shape::Object(_) => Reads::Objects,
            _ => Reads::All,
        }
    }

    /// What the scanner has to know of the answer.
    fn wants<'w>(&self, reads: Reads, knows: &'w dyn Fn(&str) -> bool) -> Wants<'w> {
        let numbers = match self.root_list() {
            Some(item) => self.may_be_number(item),
            None => self.plan.wrapped || !matches!(self.plan.node(&self.plan.root).shape, Shape::Object(_)),
        };
        Wants { reads, numbers, knows }
    }

    /// Looks at one candidate.
    fn piece<'p>(&self, piece: &'p Piece<'s>, freedom: Freedom, explain: bool) -> Look<'p, V> {
        let span = piece.span.clone();
        match &piece.content {
            Content::Json | Content::Numbers => {
                // serde alone says whether it fits, unless it would take anything at all.
                let trusted = self.trusts_serde() && !freedom.root;
                if trusted && let Ok(value) = (self.make.read)(&self.text[span.clone()]) {
                    return Look::Fits(Answer { value, repairs: Vec::new(), span }, Tree::Null);
                }
                match Parser::strict(self.text, span.start).run().0 {
                    Outcome::Complete(parsed, _) => self.look(parsed, span, freedom, explain),
                    Outcome::Broken(fault) => Look::Other(0, Why::Known(malformed(&fault))),
                    Outcome::Cut { .. } => Look::Other(0, Why::Known(DecodeError::new(Kind::CutShort))),
                }
            }
            Content::Read { parsed, limit } => {
                let kept = parsed.borrow();
                if kept.as_ref().is_some_and(|parsed| self.is_stranger(&parsed.tree, freedom, explain)) {
                    return Look::Other(0, Why::Stranger);
                }
                drop(kept);
                match parsed.take() {
                    Some(parsed) => self.look(*parsed, span, freedom, explain),
                    None => match Parser::bounded(self.text, span.start, *limit).run().0 {
                        Outcome::Complete(parsed, _) => self.look(parsed, span, freedom, explain),
                        _ => Look::Other(0, Why::Stranger),
                    },
                }
            }
            Content::Broken(broken) => {
                let Broken { score, unfinished, template, .. } = *broken;
                if unfinished || score > 0 && !template || self.root_list().is_some() && !template {
                    Look::Ends(self.broken(span.start, broken))
                } else {
                    Look::Other(score, Why::Broken)
                }
            }
        }
    }

    /// What is wrong with the broken value at `start`: it is read once more, for hardly any is asked for.
    fn broken(&self, start: usize, broken: &Broken) -> DecodeError {
        if broken.unfinished {
            return one(Kind::CutShort, Violation::says("", "a value that is not finished"));
        }
        let mut parser = Parser::bounded(self.text, start, broken.limit);
        parser.looks_ahead = broken.looked_ahead;
        match parser.run().0 {
            Outcome::Broken(fault) => malformed(&fault),
            _ => DecodeError::new(Kind::Malformed),
        }
    }

    /// Whether a value is another thing, by a look at its keys. Unless these stand further inside.
    fn is_stranger(&self, tree: &Tree<'_>, freedom: Freedom, explain: bool) -> bool {
        let closely = freedom.root || explain;
        let Tree::Object(entries) = tree else { return false };
        !closely && self.has_keys() && !entries.iter().any(|(key, _)| self.knows(key))
    }

    /// Whether a value has the keys of a root that is an object, so that it is not in another.
    fn is_plain(&self, tree: &Tree<'_>) -> bool {
        !self.plan.wrapped && suits(self.plan, tree, self.leniency == Leniency::Repair)
    }

    /// Looks at a value; closely also at another thing, if it has to `explain`.
    fn look<'p>(&self, parsed: Parsed<'p>, span: Range<usize>, freedom: Freedom, explain: bool) -> Look<'p, V> {
        let Parsed { tree, mut repairs, mut doubts, size } = parsed;
        if doubts.is_empty() && (freedom.values || repairs.first().is_none()) && self.is_settled(&tree) {
            return self.built(tree, repairs, span);
        }
        if self.is_stranger(&tree, freedom, explain) {
            return Look::Other(0, Why::Stranger);
        }
        let score = self.score(&tree);
        if !freedom.values
            && let Some(repair) = repairs.first()
        {
            let violation = Violation::new(&repair.path, "JSON", repair.kind.words());
            let error = one(Kind::Malformed, violation);
            return if score > 0 { Look::Ends(error) } else { Look::Other(0, Why::Known(error)) };
        }
        let again = !freedom.root && !self.is_plain(&tree);
        let coerced = coerce(self.plan, tree, size, freedom);
        repairs.append(&Trail::default(), coerced.repairs);
        doubts.extend(coerced.doubts);
        let tree = coerced.tree;
        let score = score.max(self.score(&tree) - coerced.filled);
        if !doubts.is_empty() {
            let mut violations = Violations::new();
            for doubt in doubts {
                violations.push(doubt);
            }
            let error = DecodeError::because(Kind::Ambiguous, violations);
            // Several readings, but are any of them of an answer?
            return if score > 0 { Look::Ends(error) } else { Look::Other(0, Why::Known(error)) };
        }
        if !fits(self.plan, &tree, &self.plan.root) {
            // In its own shape it breaks a rule; else it is another thing, and nobody may ask why.
            return if has_shape(self.plan, &tree) {
                Look::Ends(self.unfit(&tree))
            } else {
                Look::Other(score, Why::Unfit(tree, again))
            };
        }
        let empty = matches!(&tree, Tree::Object(entries) if entries.len() == coerced.filled);
        if !self.needs_keys() && score == 0 && !(empty && self.is_whole(&span)) {
            let error = one(Kind::Invalid, Violation::new("", self.plan.wanted(&self.plan.root), tree.shown()));
            return Look::Other(score, Why::Known(error));
        }
        self.built(tree, repairs, span)
    }

    /// Whether a value is the answer as it stands.
    fn is_settled(&self, tree: &Tree<'_>) -> bool {
        // Of an object without any key, something else has to tell.
        !matches!(tree, Tree::Object(entries) if entries.is_empty()) && settled(self.plan, tree)
    }

    fn built<'p>(&self, tree: Tree<'p>, repairs: Record, span: Range<usize>) -> Look<'p, V> {
        match (self.make.build)(&tree) {
            Ok(value) => Look::Fits(Answer { value, repairs: repairs.into_list(), span }, tree),
            Err(violation) => Look::Ends(one(Kind::Invalid, violation)),
        }
    }

    /// What is wrong with a value.
    fn unfit(&self, tree: &Tree<'_>) -> DecodeError {
        DecodeError::because(Kind::Invalid, validate(self.plan, tree))
    }

    /// The answer, or why there is none.
    fn settled(&self, look: Look<'_, V>, otherwise: Kind) -> Out<V> {
        Err(match look {
            Look::Fits(answer, _) => return Ok(answer),
            Look::Ends(error) | Look::Other(_, Why::Known(error)) => error,
            Look::Other(_, Why::Unfit(tree, _)) => self.unfit(&tree),
            Look::Other(_, Why::Stranger | Why::Broken) => DecodeError::new(otherwise),
        })
    }
}

/// A change of the whole.
fn whole(kind: RepairKind, from: &str, to: &str) -> Repair {
    Repair { path: String::new(), kind, from: from.to_owned(), to: to.to_owned(), times: 1 }
}

fn malformed(fault: &Fault<'_>) -> DecodeError {
    let violation = if fault.committed { fault.violation() } else { Violation::new("", "JSON", "other text") };
    one(Kind::Malformed, violation)
}

fn one(kind: Kind, violation: Violation) -> DecodeError {
    let mut violations = Violations::new();
    violations.push(violation);
    DecodeError::because(kind, violations)
}
