//! Variants of enums, in whichever of serde's shapes they were written.
//!
//! serde has four shapes for a variant with a payload: `{"Circle": {…}}`, `{"type": "Circle", …}`,
//! `{"type": "Circle", "content": {…}}`, and the payload alone. Models mix them up. A value in another
//! shape than the schema's names its variant all the same, so it has one reading.

use std::borrow::Cow;

use super::Coercer;
use crate::decode::near::{alike_values, plain};
use crate::decode::plan::{Edge, Form, Shape, Variant};
use crate::decode::repair::{Record, RepairKind};
use crate::decode::trail::Trail;
use crate::decode::tree::Tree;
use crate::decode::validate::{fits, means};

const TAGS: &[&str] = &["type", "kind", "tag", "variant"];
const CONTENTS: &[&str] = &["value", "content", "contents", "data", "payload", "fields"];

/// A variant by its name, with what came along.
struct Reading<'p, 't> {
    variant: &'p Variant<'p>,
    /// The variant's name, or that of one of its units.
    name: String,
    payload: Option<Tree<'t>>,
    /// Whether it had the schema's shape, and only the name was spelled otherwise.
    same_shape: bool,
}

impl<'p> Coercer<'p> {
    pub(super) fn union(&mut self, tree: &mut Tree<'_>, variants: &'p [Variant<'p>]) {
        if let Some(variant) = variants.iter().find(|variant| means(self.plan, variant, tree)) {
            return self.fit(tree, &variant.edge);
        }
        if variants.iter().any(|variant| matches!(variant.form, Form::Bare)) && self.bare(tree, variants) {
            return;
        }
        if let Some(reading) = self.reading(tree, variants)
            && let Some(built) = build(&reading)
        {
            let kind = if reading.same_shape { RepairKind::Name } else { RepairKind::Tagging };
            self.repair(kind, tree.shown(), if reading.same_shape { reading.name.clone() } else { built.shown() });
            *tree = built;
            return self.fit(tree, &reading.variant.edge);
        }
        let inner = match tree {
            Tree::List(items) if items.len() == 1 => {
                Some((RepairKind::OneElement, std::mem::replace(&mut items[0], Tree::Null)))
            }
            Tree::Text(text) => self.encoded(&text.clone(), ['{', '{']).map(|inner| (RepairKind::Encoded, inner)),
            _ => None,
        };
        if let Some((kind, inner)) = inner {
            self.repair(kind, tree.shown(), inner.shown());
            *tree = inner;
            return self.union(tree, variants);
        }
        self.unnamed(tree, variants);
    }

    /// Cases that only their shape tells apart. Answers whether one was found, or several.
    fn bare(&mut self, tree: &mut Tree<'_>, variants: &'p [Variant<'p>]) -> bool {
        let cases = variants.iter().filter(|variant| matches!(variant.form, Form::Bare));
        let mut fitting: Vec<(Tree<'_>, Self)> = Vec::new();
        for variant in cases.clone() {
            if !self.spend(tree.count()) {
                return true;
            }
            // serde takes the first case that fits.
            if fits(self.plan, tree, &variant.edge) {
                return true;
            }
        }
        for variant in cases.clone() {
            if let Some((mine, repairs)) = self.in_notation(tree, &variant.edge) {
                *tree = mine;
                self.repairs.append(&Trail::default(), repairs);
                return true;
            }
        }
        for variant in cases {
            if !self.spend(2 * tree.count()) {
                return true;
            }
            let mut probe = Self { path: self.path.clone(), repairs: Record::default(), doubts: Vec::new(), ..*self };
            let mut mine = tree.clone();
            probe.fit(&mut mine, &variant.edge);
            self.steps = probe.steps;
            if probe.doubts.is_empty()
                && fits(self.plan, &mine, &variant.edge)
                && fitting.iter().all(|(other, _)| *other != mine)
            {
                fitting.push((mine, probe));
            }
        }
        match fitting.len() {
            0 => false,
            1 => {
                if let Some((mine, probe)) = fitting.pop() {
                    *tree = mine;
                    self.repairs.append(&Trail::default(), probe.repairs);
                }
                true
            }
            _ => {
                let ways: Vec<_> = fitting.iter().map(|(mine, _)| mine.shown()).collect();
                self.doubt("a value of one case", format!("{}, which may be {}", tree.shown(), ways.join(" or ")));
                true
            }
        }
    }

    /// The variant that a value names.
    fn reading<'t>(&self, tree: &Tree<'t>, variants: &'p [Variant<'p>]) -> Option<Reading<'p, 't>> {
        let found = |name: &str, payload: Option<Tree<'t>>, shape: fn(&Form<'_>) -> bool| {
            let (variant, name) = self.named(variants, name)?;
            Some(Reading { variant, name, payload, same_shape: shape(&variant.form) })
        };
        let entries = match tree {
            Tree::Text(name) | Tree::Word(name) => return found(name, None, |form| matches!(form, Form::Units)),
            Tree::Object(entries) => entries,
            _ => return None,
        };
        if let [(name, payload)] = entries.as_slice()
            && let Some(reading) = found(name, Some(payload.clone()), |form| matches!(form, Form::Key))
        {
            return Some(reading);
        }
        let declared = variants.iter().find_map(|variant| match &variant.form {
            Form::Tag { tag, .. } => Some(tag.as_ref()),
            _ => None,
        });
        let is_tag = |key: &str| declared == Some(key) || TAGS.contains(&plain(key).as_str());
        let (at, name) = entries.iter().enumerate().find_map(|(at, (key, value))| match value {
            Tree::Text(name) if is_tag(key) => Some((at, name)),
            _ => None,
        })?;
        let mut rest = entries.clone();
        let (tag, _) = rest.remove(at);
        let content = match rest.as_slice() {
            [(key, _)] if CONTENTS.contains(&plain(key).as_str()) => Some(key.clone()),
            _ => None,
        };
        let (variant, name) = self.named(variants, name)?;
        let declared_content = match &variant.form {
            Form::Tag { content, .. } => content.as_deref(),
            _ => None,
        };
        let own_content = matches!((&rest.as_slice(), declared_content), ([(key, _)], Some(content)) if key == content);
        let same_shape = matches!(&variant.form, Form::Tag { tag: own, content } if *own == tag && (content.is_none() || own_content || rest.is_empty()));
        // A member of the variant's own may be called `value`.
        let unpack = own_content || content.is_some() && !(same_shape && declared_content.is_none());
        let payload = match rest.len() {
            0 => None,
            1 if unpack => rest.pop().map(|(_, value)| value),
            _ => Some(Tree::Object(rest)),
        };
        Some(Reading { variant, name, payload, same_shape })
    }

