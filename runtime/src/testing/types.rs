//! Every type below a root, for walks at run time.
//!
//! The const walks have a table of fixed size for this ([`survey`](crate::schema)); at run time
//! there is a heap. The table leads from a back-reference to the type it means, and knows how
//! deep the smallest value of each type is, so that sampling a recursive type has an end.

use std::cell::RefCell;
use std::collections::HashMap;

use regex_lite::Regex;

use crate::schema::edge::SchemaRef;
use crate::schema::node::{Kind, Schema, unquote};
use crate::schema::shape::{alternatives_of, members_of};
use crate::schema::survey::identity;

/// Every type below a root.
#[derive(Debug, Default)]
pub(crate) struct Types {
    named: HashMap<u128, &'static Schema>,
    least: HashMap<u128, usize>,
    patterns: RefCell<HashMap<&'static str, Option<Regex>>>,
}

/// The least depth of a type that has no finite value.
pub(crate) const ENDLESS: usize = usize::MAX;

impl Types {
    /// Every type below `root`.
    pub(crate) fn below(root: SchemaRef) -> Self {
        let mut types = Self::default();
        types.add(root);
        // Each round knows the depth of at least one more type, until none changes.
        let nodes: Vec<_> = types.named.iter().map(|(id, node)| (*id, *node)).collect();
        loop {
            let mut changed = false;
            for (id, node) in &nodes {
                let least = types.least_of(node);
                changed |= types.least.insert(*id, least) != Some(least);
            }
            if !changed {
                return types;
            }
        }
    }

    fn add(&mut self, schema: SchemaRef) {
        let node = schema.get();
        if node.named && !matches!(node.kind, Kind::Back) && self.named.insert(identity(node), node).is_some() {
            return;
        }
        match node.kind {
            Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => self.add(inner),
            Kind::Object(object) => object.fields.iter().for_each(|field| self.add(field.schema)),
            Kind::Union(union) => union.cases.iter().for_each(|case| self.add(case.schema)),
            _ => {}
        }
    }

    /// Whether serde writes any of the types in another form than it reads it from.
    pub(crate) fn one_sided(&self) -> bool {
        self.named.values().any(|node| node.one_sided)
    }

    /// The node that the edge leads to, through a back-reference.
    pub(crate) fn get(&self, schema: SchemaRef) -> &'static Schema {
        let node = schema.get();
        match node.kind {
            Kind::Back => self.named.get(&identity(node)).copied().unwrap_or(node),
            _ => node,
        }
    }

    /// How many objects, lists and choices are around one another in the smallest value.
    pub(crate) fn least(&self, schema: SchemaRef) -> usize {
        let node = self.get(schema);
        if node.named { self.least.get(&identity(node)).copied().unwrap_or(ENDLESS) } else { self.least_of(node) }
    }

    fn least_of(&self, node: &'static Schema) -> usize {
        match node.kind {
            Kind::Array(items) if node.rules.min_items.is_some_and(|least| least > 0) => one_more(self.least(items)),
            Kind::Transparent(inner) => self.least(inner),
            Kind::Object(_) => {
                let all = (0..alternatives_of(node)).map(|k| self.least_alternative(node, k));
                one_more(all.min().unwrap_or(ENDLESS))
            }
            Kind::Union(union) => {
                one_more(union.cases.iter().map(|case| self.least(case.schema)).min().unwrap_or(ENDLESS))
            }
            Kind::Back => ENDLESS,
            // Also a list that may be empty, and what may be null.
            _ => 0,
        }
    }

    /// The depth of the smallest value of one alternative's members.
    pub(crate) fn least_alternative(&self, node: &'static Schema, alternative: usize) -> usize {
        let asks = |field: &&_| -> usize {
            let field: &crate::schema::node::Field = field;
            match field.schema.get().kind {
                Kind::Array(items) if field.rules.min_items.is_some_and(|least| least > 0) => {
                    one_more(self.least(items))
                }
                _ => self.least(field.schema),
            }
        };
        members_of(node, alternative).iter().map(asks).max().unwrap_or(0)
    }

    /// Whether `text` matches a pattern (JSON text with quotes) somewhere.
    pub(crate) fn matches(&self, pattern: &'static str, text: &str) -> bool {
        let mut known = self.patterns.borrow_mut();
        let compiled = known.entry(pattern).or_insert_with(|| Regex::new(&unquote(pattern)).ok());
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

fn one_more(depth: usize) -> usize {
    depth.saturating_add(1)
}
