//! Whether a type that contains itself has a finite value.
//!
//! `struct A { a: Box<A> }` compiles, but a value of it would never end: no reply could be one. What ends a value
//! is an `Option`, a list that may be empty, or a variant without the type.
//!
//! Only a type that the survey has met again below itself is walked, along the edges that every value has.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::{Kind, Schema};
use super::rules::Rules;
use super::survey::{MOST_TYPES, Survey};

/// How many nodes the walk looks at. Types past it are taken to have an end: nothing is refused without proof.
const STEPS: usize = 20_000;

/// How long a way back to the type is told.
const LONGEST_WAY: usize = 12;

/// Why the `i`-th type of the survey has no finite value, if it is by way of itself that it has none.
pub(crate) const fn problem(i: usize, survey: &Survey<'_>) -> Option<Message> {
    if !survey.shared(i) {
        return None;
    }
    let node = survey.entry(i).node();
    let mut ends = Ends { survey, known: [0; MOST_TYPES], steps: STEPS };
    if ends.of(SchemaRef::new(node), false) {
        return None;
    }
    ends.known[i] = BUSY;
    let message = Message::new("`").name(node).text("` has no finite value, for every one holds another");
    let Some(message) = ends.way_back(i, &message) else { return None };
    Some(match node.kind {
        Kind::Union(_) => message.text("; add a variant without it, or make that field an `Option` or a `Vec`"),
        _ => message.text("; make that field an `Option`, or a `Vec` that may be empty"),
    })
}

/// Which types are known to have an end.
struct Ends<'a> {
    survey: &'a Survey<'a>,
    /// By place in the survey: 0 for unknown, [`BUSY`] for being looked at, [`ENDS`] for proved.
    known: [u8; MOST_TYPES],
    steps: usize,
}

const BUSY: u8 = 1;
const ENDS: u8 = 2;

impl Ends<'_> {
    /// Whether the schema has a finite value; `filled` says that a list needs an element.
    const fn of(&mut self, schema: SchemaRef, filled: bool) -> bool {
        if self.steps == 0 {
            return true;
        }
        self.steps -= 1;
        let place = self.survey.find(schema.get());
        if let Some(i) = place {
            // A value of a type that is being looked at would have to be made first.
            if self.known[i] != 0 {
                return self.known[i] == ENDS;
            }
            self.known[i] = BUSY;
        }
        let ends = self.parts(self.node(schema), filled);
        if let Some(i) = place {
            self.known[i] = if ends { ENDS } else { 0 };
        }
        ends
    }

    const fn parts(&mut self, node: &'static Schema, filled: bool) -> bool {
        let filled = filled || demands(node.rules);
        match node.kind {
            Kind::Array(inner) => !filled || self.of(inner, false),
            Kind::Transparent(inner) => self.of(inner, filled),
            Kind::Object(object) => {
                let mut i = 0;
                while i < object.fields.len() {
                    if !self.of(object.fields[i].schema, demands(object.fields[i].rules)) {
                        return false;
                    }
                    i += 1;
                }
                true
            }
            Kind::Union(union) => {
                let mut i = 0;
                while i < union.cases.len() {
                    if self.of(union.cases[i].schema, false) {
                        return true;
                    }
                    i += 1;
                }
                union.cases.is_empty()
            }
            _ => true,
        }
    }

    /// The node itself, where the edge is a reference back.
    const fn node(&self, schema: SchemaRef) -> &'static Schema {
        match (schema.get().kind, self.survey.find(schema.get())) {
            (Kind::Back, Some(i)) => self.survey.entry(i).node(),
            _ => schema.get(),
        }
    }

    /// Adds the way from the `i`-th type to itself; `None` if it is another type that has no end.
    const fn way_back(&mut self, i: usize, message: &Message) -> Option<Message> {
        let mut message = message.text(", at `");
        let mut node = self.survey.entry(i).node();
        let mut steps = 0;
        while steps < LONGEST_WAY {
            steps += 1;
            let next = match node.kind {
                Kind::Array(inner) => {
                    message = message.text("[]");
                    inner
                }
                Kind::Nullable(inner) | Kind::Transparent(inner) => inner,
                Kind::Union(union) if !union.cases.is_empty() => union.cases[0].schema,
                Kind::Object(object) => {
                    let mut k = 0;
                    while k < object.fields.len() && self.of(object.fields[k].schema, demands(object.fields[k].rules)) {
                        k += 1;
                    }
                    if k == object.fields.len() {
                        return None;
                    }
                    let dot = if message.ends_with(b'`') { "" } else { "." };
                    message = message.text(dot).text(object.fields[k].key.escaped());
                    object.fields[k].schema
                }
                _ => return None,
            };
            if matches!(self.survey.find(next.get()), Some(place) if place == i) {
                return Some(message.text("`"));
            }
            node = self.node(next);
        }
        None
    }
}

/// Whether the rules ask a list for an element.
const fn demands(rules: &Rules) -> bool {
    matches!(rules.min_items, Some(least) if least > 0)
}
