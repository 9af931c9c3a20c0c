//! Lists: in a text, under one key too many, or one element that stands for the list of it.

use std::borrow::Cow;

use super::Coercer;
use crate::decode::plan::{Edge, Shape};
use crate::decode::repair::{Record, RepairKind};
use crate::decode::trail::Trail;
use crate::decode::tree::Tree;
use crate::decode::validate::fits;

impl<'p> Coercer<'p> {
    pub(super) fn list(&mut self, tree: &mut Tree<'_>, item: &'p Edge) {
        self.find_list(tree, item);
        if let Tree::List(items) = tree {
            for (index, value) in items.iter_mut().enumerate() {
                self.at_index(index, |this| this.fit(value, item));
            }
        }
    }

    fn find_list(&mut self, tree: &mut Tree<'_>, item: &'p Edge) {
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
    fn entries(&mut self, tree: &mut Tree<'_>, item: &'p Edge) {
        let Shape::Object(members) = &self.plan.node(item).shape else { return };
        let mut keys: Vec<_> = members.list.iter().map(|member| member.key.as_str()).collect();
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

    fn lone_list(&mut self, tree: &mut Tree<'_>, item: &'p Edge) {
        if matches!(tree, Tree::List(_) | Tree::Null) {
            return;
        }
        if !self.spend(2 * tree.count()) {
            return;
        }
        let is_item = self.may_be_item(tree, item);
        if let Tree::Object(entries) = tree
            && let [(_, inner @ Tree::List(_))] = entries.as_mut_slice()
            && !is_item
        {
            let inner = std::mem::replace(inner, Tree::Null);
            self.repair(RepairKind::Wrapper, tree.shown(), inner.shown());
            *tree = inner;
            return;
        }
        if !is_item {
            return;
        }
        if let Tree::Text(text) = &*tree
            && matches!(self.plan.node(item).shape, Shape::Text)
            && (text.trim().is_empty() || text.contains([',', ';', '\n', '|']))
        {
            self.doubt("a list", format!("{}, which may be one element or several", tree.shown()));
            return;
        }
        let element = std::mem::replace(tree, Tree::Null);
        self.repair(RepairKind::BareElement, element.shown(), format!("[{}]", element.shown()));
        *tree = Tree::List(vec![element]);
    }

    /// Whether a value is an element of the list, or becomes one.
    fn may_be_item(&mut self, tree: &Tree<'_>, item: &'p Edge) -> bool {
        match &self.plan.node(item).shape {
            Shape::Object(_) => self.suits(tree, item),
            Shape::Any => false,
            _ => {
                let mut probe =
                    Self { path: Trail::default(), repairs: Record::default(), doubts: Vec::new(), ..*self };
                let mut tree = tree.clone();
                probe.fit(&mut tree, item);
                probe.doubts.is_empty() && fits(self.plan, &tree, item)
            }
        }
    }
}
