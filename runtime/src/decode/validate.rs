//! A value against a schema: everything that is wrong with it, in the order of the value.
//!
//! The words are for a person and for the model at its next attempt: the path and the names of
//! the wire, what was wanted, what was found, and what may have been meant.

use super::near::nearest;
use super::plan::{Edge, Extra, Form, Members, Pick, Plan, Shape, Variant, number_limits, several};
use super::trail::Trail;
use super::tree::{Entry, Tree};
use crate::check::{Path, Violation, Violations, check_format, check_length, shorten};

/// All that is wrong with a value.
pub(super) fn validate(plan: &Plan<'_>, tree: &Tree<'_>) -> Violations {
    let mut validator = Validator::new(plan, tree, Look::All);
    validator.value(tree, &plan.root);
    let mut violations = Violations::new();
    for violation in validator.found {
        violations.push(violation);
    }
    violations
}

/// Whether a value is what an edge leads to.
pub(super) fn fits(plan: &Plan<'_>, tree: &Tree<'_>, edge: &Edge<'_>) -> bool {
    let mut validator = Validator::new(plan, tree, Look::Any);
    validator.value(tree, edge);
    validator.found.is_empty()
}

/// Whether the root has the schema's shape; it may still break rules.
pub(super) fn has_shape(plan: &Plan<'_>, tree: &Tree<'_>) -> bool {
    let mut validator = Validator::new(plan, tree, Look::Shape);
    validator.value(tree, &plan.root);
    validator.found.is_empty()
}

struct Validator<'p> {
    plan: &'p Plan<'p>,
    path: Trail<'p>,
    found: Vec<Violation>,
    /// How many more values may be looked at. Unions within unions are tried case by case, which
    /// must not grow without bound.
    steps: usize,
    look: Look,
}

/// What a look at a value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// To tell all that is wrong.
    All,
    /// To know whether anything is.
    Any,
    /// To know whether the shape is another, whatever the rules say.
    Shape,
}

/// No more violations than anybody will read.
const MOST: usize = 256;

impl<'p> Validator<'p> {
    fn new(plan: &'p Plan<'p>, tree: &Tree<'_>, look: Look) -> Self {
        let steps = 10_000 + 64 * tree.count();
        Self { plan, path: Trail::default(), found: Vec::new(), steps, look }
    }

    /// Something is wrong here. The words for it are made only if somebody will read them.
    fn wrong(&mut self, words: impl FnOnce(&Self) -> Violation) {
        if self.look != Look::All {
            self.found.push(Violation::says("", ""));
        } else if self.found.len() < MOST {
            let violation = words(self);
            self.found.push(violation);
        }
    }

    /// The value is another than the one that is wanted here.
    fn other(&mut self, tree: &Tree<'_>, edge: &Edge<'_>) {
        self.wrong(|this| this.path.violation(this.plan.wanted(edge), tree.shown()));
    }

    /// A rule is broken by a value of the right shape.
    fn breaks(&mut self, words: impl FnOnce(&Self) -> Violation) {
        if self.look != Look::Shape {
            self.wrong(words);
        }
    }

