//! A value towards its schema, without loss.
//!
//! The coercer changes a value only where the schema leaves one reading of it, and records each
//! change. What it cannot read it leaves as it is: the validator says what is wrong with it. Where
//! there are two readings it says so, and the value is not used.
//!
//! | file | changes |
//! |---|---|
//! | `scalar` | numbers, booleans, text, null, names of enums |
//! | `notation` | whole numbers that do not look whole |
//! | `object` | keys; wrappers and envelopes around an object |
//! | `list` | lists of one, and one for a list |
//! | `union` | the shapes that serde has for a variant |

mod list;
mod notation;
mod object;
mod scalar;
mod union;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::parse::{Outcome, Parser};
use super::plan::{Edge, Members, Plan, Shape};
use super::repair::{Record, RepairKind};
use super::trail::Trail;
use super::tree::{Entry, Tree};
use super::validate::has_shape;
use crate::check::Violation;

/// How far the coercer may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Freedom {
    /// Whether values may be changed at all; else only the root is looked for in its envelope.
    pub(super) values: bool,
    /// Whether the root may have another shape than the schema's.
    pub(super) root: bool,
}

/// A value, what was changed in it, and where there are several readings.
#[derive(Debug)]
pub(super) struct Coerced<'t> {
    pub(super) tree: Tree<'t>,
    pub(super) repairs: Record,
    pub(super) doubts: Vec<Violation>,
    /// How many keys of the root were missing and read as null.
    pub(super) filled: usize,
}

/// Brings a value towards its schema.
///
/// `size` is about how many values there are in it.
pub(super) fn coerce<'t>(plan: &Plan<'_>, tree: Tree<'t>, size: usize, freedom: Freedom) -> Coerced<'t> {
    let mut coercer = Coercer::new(plan, size, freedom);
    let mut tree = tree;
    if repeats(&tree) {
        coercer.single_keys(&mut tree);
    }
    coercer.root(&mut tree);
    Coerced { tree, repairs: coercer.repairs, doubts: coercer.doubts, filled: coercer.filled }
}

/// Whether a value is an object with the keys that the root needs, spelled as they may be.
pub(super) fn suits(plan: &Plan<'_>, tree: &Tree<'_>, values: bool) -> bool {
    Coercer::new(plan, 0, Freedom { values, root: false }).suits(tree, &plan.root)
}

/// No more places with several readings than anybody will read of.
const MOST_DOUBTS: usize = 32;

struct Coercer<'p> {
    plan: &'p Plan<'p>,
    freedom: Freedom,
    path: Trail<'p>,
    repairs: Record,
    doubts: Vec<Violation>,
    /// How many more values may be looked at. Cases of unions are tried one by one, which must not
    /// grow without bound.
    steps: usize,
    /// How many texts around this place were JSON.
    texts: usize,
    /// How many keys of the root were missing and read as null.
    filled: usize,
}

/// Whether some key stands twice in some object.
fn repeats(tree: &Tree<'_>) -> bool {
    match tree {
        Tree::List(items) => items.iter().any(repeats),
        Tree::Object(entries) => has_equal(entries) || entries.iter().any(|(_, value)| repeats(value)),
        _ => false,
    }
}

