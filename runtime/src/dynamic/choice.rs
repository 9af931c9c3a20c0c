//! Unions: `anyOf`, and `oneOf` where it means the same.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::departure::{Fate, Rule};
use super::document::At;
use super::draft::Draft;
use super::facts::{Choice, Facts};
use super::gather::Gathered;
use super::object::only_null;
use super::rewrite::{Position, Rewriter};
use super::types::Types;

/// How many branches are compared each with each.
const MOST_COMPARED: usize = 64;

impl<'a> Rewriter<'a, '_> {
    /// A union. What stands beside it holds in each branch.
    pub(super) fn choose(
        &mut self,
        facts: &Facts<'a>,
        choice: &Choice<'a>,
        gathered: &Gathered<'a>,
        position: Position,
    ) -> Option<Draft<'a>> {
        let beside = facts.constrained || !facts.choices.is_empty();
        if beside {
            self.report_beside(choice);
        }
        let mut kept = Vec::with_capacity(choice.branches.len());
        let mut branches = Vec::with_capacity(choice.branches.len());
        for branch in &choice.branches {
            let mut terms = if beside { gathered.apart(choice, true) } else { Vec::new() };
            terms.push((*branch).into());
            match self.conjoin(&terms, Position::Inner) {
                Some(written) => {
                    kept.push(*branch);
                    branches.push(written);
                }
                None => self.leave_out(*branch),
            }
        }
        match kept[..] {
            [one] => self.alone(facts, choice, one, gathered, position),
            _ => self.finish(facts, choice, branches),
        }
    }

    /// The union of one schema is that schema.
    pub(super) fn alone(
        &mut self,
        facts: &Facts<'a>,
        choice: &Choice<'a>,
        branch: At<'a>,
        gathered: &Gathered<'a>,
        position: Position,
    ) -> Option<Draft<'a>> {
        if facts.constrained {
            self.report_beside(choice);
        }
        if choice.exactly_one && !self.dialect.keywords.one_of.sent() {
            let found = format_args!("'oneOf' of {} is not permitted", choice.branches.len());
            self.report(choice.place, Rule::OneOf, Fate::Same, found, "write the schema in its place");
        }
        let mut terms = gathered.apart(choice, false);
        terms.push(branch.into());
        self.conjoin(&terms, position)
    }

    fn report_beside(&mut self, choice: &Choice<'a>) {
        if !self.dialect.keywords.all_of.sent() {
            let found =
                format_args!("other rules stand beside `{}`", if choice.exactly_one { "oneOf" } else { "anyOf" });
            self.report(choice.place, Rule::Union, Fate::Same, found, "write them into each of its schemas");
        }
    }

    /// Takes null out of a union; whether it was there.
    pub(super) fn without_null(&mut self, choice: &mut Choice<'a>) -> bool {
        let all = choice.branches.len();
        choice.branches.retain(|branch| !only_null(branch.value));
        let fewer = choice.branches.len() < all;
        if fewer {
            self.report_dropped_null(choice.place);
        }
        fewer
    }

    pub(super) fn report_dropped_null(&mut self, place: super::document::Place) {
        let found = "a property that may be null and may be left out counts as a union";
        let remedy = "let it be left out, or be null, not both";
        self.report(place, Rule::Limit, Fate::Narrower, found, remedy);
    }

    fn leave_out(&mut self, branch: At<'a>) {
        let found = "nothing satisfies this together with what stands beside it";
        self.report(branch.place, Rule::Satisfiable, Fate::Same, found, "leave it out");
    }

    fn finish(&mut self, facts: &Facts<'a>, choice: &Choice<'a>, mut branches: Vec<Draft<'a>>) -> Option<Draft<'a>> {
        if branches.is_empty() {
            return None;
        }
        if self.nullable(facts, Types::NONE) {
            Self::with_null(&mut branches);
        }
        let mut sentences = Vec::new();
        let mut keyword = "anyOf";
        if choice.exactly_one {
            let found = format_args!("'oneOf' of {} is not permitted", choice.branches.len());
            if self.dialect.keywords.one_of.sent() {
                keyword = "oneOf";
            } else if self.disjoint(&choice.branches) {
                self.report(
                    choice.place,
                    Rule::OneOf,
                    Fate::Same,
                    found,
                    "write `anyOf`: no value satisfies two of them",
                );
            } else {
                let remedy =
                    "write `anyOf`, and make sure that no value satisfies two of them, by a property with one value";
                self.report(choice.place, Rule::OneOf, Fate::Wider, found, remedy);
                sentences.push("Exactly one of the forms must fit.".to_owned());
            }
        } else if !self.dialect.keywords.any_of.sent() {
            self.report_keyword(choice.place, "anyOf", Fate::Stays, "a union stands here", "write one schema");
        }
        Some(self.one_of(facts, keyword, branches, &sentences))
    }

    /// Whether no value satisfies two of the schemas, as they are written in the output.
    fn disjoint(&mut self, branches: &[At<'a>]) -> bool {
        let profiles: Option<Vec<_>> = branches.iter().map(|branch| self.profile(*branch)).collect();
        let Some(profiles) = profiles else { return false };
        if told_apart(&profiles) {
            return true;
        }
        if profiles.len() > MOST_COMPARED {
            return false;
        }
        let closes = self.dialect.forms.closed;
        profiles.iter().enumerate().all(|(i, a)| profiles[..i].iter().all(|b| a.excludes(b, closes)))
    }

    /// What tells a schema apart from others; nothing if it is no plain schema.
    fn profile(&mut self, at: At<'a>) -> Option<Profile<'a>> {
        let mut next = at;
        for _ in 0..16 {
            let map = next.value.as_object()?;
            if let Some(reference) = map.get("$ref") {
                next = self.document.resolve(reference.as_str()?).ok()?;
                continue;
            }
            return Some(Profile {
                types: map.get("type").map_or(Some(Types::ALL), Types::listed)?,
                values: values(map),
                properties: map.get("properties").and_then(Value::as_object),
                required: map.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice),
                patterns: map.contains_key("patternProperties"),
                closed: map.get("additionalProperties") == Some(&Value::Bool(false)),
            });
        }
        None
    }
}

/// What tells a schema apart from others.
struct Profile<'a> {
    types: Types,
    values: Option<Vec<&'a Value>>,
    properties: Option<&'a Map<String, Value>>,
    required: &'a [Value],
    patterns: bool,
    closed: bool,
}

