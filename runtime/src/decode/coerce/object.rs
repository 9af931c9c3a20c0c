//! Objects: their keys, and the object that was meant within what was written.

use std::borrow::Cow;

use super::Coercer;
use crate::decode::near::{alike, plain};
use crate::decode::plan::{Edge, Extra, Member, Members, Shape};
use crate::decode::repair::RepairKind;
use crate::decode::tree::{Entry, Tree};

/// Envelopes in envelopes; nobody writes more.
pub(super) const MOST_LEVELS: usize = 6;

/// Keys of a tool call that hold its arguments, that name it, and that say nothing here.
const ARGUMENTS: &[&str] = &["arguments", "parameters", "input", "args", "params"];
const CALL_NAMES: &[&str] = &["name", "tool", "toolname", "function", "functionname", "recipientname"];
const CALL_REST: &[&str] = &["type", "id", "callid", "index", "toolcallid"];

/// A lone key that says that its value is not the answer.
const NOT_ANSWERS: &[&str] = &[
    "error",
    "errors",
    "example",
    "examples",
    "draft",
    "reasoning",
    "thinking",
    "thought",
    "thoughts",
    "schema",
    "closest",
    "template",
    "definitions",
    "$defs",
];

impl<'p> Coercer<'p> {
    /// Whether a value is an object with the keys that have to be there, spelling aside.
    pub(super) fn suits(&self, tree: &Tree<'_>, edge: &Edge<'_>) -> bool {
        let (Shape::Object(members), Tree::Object(entries)) = (&self.plan.node(edge).shape, tree) else { return false };
        let has = |member: &Member<'_>| self.finds(entries, member).is_some();
        if members.list.iter().any(|member| member.required && !member.edge.nullable) {
            members.list.iter().filter(|member| member.required && !member.edge.nullable).all(has)
        } else {
            // Of an object that may hold anything, any will do.
            let any = members.list.is_empty() && !matches!(members.extra, Extra::Refused);
            any || members.list.iter().any(has) || members.list.is_empty() && entries.is_empty()
        }
    }

