//! Random instances of a schema.
//!
//! The sampler walks the schema tree and makes a value at each node. What it makes satisfies every
//! rule of the schema, those that a dialect only describes included. Integers lie in the range of
//! their Rust type and are written without a fraction, keys stand in the order of the schema.
//!
//! A few types of std and of this crate ask for more than JSON Schema can say; the sampler knows
//! them by the names of their nodes: no zero in a `NonZero`, no key twice in
//! [`entries`](crate::entries), no element twice in a set that must have so many.

use std::collections::BTreeSet;

use super::instance::{Around, Instance, Json, Place, Stated};
use super::random::Random;
use super::types::{ENDLESS, Types};
use super::{number, text};
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Key, Kind, Schema, Tagging, unquote};
use crate::schema::rules::Rules;
use crate::schema::shape::{alternatives_of, is_plain_object, members_of};

/// How many objects and lists stand around one another before the sampler takes the shortest
/// way to an end.
const DEEP: usize = 12;

/// Why there is no instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsampled {
    /// What is in the way.
    pub(crate) why: String,
}

/// An instance of the document of the type behind `root`, of about `size` values.
pub(crate) fn instance(
    root: SchemaRef,
    types: &Types,
    size: usize,
    random: &mut Random,
) -> Result<Instance, Unsampled> {
    if types.least(root) == ENDLESS {
        return Err(Unsampled { why: format!("every value of `{}` would contain another one", root.get().name) });
    }
    let mut walk = Walk { types, random, room: size, depth: 0 };
    let value = walk.value(root, Rules::NONE, Around::default())?;
    if is_plain_object(root) {
        return Ok(value);
    }
    let place = Place {
        node: WRAPPER,
        rules: *Rules::NONE,
        nullable: false,
        stated: Stated::default(),
        around: Around::default(),
    };
    Ok(Instance::new(Json::Object(vec![(VALUE.to_owned(), value)]), &place))
}

/// The key around a root that is no object.
pub(crate) const VALUE: &str = "value";
const WRAPPER: &Schema = &Schema::plain("root", Kind::object(&[]));

struct Walk<'a> {
    types: &'a Types,
    random: &'a mut Random,
    /// How many more values there is room for.
    room: usize,
    depth: usize,
}

