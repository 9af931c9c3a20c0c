//! Constraints on a field: `min`, `pattern` and their like.

use proc_macro2::Span;

use super::value::Number;
use super::{Word, pattern};
use crate::faults::{Faults, did_you_mean, listing};

/// A value and the word that gave it.
pub(crate) struct Given<T> {
    pub(crate) value: T,
    pub(crate) key: Span,
    /// The tokens of the value, for faults.
    tokens: proc_macro2::TokenStream,
}

/// The constraints on one value.
#[derive(Default)]
pub(crate) struct RuleSet {
    pub(crate) minimum: Option<Given<Number>>,
    pub(crate) maximum: Option<Given<Number>>,
    pub(crate) exclusive_minimum: Option<Given<Number>>,
    pub(crate) exclusive_maximum: Option<Given<Number>>,
    pub(crate) multiple_of: Option<Given<Number>>,
    pub(crate) min_length: Option<Given<u64>>,
    pub(crate) max_length: Option<Given<u64>>,
    pub(crate) min_items: Option<Given<u64>>,
    pub(crate) max_items: Option<Given<u64>>,
    pub(crate) pattern: Option<Given<String>>,
    pub(crate) format: Option<Given<String>>,
}

/// The formats that the runtime checks text for (its `check::FORMATS`).
const FORMATS: [&str; 10] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];

/// Other formats of JSON Schema. No provider enforces them and the runtime does not either, so a
/// rule would be a promise that nobody keeps.
const UNCHECKED: [&str; 9] = [
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "uri-reference",
    "uri-template",
];

impl RuleSet {
    /// Takes the word if it is a constraint.
    pub(crate) fn take(&mut self, word: &Word, faults: &Faults) -> bool {
        let number = |faults| word.number(faults).map(|value| given(word, value));
        let count = |faults| word.count(faults).map(|value| given(word, value));
        match word.symbol.word {
            "min" => self.minimum = number(faults),
            "max" => self.maximum = number(faults),
            "exclusive_min" => self.exclusive_minimum = number(faults),
            "exclusive_max" => self.exclusive_maximum = number(faults),
            "multiple_of" => {
                self.multiple_of = number(faults);
                if self.multiple_of.as_ref().is_some_and(|number| number.value.float <= 0.0) {
                    word.fault("`multiple_of` takes a number above 0", faults);
                }
            }
            "min_length" => self.min_length = count(faults),
            "max_length" => self.max_length = count(faults),
            "min_items" => self.min_items = count(faults),
            "max_items" => self.max_items = count(faults),
            "pattern" => {
                let source = word.text(faults).and_then(|literal| pattern::check(&literal, faults));
                self.pattern = source.map(|source| given(word, source));
            }
            "format" => self.format = format(word, faults).map(|name| given(word, name)),
            _ => return false,
        }
        true
    }

    /// Whether there is no rule.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys().is_empty()
    }

    /// Where the first rule stands.
    pub(crate) fn first_key(&self) -> Option<Span> {
        self.keys().first().copied()
    }

    /// Where the rules stand, by what they speak of: numbers, text, lists.
    pub(crate) fn groups(&self) -> [Vec<Span>; 3] {
        fn key<T>(given: Option<&Given<T>>) -> Option<Span> {
            given.map(|given| given.key)
        }
        // Every rule by name, so that none is forgotten: a rule in no group would be read and dropped.
        let Self {
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
        } = self;
        let numbers = [minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of];
        let numbers = numbers.map(|given| key(given.as_ref()));
        let text = [key(min_length.as_ref()), key(max_length.as_ref()), key(pattern.as_ref()), key(format.as_ref())];
        let lists = [key(min_items.as_ref()), key(max_items.as_ref())];
        [
            numbers.into_iter().flatten().collect(),
            text.into_iter().flatten().collect(),
            lists.into_iter().flatten().collect(),
        ]
    }

    fn keys(&self) -> Vec<Span> {
        self.groups().concat()
    }

    /// Bounds that no value can keep, where both stand here.
    pub(crate) fn check_contradictions(&self, faults: &Faults) {
        let lows = [("min", &self.minimum, false), ("exclusive_min", &self.exclusive_minimum, true)];
        let highs = [("max", &self.maximum, false), ("exclusive_max", &self.exclusive_maximum, true)];
        for (low_word, low, low_open) in lows {
            for (high_word, high, high_open) in highs {
                let (Some(low), Some(high)) = (low, high) else { continue };
                let open = low_open || high_open;
                if high.value.less(&low.value) || open && !low.value.less(&high.value) {
                    faults.on(
                        &high.tokens,
                        format!(
                            "no number fits: `{low_word} = {}` is {} `{high_word} = {}`",
                            low.value.text,
                            if high.value.less(&low.value) { "above" } else { "not below" },
                            high.value.text
                        ),
                    );
                }
            }
        }
        let counts = [
            ("min_length", &self.min_length, "max_length", &self.max_length, "text"),
            ("min_items", &self.min_items, "max_items", &self.max_items, "list"),
        ];
        for (low_word, low, high_word, high, what) in counts {
            if let (Some(low), Some(high)) = (low, high)
                && low.value > high.value
            {
                faults.on(
                    &high.tokens,
                    format!("no {what} fits: `{low_word} = {}` is above `{high_word} = {}`", low.value, high.value),
                );
            }
        }
    }
}

fn given<T>(word: &Word, value: T) -> Given<T> {
    Given { value, key: word.key.span(), tokens: quote::ToTokens::to_token_stream(&word.value) }
}

fn format(word: &Word, faults: &Faults) -> Option<String> {
    let literal = word.text(faults)?;
    let name = literal.value();
    if FORMATS.contains(&name.as_str()) {
        return Some(name);
    }
    if UNCHECKED.contains(&name.as_str()) {
        faults.on(
            &literal,
            format!(
                "the format `{name}` is enforced by nobody; write a `pattern`, or a rule of your own: `validate = path`"
            ),
        );
        return None;
    }
    let hint = match did_you_mean(&name, FORMATS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}; for other text write a `pattern`", listing(FORMATS, "and")),
    };
    faults.on(&literal, format!("unknown format `{name}`; {hint}"));
    None
}
