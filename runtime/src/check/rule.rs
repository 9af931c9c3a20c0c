//! Values against [`Rules`].

use std::cmp::Ordering;
use std::fmt;
use std::sync::OnceLock;

use regex_lite::Regex;

use super::format::check_format;
use super::regex::compile;
use super::{Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::rules::{Bound, Rules, near_whole, order};

/// A number as the rules see it: exact where it is whole.
#[derive(Clone, Copy)]
pub(crate) enum Numeral {
    Whole(i128),
    Float(f64),
}

impl Numeral {
    /// How it compares with a bound, exactly; `None` for what is no number.
    fn order(self, bound: &Bound) -> Option<Ordering> {
        match (self, bound.whole) {
            (Self::Whole(value), Some(bound)) => Some(value.cmp(&bound)),
            (Self::Whole(value), None) => order(value, bound.float),
            (Self::Float(value), Some(bound)) => order(bound, value).map(Ordering::reverse),
            (Self::Float(value), None) => value.partial_cmp(&bound.float),
        }
    }

    fn less(self, bound: &Bound) -> bool {
        self.order(bound) == Some(Ordering::Less)
    }

    fn greater(self, bound: &Bound) -> bool {
        self.order(bound) == Some(Ordering::Greater)
    }

    /// Whether it is a multiple; for fractions, to within rounding of the quotient.
    #[allow(clippy::cast_precision_loss)]
    fn multiple(self, of: &Bound) -> bool {
        match (self, of.whole) {
            (Self::Whole(value), Some(of)) => of != 0 && value % of == 0,
            (Self::Whole(value), None) => near_whole(value as f64 / of.float),
            (Self::Float(value), _) => near_whole(value / of.float),
        }
    }
}

impl fmt::Display for Numeral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// The rules of one field, ready to be checked.
#[derive(Debug, Clone, Copy)]
pub struct Checks {
    /// The rules.
    pub rules: &'static Rules,
    /// The `pattern` among them: a `static` in the field's generated check.
    pub pattern: Option<&'static Pattern>,
}

impl Checks {
    /// From rules, but for a pattern among them.
    #[must_use]
    pub const fn of(rules: &'static Rules) -> Self {
        Self { rules, pattern: None }
    }

    /// With the pattern among the rules.
    #[must_use]
    pub const fn matching(self, pattern: &'static Pattern) -> Self {
        Self { pattern: Some(pattern), ..self }
    }

    /// Adds what is wrong with text.
    pub(crate) fn text(self, text: &str, at: Path<'_>, found: &mut Violations) {
        let Rules { min_length, max_length, .. } = self.rules;
        if min_length.is_some() || max_length.is_some() {
            check_length(text.chars().count(), (*min_length, *max_length), "character", at, found);
        }
        if let Some(pattern) = self.pattern {
            pattern.check(text, at, found);
        }
        if !self.rules.format.is_empty() {
            check_format(self.rules.format, text, at, found);
        }
    }

    /// Adds what is wrong with the length of a list of what is counted.
    pub(crate) fn items(self, length: usize, what: &str, at: Path<'_>, found: &mut Violations) {
        check_length(length, (self.rules.min_items, self.rules.max_items), what, at, found);
    }
}

/// Adds what is wrong with a number.
pub(crate) fn check_number(value: Numeral, rules: &Rules, at: Path<'_>, found: &mut Violations) {
    let mut wrong = |expected: String| found.add(at, expected, value.to_string());
    if let Some(bound) = rules.minimum.filter(|bound| value.less(bound)) {
        wrong(format!("at least {}", bound.text));
    }
    if let Some(bound) = rules.maximum.filter(|bound| value.greater(bound)) {
        wrong(format!("at most {}", bound.text));
    }
    if let Some(bound) = rules.exclusive_minimum.filter(|bound| !value.greater(bound)) {
        wrong(format!("more than {}", bound.text));
    }
    if let Some(bound) = rules.exclusive_maximum.filter(|bound| !value.less(bound)) {
        wrong(format!("less than {}", bound.text));
    }
    if let Some(bound) = rules.multiple_of.filter(|bound| !value.multiple(bound)) {
        wrong(format!("a multiple of {}", bound.text));
    }
}

/// Adds what is wrong with the elements of a list, each at its place.
pub(crate) fn check_items<'a, T: ResponseSchema + 'a>(
    items: impl IntoIterator<Item = &'a T>,
    at: Path<'_>,
    found: &mut Violations,
) {
    for (index, item) in items.into_iter().enumerate() {
        item.check(at.index(index), found);
    }
}

/// Adds what is wrong with the elements of a collection that has lost the places they had in
/// the reply.
pub(crate) fn check_members<'a, T: ResponseSchema + 'a>(
    members: impl IntoIterator<Item = &'a T>,
    at: Path<'_>,
    found: &mut Violations,
) {
    for member in members {
        member.check(at, found);
    }
}

/// Adds what is wrong with a length: of text in characters, of a list in elements.
pub(crate) fn check_length(
    length: usize,
    (min, max): (Option<u64>, Option<u64>),
    what: &str,
    at: Path<'_>,
    found: &mut Violations,
) {
    let length = length as u64;
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    if let Some(min) = min.filter(|&min| length < min) {
        found.add(at, format!("at least {min} {what}{}", plural(min)), length.to_string());
    }
    if let Some(max) = max.filter(|&max| length > max) {
        found.add(at, format!("at most {max} {what}{}", plural(max)), length.to_string());
    }
}

/// A `pattern` rule, compiled when it is first looked at.
///
/// The derive has compiled the same text with the same engine, so this cannot fail for derived
/// types; where it does (an expression too large for the engine's limit at run time), the value
/// is reported and not let through.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// The rule that text matches `source` somewhere.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Adds a violation if `text` does not match.
    pub fn check(&self, text: &str, at: Path<'_>, found: &mut Violations) {
        let compiled = self.compiled.get_or_init(|| compile(self.source));
        if !compiled.as_ref().is_some_and(|regex| regex.is_match(text)) {
            found.add(at, format!("text matching `{}`", self.source), shorten(text));
        }
    }
}

/// A value's text, in quotes, cut to a length that fits a message.
pub(crate) fn shorten(text: &str) -> String {
    const KEEP: usize = 40;
    let cut = if text.len() > KEEP { text.char_indices().nth(KEEP) } else { None };
    match cut {
        None => quoted(text),
        Some((end, _)) => quoted(&text[..end]) + "…",
    }
}

fn quoted(text: &str) -> String {
    // Nearly always there is little to escape.
    if text.bytes().any(|byte| !matches!(byte, b' '..=b'~')) {
        return format!("{text:?}");
    }
    let mut quoted = String::with_capacity(text.len() + 8);
    quoted.push('"');
    for part in text.split_inclusive(['"', '\\']) {
        match part.strip_suffix(['"', '\\']) {
            Some(plain) => quoted.extend([plain, "\\", &part[plain.len()..]]),
            None => quoted.push_str(part),
        }
    }
    quoted.push('"');
    quoted
}