    /// The one variant with this name, and the name as the schema has it.
    fn named(&self, variants: &'p [Variant<'p>], name: &str) -> Option<(&'p Variant<'p>, String)> {
        let name = name.trim();
        let spellings: [&dyn Fn(&str) -> bool; 3] =
            [&|own| own == name, &|own| own.to_lowercase() == name.to_lowercase(), &|own| alike_values(own, name)];
        for same in spellings {
            let mut alike = Vec::new();
            for variant in variants {
                match (&variant.form, &self.plan.node(&variant.edge).shape) {
                    (Form::Units, Shape::Choice(picks)) => {
                        alike.extend(picks.iter().filter_map(|pick| match &pick.value {
                            Tree::Text(own) if same(own) || pick.aliases.iter().any(|alias| same(alias)) => {
                                Some((variant, own.clone().into_owned()))
                            }
                            _ => None,
                        }));
                    }
                    (Form::Key | Form::Tag { .. }, _)
                        if !variant.name.is_empty()
                            && (same(&variant.name) || variant.aliases.iter().any(|alias| same(alias))) =>
                    {
                        alike.push((variant, variant.name.to_string()));
                    }
                    _ => {}
                }
            }
            if !alike.is_empty() {
                return if alike.len() == 1 { alike.pop() } else { None };
            }
        }
        None
    }

    /// A payload without its variant's name: one reading, if it is the payload of one variant only.
    fn unnamed(&mut self, tree: &mut Tree<'_>, variants: &'p [Variant<'p>]) {
        let Tree::Object(entries) = &*tree else { return };
        let mut meant = Vec::new();
        for variant in variants {
            // A value that names a variant, if one that there is not, is not another.
            if let Form::Tag { tag, .. } = &variant.form
                && tree.get(tag).is_some()
            {
                continue;
            }
            let payload: Option<&'p Edge<'p>> = match (&variant.form, &self.plan.node(&variant.edge).shape) {
                (Form::Key, Shape::Object(members)) => members.list.first().map(|member| &member.edge),
                (Form::Tag { content: Some(content), .. }, Shape::Object(members)) => {
                    members.list.iter().find(|member| member.key == *content).map(|member| &member.edge)
                }
                (Form::Tag { tag, content: None }, Shape::Object(members)) => {
                    let own = |key: &str| members.list.iter().any(|member| member.key == key);
                    let needed = members.list.iter().filter(|member| member.required && member.key != *tag);
                    let all = needed.clone().all(|member| tree.get(&member.key).is_some());
                    if needed.count() > 0 && all && entries.iter().all(|(key, _)| own(key)) {
                        meant.push(variant);
                    }
                    None
                }
                _ => None,
            };
            if let Some(payload) = payload
                && let Shape::Object(members) = &self.plan.node(payload).shape
                && self.suits(tree, payload)
                && entries.iter().all(|(key, _)| members.list.iter().any(|member| member.key == *key))
            {
                meant.push(variant);
            }
        }
        match meant.as_slice() {
            [] => {}
            [variant] => {
                let payload = std::mem::replace(tree, Tree::Null);
                let from = payload.shown();
                let reading =
                    Reading { variant, name: variant.name.to_string(), payload: Some(payload), same_shape: false };
                if let Some(built) = build(&reading) {
                    self.repair(RepairKind::Tagging, from, built.shown());
                    *tree = built;
                    self.fit(tree, &variant.edge);
                }
            }
            several => {
                let names: Vec<_> = several.iter().map(|variant| format!("`{}`", variant.name)).collect();
                self.doubt("a value that names its variant", format!("one that may be {}", names.join(" or ")));
            }
        }
    }
}

/// The value in the schema's shape.
fn build<'t>(reading: &Reading<'_, 't>) -> Option<Tree<'t>> {
    let name = || Cow::Owned(reading.name.clone());
    let empty = match &reading.payload {
        None | Some(Tree::Null) => true,
        Some(Tree::Object(entries)) => entries.is_empty(),
        Some(_) => false,
    };
    let payload = || reading.payload.clone().unwrap_or_else(|| Tree::Object(Vec::new()));
    match &reading.variant.form {
        Form::Bare => None,
        Form::Units => empty.then(|| Tree::Text(name())),
        Form::Key => Some(Tree::Object(vec![(name(), payload())])),
        Form::Tag { tag, content } => {
            let mut entries = vec![(Cow::Owned(tag.to_string()), Tree::Text(name()))];
            match (content, payload()) {
                (Some(content), payload) => {
                    if reading.payload.is_some() {
                        entries.push((Cow::Owned(content.to_string()), payload));
                    }
                }
                (None, Tree::Object(members)) => entries.extend(members),
                (None, _) if empty => {}
                (None, _) => return None,
            }
            Some(Tree::Object(entries))
        }
    }
}
