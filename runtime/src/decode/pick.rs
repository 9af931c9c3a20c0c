//! Which of the values in a reply is the answer.
//!
//! Candidates are looked at from the last to the first, and the first look that succeeds wins. A
//! candidate of the schema's own shape goes before one whose root has to be unwrapped, and one in
//! a fence of another language after all others.
//!
//! An answer that was begun later and cannot be read is not passed over for an earlier one: the
//! model has withdrawn that. What came later and is something else altogether (a log line, a
//! footnote, a template) is.

use std::ops::Range;

use super::coerce::{Freedom, coerce};
use super::error::{DecodeError, DecodeErrorKind as Kind};
use super::near::alike;
use super::parse::{Fault, Outcome, Parsed, Parser};
use super::plan::{Edge, Member, Plan, Shape};
use super::repair::{Record, Repair, RepairKind};
use super::scan::{self, Content, Found, Piece};
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
    pub(super) plan: &'s Plan,
    pub(super) leniency: Leniency,
    pub(super) finish: Finish,
    pub(super) make: &'s Make<'s, V>,
}

/// What a look at a candidate said.
enum Look<'t, V> {
    Fits(Answer<V>, Tree<'t>),
    /// It has the schema's shape and breaks a rule, or has several readings: no other is looked at.
    Ends(DecodeError),
    /// It is no answer; how many keys of an answer it has, and why it is none, if that was asked.
    Other(usize, Option<DecodeError>),
}

type Out<V> = Result<Answer<V>, DecodeError>;

impl<'s, V> Search<'s, V> {
    /// Finds the answer.
    pub(super) fn run(&self) -> Out<V> {
        if self.leniency == Leniency::Strict {
            return self.strict();
        }
        let found = scan::scan(self.text);
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
                self.look(parsed, 0..self.text.len(), freedom, true).settled(Kind::Invalid)
            }
            Outcome::Cut { .. } => Err(DecodeError::new(Kind::CutShort)),
            Outcome::Broken(fault) => Err(malformed(fault)),
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

