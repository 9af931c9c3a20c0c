//! Rules on a value beyond its kind: bounds, lengths, patterns.
//!
//! The same [`Rules`] stand on a type's own node (a `u8` is at least 0 and at most 255) and on a
//! field (`#[response(min = 1)]`). Where both speak, the tighter bound holds.

use core::cmp::Ordering;

/// The format of JSON text in a string. No provider knows it, so that every schema says it in words: "Must be in the format
/// JSON text." A description of the type would be lost under that of the field.
pub(crate) const JSON_TEXT: &str = "JSON text";

/// Rules on a value beyond its kind.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Least value.
    pub minimum: Option<Bound>,
    /// Greatest value.
    pub maximum: Option<Bound>,
    /// The value is greater than this.
    pub exclusive_minimum: Option<Bound>,
    /// The value is less than this.
    pub exclusive_maximum: Option<Bound>,
    /// The value is a multiple of this.
    pub multiple_of: Option<Bound>,
    /// Least number of characters (Unicode scalar values).
    pub min_length: Option<u64>,
    /// Greatest number of characters.
    pub max_length: Option<u64>,
    /// Least number of elements.
    pub min_items: Option<u64>,
    /// Greatest number of elements.
    pub max_items: Option<u64>,
    /// Equal elements count as one: those of a set. No provider takes `uniqueItems`, so where there is a least
    /// number of them the description says it.
    pub distinct: bool,
    /// A regular expression that the text matches somewhere, as JSON text with quotes; empty for none.
    pub pattern: &'static str,
    /// The JSON Schema `format` name of the text; empty for none.
    pub format: &'static str,
}

/// A number in a rule.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// Its JSON text.
    pub text: &'static str,
    /// Its value, where it is whole.
    pub whole: Option<i128>,
    /// Its value, rounded to the nearest float.
    pub float: f64,
}

impl Bound {
    /// A whole number with its JSON text.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // `float` is documented as rounded
    pub const fn whole(text: &'static str, value: i128) -> Self {
        Self { text, whole: Some(value), float: value as f64 }
    }

    /// A fraction with its JSON text.
    #[must_use]
    pub const fn float(text: &'static str, value: f64) -> Self {
        Self { text, whole: None, float: value }
    }

    /// Whether `self` is less than `other`.
    #[must_use]
    pub const fn less(&self, other: &Self) -> bool {
        match (self.whole, other.whole) {
            (Some(a), Some(b)) => a < b,
            (Some(a), None) => matches!(order(a, other.float), Some(Ordering::Less)),
            (None, Some(b)) => matches!(order(b, self.float), Some(Ordering::Greater)),
            (None, None) => self.float < other.float,
        }
    }

    /// Whether `self` is a multiple of `other`; for fractions, to within rounding.
    #[must_use]
    pub(crate) const fn is_multiple(&self, other: &Self) -> bool {
        if let (Some(whole), Some(of)) = (self.whole, other.whole) {
            return of != 0 && whole % of == 0;
        }
        near_whole(self.float / other.float)
    }
}

/// Whether a quotient is whole, to within rounding: 0.3 / 0.1 is a little less than 3.
pub(crate) const fn near_whole(quotient: f64) -> bool {
    (quotient - quotient.round()).abs() <= quotient.abs().max(1.0) * 1e-9
}

