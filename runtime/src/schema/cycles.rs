//! Which types contain themselves.
//!
//! Tarjan's algorithm over the named types: each is entered once, and types that reach one another get one number.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::{Field, Kind, Schema};
use super::shape::resolve;
use super::survey::{ANONYMOUS_LEVELS, MOST_TYPES, Survey, same_text};
use crate::dialect::{Dialect, Recursion};

/// Why a dialect refuses the recursion in a schema.
pub(crate) const fn recursive(survey: &Survey<'_>, dialect: &Dialect) -> Option<Message> {
    let cycles = match dialect.forms.recursion {
        Recursion::Accepted => return None,
        Recursion::Optional => Cycles::of(survey, Follow::Required),
        Recursion::Refused => Cycles::of(survey, Follow::All),
    };
    let mut i = 0;
    while i < survey.len() {
        if cycles.circle[i] > 0 {
            let node = survey.entry(i).node();
            let message = cycles.through(survey, node, Message::new("`").name(node).text("` contains itself"));
            let message = message.text(", and ").text(dialect.name);
            return Some(match dialect.forms.recursion {
                Recursion::Optional => message.text(
                    " takes recursion only through properties that may be left out; make the field an `Option`, or give it \
                     `#[serde(default)]`",
                ),
                _ => message.text(
                    " refuses recursive schemas; carry the parts in one list, linked by an identifier",
                ),
            });
        }
        i += 1;
    }
    None
}

/// Which members count as ways into a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follow {
    /// Every one.
    All,
    /// Those that cannot be left out: serde does not fill them in.
    Required,
}

/// The types that contain themselves.
pub(crate) struct Cycles {
    follow: Follow,
    /// By place in the survey: the number of the circle that the type is in, or 0.
    circle: [u16; MOST_TYPES],
    circles: u16,
    /// By place: when the type was entered, and the earliest type on the way that it leads back to.
    entered: [u16; MOST_TYPES],
    back: [u16; MOST_TYPES],
    /// The types that are not yet in a finished circle, in the order in which they were entered.
    way: [u16; MOST_TYPES],
    len: usize,
    clock: u16,
}

/// Stands in `entered` for a type that is done.
const DONE: u16 = u16::MAX;

impl Cycles {
    /// The types that contain themselves through members that count.
    #[allow(clippy::large_stack_arrays)] // 64 KiB; in const evaluation they stand on no thread's stack
    pub(crate) const fn of(survey: &Survey<'_>, follow: Follow) -> Self {
        let none = [0; MOST_TYPES];
        let mut cycles =
            Self { follow, circle: none, circles: 0, entered: none, back: none, way: none, len: 0, clock: 0 };
        // A type in a circle is used from outside it too, or is the root: the circle has a type with two uses.
        let mut i = 0;
        while survey.shares() && i < survey.len() {
            if cycles.entered[i] == 0 {
                cycles.enter(survey, i);
            }
            i += 1;
        }
        cycles
    }

    /// Whether there are any.
    pub(crate) const fn any(&self) -> bool {
        self.circles > 0
    }

    /// Whether a value of this schema may contain itself further down.
    pub(crate) const fn touches(&self, survey: &Survey<'_>, schema: SchemaRef) -> bool {
        self.circles > 0 && self.leads(survey, schema, 0)
    }

    const fn enter(&mut self, survey: &Survey<'_>, place: usize) {
        self.clock += 1;
        (self.entered[place], self.back[place]) = (self.clock, self.clock);
        #[allow(clippy::cast_possible_truncation)] // the largest table has 8,192 places
        {
            self.way[self.len] = place as u16;
        }
        self.len += 1;
        let itself = self.walk(survey, place, survey.entry(place).node());
        if self.back[place] < self.entered[place] {
            return;
        }
        // Nothing from here on leads further back, so these are one circle.
        let alone = self.way[self.len - 1] as usize == place;
        if !alone || itself {
            self.circles += 1;
        }
        loop {
            self.len -= 1;
            let member = self.way[self.len] as usize;
            self.entered[member] = DONE;
            if !alone || itself {
                self.circle[member] = self.circles;
            }
            if member == place {
                break;
            }
        }
    }

