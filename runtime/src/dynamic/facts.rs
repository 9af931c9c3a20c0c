//! What several schemas say together about one value.
//!
//! A value that must satisfy a schema, the members of its `allOf` and what its `$ref` leads to must satisfy
//! them all: [`Facts`] is what is left of their keywords once those that speak about the same thing are
//! joined. A schema alone is the common case of one part.

use serde_json::{Map, Number, Value};

use super::departure::{Fate, Rule};
use super::document::{At, Place};
use super::rewrite::Rewriter;
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
    pub(super) required: &'a [Value],
    pub(super) patterns: bool,
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

/// Smallest and largest sizes.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
}

/// What several schemas say together.
#[derive(Debug)]
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
    pub(super) descriptions: Vec<&'a str>,
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
    pub(super) members: Vec<Members<'a>>,
    pub(super) elements: Vec<Elements<'a>>,
    pub(super) choices: Vec<Choice<'a>>,
    pub(super) rest: Vec<Rest<'a>>,
    /// What could not be joined, as sentences.
    pub(super) sentences: Vec<String>,
}

impl<'a> Facts<'a> {
    fn new(place: Place) -> Self {
        Self {
            place,
            types: Types::ALL,
            typed: false,
            constrained: false,
            values: None,
            constant: false,
            nullable: None,
            title: None,
            descriptions: Vec::new(),
            referred_description: None,
            notes: Vec::new(),
            range: Range::default(),
            length: Sizes::default(),
            items: Sizes::default(),
            members_count: Sizes::default(),
            pattern: None,
            format: None,
            sealed: false,
            members: Vec::new(),
            elements: Vec::new(),
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

    fn at_least(&mut self, size: u64) {
        self.least = Some(self.least.map_or(size, |known| known.max(size)));
    }

    fn at_most(&mut self, size: u64) {
        self.most = Some(self.most.map_or(size, |known| known.min(size)));
    }
}

/// The tighter of two bounds.
fn tighter<'a>(known: &mut Option<&'a Number>, new: &'a Number, lower: bool) {
    let replaces = known.is_none_or(|known| match (known.as_i64(), new.as_i64()) {
        (Some(known), Some(new)) => (new > known) == lower && new != known,
        _ => {
            let (known, new) = (known.as_f64().unwrap_or_default(), new.as_f64().unwrap_or_default());
            if lower { new > known } else { new < known }
        }
    });
    if replaces {
        *known = Some(new);
    }
}

impl<'a> Rewriter<'a, '_> {
    /// What the parts say together.
    pub(super) fn facts(&mut self, place: Place, parts: &[Part<'a>]) -> Facts<'a> {
        let mut facts = Facts::new(place);
        for part in parts {
            self.absorb(part, &mut facts);
        }
        facts
    }

    fn absorb(&mut self, part: &Part<'a>, facts: &mut Facts<'a>) {
        let (place, schema) = (part.at.place, part.map);
        let mut members = Members { place, properties: None, additional: None, required: &[], patterns: false };
        let mut elements = Elements { place, prefix: None, rest: None };
        let (mut has_members, mut has_elements) = (false, false);
        for (keyword, value) in schema {
            let mut constrains = true;
            match keyword.as_str() {
                "type" => match Types::listed(value) {
                    Some(types) => {
                        facts.types = facts.types & types;
                        facts.typed = true;
                    }
                    None => self.malformed(place, keyword, "the name of a type, or a list of names"),
                },
                "enum" => match value.as_array() {
                    Some(values) => facts.allow(values.iter().collect()),
                    None => self.malformed(place, keyword, "a list"),
                },
                "const" => {
                    facts.constant = facts.values.is_none();
                    facts.allow(vec![value]);
                }
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                    self.bound(place, keyword, value, facts);
                }
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                    self.size(place, keyword, value, facts);
                }
                "pattern" => self.phrase(place, keyword, value, &mut facts.pattern, &mut facts.sentences),
                "format" => self.phrase(place, keyword, value, &mut facts.format, &mut facts.sentences),
                "properties" => match value.as_object() {
                    Some(properties) => (members.properties, has_members) = (Some(properties), true),
                    None => self.malformed(place, keyword, "an object"),
                },
                "required" => match value.as_array() {
                    Some(names) if names.iter().all(Value::is_string) => {
                        (members.required, has_members) = (names, true);
                    }
                    _ => self.malformed(place, keyword, "a list of names"),
                },
                "additionalProperties" => (members.additional, has_members) = (Some(value), true),
                // Once `allOf` and `$ref` are joined, nothing is left to be evaluated elsewhere but by a choice.
                "unevaluatedProperties"
                    if *value == Value::Bool(false)
                        && !schema.contains_key("anyOf")
                        && !schema.contains_key("oneOf") =>
                {
                    (facts.sealed, has_members) = (true, true);
                }
                "patternProperties" => {
                    (members.patterns, has_members) = (true, true);
                    facts.rest.push(Rest { keyword, value, place, schema, about: Types::OBJECT });
                }
                "prefixItems" => (elements.prefix, has_elements) = (Some(("prefixItems", value)), true),
                "items" if value.is_array() => (elements.prefix, has_elements) = (Some(("items", value)), true),
                "items" => (elements.rest, has_elements) = (Some(("items", value)), true),
                "additionalItems" => {
                    if schema.get("items").is_some_and(Value::is_array) {
                        (elements.rest, has_elements) = (Some(("additionalItems", value)), true);
                    }
                }
                "anyOf" | "oneOf" => {
                    constrains = false;
                    let exactly_one = keyword == "oneOf";
                    if if exactly_one { part.without.one_of } else { part.without.any_of } {
                        continue;
                    }
                    if !value.is_array() {
                        self.malformed(place, keyword, "a list of schemas");
                        continue;
                    }
                    let branches = self.document.list(place, if exactly_one { "oneOf" } else { "anyOf" }, value);
                    facts.choices.push(Choice { exactly_one, branches, place });
                }
                "allOf" | "$ref" | "$defs" | "definitions" => constrains = false,
                "nullable" => {
                    constrains = false;
                    facts.nullable = Some((place, *value == Value::Bool(true)));
                }
                "title" | "description" => {
                    constrains = false;
                    if let (false, Some(text)) = (part.without.notes, value.as_str()) {
                        facts.say(keyword, text, part.referred);
                    }
                }
                "not" | "if" | "then" | "else" | "$dynamicRef" | "$recursiveRef" => {
                    // `if` and its consequences say nothing without one another.
                    constrains = match keyword.as_str() {
                        "if" => schema.contains_key("then") || schema.contains_key("else"),
                        "then" | "else" => schema.contains_key("if"),
                        _ => true,
                    };
                    if constrains {
                        facts.rest.push(Rest { keyword, value, place, schema, about: Types::ALL });
                    }
                }
                "uniqueItems" if *value == Value::Bool(false) => constrains = false,
                "uniqueItems" | "contains" | "unevaluatedItems" => {
                    facts.rest.push(Rest { keyword, value, place, schema, about: Types::ARRAY });
                }
                "minContains" | "maxContains" => {
                    constrains = schema.contains_key("contains");
                    if constrains {
                        facts.rest.push(Rest { keyword, value, place, schema, about: Types::ARRAY });
                    }
                }
                "propertyNames"
                | "unevaluatedProperties"
                | "dependentRequired"
                | "dependentSchemas"
                | "dependencies" => {
                    facts.rest.push(Rest { keyword, value, place, schema, about: Types::OBJECT });
                }
                "contentEncoding" | "contentMediaType" | "contentSchema" => {
                    facts.rest.push(Rest { keyword, value, place, schema, about: Types::STRING });
                }
                _ => {
                    constrains = false;
                    if !part.without.notes {
                        self.note(place, keyword, value, facts);
                    }
                }
            }
            facts.constrained |= constrains;
        }
        if has_members {
            facts.members.push(members);
        }
        if has_elements {
            facts.elements.push(elements);
        }
    }