impl<'a> Profile<'a> {
    fn requires(&self, key: &str) -> bool {
        self.required.iter().any(|name| name == key)
    }

    /// The values that a required property may have, if they are listed.
    fn tags(&self, key: &str) -> Option<Vec<&'a Value>> {
        values(self.properties?.get(key)?.as_object()?).filter(|_| self.requires(key))
    }

    /// Whether no value satisfies both. If the output `closes` objects, both are closed there and open in the input, and
    /// then neither output may have an instance that satisfies the other's input.
    fn excludes(&self, other: &Self, closes: bool) -> bool {
        if !self.types.meets(other.types) {
            return true;
        }
        if let (Some(own), Some(others)) = (&self.values, &other.values) {
            return !share(own, others);
        }
        if self.types != Types::OBJECT || other.types != Types::OBJECT {
            return false;
        }
        let keys = self.required.iter().filter_map(Value::as_str);
        let told = |key| match (self.tags(key), other.tags(key)) {
            (Some(own), Some(others)) => !share(&own, &others),
            _ => false,
        };
        if keys.clone().any(told) {
            return true;
        }
        let (one, two) = (self.lacks_of(other, closes), other.lacks_of(self, closes));
        if closes { (one || other.closed && two) && (two || self.closed && one) } else { one || two }
    }

    /// Whether this, if closed, lacks a member that the other requires.
    fn lacks_of(&self, other: &Self, closes: bool) -> bool {
        (closes || self.closed)
            && !self.patterns
            && other
                .required
                .iter()
                .filter_map(Value::as_str)
                .any(|key| self.properties.is_none_or(|properties| !properties.contains_key(key)))
    }
}

/// Whether one property, required in all, has values in each that no other has.
fn told_apart(profiles: &[Profile<'_>]) -> bool {
    let Some(first) = profiles.first() else { return true };
    if profiles.iter().any(|profile| profile.types != Types::OBJECT) {
        return false;
    }
    first.required.iter().filter_map(Value::as_str).take(16).any(|key| {
        let mut seen = HashSet::new();
        profiles.iter().all(|profile| {
            let tags = profile.tags(key);
            tags.is_some_and(|tags| tags.into_iter().all(|tag| seen.insert(name(tag))))
        })
    })
}

fn values(map: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (map.get("const"), map.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// Whether both lists have a value in common.
fn share(some: &[&Value], others: &[&Value]) -> bool {
    let some: HashSet<_> = some.iter().map(|value| name(value)).collect();
    others.iter().any(|value| some.contains(&name(value)))
}

/// A value as text that is the same for `1` and `1.0`, which are one value to JSON Schema. Lists and objects, in which
/// there may be numbers, are all of one name.
fn name(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |float| float.to_string()),
        Value::Array(_) | Value::Object(_) => "[]".to_owned(),
        _ => value.to_string(),
    }
}
