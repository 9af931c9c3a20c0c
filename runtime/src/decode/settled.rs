//! Whether a value is the schema's as it stands.
//!
//! Most values that are found need no change: their reply had prose around it, or a comma too many. Of
//! these one walk tells so, without keeping a path or putting anything into words. It says yes only
//! where the coercer would change nothing and the validator find nothing, and it has no budget to speak of:
//! in doubt it says no, and they look.

use super::plan::{Edge, Extra, Form, Members, Plan, Shape, Variant};
use super::tree::{Entry, Tree};
use super::validate::{is_held, is_plain_integer, means};

/// Whether a value is the schema's, key by key, with nothing in it that the schema does not know.
pub(super) fn settled(plan: &Plan<'_>, tree: &Tree<'_>) -> bool {
    Walk { plan, cases: 64 }.value(tree, &plan.root)
}

struct Walk<'p> {
    plan: &'p Plan<'p>,
    /// How many more cases of unions may be tried. They nest, and each may try them all again.
    cases: usize,
}

impl Walk<'_> {
    fn value(&mut self, tree: &Tree<'_>, edge: &Edge<'_>) -> bool {
        if edge.nullable && *tree == Tree::Null {
            return true;
        }
        let mut limits = self.plan.limits(edge);
        match (&self.plan.node(edge).shape, tree) {
            (Shape::Null, Tree::Null) | (Shape::Boolean, Tree::Bool(_)) => true,
            (Shape::Integer | Shape::Number, Tree::Number(text)) => {
                (is_plain_integer(text) || matches!(self.plan.node(edge).shape, Shape::Number))
                    && self.is_held(text)
                    && limits.all(|limits| limits.admit_number(text))
            }
            (Shape::Text, Tree::Text(text)) => limits.all(|limits| limits.admit_text(text)),
            (Shape::Choice(picks), Tree::Text(text)) => {
                picks.iter().any(|pick| pick.value == *tree) && limits.all(|limits| limits.admit_text(text))
            }
            (Shape::List(item), Tree::List(items)) => {
                limits.all(|limits| limits.admit_items(items.len()))
                    && items.iter().all(|value| self.value(value, item))
            }
            (Shape::Object(members), Tree::Object(entries)) => self.object(members, entries),
            (Shape::Union(variants), _) => self.union(variants, tree),
            _ => false,
        }
    }

    fn is_held(&self, number: &str) -> bool {
        !self.plan.dynamic || is_held(number)
    }

    /// Every key is known and stands once, and none is missing that has to be there.
    fn object(&mut self, members: &Members<'_>, entries: &[Entry<'_>]) -> bool {
        if members.list.is_empty() && matches!(members.extra, Extra::Allowed) {
            return self.free_object(entries);
        }
        let required = || members.list.iter().filter(|member| member.required).count();
        if members.list.len() > u64::BITS as usize || entries.len() < required() {
            return false;
        }
        let mut there = 0_u64;
        for (key, value) in entries {
            let Some(at) = members.find(key) else { return false };
            if there & 1 << at != 0 || !self.value(value, &members.list[at].edge) {
                return false;
            }
            there |= 1 << at;
        }
        members.list.iter().enumerate().all(|(at, member)| !member.required || there & 1 << at != 0)
    }

    /// An object of which the schema says nothing but that it is one.
    fn free_object(&self, entries: &[Entry<'_>]) -> bool {
        /// More keys are not compared with one another.
        const FEW: usize = 12;
        entries.len() <= FEW
            && entries.iter().enumerate().all(|(at, (key, value))| {
                entries[..at].iter().all(|(other, _)| other != key)
                    && match value {
                        Tree::Number(text) => self.is_held(text),
                        Tree::Null | Tree::Bool(_) | Tree::Text(_) => true,
                        Tree::Object(entries) => self.free_object(entries),
                        Tree::Word(_) | Tree::List(_) => false,
                    }
            })
    }

    fn union(&mut self, variants: &[Variant<'_>], tree: &Tree<'_>) -> bool {
        if let Some(variant) = variants.iter().find(|variant| means(self.plan, variant, tree)) {
            return self.value(tree, &variant.edge);
        }
        variants.iter().filter(|variant| matches!(variant.form, Form::Bare)).any(|variant| {
            let left = self.cases.checked_sub(1);
            self.cases = left.unwrap_or_default();
            left.is_some() && self.value(tree, &variant.edge)
        })
    }
}