    fn value(&mut self, tree: &'p Tree<'p>, edge: &'p Edge<'p>) {
        let Some(steps) = self.steps.checked_sub(1) else {
            if self.found.is_empty() {
                const EASIER: &str = "a value that can be told from others with less effort";
                self.wrong(|this| this.path.violation(EASIER, tree.shown()));
            }
            return;
        };
        self.steps = steps;
        if self.look != Look::All && !self.found.is_empty() {
            return;
        }
        if edge.nullable && *tree == Tree::Null {
            return;
        }
        let node = self.plan.node(edge);
        match (&node.shape, tree) {
            (Shape::Any, _) => self.anything(tree),
            (Shape::Null, Tree::Null) | (Shape::Boolean, Tree::Bool(_)) => {}
            (Shape::Integer, Tree::Number(text)) if is_plain_integer(text) => {
                self.held_exactly(text);
                self.number(text, edge);
            }
            (Shape::Number, Tree::Number(text)) => {
                self.held_exactly(text);
                self.number(text, edge);
            }
            (Shape::Text, Tree::Text(text)) => self.text(text, edge),
            (Shape::Choice(picks), _) => {
                if !picks.iter().any(|pick| pick.value == *tree) {
                    let words = |this: &Self| {
                        let violation = this.path.violation(this.plan.wanted(edge), tree.shown());
                        violation.with_hint(choice_hint(picks, tree))
                    };
                    // A constant tells what a value is; a name that is not among several is one all the same.
                    match tree {
                        Tree::Text(_) if picks.len() > 1 => self.breaks(words),
                        _ => self.wrong(words),
                    }
                } else if let Tree::Text(text) = tree {
                    self.text(text, edge);
                }
            }
            (Shape::List(item), Tree::List(items)) => {
                for limits in self.plan.limits(edge) {
                    self.length(items.len(), limits.items, "element");
                }
                self.items(items, Some(item));
            }
            (Shape::Object(members), Tree::Object(entries)) => self.object(members, entries),
            (Shape::Union(variants), _) => self.union(variants, tree, edge),
            _ => self.other(tree, edge),
        }
    }

    /// A value without a schema: it has to be JSON.
    fn anything(&mut self, tree: &'p Tree<'p>) {
        if self.is_json(tree) {
            return;
        }
        match tree {
            Tree::Word(_) => self.wrong(|this| this.path.violation("JSON", tree.shown())),
            Tree::Number(text) => self.held_exactly(text),
            Tree::List(items) => self.items(items, None),
            Tree::Object(entries) => {
                for (key, value) in entries {
                    self.member(key, |this| this.anything(value));
                }
            }
            _ => {}
        }
    }

    /// Whether a value is JSON throughout, and can be held.
    fn is_json(&self, tree: &Tree<'_>) -> bool {
        match tree {
            Tree::Word(_) => false,
            Tree::Number(text) => !self.plan.dynamic || is_held(text),
            Tree::List(items) => items.iter().all(|item| self.is_json(item)),
            Tree::Object(entries) => entries.iter().all(|(_, value)| self.is_json(value)),
            _ => true,
        }
    }

