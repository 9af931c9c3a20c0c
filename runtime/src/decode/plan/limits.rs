//! Limits on values, from either kind of schema.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_lite::Regex;

use crate::check::{Path, Violations, check_format, compile};
use crate::decode::number::whole;
use crate::schema::node::unquote;
use crate::schema::rules::{Bound, Rules, near_whole};

/// Limits on a value beyond its shape.
#[derive(Debug, Clone, Default)]
pub(in crate::decode) struct Limits<'s> {
    pub(in crate::decode) least: Option<Edge<'s>>,
    pub(in crate::decode) most: Option<Edge<'s>>,
    pub(in crate::decode) above: Option<Edge<'s>>,
    pub(in crate::decode) below: Option<Edge<'s>>,
    pub(in crate::decode) multiple: Option<Edge<'s>>,
    /// Least and greatest length of text, in characters.
    pub(in crate::decode) length: (Option<u64>, Option<u64>),
    /// Least and greatest number of elements.
    pub(in crate::decode) items: (Option<u64>, Option<u64>),
    pub(in crate::decode) pattern: Option<Pattern<'s>>,
    pub(in crate::decode) format: Option<Cow<'s, str>>,
}

/// A pattern, compiled when it is first asked for.
#[derive(Debug, Clone)]
pub(in crate::decode) struct Pattern<'s> {
    pub(in crate::decode) source: Cow<'s, str>,
    compiled: OnceLock<Option<Regex>>,
}

impl<'s> Pattern<'s> {
    pub(super) fn new(source: Cow<'s, str>) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    pub(super) fn into_owned(self) -> Pattern<'static> {
        Pattern { source: Cow::Owned(self.source.into_owned()), compiled: self.compiled }
    }

    /// Whether a text matches. A pattern that this engine does not know is left to the full check.
    pub(in crate::decode) fn admits(&self, text: &str) -> bool {
        self.compiled.get_or_init(|| compile(&self.source)).as_ref().is_none_or(|regex| regex.is_match(text))
    }
}

/// A number in a limit.
#[derive(Debug, Clone)]
pub(in crate::decode) struct Edge<'s> {
    pub(in crate::decode) text: Cow<'s, str>,
    pub(in crate::decode) whole: Option<i128>,
    pub(in crate::decode) float: f64,
}

impl<'s> Edge<'s> {
    pub(super) fn of(text: impl Into<Cow<'s, str>>) -> Option<Self> {
        let text = text.into();
        // Nearly always it is a plain integer.
        let whole: Option<i128> = text.parse().ok().or_else(|| whole(&text)?.parse().ok());
        #[allow(clippy::cast_precision_loss)]
        let float = match whole {
            Some(whole) => whole as f64,
            None => text.parse().ok()?,
        };
        Some(Self { text, whole, float })
    }
}

impl From<&Bound> for Edge<'static> {
    fn from(bound: &Bound) -> Self {
        Self { text: Cow::Borrowed(bound.text), whole: bound.whole, float: bound.float }
    }
}

impl Limits<'static> {
    /// The limits that a type's rules set, if they set any.
    pub(super) fn of(rules: &Rules) -> Option<Box<Self>> {
        let edge = |bound: &Option<Bound>| bound.as_ref().map(Edge::from);
        // Every rule by name, so that none is forgotten. Equal elements are their set's business.
        let Rules {
            minimum,
            maximum,
            exclusive_minimum,
            exclusive_maximum,
            multiple_of,
            min_length,
            max_length,
            min_items,
            max_items,
            pattern,
            format,
            distinct: _,
        } = rules;
        let limits = Self {
            least: edge(minimum),
            most: edge(maximum),
            above: edge(exclusive_minimum),
            below: edge(exclusive_maximum),
            multiple: edge(multiple_of),
            length: (*min_length, *max_length),
            items: (*min_items, *max_items),
            pattern: (!pattern.is_empty()).then(|| Pattern::new(unquote(pattern).into())),
            format: (!format.is_empty()).then_some(Cow::Borrowed(format)),
        };
        limits.says_something().then(|| Box::new(limits))
    }

    fn says_something(&self) -> bool {
        let bounds = [&self.least, &self.most, &self.above, &self.below, &self.multiple];
        bounds.iter().any(|bound| bound.is_some())
            || [self.length, self.items].iter().any(|counts| *counts != (None, None))
            || self.pattern.is_some()
            || self.format.is_some()
    }
}

impl Limits<'_> {
    /// Whether a number breaks none of them.
    pub(in crate::decode) fn admit_number(&self, number: &str) -> bool {
        let mut admitted = true;
        number_limits(number, self, |_| admitted = false);
        admitted
    }

    /// Whether a text breaks none of them.
    pub(in crate::decode) fn admit_text(&self, text: &str) -> bool {
        (self.length == (None, None) || within(text.chars().count(), self.length))
            && self.pattern.as_ref().is_none_or(|pattern| pattern.admits(text))
            && self.format.as_deref().is_none_or(|format| {
                let mut found = Violations::new();
                check_format(format, text, Path::ROOT, &mut found);
                found.is_empty()
            })
    }

    /// Whether so many elements break none of them.
    pub(in crate::decode) fn admit_items(&self, count: usize) -> bool {
        within(count, self.items)
    }
}

fn within(count: usize, (least, most): (Option<u64>, Option<u64>)) -> bool {
    let count = count as u64;
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}

/// What a number breaks, in the words of the rules on typed values.
pub(in crate::decode) fn number_limits(number: &str, limits: &Limits<'_>, mut wrong: impl FnMut(String)) {
    let bounds = [&limits.least, &limits.most, &limits.above, &limits.below, &limits.multiple];
    if bounds.iter().all(|bound| bound.is_none()) {
        return;
    }
    let Some(value) = Edge::of(number) else { return };
    let less = |a: &Edge<'_>, b: &Edge<'_>| match (a.whole, b.whole) {
        (Some(a), Some(b)) => a < b,
        _ => a.float < b.float,
    };
    if let Some(edge) = limits.least.as_ref().filter(|edge| less(&value, edge)) {
        wrong(format!("at least {}", edge.text));
    }
    if let Some(edge) = limits.most.as_ref().filter(|edge| less(edge, &value)) {
        wrong(format!("at most {}", edge.text));
    }
    if let Some(edge) = limits.above.as_ref().filter(|edge| !less(edge, &value)) {
        wrong(format!("more than {}", edge.text));
    }
    if let Some(edge) = limits.below.as_ref().filter(|edge| !less(&value, edge)) {
        wrong(format!("less than {}", edge.text));
    }
    if let Some(edge) = limits.multiple.as_ref().filter(|edge| !multiple(&value, edge)) {
        wrong(format!("a multiple of {}", edge.text));
    }
}

fn multiple(value: &Edge<'_>, of: &Edge<'_>) -> bool {
    if let (Some(value), Some(of)) = (value.whole, of.whole) {
        return of != 0 && value % of == 0;
    }
    near_whole(value.float / of.float)
}
