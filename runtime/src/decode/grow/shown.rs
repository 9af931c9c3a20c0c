//! What the schema says about a place in a value, as far as showing it goes.

use std::sync::Arc;

use super::super::plan::{Edge, Place, Plan, Shape};
use crate::schema::edge::SchemaRef;

/// Answers from a schema.
#[derive(Debug, Clone)]
pub(super) struct Shown(Arc<Plan<'static>>);

/// The nodes of the schema that a value may be of; more than one where a union is undecided.
#[derive(Debug, Clone, Default)]
pub(super) struct Places(Vec<Place>);

impl Shown {
    pub(super) fn of(schema: SchemaRef) -> Self {
        Self(Arc::new(Plan::of(schema)))
    }

    pub(super) fn is_wrapped(&self) -> bool {
        self.0.wrapped
    }

    pub(super) fn root(&self) -> Places {
        Places(vec![self.0.root.place()])
    }

    /// Whether the root has no keys at all.
    pub(super) fn is_empty(&self) -> bool {
        matches!(&self.0.at(self.0.root.place()).shape, Shape::Object(members) if members.list.is_empty())
    }

    /// Whether the root may have this key.
    pub(super) fn knows(&self, key: &str) -> bool {
        !self.member(&self.root(), key).0.is_empty()
    }

    /// The places of an object's member.
    pub(super) fn member(&self, places: &Places, key: &str) -> Places {
        self.collect(places, &|shape| match shape {
            Shape::Object(members) => members.find(key).map(|at| members.list[at].edge.place()),
            _ => None,
        })
    }

    /// The places of a list's elements.
    pub(super) fn item(&self, places: &Places) -> Places {
        self.collect(places, &|shape| match shape {
            Shape::List(item) => Some(item.place()),
            _ => None,
        })
    }

    /// Whether a text may be seen before it is complete: wherever it cannot be one of a list of values.
    pub(super) fn grows(&self, places: &Places) -> bool {
        let choices = self.collect(places, &|shape| matches!(shape, Shape::Choice(_)).then(|| Edge::default().place()));
        choices.0.is_empty()
    }

    fn collect(&self, places: &Places, pick: &dyn Fn(&Shape) -> Option<Place>) -> Places {
        let mut found = Vec::new();
        let mut queue: Vec<(Place, usize)> = places.0.iter().map(|place| (*place, 0)).collect();
        while let Some((place, level)) = queue.pop() {
            let shape = &self.0.at(place).shape;
            found.extend(pick(shape));
            // A union's cases may be unions; one that holds itself directly has no values.
            if let Shape::Union(variants) = shape
                && level < MOST_NESTED
            {
                queue.extend(variants.iter().map(|variant| (variant.edge.place(), level + 1)));
            }
        }
        Places(found)
    }
}

/// Unions directly within unions are followed this far.
const MOST_NESTED: usize = 8;