    fn items(&mut self, items: &'p [Tree<'p>], edge: Option<&'p Edge<'p>>) {
        for (index, item) in items.iter().enumerate() {
            self.path.enter_index(index);
            match edge {
                Some(edge) => self.value(item, edge),
                None => self.anything(item),
            }
            self.path.leave();
        }
    }

    fn member(&mut self, key: &'p str, look: impl FnOnce(&mut Self)) {
        self.path.enter_key(key);
        look(self);
        self.path.leave();
    }

    fn object(&mut self, members: &'p Members<'p>, entries: &'p [Entry<'p>]) {
        let mut there = vec![false; members.list.len()];
        let mut unknown = Vec::new();
        for (key, value) in entries {
            match (members.find(key), &members.extra) {
                (Some(at), _) => {
                    there[at] = true;
                    self.member(key, |this| this.value(value, &members.list[at].edge));
                }
                (None, Extra::Refused) => {
                    unknown.push(key.as_ref());
                    self.member(key, |this| {
                        this.wrong(|this| {
                            let near = nearest(key, members.list.iter().map(|member| member.key.as_ref()));
                            let hint = near.map(|key| format!("`{key}`")).unwrap_or_default();
                            this.path.violation("", "there is no such key").with_hint(hint)
                        });
                    });
                }
                (None, Extra::Allowed) => {
                    unknown.push(key.as_ref());
                    // Nobody reads it in a typed value.
                    if self.plan.dynamic && !self.is_json(value) {
                        self.member(key, |this| this.anything(value));
                    }
                }
                (None, Extra::Of(edge)) => {
                    unknown.push(key.as_ref());
                    self.member(key, |this| this.value(value, edge));
                }
            }
        }
        for (member, there) in members.list.iter().zip(there) {
            if there || !member.required {
                continue;
            }
            self.member(&member.key, |this| {
                this.wrong(|this| {
                    let found = match nearest(&member.key, unknown.iter().copied()) {
                        Some(key) => format!("no such key, but `{}`", super::tree::cut(key)),
                        None => "no such key".to_owned(),
                    };
                    this.path.violation(this.plan.wanted(&member.edge), found)
                });
            });
        }
    }

    /// The case that a value means tells what is wrong with it.
    fn union(&mut self, variants: &'p [Variant<'p>], tree: &'p Tree<'p>, edge: &'p Edge<'p>) {
        if let Some(variant) = variants.iter().find(|variant| means(self.plan, variant, tree)) {
            return self.value(tree, &variant.edge);
        }
        let mut least: Option<Vec<Violation>> = None;
        for variant in variants.iter().filter(|variant| matches!(variant.form, Form::Bare)) {
            let before = std::mem::take(&mut self.found);
            self.value(tree, &variant.edge);
            let mine = std::mem::replace(&mut self.found, before);
            if mine.is_empty() {
                return;
            }
            // Not a case at all: its fault says nothing about the others.
            let here = self.path.words();
            let whole = mine.iter().any(|violation| violation.path == here);
            if !whole && least.as_ref().is_none_or(|least| mine.len() < least.len()) {
                least = Some(mine);
            }
        }
        if let Some(mine) = least {
            self.found.extend(mine);
            self.found.truncate(MOST);
            return;
        }
        if let Some((tag, found)) = misnamed(variants, tree) {
            let words = |this: &Self| {
                let violation = this.path.violation(names(variants), found.shown());
                violation.with_hint(name_hint(variants, tree))
            };
            return self.member(tag, |this| match found {
                Tree::Text(_) => this.breaks(words),
                _ => this.wrong(words),
            });
        }
        let words = |this: &Self| {
            let violation = this.path.violation(this.plan.wanted(edge), tree.shown());
            violation.with_hint(name_hint(variants, tree))
        };
        // A name that no case has is one all the same, as among constants.
        if is_name(variants, tree) { self.breaks(words) } else { self.wrong(words) }
    }

    fn number(&mut self, text: &str, edge: &'p Edge<'p>) {
        let mut wrong = Vec::new();
        for limits in self.plan.limits(edge) {
            number_limits(text, limits, |expected| wrong.push(expected));
        }
        for expected in wrong {
            self.breaks(|this| this.path.violation(expected, super::tree::cut(text)));
        }
    }

    /// A `serde_json::Value` holds whole numbers of 64 bits; a larger one would be rounded.
    fn held_exactly(&mut self, text: &str) {
        if self.plan.dynamic && !is_held(text) {
            const HELD: &str = "a whole number of at most 64 bits";
            self.wrong(|this| this.path.violation(HELD, super::tree::cut(text)));
        }
    }

    fn text(&mut self, text: &str, edge: &'p Edge<'p>) {
        for limits in self.plan.limits(edge) {
            if limits.length != (None, None) {
                self.length(text.chars().count(), limits.length, "character");
            }
            if let Some(pattern) = limits.pattern.as_ref().filter(|pattern| !pattern.admits(text)) {
                let expected = || format!("text matching `{}`", pattern.source);
                self.breaks(|this| this.path.violation(expected(), shorten(text)));
            }
            if let Some(format) = limits.format.as_deref() {
                self.rule(|found| check_format(format, text, Path::ROOT, found));
            }
        }
    }

    fn length(&mut self, length: usize, limits: (Option<u64>, Option<u64>), what: &str) {
        self.rule(|found| check_length(length, limits, what, Path::ROOT, found));
    }

    /// Looks at a value by a rule that typed values have, too.
    fn rule(&mut self, check: impl FnOnce(&mut Violations)) {
        let mut found = Violations::new();
        check(&mut found);
        for violation in found.into_vec() {
            self.breaks(|this| this.path.violation(violation.expected, violation.found));
        }
    }
}