/// Whether some key stands twice.
fn has_equal(entries: &[Entry<'_>]) -> bool {
    /// Fewer keys are compared faster than hashed.
    const FEW: usize = 12;
    if entries.len() > FEW {
        let mut seen = HashSet::with_capacity(entries.len());
        return !entries.iter().all(|(key, _)| seen.insert(key.as_ref()));
    }
    entries.iter().enumerate().any(|(at, (key, _))| entries[..at].iter().any(|(other, _)| other == key))
}

impl<'p> Coercer<'p> {
    fn new(plan: &'p Plan<'p>, size: usize, freedom: Freedom) -> Self {
        let steps = 10_000 + 256 * size;
        Self {
            plan,
            freedom,
            path: Trail::default(),
            repairs: Record::default(),
            doubts: Vec::new(),
            steps,
            texts: 0,
            filled: 0,
        }
    }

    fn root(&mut self, tree: &mut Tree<'_>) {
        let plan = self.plan;
        let Shape::Object(members) = &plan.node(&plan.root).shape else {
            let own_shape = match tree {
                Tree::Object(_) => !matches!(plan.node(&plan.root).shape, Shape::List(_) | Shape::Choice(_)),
                Tree::List(_) => matches!(plan.node(&plan.root).shape, Shape::List(_) | Shape::Union(_)),
                _ => true,
            };
            if self.freedom.values && (self.freedom.root || own_shape) {
                self.fit(tree, &plan.root);
            }
            return;
        };
        if self.freedom.root {
            self.find_object(tree, &plan.root);
        }
        if self.freedom.values {
            if plan.wrapped && self.freedom.root && !self.is_wrapper(tree, members) {
                self.repair(RepairKind::Root, tree.shown(), "{\"value\": …}");
                let bare = std::mem::replace(tree, Tree::Null);
                *tree = Tree::Object(vec![(Cow::Borrowed("value"), bare)]);
            }
            if let Tree::Object(entries) = tree {
                self.fields(entries, members);
            }
        }
    }

    /// Whether an object is the wrapper around the root. Another may have a key `value`, too.
    fn is_wrapper(&self, tree: &Tree<'_>, members: &'p Members<'p>) -> bool {
        let Tree::Object(entries) = tree else { return false };
        if entries.len() == 1 || !self.suits(tree, &self.plan.root) {
            return self.suits(tree, &self.plan.root);
        }
        let mut probe = Self::new(self.plan, tree.count(), self.freedom);
        let mut entries = entries.clone();
        probe.fields(&mut entries, members);
        has_shape(self.plan, &Tree::Object(entries))
    }

    /// Brings the value here towards what an edge leads to.
    fn fit(&mut self, tree: &mut Tree<'_>, edge: &'p Edge<'p>) {
        if !self.spend(1) || *tree == Tree::Null {
            return;
        }
        let node = self.plan.node(edge);
        if edge.nullable && self.null_word(tree, &node.shape) {
            return;
        }
        match &node.shape {
            Shape::Any | Shape::Never => {}
            Shape::Null => {
                self.null_word(tree, &node.shape);
            }
            Shape::Boolean => self.boolean(tree),
            Shape::Integer => self.integer(tree),
            Shape::Number => self.number(tree),
            Shape::Text => self.text(tree),
            Shape::Choice(picks) => self.choice(tree, picks),
            Shape::List(item) => self.list(tree, item),
            Shape::Object(members) => {
                self.find_object(tree, edge);
                if let Tree::Object(entries) = tree {
                    self.fields(entries, members);
                }
            }
            Shape::Union(variants) => self.union(tree, variants),
        }
    }

    /// Looks at a member or element from within it.
    fn at_key(&mut self, key: impl Into<Cow<'p, str>>, look: impl FnOnce(&mut Self)) {
        self.path.enter_key(key);
        look(self);
        self.path.leave();
    }

    fn at_index(&mut self, index: usize, look: impl FnOnce(&mut Self)) {
        self.path.enter_index(index);
        look(self);
        self.path.leave();
    }

    fn repair(&mut self, kind: RepairKind, from: impl Into<String>, to: impl Into<String>) {
        self.repairs.add(&self.path, kind, from, to);
    }

    fn doubt(&mut self, expected: impl Into<String>, found: impl Into<String>) {
        if self.doubts.len() < MOST_DOUBTS {
            self.doubts.push(self.path.violation(expected, found));
        }
    }

    /// Takes steps; `false` if there are none left.
    fn spend(&mut self, steps: usize) -> bool {
        if let Some(rest) = self.steps.checked_sub(steps) {
            self.steps = rest;
            return true;
        }
        if self.steps > 0 {
            self.steps = 0;
            self.doubt("a value with fewer ways to read it", "");
        }
        false
    }

    /// Keys that stand twice: with one value they are one, with two there are two readings.
    fn single_keys(&mut self, tree: &mut Tree<'_>) {
        match tree {
            Tree::List(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.at_index(index, |this| this.single_keys(item));
                }
            }
            Tree::Object(entries) => {
                if has_equal(entries) {
                    self.drop_equal(entries);
                }
                for (key, value) in entries {
                    self.at_key(key.to_string(), |this| this.single_keys(value));
                }
            }
            _ => {}
        }
    }

    fn drop_equal(&mut self, entries: &mut Vec<Entry<'_>>) {
        let mut first: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
        let mut twice = Vec::new();
        for (at, (key, _)) in entries.iter().enumerate() {
            let before = *first.entry(key).or_insert(at);
            if before < at {
                twice.push((before, at));
            }
        }
        for (before, at) in &twice {
            let ((key, value), (_, before)) = (&entries[*at], &entries[*before]);
            self.at_key(key.to_string(), |this| {
                if before == value && this.freedom.values {
                    this.repairs.add_with(&this.path, RepairKind::DuplicateKey, || (value.shown(), String::new()));
                } else if this.doubts.len() < MOST_DOUBTS {
                    this.doubt("one value", format!("{} and {} under the same key", before.shown(), value.shown()));
                }
            });
        }
        let mut twice = twice.into_iter().map(|(_, at)| at).peekable();
        let mut at = 0..entries.len();
        entries.retain(|_| twice.next_if_eq(&at.next().unwrap_or_default()).is_none());
    }

    /// The value that a text holds as JSON.
    fn encoded(&mut self, text: &str, wanted: [char; 2]) -> Option<Tree<'static>> {
        /// Each level of encoding doubles the backslashes; nobody means more.
        const MOST_TEXTS: usize = 3;
        let text = text.trim();
        if !text.starts_with(wanted) || self.texts == MOST_TEXTS || !self.spend(text.len() / 16) {
            return None;
        }
        let Outcome::Complete(parsed, _) = Parser::new(text, 0).whole() else { return None };
        if parsed.repairs.first().is_some() && !self.freedom.values {
            return None;
        }
        self.repairs.append(&self.path, parsed.repairs);
        for mut doubt in parsed.doubts {
            doubt.path = self.path.below(&doubt.path);
            self.doubts.push(doubt);
        }
        self.texts += 1;
        let mut tree = parsed.tree.into_owned();
        self.single_keys(&mut tree);
        Some(tree)
    }
}
