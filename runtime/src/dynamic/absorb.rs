//! The keywords of a schema, one by one, as [`Facts`].

use serde_json::{Number, Value};

use super::departure::{Fate, Rule};
use super::document::Place;
use super::facts::{Choice, Elements, Facts, Members, Part, Rest};
use super::rewrite::Rewriter;
use super::types::Types;
use crate::dialect::Support;

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
        let mut members = Members { place, properties: None, additional: None, required: None, patterns: false };
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
                "anyOf" | "oneOf" => {
                    constrains = false;
                    self.choice(part, keyword, value, facts);
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
                "contentEncoding" | "contentMediaType" | "contentSchema" => {
                    facts.rest.push(Rest { keyword, value, place, schema, about: Types::STRING });
                }
                _ if self.of_objects(part, (keyword, value), &mut members, facts) => has_members = true,
                _ if of_arrays(part, (keyword, value), &mut elements, facts) => has_elements = true,
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
        if has_elements && (elements.prefix.is_some() || elements.rest.is_some()) {
            facts.elements.push(elements);
        }
    }

    fn choice(&mut self, part: &Part<'a>, keyword: &str, value: &'a Value, facts: &mut Facts<'a>) {
        let place = part.at.place;
        let exactly_one = keyword == "oneOf";
        if if exactly_one { part.without.one_of } else { part.without.any_of } {
            return;
        }
        if !value.is_array() {
            return self.malformed(place, keyword, "a list of schemas");
        }
        let branches = self.document.list(place, if exactly_one { "oneOf" } else { "anyOf" }, value);
        facts.choices.push(Choice { exactly_one, branches, place });
    }

    /// A keyword about objects; whether it is one.
    fn of_objects(
        &mut self,
        part: &Part<'a>,
        (keyword, value): (&'a str, &'a Value),
        members: &mut Members<'a>,
        facts: &mut Facts<'a>,
    ) -> bool {
        let (place, schema) = (part.at.place, part.map);
        let rest = Rest { keyword, value, place, schema, about: Types::OBJECT };
        match keyword {
            "properties" => match value.as_object() {
                Some(properties) => members.properties = Some(properties),
                None => self.malformed(place, keyword, "an object"),
            },
            "required" => match value.as_array() {
                Some(names) if names.iter().all(Value::is_string) => members.required = Some(value),
                _ => self.malformed(place, keyword, "a list of names"),
            },
            "additionalProperties" => members.additional = Some(value),
            // Once `allOf` and `$ref` are joined, nothing is left to be evaluated elsewhere but by a choice that is not
            // made yet.
            "unevaluatedProperties"
                if *value == Value::Bool(false)
                    && (part.without.any_of || !schema.contains_key("anyOf"))
                    && (part.without.one_of || !schema.contains_key("oneOf")) =>
            {
                facts.sealed = true;
            }
            "patternProperties" => {
                members.patterns = true;
                facts.rest.push(rest);
            }
            "propertyNames" | "unevaluatedProperties" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
                facts.rest.push(rest);
            }
            _ => return false,
        }
        true
    }

    /// A keyword that restricts nothing.
    fn note(&mut self, place: Place, keyword: &'a str, value: &'a Value, facts: &mut Facts<'a>) {
        let support = self.dialect.keywords.of(keyword, false);
        if support.sent() {
            facts.note(keyword, value);
            return;
        }
        // What every tool writes at the root is no reason to call a schema loose where no source says that it is
        // refused; it is left out all the same.
        let customary = matches!(keyword, "$schema" | "$id" | "$comment");
        let refused = if customary { support == Support::Refused } else { support.refused() };
        if refused {
            self.report_keyword(
                place,
                keyword,
                Fate::Same,
                format_args!("`{keyword}` stands here"),
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
            format_args!("two values of `{keyword}` hold together"),
            format_args!("say one `{keyword}`"),
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

/// A keyword about arrays; whether it is one.
fn of_arrays<'a>(
    part: &Part<'a>,
    (keyword, value): (&'a str, &'a Value),
    elements: &mut Elements<'a>,
    facts: &mut Facts<'a>,
) -> bool {
    let (place, schema) = (part.at.place, part.map);
    match keyword {
        "prefixItems" => elements.prefix = Some(("prefixItems", value)),
        "items" if value.is_array() => elements.prefix = Some(("items", value)),
        "items" => elements.rest = Some(("items", value)),
        // These say nothing without what they add to.
        "additionalItems" if !schema.get("items").is_some_and(Value::is_array) => {}
        "minContains" | "maxContains" if !schema.contains_key("contains") => {}
        "additionalItems" => elements.rest = Some(("additionalItems", value)),
        "uniqueItems" if *value == Value::Bool(false) => {}
        "uniqueItems" | "contains" | "unevaluatedItems" | "minContains" | "maxContains" => {
            facts.rest.push(Rest { keyword, value, place, schema, about: Types::ARRAY });
        }
        _ => return false,
    }
    true
}

/// The tighter of two bounds.
fn tighter<'a>(known: &mut Option<&'a Number>, new: &'a Number, lower: bool) {
    let beats = |known: &Number| {
        if let (Some(known), Some(new)) = (known.as_i64(), new.as_i64()) {
            return if lower { new > known } else { new < known };
        }
        let (known, new) = (known.as_f64().unwrap_or_default(), new.as_f64().unwrap_or_default());
        if lower { new > known } else { new < known }
    };
    let replaces = known.is_none_or(beats);
    if replaces {
        *known = Some(new);
    }
}
