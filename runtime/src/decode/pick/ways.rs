//! Other ways to write the whole: elements without their list, a value without any bracket, a text that
//! was escaped once too often.

use super::Answer;
use super::{Look, Out, Search, Why, one, whole};
use crate::check::Violation;
use crate::decode::Leniency;
use crate::decode::coerce::Freedom;
use crate::decode::error::{DecodeError, DecodeErrorKind as Kind};
use crate::decode::parse::{Outcome, Parsed, Parser};
use crate::decode::plan::Shape;
use crate::decode::repair::{Record, RepairKind};
use crate::decode::scan::{self, Found, Reads};
use crate::decode::trail::Trail;
use crate::decode::tree::Tree;
use crate::decode::unescape::unescape;

impl<'s, V> Search<'s, V> {
    /// Lists of scalars are common in prose: of several different ones none is picked.
    pub(super) fn only_reading(
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
    pub(super) fn lines(&self, found: &Found<'s>) -> Option<Out<V>> {
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
            let parsed = match Parser::new(self.text, piece.span.start).run().0 {
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
        Some(self.settled(self.look(parsed, span, Freedom { values: true, root: true }, true), Kind::Invalid))
    }

    /// A text without brackets: a lone scalar, or JSON in quotes.
    pub(super) fn bare(&self, reasoning: bool) -> Out<V> {
        let nothing = || DecodeError::new(if reasoning { Kind::ReasoningOnly } else { Kind::NoJson });
        let text = if reasoning { return Err(nothing()) } else { unfenced(self.text) };
        let values = self.leniency == Leniency::Repair;
        let start = text.as_ptr() as usize - self.text.as_ptr() as usize;
        match Parser::new(text, 0).whole() {
            Outcome::Complete(parsed, _) => {
                match self.look(parsed, start..start + text.len(), Freedom { values, root: true }, false) {
                    // Words in prose are no failed answer.
                    Look::Other(_, Why::Unfit(..)) if !text.starts_with('"') => Err(nothing()),
                    look => self.settled(look, Kind::NoJson),
                }
            }
            Outcome::Cut { .. } if text.starts_with("\"{") || text.starts_with("\"[") => {
                Err(DecodeError::new(Kind::CutShort))
            }
            _ => Err(nothing()),
        }
    }

    /// Undoes one level of escaping or marking of the whole, if there is one.
    pub(super) fn unescaped(&self, error: DecodeError) -> Out<V> {
        if !matches!(error.kind(), Kind::NoJson | Kind::Malformed | Kind::Invalid) {
            return Err(error);
        }
        let Some((text, from)) = unescape(self.text) else { return Err(error) };
        let inner =
            Search { text: &text, plan: self.plan, leniency: self.leniency, finish: self.finish, make: self.make };
        let found = scan::scan(&text, self.wants(Reads::All, &|key| self.knows(key)));
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