/// Whether a value is of a case, by what tells the cases apart.
pub(super) fn means(plan: &Plan<'_>, variant: &Variant<'_>, tree: &Tree<'_>) -> bool {
    match (&variant.form, tree) {
        (Form::Units, tree) => match &plan.node(&variant.edge).shape {
            Shape::Choice(picks) => picks.iter().any(|pick| pick.value == *tree),
            _ => false,
        },
        (Form::Key, Tree::Object(entries)) => {
            let named = |key: &str| key == variant.name || variant.aliases.iter().any(|alias| alias == key);
            matches!(entries.as_slice(), [(key, _)] if named(key))
        }
        (Form::Tag { tag, .. }, Tree::Object(_)) => {
            matches!(tree.get(tag), Some(Tree::Text(name)) if *name == variant.name)
        }
        _ => false,
    }
}

/// Whether a `serde_json::Value` holds a number as it is written.
pub(super) fn is_held(text: &str) -> bool {
    // Fewer digits than 64 bits have.
    text.len() < 19 || !is_plain_integer(text) || text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()
}

/// An integer as serde reads it: no fraction, no exponent, and not `-0`, which is a float.
pub(super) fn is_plain_integer(text: &str) -> bool {
    !text.contains(['.', 'e', 'E']) && text != "-0"
}

/// The tag that all cases share, and what stands there in place of one of their names.
fn misnamed<'p>(variants: &'p [Variant<'p>], tree: &'p Tree<'p>) -> Option<(&'p str, &'p Tree<'p>)> {
    let mut tags = variants.iter().map(|variant| match &variant.form {
        Form::Tag { tag, .. } => Some(tag.as_ref()),
        _ => None,
    });
    let tag = tags.next()??;
    tags.all(|other| other == Some(tag)).then_some(())?;
    Some((tag, tree.get(tag)?))
}

/// Whether a value is a name, where cases are told by their names.
fn is_name(variants: &[Variant<'_>], tree: &Tree<'_>) -> bool {
    variants.iter().any(|variant| match (&variant.form, tree) {
        (Form::Units, Tree::Text(_)) => true,
        (Form::Key, Tree::Object(entries)) => entries.len() == 1,
        _ => false,
    })
}

/// The names of cases.
fn names(variants: &[Variant<'_>]) -> String {
    let names: Vec<_> = variants.iter().map(|variant| shorten(&variant.name)).collect();
    if names.len() == 1 { names.concat() } else { format!("one of {}", several(names.into_iter(), "or")) }
}

fn choice_hint(picks: &[Pick<'_>], tree: &Tree<'_>) -> String {
    let (Tree::Text(text) | Tree::Word(text)) = tree else { return String::new() };
    let names = picks.iter().filter_map(|pick| match &pick.value {
        Tree::Text(name) => Some(name.as_ref()),
        _ => None,
    });
    nearest(text, names).map(|name| format!("{name:?}")).unwrap_or_default()
}

fn name_hint(variants: &[Variant<'_>], tree: &Tree<'_>) -> String {
    let name = match tree {
        Tree::Text(name) | Tree::Word(name) => Some(name),
        Tree::Object(entries) => match entries.as_slice() {
            [(key, _)] => Some(key),
            _ => entries.iter().find_map(|(_, value)| match value {
                Tree::Text(name) => Some(name),
                _ => None,
            }),
        },
        _ => None,
    };
    let names = variants.iter().map(|variant| variant.name.as_ref()).filter(|name| !name.is_empty());
    name.and_then(|name| nearest(name, names)).map(|name| format!("`{name}`")).unwrap_or_default()
}
