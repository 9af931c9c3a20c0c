//! Dialects that write a type with the same words.
//!
//! Most dialects send every rule that a type has, or tell every one. Their documents of it are one text, which is made once,
//! for [`Sends`] or for [`Tells`].

use super::lower::ONE_CHARACTER;
use super::node::Kind;
use super::rules::Rules;
use super::survey::same_text;
use crate::dialect::{Bounds, Dialect, Keywords, Spec, Support, sealed};

/// Stands for the dialects that send every rule of a type.
pub(crate) struct Sends;

/// Stands for the dialects that tell every rule of a type.
pub(crate) struct Tells;

impl sealed::Sealed for Sends {}
impl sealed::Sealed for Tells {}

impl Spec for Sends {
    const DIALECT: Dialect = Dialect {
        keywords: Keywords { unlisted_format: Support::Sent, ..Dialect::PROMPT.keywords },
        ..Dialect::PROMPT
    };
}

impl Spec for Tells {
    const DIALECT: Dialect = Dialect {
        keywords: Keywords {
            integers: Bounds::all(Support::Refused),
            numbers: Bounds::all(Support::Refused),
            lengths: Support::Refused,
            pattern: Support::Refused,
            unlisted_format: Support::Refused,
            min_items: Support::Refused,
            max_items: Support::Refused,
            ..Dialect::PROMPT.keywords
        },
        formats: &[],
        ..Dialect::PROMPT
    };
}

/// Which of the two a dialect writes like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Like [`Sends`].
    Sends,
    /// Like [`Tells`].
    Tells,
    /// Like neither, or like one of them for some values only.
    Own,
}

impl Family {
    /// How a dialect writes rules of these groups.
    pub(crate) const fn of(dialect: &Dialect, groups: u16) -> Self {
        if groups & !sent(dialect) == 0 {
            Self::Sends
        } else if groups & !told(dialect) == 0 {
            Self::Tells
        } else {
            Self::Own
        }
    }
}

// Groups of rules, as bits.
const INTEGERS: u16 = 1;
const NUMBERS: u16 = INTEGERS << 3;
const INCLUSIVE: u16 = 1;
const EXCLUSIVE: u16 = 1 << 1;
const MULTIPLE_OF: u16 = 1 << 2;
const LENGTHS: u16 = 1 << 6;
const PATTERN: u16 = 1 << 7;
const FORMAT: u16 = 1 << 8;
const MIN_ITEMS: u16 = 1 << 9;
const MAX_ITEMS: u16 = 1 << 10;

/// The groups that the rules of a value are of.
pub(crate) const fn groups(rules: &Rules, kind: Kind) -> u16 {
    match kind {
        Kind::Integer => INTEGERS * of_numbers(rules),
        Kind::Number => NUMBERS * of_numbers(rules),
        Kind::String => {
            let mut groups = 0;
            if rules.min_length.is_some() || rules.max_length.is_some() {
                groups |= LENGTHS;
            }
            if !rules.pattern.is_empty() {
                groups |= PATTERN;
                if same_text(rules.pattern, ONE_CHARACTER) {
                    groups |= LENGTHS;
                }
            }
            if !rules.format.is_empty() {
                groups |= FORMAT;
            }
            groups
        }
        _ => {
            let least = if rules.min_items.is_some() { MIN_ITEMS } else { 0 };
            let most = if rules.max_items.is_some() { MAX_ITEMS } else { 0 };
            least | most
        }
    }
}

const fn of_numbers(rules: &Rules) -> u16 {
    let mut groups = 0;
    if rules.minimum.is_some() || rules.maximum.is_some() {
        groups |= INCLUSIVE;
    }
    if rules.exclusive_minimum.is_some() || rules.exclusive_maximum.is_some() {
        groups |= EXCLUSIVE;
    }
    if rules.multiple_of.is_some() {
        groups |= MULTIPLE_OF;
    }
    groups
}

/// The groups that a dialect sends, whatever the values. Patterns are none: each is looked at.
const fn sent(dialect: &Dialect) -> u16 {
    let Dialect { keywords, ceilings, patterns, .. } = dialect;
    let steps = ceilings.multiple_of == f64::INFINITY;
    let mut groups = 0;
    groups |= INTEGERS * of_support(keywords.integers, true, ceilings.integer == u64::MAX, steps);
    groups |= NUMBERS
        * of_support(keywords.numbers, true, ceilings.number == f64::INFINITY && ceilings.fraction == 0.0, steps);
    if keywords.lengths.sent() && patterns.beside_others && ceilings.length == u64::MAX {
        groups |= LENGTHS;
    }
    if keywords.unlisted_format.sent() && patterns.beside_others {
        groups |= FORMAT;
    }
    if keywords.min_items.sent() && ceilings.min_items == u64::MAX {
        groups |= MIN_ITEMS;
    }
    if keywords.max_items.sent() && ceilings.max_items == u64::MAX {
        groups |= MAX_ITEMS;
    }
    groups
}

/// The groups that a dialect tells, whatever the values.
const fn told(dialect: &Dialect) -> u16 {
    let Dialect { keywords, formats, .. } = dialect;
    let mut groups = 0;
    groups |= INTEGERS * of_support(keywords.integers, false, true, true);
    groups |= NUMBERS * of_support(keywords.numbers, false, true, true);
    if !keywords.lengths.sent() {
        groups |= LENGTHS;
    }
    if !keywords.pattern.sent() {
        groups |= PATTERN;
    }
    if formats.is_empty() && !keywords.unlisted_format.sent() {
        groups |= FORMAT;
    }
    if !keywords.min_items.sent() {
        groups |= MIN_ITEMS;
    }
    if !keywords.max_items.sent() {
        groups |= MAX_ITEMS;
    }
    groups
}

/// The groups whose support is as asked for, among those that no ceiling is on.
const fn of_support(bounds: Bounds, sent: bool, every_bound: bool, every_step: bool) -> u16 {
    let mut groups = 0;
    if bounds.inclusive.sent() == sent && every_bound {
        groups |= INCLUSIVE;
    }
    if bounds.exclusive.sent() == sent && every_bound {
        groups |= EXCLUSIVE;
    }
    if bounds.multiple_of.sent() == sent && every_step {
        groups |= MULTIPLE_OF;
    }
    groups
}
