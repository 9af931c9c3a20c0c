//! Limits on values, from either kind of schema.

use crate::decode::number::whole;
use crate::schema::node::unquote;
use crate::schema::rules::{Bound, Rules};

/// Limits on a value beyond its shape.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::decode) struct Limits {
    pub(in crate::decode) least: Option<Edge>,
    pub(in crate::decode) most: Option<Edge>,
    pub(in crate::decode) above: Option<Edge>,
    pub(in crate::decode) below: Option<Edge>,
    pub(in crate::decode) multiple: Option<Edge>,
    /// Least and greatest length of text, in characters.
    pub(in crate::decode) length: (Option<u64>, Option<u64>),
    /// Least and greatest number of elements.
    pub(in crate::decode) items: (Option<u64>, Option<u64>),
    pub(in crate::decode) pattern: Option<String>,
    pub(in crate::decode) format: Option<String>,
}

/// A number in a limit.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::decode) struct Edge {
    pub(in crate::decode) text: String,
    pub(in crate::decode) whole: Option<i128>,
    pub(in crate::decode) float: f64,
}

impl Edge {
    pub(super) fn of(text: &str) -> Option<Self> {
        // Nearly always it is a plain integer.
        let whole = text.parse().ok().or_else(|| whole(text)?.parse().ok());
        Some(Self { text: text.to_owned(), whole, float: text.parse().ok()? })
    }
}

impl From<&Bound> for Edge {
    fn from(bound: &Bound) -> Self {
        Self { text: bound.text.to_owned(), whole: bound.whole, float: bound.float }
    }
}

impl Limits {
    /// The limits that a type's rules set, if they set any.
    pub(super) fn of(rules: &Rules) -> Option<Box<Self>> {
        let edge = |bound: &Option<Bound>| bound.as_ref().map(Edge::from);
        let limits = Self {
            least: edge(&rules.minimum),
            most: edge(&rules.maximum),
            above: edge(&rules.exclusive_minimum),
            below: edge(&rules.exclusive_maximum),
            multiple: edge(&rules.multiple_of),
            length: (rules.min_length, rules.max_length),
            items: (rules.min_items, rules.max_items),
            pattern: (!rules.pattern.is_empty()).then(|| unquote(rules.pattern)),
            // A typed value's form is its parser's business.
            format: None,
        };
        (limits != Self::default()).then(|| Box::new(limits))
    }
}

/// What a number breaks, in the words of the rules on typed values.
pub(in crate::decode) fn number_limits(number: &str, limits: &Limits, mut wrong: impl FnMut(String)) {
    let bounds = [&limits.least, &limits.most, &limits.above, &limits.below, &limits.multiple];
    if bounds.iter().all(|bound| bound.is_none()) {
        return;
    }
    let Some(value) = Edge::of(number) else { return };
    let less = |a: &Edge, b: &Edge| match (a.whole, b.whole) {
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

fn multiple(value: &Edge, of: &Edge) -> bool {
    if let (Some(value), Some(of)) = (value.whole, of.whole) {
        return of != 0 && value % of == 0;
    }
    let quotient = value.float / of.float;
    (quotient - quotient.round()).abs() <= quotient.abs().max(1.0) * 1e-9
}