    /// A keyword that restricts nothing.
    fn note(&mut self, place: Place, keyword: &'a str, value: &'a Value, facts: &mut Facts<'a>) {
        let support = self.dialect.keywords.of(keyword, false);
        if support.sent() {
            facts.notes.push((keyword, value));
            return;
        }
        // What every tool writes at the root is no reason to call a schema loose where no source says that it is
        // refused; it is left out all the same.
        let customary = matches!(keyword, "$schema" | "$id" | "$comment");
        let refused = if customary { support == crate::dialect::Support::Refused } else { support.refused() };
        if refused {
            self.report(
                place,
                Rule::Keyword(keyword.to_owned()),
                Fate::Same,
                format!("`{keyword}` stands here"),
                "leave it out: it restricts nothing",
            );
        }
    }

    fn bound(&mut self, place: Place, keyword: &'a str, value: &'a Value, facts: &mut Facts<'a>) {
        let Value::Number(number) = value else { return self.malformed(place, keyword, "a number") };
        let range = &mut facts.range;
        match keyword {
            "minimum" => tighter(&mut range.minimum, number, true),
            "maximum" => tighter(&mut range.maximum, number, false),
            "exclusiveMinimum" => tighter(&mut range.exclusive_minimum, number, true),
            "exclusiveMaximum" => tighter(&mut range.exclusive_maximum, number, false),
            _ => match range.multiple_of {
                None => range.multiple_of = Some(number),
                Some(known) if known == number => {}
                Some(_) => {
                    self.unjoined(place, keyword);
                    facts.sentences.push(format!("Must be a multiple of {number}."));
                }
            },
        }
    }