    /// The place of a member among the entries.
    fn finds(&self, entries: &[Entry<'_>], member: &Member<'_>) -> Option<usize> {
        let exact = |key: &str| key == member.key || member.aliases.iter().any(|alias| alias == key);
        entries.iter().position(|(key, _)| exact(key)).or_else(|| {
            let mut near = entries.iter().enumerate().filter(|(_, (key, _))| alike(key, &member.key));
            near.next().filter(|_| self.freedom.values && near.next().is_none()).map(|(at, _)| at)
        })
    }

    /// Finds the object that was meant: in a text, in a list of one, under one key too many, in the
    /// envelope of a tool call.
    pub(super) fn find_object(&mut self, tree: &mut Tree<'_>, edge: &'p Edge<'p>) {
        for _ in 0..MOST_LEVELS {
            if self.suits(tree, edge) {
                return;
            }
            let values = self.freedom.values;
            let (kind, inner) = match tree {
                Tree::Text(text) => match self.encoded(&text.clone(), ['{', '[']) {
                    Some(inner) => (RepairKind::Encoded, inner),
                    None => return,
                },
                Tree::List(items) if values && items.len() == 1 && may_hold_object(&items[0]) => {
                    (RepairKind::OneElement, std::mem::replace(&mut items[0], Tree::Null))
                }
                Tree::Object(entries) => {
                    let Some(at) =
                        arguments(entries).or_else(|| self.wrapped_at(entries, edge, MOST_LEVELS).filter(|_| values))
                    else {
                        return;
                    };
                    (RepairKind::Wrapper, std::mem::replace(&mut entries[at].1, Tree::Null))
                }
                _ => return,
            };
            let from = match kind {
                RepairKind::OneElement => format!("[{}]", inner.shown()),
                _ => tree.shown(),
            };
            self.repair(kind, from, inner.shown());
            *tree = inner;
        }
    }

    /// The place of the object under one key too many.
    fn wrapped_at(&self, entries: &[Entry<'_>], edge: &Edge<'_>, levels: usize) -> Option<usize> {
        let [(key, inner)] = entries else { return None };
        if !may_wrap(key) || levels == 0 {
            return None;
        }
        let suits = match inner {
            Tree::Object(within) => {
                self.suits(inner, edge)
                    || arguments(within).is_some()
                    || self.wrapped_at(within, edge, levels - 1).is_some()
            }
            Tree::List(items) => match items.as_slice() {
                [Tree::Object(within)] => self.suits(&items[0], edge) || arguments(within).is_some(),
                _ => false,
            },
            Tree::Text(text) => text.trim_start().starts_with('{'),
            _ => false,
        };
        suits.then_some(0)
    }

    /// Brings the members towards their schemas.
    pub(super) fn fields(&mut self, entries: &mut Vec<Entry<'_>>, members: &'p Members<'p>) {
        if members.list.is_empty() && matches!(members.extra, Extra::Allowed | Extra::Refused) {
            return;
        }
        self.keys(entries, members);
        for (key, value) in entries.iter_mut() {
            match (members.find(key), &members.extra) {
                (Some(at), _) => {
                    let member = &members.list[at];
                    self.at_key(&*member.key, |this| this.fit(value, &member.edge));
                }
                (None, Extra::Of(edge)) => self.at_key(key.to_string(), |this| this.fit(value, edge)),
                (None, _) => {}
            }
        }
        // The wrapper around the root is ours: without its key there is nothing in it.
        if self.plan.wrapped && self.path.is_root()
            || members.list.iter().all(|member| !member.required || !member.edge.nullable)
        {
            return;
        }
        let mut there = vec![false; members.list.len()];
        entries.iter().filter_map(|(key, _)| members.find(key)).for_each(|at| there[at] = true);
        for (member, there) in members.list.iter().zip(there) {
            if member.required && member.edge.nullable && !there {
                self.at_key(&*member.key, |this| this.repair(RepairKind::MissingNull, "", "null"));
                entries.push((Cow::Owned(member.key.to_string()), Tree::Null));
                self.filled += usize::from(self.path.is_root());
            }
        }
    }

    /// Gives members that are missing the keys that can only mean them.
    fn keys(&mut self, entries: &mut [Entry<'_>], members: &'p Members<'p>) {
        if entries.iter().all(|(key, _)| members.find(key).is_some()) {
            return;
        }
        let mut there = vec![false; members.list.len()];
        let mut unknown = Vec::new();
        for (at, (key, _)) in entries.iter().enumerate() {
            match members.find(key) {
                Some(member) => there[member] = true,
                None => unknown.push(at),
            }
        }
        if unknown.is_empty() || there.iter().all(|there| *there) {
            return;
        }
        let mut spelled: Vec<(String, usize)> = unknown.into_iter().map(|at| (plain(&entries[at].0), at)).collect();
        spelled.sort();
        for (member, there) in members.list.iter().zip(there) {
            if there {
                continue;
            }
            let key = plain(&member.key);
            let first = spelled.partition_point(|(other, _)| *other < key);
            let alike = spelled[first..].iter().take_while(|(other, _)| *other == key).map(|(_, at)| at);
            match (alike.clone().next(), alike.clone().nth(1)) {
                (Some(at), None) => {
                    let key = std::mem::replace(&mut entries[*at].0, Cow::Owned(member.key.to_string()));
                    self.at_key(&*member.key, |this| {
                        this.repair(RepairKind::Key, format!("`{key}`"), format!("`{}`", member.key));
                    });
                }
                (Some(first), Some(second)) => {
                    let found = format!("`{}` and `{}`", entries[*first].0, entries[*second].0);
                    self.doubt(format!("one key `{}`", member.key), found);
                }
                (None, _) => {}
            }
        }
    }
}

/// Whether a lone key may stand around the answer, rather than say that this is none.
pub(super) fn may_wrap(key: &str) -> bool {
    !NOT_ANSWERS.contains(&plain(key).as_str())
}

/// Whether a value can hold the object that is looked for.
fn may_hold_object(tree: &Tree<'_>) -> bool {
    match tree {
        Tree::Object(_) => true,
        Tree::Text(text) => text.trim_start().starts_with('{'),
        _ => false,
    }
}

/// The place of the arguments, if the entries are a tool call.
fn arguments(entries: &[Entry<'_>]) -> Option<usize> {
    let mut place = None;
    let mut named = false;
    for (at, (key, value)) in entries.iter().enumerate() {
        let is = |list: &[&str]| list.iter().any(|name| alike(name, key));
        match value {
            Tree::Object(inner) if is(&["function"]) && arguments(inner).is_some() && place.is_none() => {
                (place, named) = (Some(at), true);
            }
            Tree::Object(_) | Tree::Text(_) if is(ARGUMENTS) && place.is_none() => place = Some(at),
            Tree::Text(_) if is(CALL_NAMES) && !named => named = true,
            _ if is(CALL_REST) => {}
            _ => return None,
        }
    }
    place.filter(|_| named)
}
