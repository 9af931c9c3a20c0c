//! How the cases of a union are told apart: by a key that is constant in each, by their only key,
//! or by their shape alone.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Reader, bare};
use crate::decode::plan::{Edge, Form, Member, Members, Pick, Shape, Variant};
use crate::decode::tree::Tree;

/// Names that models and serde give to the content beside a tag.
const CONTENTS: &[&str] = &["content", "value", "data", "payload"];

impl<'s> Reader<'s> {
    /// The cases of a union.
    pub(super) fn variants(&mut self, edges: &[Edge<'s>]) -> Vec<Variant<'s>> {
        if let Some(tag) = self.tag(edges) {
            return self.tagged(edges, &tag);
        }
        let keyed = self.are_keyed(edges);
        let variant = |edge: &Edge<'s>| {
            let (name, form) = match &self.nodes[edge.node].shape {
                Shape::Object(members) if keyed => (members.list[0].key.clone(), Form::Key),
                Shape::Choice(_) => (Cow::default(), Form::Units),
                _ => (Cow::default(), Form::Bare),
            };
            Variant { name, aliases: Vec::new(), edge: edge.clone(), form }
        };
        edges.iter().map(variant).collect()
    }

    /// The first key that is constant in every object, and does not say the same in all of them.
    fn tag(&self, edges: &[Edge<'s>]) -> Option<Cow<'s, str>> {
        let objects: Vec<_> = edges.iter().filter_map(|edge| self.object(edge)).collect();
        let tags = objects.first()?.list.iter().filter(|member| self.constant(member).is_some());
        let tells = |tag: &&Member<'s>| {
            let names: Option<HashSet<_>> = objects.iter().map(|members| self.name(members, &tag.key)).collect();
            names.is_some_and(|names| names.len() > 1 || objects.len() == 1)
        };
        tags.into_iter().find(tells).map(|tag| tag.key.clone())
    }

    /// Cases with a tag. Those with the same name in it are one case, which is a union again.
    fn tagged(&mut self, edges: &[Edge<'s>], tag: &str) -> Vec<Variant<'s>> {
        let mut groups: Vec<(Option<Cow<'s, str>>, Vec<Edge<'s>>)> = Vec::new();
        for edge in edges {
            let name = self.object(edge).and_then(|members| self.name(members, tag));
            match groups.iter_mut().find(|(known, _)| name.is_some() && *known == name) {
                Some((_, group)) => group.push(edge.clone()),
                None => groups.push((name, vec![edge.clone()])),
            }
        }
        let mut variants = Vec::new();
        for (name, group) in groups {
            let edge = match group.as_slice() {
                [one] => one.clone(),
                several => {
                    let inner = self.variants(several);
                    self.push(Shape::Union(inner))
                }
            };
            variants.push(match (name, self.object(&edge)) {
                (Some(name), members) => {
                    let content = members.and_then(|members| content(members, tag));
                    let form = Form::Tag { tag: Cow::Owned(tag.to_owned()), content };
                    Variant { name, aliases: Vec::new(), edge, form }
                }
                (None, _) if matches!(self.nodes[edge.node].shape, Shape::Choice(_)) => {
                    Variant { form: Form::Units, ..bare(edge) }
                }
                (None, _) => bare(edge),
            });
        }
        variants
    }

    /// Whether every case is a name, or an object whose only key no other case has.
    fn are_keyed(&self, edges: &[Edge<'s>]) -> bool {
        let mut keys = HashSet::new();
        edges.iter().all(|edge| match &self.nodes[edge.node].shape {
            Shape::Object(Members { list, .. }) => {
                matches!(list.as_slice(), [one] if one.required && keys.insert(one.key.as_ref()))
            }
            Shape::Choice(_) => true,
            _ => false,
        })
    }

    fn object(&self, edge: &Edge<'s>) -> Option<&Members<'s>> {
        match &self.nodes[edge.node].shape {
            Shape::Object(members) => Some(members),
            _ => None,
        }
    }

    fn name(&self, members: &Members<'s>, tag: &str) -> Option<Cow<'s, str>> {
        members.list.iter().find(|member| member.key == tag).and_then(|member| self.constant(member))
    }

    /// The one text that a member may be.
    fn constant(&self, member: &Member<'s>) -> Option<Cow<'s, str>> {
        match &self.nodes[member.edge.node].shape {
            Shape::Choice(picks) => match picks.as_slice() {
                [Pick { value: Tree::Text(text), .. }] => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The key beside the tag, if it is the only one and is named like a content.
fn content<'s>(members: &Members<'s>, tag: &str) -> Option<Cow<'s, str>> {
    let mut others = members.list.iter().filter(|member| member.key != tag);
    let other = others.next().filter(|_| others.next().is_none())?;
    CONTENTS.contains(&other.key.as_ref()).then(|| other.key.clone())
}