    /// Follows what a type is made of; whether it leads straight to the type itself.
    const fn walk(&mut self, survey: &Survey<'_>, from: usize, node: &Schema) -> bool {
        let mut itself = false;
        let mut i = 0;
        match node.kind {
            Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => {
                return self.follow(survey, from, inner);
            }
            Kind::Object(object) => {
                while i < object.fields.len() {
                    let field = &object.fields[i];
                    if field.flatten {
                        itself |= self.walk(survey, from, resolve(field.schema));
                    } else if !field.may_be_left_out() || matches!(self.follow, Follow::All) {
                        itself |= self.follow(survey, from, field.schema);
                    }
                    i += 1;
                }
            }
            Kind::Union(union) => {
                while i < union.cases.len() {
                    itself |= self.follow(survey, from, union.cases[i].schema);
                    i += 1;
                }
            }
            _ => {}
        }
        itself
    }

    const fn follow(&mut self, survey: &Survey<'_>, from: usize, schema: SchemaRef) -> bool {
        let (node, place) = landing(survey, schema);
        let Some(to) = place else {
            return self.walk(survey, from, node);
        };
        if self.entered[to] == 0 {
            self.enter(survey, to);
            if self.back[to] < self.back[from] {
                self.back[from] = self.back[to];
            }
        } else if self.entered[to] != DONE && self.entered[to] < self.back[from] {
            self.back[from] = self.entered[to];
        }
        to == from
    }

    /// Whether a schema leads straight to a type of a circle; of any circle for 0.
    const fn leads(&self, survey: &Survey<'_>, schema: SchemaRef, circle: u16) -> bool {
        let (node, place) = landing(survey, schema);
        if let Some(place) = place {
            let found = self.circle[place];
            return found > 0 && (circle == 0 || found == circle);
        }
        let mut i = 0;
        match node.kind {
            Kind::Object(object) => {
                while i < object.fields.len() {
                    if self.leads(survey, object.fields[i].schema, circle) {
                        return true;
                    }
                    i += 1;
                }
            }
            Kind::Union(union) => {
                while i < union.cases.len() {
                    if self.leads(survey, union.cases[i].schema, circle) {
                        return true;
                    }
                    i += 1;
                }
            }
            _ => {}
        }
        false
    }

    /// Adds the members through which a type contains itself: `left`, or `Variant.left`.
    #[allow(clippy::large_types_passed_by_value)] // in const evaluation
    const fn through(&self, survey: &Survey<'_>, node: &'static Schema, message: Message) -> Message {
        let Some(place) = survey.find(node) else { return message };
        let circle = self.circle[place];
        let mut message = message.text(" through `");
        let mut node = node;
        let mut variant = "";
        let mut fuel = ANONYMOUS_LEVELS;
        while fuel > 0 {
            fuel -= 1;
            let next = match node.kind {
                Kind::Object(object) => match self.member(survey, object.fields, circle) {
                    // The key around a variant's content is the variant's name.
                    Some(field) if same_text(field.key.escaped(), variant) => field.schema,
                    Some(field) => {
                        message = message.text(field.key.escaped()).text(".");
                        field.schema
                    }
                    None => break,
                },
                Kind::Union(union) => {
                    let mut i = 0;
                    while i < union.cases.len() && !self.leads(survey, union.cases[i].schema, circle) {
                        i += 1;
                    }
                    if i == union.cases.len() {
                        break;
                    }
                    variant = union.cases[i].name;
                    message = message.text(variant).text(".");
                    union.cases[i].schema
                }
                Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => inner,
                _ => break,
            };
            let (landed, place) = landing(survey, next);
            if place.is_some() {
                break;
            }
            node = landed;
        }
        message.without_last(b'.').text("`")
    }

    const fn member(&self, survey: &Survey<'_>, fields: &'static [Field], circle: u16) -> Option<&'static Field> {
        let mut i = 0;
        while i < fields.len() {
            let counts = !fields[i].may_be_left_out() || matches!(self.follow, Follow::All);
            if counts && self.leads(survey, fields[i].schema, circle) {
                return Some(&fields[i]);
            }
            i += 1;
        }
        None
    }
}

/// What stands behind wrappers: the first type with a place, or the first node that is no wrapper.
const fn landing(survey: &Survey<'_>, schema: SchemaRef) -> (&'static Schema, Option<usize>) {
    let mut node = schema.get();
    loop {
        let place = survey.find(node);
        match node.kind {
            Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) if place.is_none() => {
                node = inner.get();
            }
            _ => return (node, place),
        }
    }
}