impl Walk<'_> {
    /// A value of `schema`; `rules` are those of the field that leads to it.
    fn value(&mut self, schema: SchemaRef, rules: &Rules, around: Around) -> Result<Instance, Unsampled> {
        let mut node = self.types.get(schema);
        let mut stated = Stated::default();
        stated.add(rules);
        let mut rules = *rules;
        let mut nullable = false;
        loop {
            rules = node.rules.and(&rules);
            if node.named {
                stated.add(node.rules);
            }
            node = match node.kind {
                Kind::Transparent(inner) => self.types.get(inner),
                Kind::Nullable(inner) => {
                    nullable = true;
                    self.types.get(inner)
                }
                Kind::Union(union) if union.cases.len() == 1 => self.types.get(union.cases[0].schema),
                _ => break,
            };
        }
        // What breaks one form of an object may make another one.
        let forms = if let Kind::Union(union) = node.kind { union.cases.len() } else { alternatives_of(node) };
        let around = Around { choice: around.choice || forms > 1, ..around };
        let place = Place { node, rules, nullable, stated, around };
        self.room = self.room.saturating_sub(1);
        if nullable && (self.tight() || self.random.once_in(4)) {
            return Ok(Instance::new(Json::Null, &place));
        }
        if let Kind::Union(union) = node.kind {
            let least: Vec<_> = union.cases.iter().map(|case| self.types.least(case.schema)).collect();
            let case = &union.cases[self.choose(&least)];
            let trial = around.trial || matches!(union.tagging, Tagging::Untagged);
            self.depth += 1;
            let mut value = self.value(case.schema, Rules::NONE, Around { choice: true, trial })?;
            self.depth -= 1;
            value.place.nullable |= nullable;
            return Ok(value);
        }
        Ok(Instance::new(self.json(&place)?, &place))
    }

    /// A value of a node that is no wrapper and no choice.
    fn json(&mut self, place: &Place) -> Result<Json, Unsampled> {
        let Place { node, rules, around, .. } = place;
        let nothing = || Unsampled { why: format!("no value of `{}` satisfies its rules: {rules:?}", node.name) };
        Ok(match node.kind {
            Kind::Null => Json::Null,
            Kind::Boolean => Json::Boolean(self.random.once_in(2)),
            Kind::Integer => Json::Number(number::integer(node, rules, self.random).ok_or_else(nothing)?),
            Kind::Number => Json::Number(number::number(node, rules, self.random).ok_or_else(nothing)?),
            Kind::String => Json::Text(text::text(node, rules, self.types, self.random).ok_or_else(nothing)?),
            Kind::Enum([]) => return Err(nothing()),
            Kind::Enum(units) => Json::Text(unquote(self.random.pick(units).value)),
            Kind::Array(items) => Json::List(self.list(items, place)?),
            Kind::Object(_) => Json::Object(self.object(node, *around)?),
            Kind::Union(_) | Kind::Nullable(_) | Kind::Transparent(_) | Kind::Back => {
                return Err(Unsampled {
                    why: format!("`{}` refers back to a type that does not enclose it", node.name),
                });
            }
        })
    }

    fn list(&mut self, items: SchemaRef, place: &Place) -> Result<Vec<Instance>, Unsampled> {
        let least = usize::try_from(place.rules.min_items.unwrap_or(0)).unwrap_or(usize::MAX);
        let most = place.rules.max_items.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let count = if self.tight() {
            least
        } else if most <= least + 8 && self.random.once_in(4) {
            most
        } else {
            (least + self.random.below(4)).min(most)
        };
        let distinct = distinct(place, least);
        let mut seen = BTreeSet::new();
        let mut list = Vec::new();
        self.depth += 1;
        // Elements that must differ may need a few draws more.
        for _ in 0..count * if distinct.is_some() { 20 } else { 1 } {
            if list.len() == count {
                break;
            }
            let item = self.value(items, Rules::NONE, place.around)?;
            if distinct.is_none_or(|by| seen.insert(by(&item))) {
                list.push(item);
            }
        }
        self.depth -= 1;
        if list.len() < least {
            return Err(Unsampled { why: format!("no {least} values of `{}` that differ", items.get().name) });
        }
        Ok(list)
    }

    fn object(&mut self, node: &'static Schema, around: Around) -> Result<Vec<(String, Instance)>, Unsampled> {
        let all = alternatives_of(node);
        let least: Vec<_> = (0..all).map(|k| self.types.least_alternative(node, k)).collect();
        if least.is_empty() {
            return Err(Unsampled { why: format!("what `{}` flattens is no object", node.name) });
        }
        let alternative = self.choose(&least);
        let around = Around { choice: around.choice || all > 1, trial: around.trial || all > 1 };
        let mut members = Vec::new();
        self.depth += 1;
        for field in members_of(node, alternative) {
            let value = self.value(field.schema, field.rules, around)?;
            members.push((Key::text(&field.key), value));
        }
        self.depth -= 1;
        Ok(members)
    }

    /// Whether there is no room left, so that the shortest way to an end is taken.
    fn tight(&self) -> bool {
        self.room == 0 || self.depth >= DEEP
    }

    /// One of several forms, given how deep the smallest value of each is.
    fn choose(&mut self, least: &[usize]) -> usize {
        let best = least.iter().copied().min().unwrap_or(0);
        let open: Vec<_> =
            (0..least.len()).filter(|i| least[*i] == best || (least[*i] != ENDLESS && !self.tight())).collect();
        *self.random.pick(&open)
    }
}

/// By what the elements of a list must differ, if they must.
fn distinct(Place { node, rules, .. }: &Place, least: usize) -> Option<fn(&Instance) -> String> {
    match node.name {
        "Entries" if !node.named => Some(|entry| match &entry.json {
            Json::Object(members) => members.first().map(|(_, key)| key.to_string()).unwrap_or_default(),
            _ => String::new(),
        }),
        _ if rules.distinct && least > 0 => Some(ToString::to_string),
        _ => None,
    }
}
