//! One walk that finds every departure and writes what the dialect takes in its place.
//!
//! The walk's step is [`conjoin`](Rewriter::conjoin): the schema of the values that satisfy *all* of some schemas. One
//! schema is the common case; `allOf`, keywords beside `$ref` and keywords beside `anyOf` are the others. The schemas are
//! those of the document, borrowed, so that every departure knows its place; what they say together is [`Facts`].
//!
//! Each definition is written once, however often it is referred to, and is counted as soon as it is written. The walk
//! is linear in the document; see [`gather`](super::gather).

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::definitions::Definitions;
use super::departure::{Departure, Fate, Rule, Words};
use super::document::{At, Document, Place, size};
use super::draft::Draft;
use super::facts::{Facts, Part, Without};
use super::gather::{Gathered, restricts};
use super::limits::Counts;
use super::types::Types;
use crate::dialect::{DescribedReference, Dialect, Root};

/// How many conjunctions may stand in one another.
const MOST_NESTED: usize = 128;

/// What a walk is for. What nobody gets is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every departure, and no schema.
    Departures,
    /// A schema, and the departures that are worth less than `most`.
    Schema {
        most: Fate,
    },
    Both,
}

/// A document in the form that a dialect takes, as far as that goes.
#[derive(Debug)]
pub(super) struct Rewritten<'a> {
    root: Draft<'a>,
    definitions: Definitions<'a>,
    pub(super) found: Vec<Departure>,
    unions: usize,
}

impl Rewritten<'_> {
    pub(super) fn schema(&self) -> Value {
        let mut schema = self.root.to_value(&self.definitions);
        let definitions = self.definitions.to_map();
        if let (Value::Object(map), false) = (&mut schema, definitions.is_empty()) {
            map.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }
}

/// Where a schema stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    Root,
    /// A property; what cannot be said at a reference can be said by the object.
    Property,
    Inner,
}

/// A schema that takes part in a conjunction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) at: At<'a>,
    pub(super) without: Without,
    /// Whether its `allOf` and `$ref` are terms of their own.
    pub(super) apart: bool,
}

impl<'a> From<At<'a>> for Term<'a> {
    fn from(at: At<'a>) -> Self {
        Self { at, without: Without::default(), apart: false }
    }
}

/// The walk.
pub(super) struct Rewriter<'a, 'd> {
    pub(super) dialect: &'d Dialect,
    pub(super) document: Document<'a>,
    pub(super) definitions: Definitions<'a>,
    /// Whether a property that may be left out gives up being nullable, to save unions.
    pub(super) spares_unions: bool,
    /// What the schema that was just written has to say through the object that holds it.
    pub(super) aside: Option<Cow<'a, str>>,
    /// Whether the schema that is written next gives up being nullable.
    pub(super) drops_null: bool,
    wanted: Wanted,
    found: Vec<Departure>,
    /// Whether a schema was read more than once, so that it may have been reported more than once.
    repeats: bool,
    /// How many keywords may still be read.
    pub(super) fuel: usize,
    nested: usize,
    /// The conjunctions with written-out references that are being written.
    pub(super) expanding: Vec<Vec<usize>>,
}

/// Writes a document in the form that a dialect takes.
pub(super) fn rewrite<'a>(root: &'a Value, dialect: &Dialect, wanted: Wanted) -> Rewritten<'a> {
    let Some(size) = size(root) else {
        let found = "JSON nests more than 256 deep here";
        let departure =
            Departure::new(String::new(), Rule::Nesting, Fate::Stays, found, "put inner parts into `$defs`");
        let definitions = Definitions::default();
        return Rewritten { root: Draft::Bool(true), definitions, found: vec![departure], unions: 0 };
    };
    let written = Rewriter::new(root, size, dialect, wanted, false).run();
    if written.unions <= dialect.limits.unions {
        return written;
    }
    let spared = Rewriter::new(root, size, dialect, wanted, true).run();
    if spared.unions <= dialect.limits.unions { spared } else { written }
}

