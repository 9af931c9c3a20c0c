//! From a JSON Schema document.
//!
//! Read is what guides repairs and what makes up the schemas of the strict dialects: types, members,
//! items, choices, unions, references, bounds. What else a document may say (conditions, counts of
//! keys, patterns of keys) is left to a full validator behind the feature `jsonschema`.

mod cases;
mod words;

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::{Edge, Extra, Form, Member, Members, Node, Pick, Plan, Shape, Variant};
use crate::decode::tree::Tree;
use words::{Kinds, Words, is_null};

/// How many references lead to one another at most.
const MOST_HOPS: usize = 32;

impl<'s> Plan<'s> {
    /// The plan of a JSON Schema.
    pub(in crate::decode) fn read(schema: &'s Value) -> Self {
        let mut reader = Reader { document: schema, nodes: Vec::with_capacity(8), targets: HashMap::new() };
        let root = reader.edge(schema, 0);
        Self { nodes: reader.nodes, root, wrapped: false, dynamic: true, trusts_serde: false }
    }
}

struct Reader<'s> {
    document: &'s Value,
    nodes: Vec<Node<'s>>,
    /// What references lead to, by its place in memory: read once, though it may contain itself.
    targets: HashMap<*const Value, Edge<'s>>,
}

impl<'s> Reader<'s> {
    fn push(&mut self, shape: Shape<'s>) -> Edge<'s> {
        self.nodes.push(Node { shape, limits: None });
        Edge { node: self.nodes.len() - 1, ..Edge::default() }
    }

    fn edge(&mut self, schema: &'s Value, hops: usize) -> Edge<'s> {
        let Value::Object(map) = schema else {
            return self.push(if *schema == Value::Bool(false) { Shape::Never } else { Shape::Any });
        };
        let words = Words::of(map);
        if hops < MOST_HOPS {
            if let Some(target) = words.reference.and_then(|reference| self.target(reference)) {
                return self.referred(target, hops + 1);
            }
            if let Some((case, nullable)) = words.sole_case() {
                let mut edge = self.edge(case, hops + 1);
                edge.nullable |= nullable;
                return edge;
            }
        }
        let mut edge = self.push(Shape::Any);
        edge.nullable = words.allows_null();
        self.fill(&mut edge, &words, hops);
        edge
    }

    /// The edge to what a reference leads to.
    fn referred(&mut self, target: &'s Value, hops: usize) -> Edge<'s> {
        let place = std::ptr::from_ref(target);
        if let Some(known) = self.targets.get(&place) {
            return known.clone();
        }
        let Value::Object(map) = target else { return self.edge(target, hops) };
        let words = Words::of(map);
        // What only leads on is no place of its own.
        if words.reference.is_some() || words.sole_case().is_some() {
            return self.edge(target, hops);
        }
        let mut edge = self.push(Shape::Any);
        edge.nullable = words.allows_null();
        self.targets.insert(place, edge.clone());
        self.fill(&mut edge, &words, hops);
        self.targets.insert(place, edge.clone());
        edge
    }

    fn fill(&mut self, edge: &mut Edge<'s>, words: &Words<'s>, hops: usize) {
        let (shape, nullable) = self.shape(words, hops);
        edge.nullable |= nullable;
        self.nodes[edge.node] = Node { shape, limits: words.limits() };
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.document.pointer(&pointer.replace("%25", "%"))
    }

    /// The shape, and whether `null` turned out to be among it.
    fn shape(&mut self, words: &Words<'s>, hops: usize) -> (Shape<'s>, bool) {
        if let Some(value) = words.constant {
            return (Shape::Choice(vec![pick(value)]), false);
        }
        if let Some(values) = words.choice {
            return (Shape::Choice(values.iter().filter(|value| !value.is_null()).map(pick).collect()), false);
        }
        if let Some(parts) = words.all_of {
            return self.all_of(words, parts, hops);
        }
        if let Some(cases) = words.cases() {
            return self.any_of(words, cases, hops);
        }
        // Every whole number is a number.
        let mut kinds = words.kinds.without(Kinds::NULL);
        if kinds.has(Kinds::NUMBER) {
            kinds = kinds.without(Kinds::INTEGER);
        }
        let shape = if kinds.is_one() {
            self.of_type(kinds, words, hops)
        } else if kinds != Kinds::default() {
            let variant = |kind| {
                let shape = self.of_type(kind, words, hops);
                bare(self.push(shape))
            };
            Shape::Union(kinds.each().map(variant).collect())
        } else if words.properties.is_some() {
            self.of_type(Kinds::OBJECT, words, hops)
        } else if words.items.is_some() {
            self.of_type(Kinds::ARRAY, words, hops)
        } else if words.typed {
            Shape::Null
        } else {
            Shape::Any
        };
        (shape, false)
    }

    fn of_type(&mut self, kind: Kinds, words: &Words<'s>, hops: usize) -> Shape<'s> {
        match kind {
            Kinds::BOOLEAN => Shape::Boolean,
            Kinds::INTEGER => Shape::Integer,
            Kinds::NUMBER => Shape::Number,
            Kinds::STRING => Shape::Text,
            Kinds::ARRAY => match words.items {
                Some(items) => Shape::List(self.edge(items, hops)),
                None => Shape::List(self.push(Shape::Any)),
            },
            Kinds::OBJECT => Shape::Object(self.members(words, hops)),
            _ => Shape::Any,
        }
    }

    fn members(&mut self, words: &Words<'s>, hops: usize) -> Members<'s> {
        let mut list = Vec::with_capacity(words.properties.map_or(0, serde_json::Map::len));
        for (key, schema) in words.properties.into_iter().flatten() {
            let edge = self.edge(schema, hops);
            list.push(Member { key: key.into(), aliases: Vec::new(), edge, required: false });
        }
        // Properties stand in the order of their keys, or in the document's: looked up either way.
        let mut missing = Vec::new();
        let places: HashMap<&str, usize> = if list.len() > Members::FEW {
            words.properties.into_iter().flatten().enumerate().map(|(at, (key, _))| (key.as_str(), at)).collect()
        } else {
            HashMap::new()
        };
        for key in words.required.iter().filter_map(Value::as_str) {
            let place = match list.len() {
                0..=Members::FEW => list.iter().position(|member| member.key == key),
                _ => places.get(key).copied(),
            };
            match place {
                Some(at) => list[at].required = true,
                None => missing.push(key),
            }
        }
        for key in missing {
            let edge = self.push(Shape::Any);
            list.push(Member { key: key.into(), aliases: Vec::new(), edge, required: true });
        }
        let extra = match words.extra {
            Some(Value::Bool(false)) if !words.key_patterns => Extra::Refused,
            Some(schema @ Value::Object(_)) => Extra::Of(Box::new(self.edge(schema, hops))),
            _ => Extra::Allowed,
        };
        Members::new(list, extra)
    }

    fn any_of(&mut self, words: &Words<'s>, cases: &'s [Value], hops: usize) -> (Shape<'s>, bool) {
        let mut nullable = false;
        let mut edges = Vec::new();
        for case in cases {
            if is_null(case) {
                nullable = true;
                continue;
            }
            let edge = self.edge(case, hops);
            nullable |= edge.nullable;
            edges.push(edge);
        }
        // Members beside the union belong to each of its cases.
        if words.properties.is_some() {
            let outer = self.members(words, hops);
            let edge = self.push(Shape::Object(outer));
            return (Shape::Union(vec![bare(edge)]), nullable);
        }
        let variants = self.variants(&edges);
        (Shape::Union(variants), nullable)
    }

    fn all_of(&mut self, words: &Words<'s>, parts: &'s [Value], hops: usize) -> (Shape<'s>, bool) {
        let mut merged = if words.properties.is_some() { self.members(words, hops) } else { Members::default() };
        let mut nullable = !parts.is_empty();
        let mut objects = true;
        let mut single = None;
        for part in parts {
            let edge = self.edge(part, hops);
            nullable &= edge.nullable;
            match &self.nodes[edge.node].shape {
                Shape::Object(members) => {
                    for member in &members.list {
                        match merged.list.iter_mut().find(|known| known.key == member.key) {
                            Some(known) => known.required |= member.required,
                            None => merged.list.push(Member {
                                key: member.key.clone(),
                                aliases: Vec::new(),
                                edge: member.edge.clone(),
                                required: member.required,
                            }),
                        }
                    }
                }
                Shape::Any => {}
                _ => objects = false,
            }
            single = Some(edge);
        }
        match single {
            Some(edge) if parts.len() == 1 && merged.list.is_empty() || !objects => {
                (Shape::Union(vec![bare(edge)]), nullable)
            }
            _ => (Shape::Object(Members::new(merged.list, merged.extra)), nullable),
        }
    }
}

fn bare(edge: Edge<'_>) -> Variant<'_> {
    Variant { name: Cow::default(), aliases: Vec::new(), edge, form: Form::Bare }
}

fn pick(value: &Value) -> Pick<'_> {
    Pick { value: Tree::from(value), aliases: Vec::new() }
}
