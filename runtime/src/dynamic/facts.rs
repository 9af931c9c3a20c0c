//! What several schemas say together about one value.
//!
//! A value that must satisfy a schema, the members of its `allOf` and what its `$ref` leads to must satisfy
//! them all: [`Facts`] is what is left of their keywords once those that speak about the same thing are
//! joined. A schema alone is the common case of one part.

use serde_json::{Map, Number, Value};

use super::document::{At, Place};
use super::few::Few;
use super::types::Types;

/// One schema object of those that hold together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) at: At<'a>,
    pub(super) map: &'a Map<String, Value>,
    pub(super) without: Without,
    /// Whether it came through a reference: what it is for is said only if nobody else says it.
    pub(super) referred: bool,
}

/// Which keywords of a schema are dealt with elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(super) struct Without {
    pub(super) notes: bool,
    pub(super) any_of: bool,
    pub(super) one_of: bool,
}

/// A keyword that chooses between schemas.
#[derive(Debug, Clone)]
pub(super) struct Choice<'a> {
    pub(super) exactly_one: bool,
    pub(super) branches: Vec<At<'a>>,
    pub(super) place: Place,
}

/// What one part says about objects.
#[derive(Debug, Clone, Copy)]
pub(super) struct Members<'a> {
    pub(super) place: Place,
    pub(super) properties: Option<&'a Map<String, Value>>,
    pub(super) additional: Option<&'a Value>,
    /// A list, if anything.
    pub(super) required: Option<&'a Value>,
    pub(super) patterns: bool,
}

impl<'a> Members<'a> {
    /// The names of those that are required.
    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let names = self.required.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        names.iter().filter_map(Value::as_str)
    }
}

/// What one part says about arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements<'a> {
    pub(super) place: Place,
    /// `prefixItems`, or `items` as a list, with the keyword.
    pub(super) prefix: Option<(&'static str, &'a Value)>,
    /// The schema of all elements, or of those after the prefix, with the keyword.
    pub(super) rest: Option<(&'static str, &'a Value)>,
}

/// A keyword that stands in the output, or in the description.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest<'a> {
    pub(super) keyword: &'a str,
    pub(super) value: &'a Value,
    pub(super) place: Place,
    /// The schema that it stands in.
    pub(super) schema: &'a Map<String, Value>,
    /// Which values it speaks about.
    pub(super) about: Types,
}

/// Inclusive and exclusive ends of a range, as they were written.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Range<'a> {
    pub(super) minimum: Option<&'a Number>,
    pub(super) maximum: Option<&'a Number>,
    pub(super) exclusive_minimum: Option<&'a Number>,
    pub(super) exclusive_maximum: Option<&'a Number>,
    pub(super) multiple_of: Option<&'a Number>,
}

impl Range<'_> {
    /// Whether no number is in it, as far as floats can tell.
    pub(super) fn is_empty(&self) -> bool {
        let above = |low: Option<&Number>, high: Option<&Number>, excluded: bool| {
            let (Some(low), Some(high)) = (low, high) else { return false };
            low.as_f64() > high.as_f64() && high.as_f64().is_some() || excluded && low == high
        };
        above(self.minimum, self.maximum, false)
            || above(self.minimum, self.exclusive_maximum, true)
            || above(self.exclusive_minimum, self.maximum, true)
            || above(self.exclusive_minimum, self.exclusive_maximum, true)
    }
}

/// Smallest and largest sizes.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
}