    fn size(&mut self, place: Place, keyword: &'a str, value: &'a Value, facts: &mut Facts<'a>) {
        let whole = value.as_u64().or_else(|| {
            // `2.0` is a size too.
            let float = value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..9e15).contains(float))?;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // in the range above
            Some(float as u64)
        });
        let Some(size) = whole else { return self.malformed(place, keyword, "a whole number that is not negative") };
        match keyword {
            "minLength" => facts.length.at_least(size),
            "maxLength" => facts.length.at_most(size),
            "minItems" => facts.items.at_least(size),
            "maxItems" => facts.items.at_most(size),
            "minProperties" => facts.members_count.at_least(size),
            _ => facts.members_count.at_most(size),
        }
    }

    fn phrase(
        &mut self,
        place: Place,
        keyword: &'a str,
        value: &'a Value,
        known: &mut Option<&'a str>,
        sentences: &mut Vec<String>,
    ) {
        let Some(text) = value.as_str() else { return self.malformed(place, keyword, "text") };
        match known {
            None => *known = Some(text),
            Some(known) if *known == text => {}
            Some(_) => {
                self.unjoined(place, keyword);
                sentences.push(match keyword {
                    "pattern" => super::sentence::pattern(text),
                    _ => super::sentence::format(text),
                });
            }
        }
    }

    /// Reports two values of a keyword that hold together and have no common form.
    fn unjoined(&mut self, place: Place, keyword: &str) {
        self.report(
            place,
            Rule::AllOf,
            Fate::Wider,
            format!("two values of `{keyword}` hold together"),
            format!("say one `{keyword}`"),
        );
    }

    pub(super) fn malformed(&mut self, place: Place, keyword: &str, expected: &str) {
        self.report(
            place,
            Rule::Schema,
            Fate::Stays,
            format!("`{keyword}` is not {expected}"),
            format!("`{keyword}` takes {expected}"),
        );
    }
}

impl<'a> Facts<'a> {
    /// Only these values are left.
    fn allow(&mut self, new: Vec<&'a Value>) {
        match &mut self.values {
            None => self.values = Some(new),
            Some(known) => {
                self.constant = false;
                known.retain(|value| new.contains(value));
            }
        }
    }

    fn say(&mut self, keyword: &str, text: &'a str, referred: bool) {
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