    /// Whether every key that the schema knows is there.
    fn has_all_keys(&self, tree: &Tree<'_>) -> bool {
        let Shape::Object(members) = &self.plan.node(&self.plan.root).shape else { return false };
        members
            .list
            .iter()
            .all(|member| std::iter::once(&member.key).chain(&member.aliases).any(|key| tree.get(key).is_some()))
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
        let mut nearest: Option<(usize, usize, bool)> = None;
        for root in [false, true] {
            let freedom = Freedom { values, root };
            for foreign in [false, true] {
                let pieces = found.pieces.iter().enumerate().rev().filter(|(_, piece)| piece.foreign == foreign);
                for (at, piece) in pieces {
                    match self.piece(piece, freedom, false) {
                        Look::Fits(answer, tree) => return self.only_reading(answer, &tree, at, found, freedom),
                        Look::Ends(error) if !foreign => return Err(error),
                        Look::Ends(_) => {}
                        Look::Other(score, _) => {
                            if nearest.is_none_or(|(best, ..)| score > best) {
                                nearest = Some((score, at, root));
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
        let error =
            nearest.and_then(|(_, at, root)| match self.piece(&found.pieces[at], Freedom { values, root }, true) {
                Look::Ends(error) | Look::Other(_, Some(error)) => Some(error),
                _ => None,
            });
        Err(error.unwrap_or_else(|| DecodeError::new(Kind::NoJson)))
    }

    /// Looks at one candidate.
    fn piece<'p>(&self, piece: &'p Piece<'s>, freedom: Freedom, explain: bool) -> Look<'p, V> {
        let span = piece.span.clone();
        match &piece.content {
            Content::Json => {
                // serde alone says whether it fits, unless it would take anything at all.
                let trusted = self.plan.trusts_serde && !freedom.root && self.needs_keys();
                if trusted && let Ok(value) = (self.make.read)(&self.text[span.clone()]) {
                    return Look::Fits(Answer { value, repairs: Vec::new(), span }, Tree::Null);
                }
                match Parser::strict(self.text, span.start).run() {
                    Outcome::Complete(parsed, _) => self.look(parsed, span, freedom, explain),
                    Outcome::Broken(fault) => Look::Other(0, Some(malformed(fault))),
                    Outcome::Cut { .. } => Look::Other(0, Some(DecodeError::new(Kind::CutShort))),
                }
            }
            Content::Repaired { parsed, limit } => match parsed.take() {
                Some(parsed) => self.look(parsed, span, freedom, explain),
                None => match Parser::bounded(self.text, span.start, *limit).run() {
                    Outcome::Complete(parsed, _) => self.look(parsed, span, freedom, explain),
                    _ => Look::Other(0, None),
                },
            },
            Content::Broken { violation, keys, unfinished, template } => {
                let kind = if *unfinished { Kind::CutShort } else { Kind::Malformed };
                let score = keys.iter().filter(|key| self.knows(key)).count();
                let error = || one(kind, violation.clone());
                if *unfinished || score > 0 && !template || self.root_list().is_some() && !template {
                    Look::Ends(error())
                } else {
                    Look::Other(score, explain.then(error))
                }
            }
        }
    }

    /// Looks at a value; says in words why it is no answer if it has to `explain`.
    fn look<'p>(&self, parsed: Parsed<'p>, span: Range<usize>, freedom: Freedom, explain: bool) -> Look<'p, V> {
        let Parsed { tree, mut repairs, mut doubts, size } = parsed;
        let score = self.score(&tree);
        if !freedom.values
            && let Some(repair) = repairs.first()
        {
            let violation = Violation::new(&repair.path, "JSON", repair.kind.words());
            let error = one(Kind::Malformed, violation);
            return if score > 0 { Look::Ends(error) } else { Look::Other(0, Some(error)) };
        }
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
            return if score > 0 { Look::Ends(error) } else { Look::Other(0, Some(error)) };
        }
        if !fits(self.plan, &tree, &self.plan.root) {
            // In its own shape it breaks a rule; else it is another thing, and nobody may ask why.
            return if has_shape(self.plan, &tree) {
                Look::Ends(DecodeError::because(Kind::Invalid, validate(self.plan, &tree)))
            } else {
                let error = || DecodeError::because(Kind::Invalid, validate(self.plan, &tree));
                Look::Other(score, explain.then(error))
            };
        }
        let empty = matches!(&tree, Tree::Object(entries) if entries.len() == coerced.filled);
        if !self.needs_keys() && score == 0 && !(empty && self.is_whole(&span)) {
            let error = || one(Kind::Invalid, Violation::new("", self.plan.wanted(&self.plan.root), tree.shown()));
            return Look::Other(score, explain.then(error));
        }
        match (self.make.build)(&tree) {
            Ok(value) => Look::Fits(Answer { value, repairs: repairs.into_list(), span }, tree),
            Err(violation) => Look::Ends(one(Kind::Invalid, violation)),
        }
    }

    /// Whether nothing but space stands around a place.
    fn is_whole(&self, span: &Range<usize>) -> bool {
        self.text[..span.start].trim().is_empty() && self.text[span.end..].trim().is_empty()
    }

    /// Whether there is a key that an answer cannot do without. Else any object would be one, so that it
    /// takes a key of the answer's to tell.
    fn needs_keys(&self) -> bool {
        match &self.plan.node(&self.plan.root).shape {
            Shape::Object(members) => {
                let needed = |member: &Member| member.required && !member.edge.nullable;
                members.list.is_empty() || members.list.iter().any(needed)
            }
            _ => true,
        }
    }

    /// Where the root is a list, or the only thing in the wrapper: its elements.
    fn root_list(&self) -> Option<&Edge> {
        match &self.plan.node(self.inner_root()).shape {
            Shape::List(item) => Some(item),
            _ => None,
        }
    }

    /// The root without its wrapper.
    fn inner_root(&self) -> &Edge {
        match &self.plan.node(&self.plan.root).shape {
            Shape::Object(members) if self.plan.wrapped => {
                members.list.first().map_or(&self.plan.root, |member| &member.edge)
            }
            _ => &self.plan.root,
        }
    }

    /// Whether a key is one of an answer's.
    fn knows(&self, key: &str) -> bool {
        let among = |edge: &Edge| match &self.plan.node(edge).shape {
            Shape::Object(members) => {
                members.find(key).is_some() || members.list.iter().any(|member| alike(&member.key, key))
            }
            _ => false,
        };
        among(&self.plan.root) || among(self.inner_root()) || self.root_list().is_some_and(among)
    }

    /// How many keys of an answer a value has.
    fn score(&self, tree: &Tree<'_>) -> usize {
        match tree {
            Tree::Object(entries) => entries.iter().filter(|(key, _)| self.knows(key)).count(),
            Tree::List(_) => usize::from(self.root_list().is_some()),
            _ => 0,
        }
    }

    /// Lists of scalars are common in prose: of several different ones none is picked.
    fn only_reading(
        &self,
        answer: Answer<V>,
        tree: &Tree<'_>,
        at: usize,
        found: &Found<'s>,
        freedom: Freedom,
    ) -> Out<V> {
        let scalars = self
            .root_list()
            .is_some_and(|item| !matches!(self.plan.node(item).shape, Shape::Object(_) | Shape::Union(_)));
        if scalars && self.text[answer.span.clone()].starts_with('[') {
            for (_, piece) in found.pieces.iter().enumerate().filter(|(other, _)| *other != at) {
                if let Look::Fits(_, other) = self.piece(piece, freedom, false)
                    && other != *tree
                {
                    let violation = Violation::new("", "one list", format!("{} and {}", other.shown(), tree.shown()));
                    return Err(one(Kind::Ambiguous, violation));
                }
            }
        }
        Ok(answer)
    }

    /// A list whose elements stand one after another without its brackets, as in JSON lines.
    fn lines(&self, found: &Found<'s>) -> Option<Out<V>> {
        let item = self.root_list()?;
        if !matches!(self.plan.node(item).shape, Shape::Object(_) | Shape::Union(_)) {
            return None;
        }
        let pieces: Vec<_> = found.pieces.iter().filter(|piece| !piece.foreign).collect();
        if pieces.len() < 2 || pieces.iter().any(|piece| !self.text[piece.span.clone()].starts_with('{')) {
            return None;
        }
        let mut items = Vec::new();
        let mut size = 1;
        let mut repairs = Record::default();
        for piece in &pieces {
            let parsed = match Parser::new(self.text, piece.span.start).run() {
                Outcome::Complete(parsed, _) if parsed.doubts.is_empty() && self.score(&parsed.tree) > 0 => parsed,
                _ => return None,
            };
            items.push(parsed.tree);
            size += parsed.size;
            repairs.append(&Trail::default(), parsed.repairs);
        }
        let adjacent = pieces.windows(2).all(|pair| {
            let between = &self.text[pair[0].span.end..pair[1].span.start];
            between.chars().all(|c| c.is_whitespace() || c == ',')
        });
        let span = pieces[0].span.start..pieces[pieces.len() - 1].span.end;
        if !adjacent {
            let violation = Violation::new("", "one list", format!("{} values apart from each other", items.len()));
            return Some(Err(one(Kind::Ambiguous, violation)));
        }
        let list = Tree::List(items);
        repairs.add(&Trail::default(), RepairKind::BareElement, "values one after another", list.shown());
        let parsed = Parsed { tree: list, repairs, doubts: Vec::new(), size };
        Some(self.look(parsed, span, Freedom { values: true, root: true }, true).settled(Kind::Invalid))
    }

    /// A text without brackets: a lone scalar, or JSON in quotes.
    fn bare(&self, reasoning: bool) -> Out<V> {
        let nothing = || DecodeError::new(if reasoning { Kind::ReasoningOnly } else { Kind::NoJson });
        let text = if reasoning { return Err(nothing()) } else { unfenced(self.text) };
        let values = self.leniency == Leniency::Repair;
        let start = text.as_ptr() as usize - self.text.as_ptr() as usize;
        match Parser::new(text, 0).whole() {
            Outcome::Complete(parsed, _) => {
                match self.look(
                    parsed,
                    start..start + text.len(),
                    Freedom { values, root: true },
                    text.starts_with('"'),
                ) {
                    Look::Fits(answer, _) => Ok(answer),
                    Look::Ends(error) | Look::Other(_, Some(error)) => Err(error),
                    Look::Other(..) => Err(nothing()),
                }
            }
            Outcome::Cut { .. } if text.starts_with("\"{") || text.starts_with("\"[") => {
                Err(DecodeError::new(Kind::CutShort))
            }
            _ => Err(nothing()),
        }
    }

    /// Undoes one level of escaping or marking of the whole, if there is one.
    fn unescaped(&self, error: DecodeError) -> Out<V> {
        if !matches!(error.kind(), Kind::NoJson | Kind::Malformed | Kind::Invalid) {
            return Err(error);
        }
        let Some((text, from)) = super::unescape::unescape(self.text) else { return Err(error) };
        let inner =
            Search { text: &text, plan: self.plan, leniency: self.leniency, finish: self.finish, make: self.make };
        let found = scan::scan(&text);
        if found.cut.is_some() || found.open_reasoning {
            return Err(if error.kind() == Kind::NoJson { DecodeError::new(Kind::CutShort) } else { error });
        }
        match inner.choose(&found) {
            Ok(mut answer) => {
                answer.repairs.insert(0, whole(RepairKind::Escaped, from, ""));
                answer.span = 0..self.text.len();
                Ok(answer)
            }
            Err(inner) if error.kind() == Kind::NoJson => Err(inner),
            Err(_) => Err(error),
        }
    }
}

impl<V> Look<'_, V> {
    /// The answer, or why there is none.
    fn settled(self, otherwise: Kind) -> Out<V> {
        match self {
            Self::Fits(answer, _) => Ok(answer),
            Self::Ends(error) | Self::Other(_, Some(error)) => Err(error),
            Self::Other(_, None) => Err(DecodeError::new(otherwise)),
        }
    }
}

/// A change of the whole.
fn whole(kind: RepairKind, from: &str, to: &str) -> Repair {
    Repair { path: String::new(), kind, from: from.to_owned(), to: to.to_owned(), times: 1 }
}

fn malformed(fault: Fault) -> DecodeError {
    let violation = fault.violation.unwrap_or_else(|| Violation::new("", "JSON", "other text"));
    one(Kind::Malformed, violation)
}

fn one(kind: Kind, violation: Violation) -> DecodeError {
    let mut violations = Violations::new();
    violations.push(violation);
    DecodeError::because(kind, violations)
}

/// The content of the one fence or span of code that the text is.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.trim_start_matches('`').trim_end_matches('`');
    let runs = (text.len() - inner.len()) / 2;
    if runs == 0 || inner.contains('`') {
        return text;
    }
    match inner.split_once('\n') {
        Some((language, body)) if runs >= 3 && language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            body.trim()
        }
        _ => inner.trim(),
    }
}
