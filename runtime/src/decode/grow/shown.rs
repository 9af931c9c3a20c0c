//! What the schema says about a place in a value, as far as showing it goes.
//!
//! A snapshot must not say what the value at the end does not. So what the schema has no room for is not shown: decoding
//! may mend it (`"4"` for `4`, `"High"` for `"high"`, one element for a list of one) or drop it, or refuse the whole.

use std::sync::Arc;

use serde_json::Value;

use super::super::plan::{Edge, Extra, Place, Plan, Shape};
use super::super::tree::Tree;
use crate::schema::edge::SchemaRef;

/// Answers from a schema.
#[derive(Debug, Clone)]
pub(super) struct Shown(Arc<Plan<'static>>);

/// The nodes of the schema that a value may be of; more than one where a union is undecided.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    first: Option<Spot>,
    others: Vec<Spot>,
    /// Any value may stand here.
    open: bool,
}

/// A node that is no union.
#[derive(Debug, Clone, Copy)]
struct Spot {
    place: Place,
    nullable: bool,
}

/// What sort of value begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    List,
    Object,
}

impl Places {
    fn spots(&self) -> impl Iterator<Item = Spot> {
        self.first.iter().chain(&self.others).copied()
    }

    fn add(&mut self, spot: Spot) {
        if self.first.is_none() {
            self.first = Some(spot);
        } else {
            self.others.push(spot);
        }
    }
}

impl Shown {
    pub(super) fn of(schema: SchemaRef) -> Self {
        // What serde alone may decide is not asked here.
        Self(Arc::new(Plan::of(schema, true)))
    }

    pub(super) fn read(schema: &Value) -> Self {
        Self(Arc::new(Plan::read(schema).into_owned()))
    }

    pub(super) fn is_wrapped(&self) -> bool {
        self.0.wrapped
    }

    pub(super) fn root(&self) -> Places {
        let mut places = Places::default();
        self.lead(&self.0.root, 0, &mut places);
        places
    }

    /// Whether the root has no keys at all.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.shape(&self.0.root), Shape::Object(members) if members.list.is_empty())
    }

    /// Whether the root may have this key. A schema that names none may have any.
    pub(super) fn knows(&self, key: &str) -> bool {
        let root = self.root();
        let names_none = |spot: Spot| match &self.0.at(spot.place).shape {
            Shape::Object(members) => self.0.dynamic && members.list.is_empty(),
            _ => false,
        };
        let places = self.member(&root, key);
        places.first.is_some() || root.open || (places.open && root.spots().any(names_none))
    }

    /// The places of an object's member.
    pub(super) fn member(&self, places: &Places, key: &str) -> Places {
        let mut found = Places { open: places.open, ..Places::default() };
        for spot in places.spots() {
            let Shape::Object(members) = &self.0.at(spot.place).shape else { continue };
            match (members.find(key), &members.extra) {
                (Some(at), _) => self.lead(&members.list[at].edge, 0, &mut found),
                (None, Extra::Of(edge)) => self.lead(edge, 0, &mut found),
                // serde drops what a type does not know; a dynamic value keeps it.
                (None, Extra::Allowed) => found.open |= self.0.dynamic,
                (None, Extra::Refused) => {}
            }
        }
        found
    }

    /// The places of a list's elements.
    pub(super) fn item(&self, places: &Places) -> Places {
        let mut found = Places { open: places.open, ..Places::default() };
        for spot in places.spots() {
            if let Shape::List(item) = &self.0.at(spot.place).shape {
                self.lead(item, 0, &mut found);
            }
        }
        found
    }

    /// Whether a value of this sort may stand here.
    pub(super) fn admits(&self, places: &Places, sort: Sort) -> bool {
        places.open
            || places.spots().any(|spot| {
                matches!(
                    (&self.0.at(spot.place).shape, sort),
                    (Shape::Text | Shape::Choice(_), Sort::Text)
                        | (Shape::List(_), Sort::List)
                        | (Shape::Object(_), Sort::Object)
                )
            })
    }

    /// Whether a text may be seen before it is complete: wherever it cannot be one of a list of values.
    pub(super) fn grows(&self, places: &Places) -> bool {
        !places.spots().any(|spot| matches!(self.0.at(spot.place).shape, Shape::Choice(_)))
    }

    /// Whether this text, which is complete, may stand here.
    pub(super) fn holds(&self, places: &Places, text: &str) -> bool {
        places.open
            || places.spots().any(|spot| match &self.0.at(spot.place).shape {
                Shape::Text => true,
                Shape::Choice(picks) => picks.iter().any(|pick| matches!(&pick.value, Tree::Text(one) if one == text)),
                _ => false,
            })
    }

    /// Whether this number, `true`, `false` or `null` may stand here.
    pub(super) fn takes(&self, places: &Places, token: &str) -> bool {
        places.open
            || places.spots().any(|spot| {
                let shape = &self.0.at(spot.place).shape;
                match (token.as_bytes()[0], shape) {
                    (b'n', shape) => spot.nullable || matches!(shape, Shape::Null),
                    (b't' | b'f', Shape::Boolean) | (b'-' | b'0'..=b'9', Shape::Number) => true,
                    (b'-' | b'0'..=b'9', Shape::Integer) => !token.contains(['.', 'e', 'E']),
                    (_, Shape::Choice(picks)) => picks.iter().any(|pick| match &pick.value {
                        Tree::Number(one) => one == token,
                        Tree::Bool(one) => token == if *one { "true" } else { "false" },
                        _ => false,
                    }),
                    _ => false,
                }
            })
    }

    fn shape(&self, edge: &Edge<'_>) -> &Shape<'_> {
        &self.0.at(edge.place()).shape
    }

    /// Adds what an edge leads to. A union's cases may be unions; one that holds itself directly has no values.
    fn lead(&self, edge: &Edge, level: usize, places: &mut Places) {
        match self.shape(edge) {
            Shape::Any => places.open = true,
            Shape::Union(variants) if level < MOST_NESTED => {
                if edge.nullable {
                    places.add(Spot { place: edge.place(), nullable: true });
                }
                for variant in variants {
                    self.lead(&variant.edge, level + 1, places);
                }
            }
            _ => places.add(Spot { place: edge.place(), nullable: edge.nullable }),
        }
    }
}

/// Unions directly within unions are followed this far.
const MOST_NESTED: usize = 8;
