//! The members that objects name, and which of them are required.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::document::At;
use super::draft::Draft;
use super::facts::{Facts, Members};
use super::few::Few;
use super::rewrite::{Rewriter, Term};

static NULL: Value = Value::Null;

/// A member that the schemas name, with the schemas that hold for it.
pub(super) struct Member<'a> {
    pub(super) key: &'a str,
    pub(super) terms: Few<Term<'a>>,
    pub(super) forbidden: bool,
    /// Whether the output requires it.
    pub(super) required: bool,
}

impl<'a> Member<'a> {
    fn new(key: &'a str, at: At<'a>) -> Self {
        Self { key, terms: Few::One(at.into()), forbidden: false, required: false }
    }
}

impl<'a> Rewriter<'a, '_> {
    /// The members that the parts name, each with the schemas of all parts that speak about it.
    pub(super) fn members(&mut self, parts: &[Members<'a>]) -> Vec<Member<'a>> {
        let named = |part: &Members<'a>| part.properties.map_or(0, Map::len);
        let mut members: Vec<Member<'a>> = Vec::with_capacity(parts.iter().map(named).sum());
        let mut known = HashMap::new();
        for part in parts {
            let Some(properties) = part.properties else { continue };
            if properties.is_empty() {
                continue;
            }
            let holder = self.document.member(part.place, "properties", &NULL).place;
            for (key, value) in properties {
                let at = self.document.member(holder, key, value);
                if parts.len() == 1 {
                    members.push(Member::new(key, at));
                    continue;
                }
                let index = *known.entry(key.as_str()).or_insert(members.len());
                if index == members.len() {
                    members.push(Member::new(key, at));
                } else {
                    members[index].terms.push(at.into());
                }
            }
        }
        if parts.len() == 1 {
            return members;
        }
        // Parts that do not name a member may say something about all others.
        for part in parts.iter().filter(|part| !part.patterns) {
            let Some(additional) = part.additional.filter(|value| **value != Value::Bool(true)) else { continue };
            let at = self.document.member(part.place, "additionalProperties", additional);
            for member in &mut members {
                if part.properties.is_some_and(|properties| properties.contains_key(member.key)) {
                    continue;
                }
                if *additional == Value::Bool(false) {
                    member.forbidden = true;
                } else {
                    member.terms.push(at.into());
                }
            }
        }
        members
    }
}

/// The names that objects require.
pub(super) enum Required<'a> {
    /// Those of all members, in their order.
    All,
    /// Sorted, which for the few names that objects have is found in faster than a hash table is made.
    Some { names: Vec<&'a str>, repeated: bool },
}

impl<'a> Required<'a> {
    pub(super) fn of(parts: &[Members<'a>]) -> Self {
        if let [part] = parts
            && let Some(properties) = part.properties
            && part.required().eq(properties.keys().map(String::as_str))
        {
            return Self::All;
        }
        let mut names: Vec<&str> = parts.iter().flat_map(Members::required).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        Self::Some { repeated: names.len() < all, names }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        match self {
            Self::All => true,
            Self::Some { names, .. } => names.binary_search(&key).is_ok(),
        }
    }

    pub(super) fn count(&self, members: &[Member<'_>]) -> usize {
        match self {
            Self::All => members.len(),
            Self::Some { names, .. } => names.len(),
        }
    }

    /// Whether they are the names of the members, each once.
    pub(super) fn are_all_of(&self, members: &[Member<'_>]) -> bool {
        let repeated = matches!(self, Self::Some { repeated: true, .. });
        !members.is_empty()
            && !repeated
            && self.count(members) == members.len()
            && members.iter().all(|member| self.has(member.key))
    }
}

/// The value of `required`: what is listed in that order, then what is `added`. What is required and stands nowhere is
/// required all the same, if there may be others.
pub(super) fn listed<'a>(facts: &Facts<'a>, members: &[Member<'a>], closes: bool) -> Vec<Draft<'a>> {
    let added: HashSet<_> = members.iter().filter(|member| member.required).map(|member| member.key).collect();
    let declared: HashSet<_> = members.iter().map(|member| member.key).collect();
    let listed = facts.members.iter().flat_map(Members::required);
    let listed = listed.filter(|name| !closes && !declared.contains(name) || added.contains(name));
    let mut seen = HashSet::new();
    let order = listed.chain(members.iter().map(|member| member.key).filter(|key| added.contains(key)));
    order.filter(|name| seen.insert(*name)).map(Draft::from).collect()
}
