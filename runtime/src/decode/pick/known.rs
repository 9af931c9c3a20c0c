//! What an answer looks like, from afar: by its keys.

use std::ops::Range;

use super::Search;
use crate::decode::near::alike;
use crate::decode::plan::{Edge, Member, Shape};
use crate::decode::tree::Tree;

impl<'s, V> Search<'s, V> {
    /// Whether nothing but space stands around a place.
    pub(super) fn is_whole(&self, span: &Range<usize>) -> bool {
        // From the value outwards, so that of many values each looks at the space beside it only.
        self.text[..span.start].trim_end().is_empty() && self.text[span.end..].trim_start().is_empty()
    }

    /// Whether there is a key that an answer cannot do without. Else any object would be one, so that it
    /// takes a key of the answer's to tell.
    pub(super) fn needs_keys(&self) -> bool {
        match &self.plan.node(&self.plan.root).shape {
            Shape::Object(members) => {
                let needed = |member: &Member<'_>| member.required && !member.edge.nullable;
                members.list.is_empty() || members.list.iter().any(needed)
            }
            _ => true,
        }
    }

    /// Whether the root is an object with keys that an answer cannot do without.
    pub(super) fn has_keys(&self) -> bool {
        let named =
            matches!(&self.plan.node(&self.plan.root).shape, Shape::Object(members) if !members.list.is_empty());
        named && self.needs_keys()
    }

    /// Where the root is a list, or the only thing in the wrapper: its elements.
    pub(super) fn root_list(&self) -> Option<&Edge<'s>> {
        match &self.plan.node(self.inner_root()).shape {
            Shape::List(item) => Some(item),
            _ => None,
        }
    }

    /// The root without its wrapper.
    pub(super) fn inner_root(&self) -> &Edge<'s> {
        match &self.plan.node(&self.plan.root).shape {
            Shape::Object(members) if self.plan.wrapped => {
                members.list.first().map_or(&self.plan.root, |member| &member.edge)
            }
            _ => &self.plan.root,
        }
    }

    /// Whether a number can be read as what an edge leads to.
    pub(super) fn may_be_number(&self, edge: &Edge<'_>) -> bool {
        match &self.plan.node(edge).shape {
            Shape::Null | Shape::Boolean | Shape::Object(_) => false,
            Shape::Choice(picks) => picks.iter().any(|pick| match &pick.value {
                Tree::Text(name) => {
                    let mut names = std::iter::once(name).chain(&pick.aliases);
                    names.any(|name| name.contains(|c: char| c.is_ascii_digit()))
                }
                _ => true,
            }),
            _ => true,
        }
    }

    /// Whether a key is one of an answer's.
    pub(super) fn knows(&self, key: &str) -> bool {
        let among = |edge: &Edge<'_>| match &self.plan.node(edge).shape {
            Shape::Object(members) => {
                members.find(key).is_some() || members.list.iter().any(|member| alike(&member.key, key))
            }
            _ => false,
        };
        among(&self.plan.root) || self.plan.wrapped && among(self.inner_root()) || self.root_list().is_some_and(among)
    }

    /// How many keys of an answer a value has.
    pub(super) fn score(&self, tree: &Tree<'_>) -> usize {
        match tree {
            Tree::Object(entries) => entries.iter().filter(|(key, _)| self.knows(key)).count(),
            Tree::List(_) => usize::from(self.root_list().is_some()),
            _ => 0,
        }
    }

    /// Whether every key that the schema knows is there.
    pub(super) fn has_all_keys(&self, tree: &Tree<'_>) -> bool {
        let Shape::Object(members) = &self.plan.node(&self.plan.root).shape else { return false };
        members
            .list
            .iter()
            .all(|member| std::iter::once(&member.key).chain(&member.aliases).any(|key| tree.get(key).is_some()))
    }
}