impl<'a, 'd> Rewriter<'a, 'd> {
    fn new(root: &'a Value, size: usize, dialect: &'d Dialect, wanted: Wanted, spares_unions: bool) -> Self {
        Self {
            dialect,
            document: Document::new(root, size),
            definitions: Definitions::default(),
            spares_unions,
            aside: None,
            drops_null: false,
            wanted,
            found: Vec::new(),
            repeats: false,
            fuel: 4_096 + 16 * size,
            nested: 0,
            expanding: Vec::new(),
        }
    }

    fn run(mut self) -> Rewritten<'a> {
        let root = self.document.root();
        let written = self.conjoin(&[root.into()], Position::Root);
        let schema = written.unwrap_or_else(|| {
            self.report_contradiction(root.place);
            Draft::Object(Vec::new())
        });
        let mut counts = Counts::default();
        counts.add(None, &schema, &mut self.definitions, self.dialect);
        while let Some((index, target)) = self.definitions.next() {
            let written = self.conjoin(&[target.into()], Position::Inner);
            let written = written.unwrap_or_else(|| {
                self.report_contradiction(target.place);
                Draft::Bool(false)
            });
            counts.add(Some(index), &written, &mut self.definitions, self.dialect);
            if self.wanted != Wanted::Departures {
                self.definitions.finish(index, written);
            }
        }
        self.report_cycles();
        self.found.extend(counts.departures(self.dialect));
        if self.repeats {
            let mut seen = HashSet::new();
            let new: Vec<bool> = self.found.iter().map(|departure| seen.insert(departure)).collect();
            let mut new = new.into_iter();
            self.found.retain(|_| new.next().unwrap_or(true));
        }
        Rewritten { root: schema, definitions: self.definitions, found: self.found, unions: counts.unions }
    }

    fn report_contradiction(&mut self, place: Place) {
        let found = "the rules contradict one another";
        self.report(place, Rule::Satisfiable, Fate::Stays, found, "take one of them out");
    }

    pub(super) fn report(&mut self, place: Place, rule: Rule, fate: Fate, found: impl Words, remedy: impl Words) {
        if self.reports(fate) {
            let pointer = self.document.pointer(place);
            self.found.push(Departure::new(pointer, rule, fate, found.words(), remedy.words()));
        }
    }

    /// Reports a keyword that the dialect does not take.
    pub(super) fn report_keyword(
        &mut self,
        place: Place,
        keyword: &str,
        fate: Fate,
        found: impl Words,
        remedy: impl Words,
    ) {
        if self.reports(fate) {
            self.report(place, Rule::Keyword(keyword.to_owned()), fate, found, remedy);
        }
    }

    /// Whether anybody gets departures of this fate.
    fn reports(&self, fate: Fate) -> bool {
        !matches!(self.wanted, Wanted::Schema { most } if fate <= most)
    }

    /// The schema of the values that satisfy all of `terms`; nothing if there is no such value.
    pub(super) fn conjoin(&mut self, terms: &[Term<'a>], position: Position) -> Option<Draft<'a>> {
        let first = terms.first()?.at.place;
        if self.nested >= MOST_NESTED {
            let found = format!("schemas stand in one another more than {MOST_NESTED} deep");
            self.report(first, Rule::Nesting, Fate::Stays, found, "put inner parts into `$defs`");
            return Some(Draft::Bool(true));
        }
        self.nested += 1;
        let written = self.conjunction(first, terms, position);
        self.nested -= 1;
        written
    }

    /// The same for what stands in an object or array.
    pub(super) fn inside(&mut self, terms: &[Term<'a>], position: Position) -> Option<Draft<'a>> {
        let outer = std::mem::replace(&mut self.definitions.inside, true);
        let written = self.conjoin(terms, position);
        self.definitions.inside = outer;
        written
    }

    fn conjunction(&mut self, place: Place, terms: &[Term<'a>], position: Position) -> Option<Draft<'a>> {
        let drops_null = std::mem::take(&mut self.drops_null);
        let mut gathered = Gathered::default();
        for term in terms {
            match (term.apart, term.at.value.as_object()) {
                (true, Some(map)) => {
                    gathered.parts.push(Part { at: term.at, map, without: term.without, referred: false });
                }
                _ => self.gather(term.at, term.without, false, &mut gathered),
            }
        }
        if gathered.never {
            return None;
        }
        if gathered.broken {
            return Some(Draft::Bool(true));
        }
        if position == Position::Root && !gathered.references.is_empty() && self.dialect.forms.root == Root::Object {
            let found = "schema must be a JSON Schema of 'type: \"object\"', got a reference";
            self.report(place, Rule::Root, Fate::Same, found, "write out what the reference leads to");
        }
        if let [(at, target)] = gathered.references[..]
            && !gathered.parts.iter().any(restricts)
            && position != Position::Root
            && self.dialect.keywords.reference.sent()
        {
            return Some(self.reference(place, &gathered.parts, (at, target), position));
        }
        let expands = !gathered.references.is_empty();
        self.repeats |= expands || terms.len() > 1;
        if expands && !self.expand(place, &mut gathered) {
            return Some(Draft::Bool(true));
        }
        let written = if gathered.never {
            None
        } else {
            let mut facts = self.facts(place, &gathered.parts);
            self.schema(&mut facts, &gathered, position, drops_null)
        };
        if expands {
            self.expanding.pop();
        }
        written
    }

    /// A reference that can stay one, with what is said about it.
    fn reference(
        &mut self,
        place: Place,
        parts: &[Part<'a>],
        (at, target): (Place, At<'a>),
        position: Position,
    ) -> Draft<'a> {
        let facts = self.facts(place, parts);
        let is_root = target.identity() == self.document.root().identity();
        let reference = if is_root && self.dialect.forms.root_reference {
            self.definitions.refer_to_root(at)
        } else {
            self.definitions.refer(at, target, &self.document)
        };
        let siblings = self.dialect.forms.reference_siblings.sent();
        if !siblings && let Some(beside) = parts.iter().find(|part| part.map.contains_key("$ref") && part.map.len() > 1)
        {
            let keys: Vec<_> = beside.map.keys().filter(|key| *key != "$ref").map(String::as_str).collect();
            if !keys.iter().all(|key| matches!(*key, "$defs" | "definitions" | "nullable")) {
                self.report(
                    beside.at.place,
                    Rule::ReferenceAlone,
                    Fate::Same,
                    format!("$ref cannot have keywords {{'{}'}}", keys.join("', '")),
                    "write `{\"anyOf\": [{\"$ref\": …}], \"description\": …}`, or leave them out",
                );
            }
        }
        let nullable = self.nullable(&facts, Types::ALL.without(Types::NULL));
        let parent = self.dialect.forms.described_reference == DescribedReference::Parent;
        let titled = facts.title.is_some() && self.dialect.keywords.title.sent();
        if parent && position == Position::Property && !nullable && !titled && facts.notes.is_empty() {
            self.aside = self.description(&facts, &[], &[]);
            return reference;
        }
        let mut branches = vec![reference];
        if nullable {
            branches.push(Draft::null());
        }
        self.one_of(&facts, "anyOf", branches, &[])
    }

    /// The schema that the facts amount to.
    fn schema(
        &mut self,
        facts: &mut Facts<'a>,
        gathered: &Gathered<'a>,
        position: Position,
        drops_null: bool,
    ) -> Option<Draft<'a>> {
        if drops_null && (facts.typed || facts.values.is_some()) && facts.types.has(Types::NULL) {
            facts.types = facts.types.without(Types::NULL);
            self.report_dropped_null(facts.place);
        }
        if facts.choices.is_empty() {
            return self.leaf(facts, gathered.boolean, position);
        }
        let alone = facts.choices[0].branches.len() == 1;
        if position == Position::Root && self.dialect.forms.root == Root::Object {
            let fate = if alone { Fate::Same } else { Fate::Stays };
            let found = "schema must be a JSON Schema of 'type: \"object\"', got a union";
            self.report(facts.place, Rule::Root, fate, found, "put the union into a property of an object");
        }
        let mut choice = facts.choices.swap_remove(0);
        let alone = alone || drops_null && self.without_null(&mut choice) && choice.branches.len() == 1;
        match choice.branches[..] {
            [branch] if alone => self.alone(facts, &choice, branch, gathered, position),
            _ => self.choose(facts, &choice, gathered, position),
        }
    }
}
