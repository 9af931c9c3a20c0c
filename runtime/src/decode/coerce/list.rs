//! Lists: in a text, under one key too many, or one element that stands for the list of it.

use std::borrow::Cow;

use super::Coercer;
use super::object::{MOST_LEVELS, may_wrap};
use crate::decode::plan::{Edge, Shape};
use crate::decode::repair::{Record, RepairKind};
use crate::decode::trail::Trail;
use crate::decode::tree::Tree;
use crate::decode::validate::fits;

impl<'p> Coercer<'p> {
    pub(super) fn list(&mut self, tree: &mut Tree<'_>, item: &'p Edge<'p>) {
        self.find_list(tree, item);
        if let Tree::List(items) = tree {
            for (index, value) in items.iter_mut().enumerate() {
                self.at_index(index, |this| this.fit(value, item));
            }
        }
    }

    fn find_list(&mut self, tree: &mut Tree<'_>, item: &'p Edge<'p>) {
        if let Tree::Text(text) = tree
            && let Some(inner @ Tree::List(_)) = self.encoded(&text.clone(), ['[', '['])
        {
            self.repair(RepairKind::Encoded, tree.shown(), inner.shown());
            *tree = inner;
        }
        self.entries(tree, item);
        self.lone_list(tree, item);
    }

    /// An open map is a list of `key` and `value` in a strict schema; models write a map.
    fn entries(&mut self, tree: &mut Tree<'_>, item: &'p Edge<'p>) {
        let Shape::Object(members) = &self.plan.node(item).shape else { return };
        let mut keys: Vec<_> = members.list.iter().map(|member| member.key.as_ref()).collect();
        keys.sort_unstable();
        let Tree::Object(map) = tree else { return };
        if keys != ["key", "value"] || map.iter().any(|(key, _)| key == "key") {
            return;
        }
        let entry =
            |(key, value)| Tree::Object(vec![(Cow::Borrowed("key"), Tree::Text(key)), (Cow::Borrowed("value"), value)]);
        let list = Tree::List(std::mem::take(map).into_iter().map(entry).collect());
        self.repair(RepairKind::Entries, "an object", list.shown());
        *tree = list;
    }

    fn lone_list(&mut self, tree: &mut Tree<'_>, item: &'p Edge<'p>) {
        if matches!(tree, Tree::List(_) | Tree::Null) {
            return;
        }
        if !self.spend(2 * tree.count()) {
            return;
        }
        let element = self.as_item(tree, item);
        if element.is_none()
            && let Some(inner) = wrapped_list(tree, MOST_LEVELS)
        {
            let inner = std::mem::replace(inner, Tree::Null);
            self.repair(RepairKind::Wrapper, tree.shown(), inner.shown());
            *tree = inner;
            return;
        }
        let Some((element, repairs)) = element else { return };
        if let Tree::Text(text) = &*tree
            && matches!(self.plan.node(item).shape, Shape::Text)
            && (text.trim().is_empty() || text.contains([',', ';', '\n', '|']))
        {
            self.doubt("a list", format!("{}, which may be one element or several", tree.shown()));
            return;
        }
        self.repair(RepairKind::BareElement, tree.shown(), format!("[{}]", tree.shown()));
        self.repairs.append(&Trail::default(), repairs);
        *tree = Tree::List(vec![element]);
    }

    /// The element of the list that a value is, or becomes, and what was repaired for it.
    ///
    /// It comes back as it was repaired: to repair it anew inside the list would have no end for a
    /// type that is a list of itself.
    fn as_item<'t>(&mut self, tree: &Tree<'t>, item: &'p Edge<'p>) -> Option<(Tree<'t>, Record)> {
        match &self.plan.node(item).shape {
            Shape::Object(_) => self.suits(tree, item).then(|| (tree.clone(), Record::default())),
            Shape::Any => None,
            _ => {
                let mut path = self.path.clone();
                path.enter_index(0);
                // A guess within a guess has a fraction of the steps, for the same reason.
                let steps = self.steps / 8;
                let mut probe = Self { path, repairs: Record::default(), doubts: Vec::new(), steps, ..*self };
                let mut tree = tree.clone();
                probe.fit(&mut tree, item);
                (probe.doubts.is_empty() && fits(self.plan, &tree, item)).then_some((tree, probe.repairs))
            }
        }
    }
}

/// The list under lone keys.
fn wrapped_list<'a, 't>(tree: &'a mut Tree<'t>, levels: usize) -> Option<&'a mut Tree<'t>> {
    let Tree::Object(entries) = tree else { return None };
    match entries.as_mut_slice() {
        [(key, inner)] if levels > 0 && may_wrap(key) => match inner {
            Tree::List(_) => Some(inner),
            _ => wrapped_list(inner, levels - 1),
        },
        _ => None,
    }
}
