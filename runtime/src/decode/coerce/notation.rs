//! Whole numbers in another notation: `4.0`, `1e3`, `-0`.
//!
//! For JSON Schema these are integers, and for serde they are not. So a value that fits but for
//! its notation fits, before any other change is thought of: of a union's cases it means the
//! first that it fits in this way, as serde would say if it knew the notation.

use std::borrow::Cow;

use super::Coercer;
use crate::decode::number::whole;
use crate::decode::plan::{Edge, Extra, Form, Shape, Variant};
use crate::decode::repair::{Record, RepairKind};
use crate::decode::trail::Trail;
use crate::decode::tree::Tree;
use crate::decode::validate::{fits, is_plain_integer, means};

impl<'p> Coercer<'p> {
    /// The value in the notation that serde knows, and what that changed, if the case then fits.
    pub(super) fn in_notation<'t>(&mut self, tree: &Tree<'t>, edge: &'p Edge<'p>) -> Option<(Tree<'t>, Record)> {
        if !self.spend(tree.count()) || !has_notation(tree) {
            return None;
        }
        let mut probe = Self { path: self.path.clone(), repairs: Record::default(), doubts: Vec::new(), ..*self };
        let mut mine = tree.clone();
        probe.restate(&mut mine, edge);
        self.steps = probe.steps;
        fits(self.plan, &mine, edge).then_some((mine, probe.repairs))
    }

    fn restate(&mut self, tree: &mut Tree<'_>, edge: &'p Edge<'p>) {
        match (&self.plan.node(edge).shape, tree) {
            (Shape::Integer, tree) => self.restate_number(tree),
            (Shape::List(item), Tree::List(items)) => {
                for (index, value) in items.iter_mut().enumerate() {
                    self.at_index(index, |this| this.restate(value, item));
                }
            }
            (Shape::Object(members), Tree::Object(entries)) => {
                for (key, value) in entries {
                    match (members.find(key), &members.extra) {
                        (Some(at), _) => {
                            let member = &members.list[at];
                            self.at_key(&*member.key, |this| this.restate(value, &member.edge));
                        }
                        (None, Extra::Of(edge)) => self.at_key(key.to_string(), |this| this.restate(value, edge)),
                        (None, _) => {}
                    }
                }
            }
            (Shape::Union(variants), tree) => self.restate_case(tree, variants),
            _ => {}
        }
    }

    /// Writes a whole number without a fraction and an exponent.
    pub(super) fn restate_number(&mut self, tree: &mut Tree<'_>) {
        if let Tree::Number(text) = &*tree
            && !is_plain_integer(text)
            && let Some(number) = whole(text)
        {
            self.repair(RepairKind::Number, tree.shown(), &number);
            *tree = Tree::Number(Cow::Owned(number));
        }
    }

    fn restate_case(&mut self, tree: &mut Tree<'_>, variants: &'p [Variant<'p>]) {
        if let Some(variant) = variants.iter().find(|variant| means(self.plan, variant, tree)) {
            return self.restate(tree, &variant.edge);
        }
        for variant in variants.iter().filter(|variant| matches!(variant.form, Form::Bare)) {
            if let Some((mine, repairs)) = self.in_notation(tree, &variant.edge) {
                *tree = mine;
                return self.repairs.append(&Trail::default(), repairs);
            }
        }
    }
}

/// Whether there is a number that may be whole and does not look so.
fn has_notation(tree: &Tree<'_>) -> bool {
    match tree {
        Tree::Number(text) => !is_plain_integer(text),
        Tree::List(items) => items.iter().any(has_notation),
        Tree::Object(entries) => entries.iter().any(|(_, value)| has_notation(value)),
        _ => false,
    }
}
