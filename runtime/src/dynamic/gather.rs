//! Which schemas hold together: one, the members of its `allOf`, and what its references lead to.
//!
//! A conjunction is written out anew where it stands, which could grow without bound: a multiple of the document's
//! size, [`fuel`](Rewriter::fuel), pays for every keyword that is read.

use serde_json::{Map, Value};

use super::departure::{Fate, Rule};
use super::document::{At, Place};
use super::facts::{Choice, Part, Without};
use super::few::Few;
use super::rewrite::{Rewriter, Term};

/// The schemas that hold together.
#[derive(Debug, Default)]
pub(super) struct Gathered<'a> {
    pub(super) parts: Few<Part<'a>>,
    /// Where a reference stands, and where it leads.
    pub(super) references: Vec<(Place, At<'a>)>,
    /// Whether one of the schemas is `true`.
    pub(super) boolean: bool,
    /// Whether one of the schemas is `false`.
    pub(super) never: bool,
    /// Whether one of the schemas could not be read; that is reported.
    pub(super) broken: bool,
}

impl<'a> Gathered<'a> {
    pub(super) fn refer(&mut self, at: Place, target: At<'a>) {
        if !self.references.iter().any(|(_, known)| known.identity() == target.identity()) {
            self.references.push((at, target));
        }
    }

    /// What was gathered, without a choice; `quiet` leaves out what is said to readers.
    pub(super) fn apart(&self, choice: &Choice<'a>, quiet: bool) -> Vec<Term<'a>> {
        let term = |part: &Part<'a>| {
            let mut without = part.without;
            without.notes |= quiet;
            if part.at.place == choice.place {
                if choice.exactly_one { without.one_of = true } else { without.any_of = true }
            }
            Term { at: part.at, without, apart: true }
        };
        self.parts.iter().map(term).collect()
    }
}

impl<'a> Rewriter<'a, '_> {
    /// Takes a schema apart into those that hold together: itself, the members of `allOf`, and references.
    pub(super) fn gather(&mut self, at: At<'a>, without: Without, referred: bool, gathered: &mut Gathered<'a>) {
        if !self.spend(at) {
            gathered.broken = true;
            return;
        }
        let map = match at.value {
            Value::Bool(true) => {
                gathered.boolean = true;
                return;
            }
            Value::Bool(false) => {
                gathered.never = true;
                return;
            }
            Value::Object(map) => map,
            _ => {
                let found = format!("this is {}", kind(at.value));
                gathered.broken = true;
                return self.report(at.place, Rule::Schema, Fate::Stays, found, "write an object of keywords");
            }
        };
        gathered.parts.push(Part { at, map, without, referred });
        // One look at each member is less than two look-ups.
        for (keyword, value) in map {
            match keyword.as_str() {
                "$ref" => self.refer(at, value, gathered),
                "allOf" => self.gather_all(at, value, referred, gathered),
                _ => {}
            }
        }
    }

    fn gather_all(&mut self, at: At<'a>, all: &'a Value, referred: bool, gathered: &mut Gathered<'a>) {
        if !all.is_array() {
            return self.malformed(at.place, "allOf", "a list of schemas");
        }
        if !self.dialect.keywords.all_of.sent() {
            self.report(
                at.place,
                Rule::AllOf,
                Fate::Same,
                format_args!("`allOf` of {}", all.as_array().map_or(0, Vec::len)),
                "write one schema that says what its members say",
            );
        }
        for member in self.document.list(at.place, "allOf", all) {
            self.gather(member, Without::default(), referred, gathered);
        }
    }

    /// Pays for reading a schema.
    fn spend(&mut self, at: At<'a>) -> bool {
        let cost = 1 + at.value.as_object().map_or(0, Map::len);
        if self.fuel >= cost {
            self.fuel -= cost;
            return true;
        }
        if self.fuel > 0 {
            self.fuel = 0;
            self.report(
                at.place,
                Rule::Limit,
                Fate::Stays,
                "with what holds together written out, the schema grows to more than sixteen times its size",
                "write the joined schemas out by hand",
            );
        }
        false
    }

    /// Writes out what references lead to, each once. False if that leads back to itself.
    pub(super) fn expand(&mut self, place: Place, gathered: &mut Gathered<'a>) -> bool {
        let mut written = Vec::new();
        while let Some((_, target)) = gathered.references.pop() {
            if !written.contains(&target.identity()) {
                written.push(target.identity());
                self.gather(target, Without::default(), true, gathered);
            }
        }
        if !self.dialect.forms.reference_siblings.sent() {
            for part in gathered.parts.iter().filter(|part| part.map.contains_key("$ref") && restricts(part)) {
                let found = "$ref cannot have keywords beside it that restrict the value";
                let remedy = "write out what the reference leads to";
                self.report(part.at.place, Rule::ReferenceAlone, Fate::Same, found, remedy);
            }
        }
        let mut key: Vec<usize> = gathered.parts.iter().map(|part| std::ptr::from_ref(part.map) as usize).collect();
        key.sort_unstable();
        key.dedup();
        if self.expanding.contains(&key) {
            self.report(
                place,
                Rule::ReferenceAlone,
                Fate::Stays,
                "what stands beside `$ref` would have to be said again and again, for the reference leads back here",
                "say it in the definition",
            );
            return false;
        }
        self.expanding.push(key);
        true
    }
}

/// Whether a schema says more than notes and references.
pub(super) fn restricts(part: &Part<'_>) -> bool {
    let apart = |keyword: &str| part.without.any_of && keyword == "anyOf" || part.without.one_of && keyword == "oneOf";
    part.map.keys().filter(|keyword| !apart(keyword)).any(|keyword| {
        matches!(
            keyword.as_str(),
            "type"
                | "enum"
                | "const"
                | "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minLength"
                | "maxLength"
                | "pattern"
                | "format"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "contains"
                | "minContains"
                | "maxContains"
                | "prefixItems"
                | "items"
                | "additionalItems"
                | "unevaluatedItems"
                | "properties"
                | "required"
                | "additionalProperties"
                | "patternProperties"
                | "propertyNames"
                | "minProperties"
                | "maxProperties"
                | "dependentRequired"
                | "dependentSchemas"
                | "dependencies"
                | "unevaluatedProperties"
                | "anyOf"
                | "oneOf"
                | "not"
                | "if"
                | "$dynamicRef"
                | "$recursiveRef"
        )
    })
}

/// What a JSON value is, for messages.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