/// How a whole number compares with a float, exactly: above 2^53 the nearest float may be another number. `None` for
/// what is no number.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // saturates; exact for a float without a fraction
pub(crate) const fn order(whole: i128, float: f64) -> Option<Ordering> {
    const END: f64 = i128::MAX as f64;
    if float.is_nan() {
        return None;
    }
    if float >= END {
        return Some(Ordering::Less);
    }
    if float < -END {
        return Some(Ordering::Greater);
    }
    let floor = float as i128;
    Some(if whole < floor {
        Ordering::Less
    } else if whole > floor {
        Ordering::Greater
    } else {
        // The cast cuts the fraction off, towards zero.
        let rest = float - floor as f64;
        if rest > 0.0 {
            Ordering::Less
        } else if rest < 0.0 {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    })
}

impl Rules {
    /// No rules.
    pub const NONE: &'static Self = &Self::new();

    /// Those of a set.
    pub const SET: &'static Self = &Self { distinct: true, ..Self::new() };

    /// No rules, to start from.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            minimum: None,
            maximum: None,
            exclusive_minimum: None,
            exclusive_maximum: None,
            multiple_of: None,
            min_length: None,
            max_length: None,
            min_items: None,
            max_items: None,
            distinct: false,
            pattern: "",
            format: "",
        }
    }

    /// Whether there is any rule.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        // Every rule by name: the compiler asks here for a new one, which belongs to one of the three kinds.
        let Self {
            minimum: _,
            maximum: _,
            exclusive_minimum: _,
            exclusive_maximum: _,
            multiple_of: _,
            min_length: _,
            max_length: _,
            pattern: _,
            format: _,
            min_items: _,
            max_items: _,
            distinct: _,
        } = self;
        !self.speaks_of_numbers() && !self.speaks_of_text() && !self.speaks_of_lists() && !self.distinct
    }

    /// Whether there is a rule on numbers.
    #[must_use]
    pub const fn speaks_of_numbers(&self) -> bool {
        !matches!(
            self,
            Self {
                minimum: None,
                maximum: None,
                exclusive_minimum: None,
                exclusive_maximum: None,
                multiple_of: None,
                ..
            }
        )
    }

    /// Whether there is a rule on text.
    #[must_use]
    pub const fn speaks_of_text(&self) -> bool {
        !matches!(self, Self { min_length: None, max_length: None, .. })
            || !self.pattern.is_empty()
            || !self.format.is_empty()
    }

    /// Whether there is a rule on lists.
    #[must_use]
    pub const fn speaks_of_lists(&self) -> bool {
        !matches!(self, Self { min_items: None, max_items: None, .. })
    }

    /// The rules of both, the tighter one where both speak of the same.
    #[must_use]
    pub const fn and(&self, other: &Self) -> Self {
        Self {
            minimum: higher(self.minimum, other.minimum),
            maximum: lower(self.maximum, other.maximum),
            exclusive_minimum: higher(self.exclusive_minimum, other.exclusive_minimum),
            exclusive_maximum: lower(self.exclusive_maximum, other.exclusive_maximum),
            multiple_of: coarser(self.multiple_of, other.multiple_of),
            min_length: more(self.min_length, other.min_length),
            max_length: fewer(self.max_length, other.max_length),
            min_items: more(self.min_items, other.min_items),
            max_items: fewer(self.max_items, other.max_items),
            distinct: self.distinct || other.distinct,
            pattern: if self.pattern.is_empty() { other.pattern } else { self.pattern },
            format: if self.format.is_empty() { other.format } else { self.format },
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new()
    }
}

pub(super) const fn higher(a: Option<Bound>, b: Option<Bound>) -> Option<Bound> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x.less(&y) { y } else { x }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

pub(super) const fn lower(a: Option<Bound>, b: Option<Bound>) -> Option<Bound> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if y.less(&x) { y } else { x }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

/// The step whose multiples are multiples of both. Two of which neither is one do not compile.
const fn coarser(a: Option<Bound>, b: Option<Bound>) -> Option<Bound> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if y.is_multiple(&x) { y } else { x }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

pub(super) const fn more(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x < y { y } else { x }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

pub(super) const fn fewer(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if y < x { y } else { x }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use core::cmp::Ordering::{Equal, Greater, Less};

    use super::{Bound, order};

    #[test]
    fn whole_numbers_and_floats_compare_exactly() {
        for (whole, float, is) in [
            (9_007_199_254_740_993, 9_007_199_254_740_992.0, Greater),
            (i128::from(i64::MIN), -9_223_372_036_854_775_808.0, Equal),
            (i128::from(i64::MIN) - 1, -9_223_372_036_854_775_808.0, Less),
            (i128::from(u64::MAX), 18_446_744_073_709_551_616.0, Less),
            (0, 0.5, Less),
            (0, -0.5, Greater),
            (-1, -0.5, Less),
            (-1, -1.5, Greater),
            (3, 3.0, Equal),
            (i128::MAX, f64::INFINITY, Less),
            (i128::MIN, f64::NEG_INFINITY, Greater),
        ] {
            assert_eq!(order(whole, float), Some(is), "{whole} and {float}");
        }
        assert_eq!(order(0, f64::NAN), None);
    }

    #[test]
    fn multiples_of_fractions_are_known_in_spite_of_rounding() {
        let number = |value: f64| Bound::float("", value);
        for (of, yes, no) in
            [(0.1, 0.3, 0.35), (0.01, 0.29, 0.295), (0.5, -1.5, 1.25), (2.5, 5.0, 4.0), (0.1, 1e6, 1e6 + 0.05)]
        {
            assert!(number(yes).is_multiple(&number(of)), "{yes} is a multiple of {of}");
            assert!(!number(no).is_multiple(&number(of)), "{no} is no multiple of {of}");
        }
        assert!(Bound::whole("", 3).is_multiple(&number(0.1)) && !number(0.1).is_multiple(&number(0.0)));
    }
}