/// What several schemas say together.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(super) struct Facts<'a> {
    pub(super) place: Place,
    pub(super) types: Types,
    /// Whether `type` is said.
    pub(super) typed: bool,
    /// Whether anything is said beyond choices and notes.
    pub(super) constrained: bool,
    pub(super) values: Option<Vec<&'a Value>>,
    /// Whether the values are said by `const`.
    pub(super) constant: bool,
    /// Where `nullable` is said, and what.
    pub(super) nullable: Option<(Place, bool)>,
    pub(super) title: Option<&'a str>,
    pub(super) descriptions: Few<&'a str>,
    pub(super) referred_description: Option<&'a str>,
    pub(super) notes: Vec<(&'a str, &'a Value)>,
    pub(super) range: Range<'a>,
    pub(super) length: Sizes,
    pub(super) items: Sizes,
    pub(super) members_count: Sizes,
    pub(super) pattern: Option<&'a str>,
    pub(super) format: Option<&'a str>,
    /// Whether `unevaluatedProperties` is false with nothing left to evaluate.
    pub(super) sealed: bool,
    pub(super) members: Few<Members<'a>>,
    pub(super) elements: Few<Elements<'a>>,
    pub(super) choices: Vec<Choice<'a>>,
    pub(super) rest: Vec<Rest<'a>>,
    /// What could not be joined, as sentences.
    pub(super) sentences: Vec<String>,
}

impl Facts<'_> {
    pub(super) fn new(place: Place) -> Self {
        Self {
            place,
            types: Types::ALL,
            typed: false,
            constrained: false,
            values: None,
            constant: false,
            nullable: None,
            title: None,
            descriptions: Few::None,
            referred_description: None,
            notes: Vec::new(),
            range: Range::default(),
            length: Sizes::default(),
            items: Sizes::default(),
            members_count: Sizes::default(),
            pattern: None,
            format: None,
            sealed: false,
            members: Few::None,
            elements: Few::None,
            choices: Vec::new(),
            rest: Vec::new(),
            sentences: Vec::new(),
        }
    }

    /// The types that the keywords speak about, where `type` does not say.
    pub(super) fn spoken_of(&self) -> Types {
        let mut types = Types::NONE;
        let Range { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } = self.range;
        if [minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of].iter().any(Option::is_some) {
            types = types | Types::NUMBER;
        }
        if self.length.any() || self.pattern.is_some() || self.format.is_some() {
            types = types | Types::STRING;
        }
        if self.items.any() || !self.elements.is_empty() {
            types = types | Types::ARRAY;
        }
        if self.members_count.any() || !self.members.is_empty() {
            types = types | Types::OBJECT;
        }
        let about = self.rest.iter().map(|rest| rest.about).filter(|about| *about != Types::ALL);
        about.fold(types, |all, about| all | about)
    }
}

impl Sizes {
    pub(super) fn any(self) -> bool {
        self.least.is_some() || self.most.is_some()
    }

    /// Whether nothing is of such a size.
    pub(super) fn is_empty(self) -> bool {
        matches!((self.least, self.most), (Some(least), Some(most)) if least > most)
    }

    pub(super) fn at_least(&mut self, size: u64) {
        self.least = Some(self.least.map_or(size, |known| known.max(size)));
    }

    pub(super) fn at_most(&mut self, size: u64) {
        self.most = Some(self.most.map_or(size, |known| known.min(size)));
    }
}

impl<'a> Facts<'a> {
    /// A note to readers; the last of a keyword holds, where the first stood.
    pub(super) fn note(&mut self, keyword: &'a str, value: &'a Value) {
        match self.notes.iter_mut().find(|(known, _)| *known == keyword) {
            Some((_, known)) => *known = value,
            None => self.notes.push((keyword, value)),
        }
    }

    /// Only these values are left.
    pub(super) fn allow(&mut self, new: Vec<&'a Value>) {
        match &mut self.values {
            None => self.values = Some(new),
            Some(known) => {
                self.constant = false;
                known.retain(|value| new.contains(value));
            }
        }
    }

    pub(super) fn say(&mut self, keyword: &str, text: &'a str, referred: bool) {
        if keyword == "title" {
            if !referred && self.title.is_none() {
                self.title = Some(text);
            }
        } else if referred {
            self.referred_description.get_or_insert(text);
        } else if !text.is_empty() && !self.descriptions.contains(&text) {
            self.descriptions.push(text);
        }
    }
}
