//! Rules on a value: as keywords where the dialect takes them, and else as sentences.

use serde_json::{Number, Value};

use super::departure::{Fate, Rule};
use super::draft::Draft;
use super::facts::{Facts, Rest, Sizes};
use super::leaf::Body;
use super::rewrite::Rewriter;
use super::sentence;
use super::types::Types;
use crate::dialect::pattern::Travel;
use crate::dialect::{EnumValues, Support};
use crate::schema::lower::spelled;

impl<'a> Rewriter<'a, '_> {
    /// `enum` or `const`.
    pub(super) fn values(&mut self, facts: &Facts<'a>, values: Vec<&'a Value>, types: Types, body: &mut Body<'a>) {
        let taken = |value: &&Value| match self.dialect.forms.enum_values {
            EnumValues::Strings => value.is_string(),
            EnumValues::StringsAndNumbers => value.is_string() || value.is_number(),
            EnumValues::Primitives => !value.is_array() && !value.is_object(),
            EnumValues::Any => true,
        };
        if values.iter().all(taken) {
            let large = self.dialect.limits.large_enum;
            if values.len() > large {
                let text: usize = values.iter().filter_map(|value| value.as_str()).map(str::len).sum();
                super::limits::enum_text(self, facts.place, values.len(), text);
            }
            if let ([one], true) = (&values[..], facts.constant) {
                if self.dialect.keywords.r#const.sent() && facts.typed {
                    return body.put("const", Draft::Given(one));
                }
                if !self.dialect.keywords.r#const.sent() {
                    let found = "a `const` stands here";
                    self.report_keyword(facts.place, "const", Fate::Same, found, "write an `enum` of one value");
                }
            }
            return body.put("enum", Draft::Values(values));
        }
        // The type alone says these.
        if types == Types::NULL || (types == Types::BOOLEAN && values.len() == 2) {
            return;
        }
        let plain = values.iter().all(|value| !value.is_array() && !value.is_object());
        let found = format!("`enum` has {}", sentence::one_of(&values).trim_start_matches("Must be "));
        let fate = if plain { Fate::Wider } else { Fate::Stays };
        self.report(
            facts.place,
            Rule::Enum,
            fate,
            found,
            "list values of the kind that is taken, or say them in the description",
        );
        body.sentences.push(sentence::one_of(&values));
    }

    pub(super) fn numbers(&mut self, facts: &Facts<'a>, integer: bool, body: &mut Body<'a>) {
        let keywords = &self.dialect.keywords;
        let support = if integer { keywords.integers } else { keywords.numbers };
        let ceilings = self.dialect.ceilings;
        let held = |keyword, bound: &Number| {
            let whole = bound.as_i64().map(i128::from).or_else(|| bound.as_u64().map(i128::from));
            match (keyword, bound.as_f64()) {
                ("multipleOf", Some(step)) => ceilings.hold_step(step),
                (_, Some(float)) => ceilings.hold_bound(integer, whole, float),
                // serde_json has digits here that no float holds.
                (_, None) => false,
            }
        };
        let range = &facts.range;
        let mut told = Vec::new();
        for (keyword, bound, support) in [
            ("minimum", range.minimum, support.inclusive),
            ("maximum", range.maximum, support.inclusive),
            ("exclusiveMinimum", range.exclusive_minimum, support.exclusive),
            ("exclusiveMaximum", range.exclusive_maximum, support.exclusive),
            ("multipleOf", range.multiple_of, support.multiple_of),
        ] {
            let Some(bound) = bound else { continue };
            if support.sent() && held(keyword, bound) {
                body.put(keyword, bound);
            } else {
                self.describe(facts, keyword, bound);
                told.push((keyword, bound));
            }
        }
        body.sentences.extend(sentence::bounds(&told));
    }

    /// Rules on text; where the value is none, `format` is but a note.
    pub(super) fn text(&mut self, facts: &Facts<'a>, is_text: bool, body: &mut Body<'a>) {
        let (keywords, patterns) = (&self.dialect.keywords, &self.dialect.patterns);
        if !is_text {
            if let Some(format) = facts.format
                && keywords.unlisted_format.refused()
            {
                let found = "`format` on a value that is no text";
                self.report(
                    facts.place,
                    Rule::Format(format.to_owned()),
                    Fate::Same,
                    found,
                    "leave it out: it restricts nothing",
                );
            }
            return;
        }
        let together = patterns.beside_others;
        let pattern = facts.pattern.is_some_and(|pattern| self.pattern(facts, pattern, body));
        let format = facts.format.is_some_and(|format| self.format(facts, format, together || !pattern, body));
        let lengths = self.dialect.keywords.lengths.sent() && (together || !pattern && !format);
        let told = self.sizes(facts, ("minLength", "maxLength"), facts.length, (lengths, lengths), body);
        // The words are in the order of those of compile-time schemas.
        let at = body.sentences.len()
            - usize::from(facts.pattern.is_some() && !pattern)
            - usize::from(facts.format.is_some() && !format);
        if let Some(sentence) = sentence::sizes(told, "character") {
            body.sentences.insert(at, sentence);
        }
    }

    /// `pattern`; whether it is sent.
    fn pattern(&mut self, facts: &Facts<'a>, pattern: &'a str, body: &mut Body<'a>) -> bool {
        if let Some(fault) = unfinished(pattern) {
            let found = format!("`pattern` is `{pattern}`, {fault}");
            self.report(facts.place, Rule::Pattern, Fate::Stays, found, "write a regular expression");
            body.sentences.push(sentence::pattern(pattern));
            return false;
        }
        if !self.dialect.keywords.pattern.sent() {
            self.describe(facts, "pattern", pattern);
            body.sentences.push(sentence::pattern(pattern));
            return false;
        }
        let quoted = Value::from(pattern).to_string();
        let found = format_args!("`pattern` is `{pattern}`");
        match self.dialect.patterns.travel(&quoted) {
            Travel::Whole => {
                body.put("pattern", pattern);
                true
            }
            Travel::Spelled => {
                let spelled: String = serde_json::from_str(&spelled(&quoted)).unwrap_or_else(|_| pattern.to_owned());
                self.report(facts.place, Rule::Pattern, Fate::Same, found, format_args!("write `{spelled}`"));
                body.put("pattern", spelled);
                true
            }
            Travel::Told => {
                let remedy = "write it held by `^` and `$`, without look-around, references back and what only some engines read";
                self.report(facts.place, Rule::Pattern, Fate::Wider, found, remedy);
                body.sentences.push(sentence::pattern(pattern));
                false
            }
        }
    }

    /// `format`; whether it is sent.
    fn format(&mut self, facts: &Facts<'a>, format: &'a str, fits: bool, body: &mut Body<'a>) -> bool {
        if fits && (self.dialect.formats.contains(&format) || self.dialect.keywords.unlisted_format.sent()) {
            body.put("format", format);
            return true;
        }
        let fate = if STANDARD_FORMATS.contains(&format) { Fate::Wider } else { Fate::Same };
        let found = format!("`format` is `{format}`");
        let remedy = "say it in the description, or with a `pattern`";
        self.report(facts.place, Rule::Format(format.to_owned()), fate, found, remedy);
        body.sentences.push(sentence::format(format));
        false
    }

    /// A smallest and a largest size; what is not sent is given back.
    pub(super) fn sizes(
        &mut self,
        facts: &Facts<'a>,
        (least, most): (&'static str, &'static str),
        sizes: Sizes,
        (sends_least, sends_most): (bool, bool),
        body: &mut Body<'a>,
    ) -> Sizes {
        let ceilings = &self.dialect.ceilings;
        let (least_held, most_held) = match least {
            "minLength" => (ceilings.length, ceilings.length),
            "minItems" => (ceilings.min_items, ceilings.max_items),
            _ => (ceilings.properties, ceilings.properties),
        };
        let mut told = Sizes::default();
        if let Some(size) = sizes.least {
            if sends_least && size <= least_held {
                body.put(least, size);
            } else if size == 0 {
                let found = format_args!("`{least}` is 0");
                self.report_keyword(facts.place, least, Fate::Same, found, "leave it out: it restricts nothing");
            } else {
                self.describe(facts, least, size);
                told.least = Some(size);
            }
        }
        if let Some(size) = sizes.most {
            if sends_most && size <= most_held {
                body.put(most, size);
            } else {
                self.describe(facts, most, size);
                told.most = Some(size);
            }
        }
        told
    }

    /// A keyword that is seldom used.
    pub(super) fn rest(&mut self, rest: Rest<'a>, body: &mut Body<'a>) {
        let support = self.dialect.keywords.of(rest.keyword, false);
        if support.sent() && !body.has(rest.keyword) && !refers(rest.value) {
            return body.put(rest.keyword, Draft::Given(rest.value));
        }
        // What is encoded in a text is a note to readers.
        let fate =
            if rest.keyword.starts_with("content") && support != Support::Sent { Fate::Same } else { Fate::Wider };
        self.report_keyword(
            rest.place,
            rest.keyword,
            fate,
            format_args!("`{}` stands here", rest.keyword),
            "say it in the description, and check it after parsing",
        );
        let sentence = sentence::other(rest.keyword, rest.value, rest.schema);
        if !sentence.is_empty() {
            body.sentences.push(sentence);
        }
    }

    /// Reports a rule that goes into the description.
    pub(super) fn describe(&mut self, facts: &Facts<'a>, keyword: &str, value: impl std::fmt::Display) {
        self.report_keyword(
            facts.place,
            keyword,
            Fate::Wider,
            format_args!("`{keyword}` is {value}"),
            "say it in the description, and check it after parsing",
        );
    }
}

/// The formats that JSON Schema defines; what others mean is between the author and the reader.
const STANDARD_FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uri-template",
    "iri",
    "iri-reference",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Whether a reference stands anywhere in a value.
fn refers(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(refers),
        Value::Object(map) => map.contains_key("$ref") || map.values().any(refers),
        _ => false,
    }
}

/// What is wrong with a pattern that no engine reads: its brackets do not match, or it ends too early.
fn unfinished(pattern: &str) -> Option<&'static str> {
    let (mut groups, mut listing) = (0_u32, false);
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.next().is_none() => return Some("which ends with `\\`"),
            '[' => listing = true,
            ']' => listing = false,
            '(' if !listing => groups += 1,
            ')' if !listing && groups == 0 => return Some("which closes a group that is not open"),
            ')' if !listing => groups -= 1,
            _ => {}
        }
    }
    match (listing, groups) {
        (true, _) => Some("which does not close its `[`"),
        (_, 1..) => Some("which does not close its `(`"),
        _ => None,
    }
}
