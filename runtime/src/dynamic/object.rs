//! Objects: their members, which are required, and whether there may be others.

use std::collections::HashSet;

use serde_json::Value;

use super::departure::{Fate, Rule};
use super::document::At;
use super::draft::Draft;
use super::facts::{Facts, Members};
use super::leaf::Body;
use super::members::{Member, Required, listed};
use super::rewrite::{Position, Rewriter, Term};
use super::sentence;
use super::types::Types;
use crate::dialect::{Keys, Support};

/// How many schemas are looked at for the answer whether null fits.
const LOOKS: usize = 64;

impl<'a> Rewriter<'a, '_> {
    /// Puts the keywords of objects; false if no object fits.
    ///
    /// `typed` says whether the schema is of objects for certain, so that it can be closed.
    #[allow(clippy::too_many_lines, reason = "one keyword after the other, each a few lines")]
    pub(super) fn object(&mut self, facts: &Facts<'a>, typed: bool, body: &mut Body<'a>) -> bool {
        let (all_required, closes) = (self.dialect.forms.all_required, self.dialect.forms.closed && typed);
        let required = Required::of(&facts.members);
        let mut members = self.members(&facts.members);
        let others = self.others(facts, closes, body);
        if closes || matches!(others, Others::Refused) {
            self.undeclared(facts, &required, &members);
        }

        let mut properties = Vec::with_capacity(members.len());
        let outer = self.definitions.optional;
        for member in &mut members {
            let is_required = required.has(member.key);
            let terms = &*member.terms;
            let place = terms.first().map_or(facts.place, |term| term.at.place);
            self.key(place, member.key);
            let nulls = !is_required && (all_required || self.spares_unions) && self.takes_null(terms);
            if !is_required && all_required {
                let found = format_args!(
                    "'required' is required to be supplied and to be an array including every key in properties. Missing '{}'",
                    member.key
                );
                if !nulls && self.dialect.keywords.nullable != Support::Sent && says_nullable(terms) {
                    // Where `nullable` is written as a union with null, null can say that it is missing.
                    self.report(place, Rule::Required, Fate::Wider, found, "list it in `required`, and let it be null");
                } else if nulls {
                    self.report(
                        place,
                        Rule::Required,
                        Fate::Narrower,
                        found,
                        "list it in `required`: null says that it is missing",
                    );
                } else {
                    self.report(
                        place,
                        Rule::Required,
                        Fate::Stays,
                        found,
                        "list it in `required`, and let it be null where it may be missing",
                    );
                }
            }
            let is_required = is_required || all_required;
            self.drops_null = nulls && self.spares_unions && !is_required;
            self.definitions.optional = outer || !is_required;
            let written = if member.forbidden { None } else { self.inside(terms, Position::Property) };
            self.drops_null = false;
            let aside = self.aside.take();
            let Some(written) = written else {
                if is_required {
                    self.definitions.optional = outer;
                    return false;
                }
                let found = format_args!("nothing can be the value of `{}`", member.key);
                if matches!(others, Others::Refused) {
                    self.report(place, Rule::Satisfiable, Fate::Same, found, "leave the property out");
                } else if self.dialect.keywords.boolean_schema.sent() {
                    properties.push((member.key, false.into()));
                } else {
                    self.report(
                        place,
                        Rule::Satisfiable,
                        Fate::Stays,
                        found,
                        "close the object, and leave the property out",
                    );
                }
                continue;
            };
            if let Some(aside) = aside {
                body.lines.push(format!("`{}`: {aside}", member.key));
            }
            member.required = is_required;
            properties.push((member.key, written));
        }
        self.definitions.optional = outer;

        let added = members.iter().filter(|member| member.required).count();
        let count = (added as u64, properties.len() as u64);
        if closes || facts.members.iter().any(|part| part.properties.is_some()) {
            body.put("properties", properties);
        }
        match facts.members[..] {
            [Members { required: Some(names), .. }] if required.are_all_of(&members) => {
                body.put("required", Draft::Given(names));
            }
            _ => {
                let names = listed(facts, &members, closes);
                if closes || !names.is_empty() {
                    body.put("required", names);
                }
            }
        }
        match others {
            Others::Refused => body.put("additionalProperties", false),
            Others::Schema(schema) => body.put("additionalProperties", schema),
            Others::Any => {}
        }
        self.counts(facts, count, closes, body);
        true
    }

    /// What becomes of members that are not named.
    fn others(&mut self, facts: &Facts<'a>, closes: bool, body: &mut Body<'a>) -> Others<'a> {
        let additional = facts.members.iter().filter_map(|part| Some((part.place, part.additional?)));
        let sealed = facts.sealed || additional.clone().any(|(_, value)| *value == Value::Bool(false));
        let schemas: Vec<_> = additional
            .filter(|(_, value)| !value.is_boolean() && value.as_object().is_none_or(|map| !map.is_empty()))
            .collect();
        let place = facts.members.first().map_or(facts.place, |part| part.place);
        let list = "carry it as an array of objects with a key and a value";
        if facts.sealed && !self.dialect.keywords.unevaluated.sent() {
            let found = "`unevaluatedProperties` stands here";
            self.report_keyword(place, "unevaluatedProperties", Fate::Same, found, "write `additionalProperties`");
        }
        if closes {
            if facts.members.iter().any(|part| part.patterns) {
                self.report(place, Rule::Map, Fate::Stays, "`patternProperties` lets in members by pattern", list);
            } else if sealed {
                // As it must be.
            } else if !schemas.is_empty() {
                let found = "'additionalProperties' is required to be supplied and to be false; here it is a schema";
                self.report(place, Rule::Map, Fate::Stays, found, list);
            } else if facts.members.iter().any(|part| part.properties.is_some()) {
                let found = "'additionalProperties' is required to be supplied and to be false";
                self.report(place, Rule::Closed, Fate::Narrower, found, "write `\"additionalProperties\": false`");
            } else {
                let found = "'additionalProperties' is required to be supplied and to be false; no properties are named, so that any member fits";
                self.report(place, Rule::Map, Fate::Stays, found, format!("name the properties, or {list}"));
            }
            return Others::Refused;
        }
        if sealed {
            return Others::Refused;
        }
        if schemas.is_empty() {
            return Others::Any;
        }
        if !self.dialect.keywords.map.sent() {
            self.report(place, Rule::Map, Fate::Stays, "`additionalProperties` is a schema", list);
        }
        let mut terms: Vec<Term<'a>> = Vec::new();
        for (place, value) in schemas {
            terms.push(self.document.member(place, "additionalProperties", value).into());
        }
        let written = self.inside(&terms, Position::Inner);
        if let Some(aside) = self.aside.take() {
            body.lines.push(aside.into_owned());
        }
        match written {
            None => Others::Refused,
            Some(any) if any.is_any() => Others::Any,
            Some(schema) => Others::Schema(schema),
        }
    }

    /// Reports names that are required and stand nowhere, of an object that has no others.
    fn undeclared(&mut self, facts: &Facts<'a>, required: &Required<'a>, members: &[Member<'a>]) {
        if members.iter().filter(|member| required.has(member.key)).count() >= required.count(members) {
            return;
        }
        let declared: HashSet<_> = members.iter().map(|member| member.key).collect();
        for part in facts.members.iter() {
            for name in part.required().filter(|name| !declared.contains(name)) {
                let found = format_args!("`required` names `{name}`, which is no property");
                self.report(
                    part.place,
                    Rule::Declared,
                    Fate::Stays,
                    found,
                    "declare it in `properties`, or take it out",
                );
            }
        }
    }

    fn key(&mut self, place: super::document::Place, key: &str) {
        if self.dialect.forms.keys == Keys::Unescaped && key.contains(|c: char| c == '"' || c == '\\' || c.is_control())
        {
            let found = format!("the property is called {}", Value::from(key));
            self.report(
                place,
                Rule::Key,
                Fate::Stays,
                found,
                "choose a name without quotes, backslashes and control characters",
            );
        }
    }

    /// `minProperties` and `maxProperties`; a closed object may fulfil them as it is.
    fn counts(&mut self, facts: &Facts<'a>, (required, all): (u64, u64), closes: bool, body: &mut Body<'a>) {
        let mut counts = facts.members_count;
        let sent = self.dialect.keywords.property_counts.sent();
        if closes && !sent {
            for (keyword, holds, bound) in [
                ("minProperties", facts.members_count.least.is_some_and(|least| least <= required), &mut counts.least),
                ("maxProperties", facts.members_count.most.is_some_and(|most| most >= all), &mut counts.most),
            ] {
                if holds {
                    *bound = None;
                    let found = format_args!("`{keyword}` says nothing that the properties do not say");
                    self.report_keyword(facts.place, keyword, Fate::Same, found, "leave it out");
                }
            }
        }
        let told = self.sizes(facts, ("minProperties", "maxProperties"), counts, (sent, sent), body);
        body.sentences.extend(sentence::sizes(told, "member"));
    }

    /// Whether null certainly satisfies all of the schemas.
    fn takes_null(&mut self, terms: &[Term<'a>]) -> bool {
        let mut looks = LOOKS;
        terms.iter().all(|term| self.null_fits(term.at, &mut looks))
    }

    fn null_fits(&mut self, at: At<'a>, looks: &mut usize) -> bool {
        if *looks == 0 {
            return false;
        }
        *looks -= 1;
        let map = match at.value {
            Value::Bool(any) => return *any,
            Value::Object(map) => map,
            _ => return false,
        };
        map.iter().all(|(keyword, value)| match keyword.as_str() {
            "type" => Types::listed(value).is_some_and(|types| types.has(Types::NULL)),
            "enum" => value.as_array().is_some_and(|values| values.contains(&Value::Null)),
            "const" => value.is_null(),
            "not" | "if" | "$dynamicRef" | "$recursiveRef" => false,
            "$ref" => {
                let target = value.as_str().and_then(|text| self.document.resolve(text).ok());
                target.is_some_and(|target| self.null_fits(target, looks))
            }
            "allOf" => self.document.list(at.place, "allOf", value).into_iter().all(|one| self.null_fits(one, looks)),
            "anyOf" => self.document.list(at.place, "anyOf", value).into_iter().any(|one| self.null_fits(one, looks)),
            "oneOf" => {
                let branches = self.document.list(at.place, "oneOf", value);
                // The others must be known not to take null.
                branches.iter().filter(|one| only_null(one.value)).count() == 1
                    && branches.iter().all(|one| only_null(one.value) || never_null(one.value))
            }
            _ => true,
        })
    }
}

fn says_nullable(terms: &[Term<'_>]) -> bool {
    terms.iter().all(|term| term.at.value.get("nullable") == Some(&Value::Bool(true)))
}

/// What becomes of members that are not named.
#[derive(Debug)]
enum Others<'a> {
    Any,
    Refused,
    Schema(Draft<'a>),
}

/// `{"type": "null"}`, with notes.
pub(super) fn only_null(schema: &Value) -> bool {
    schema.get("type").and_then(Types::listed) == Some(Types::NULL)
}

fn never_null(schema: &Value) -> bool {
    schema.get("type").and_then(Types::listed).is_some_and(|types| !types.has(Types::NULL))
}
