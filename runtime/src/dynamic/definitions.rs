//! References, and the definitions that they lead to.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value};

use super::departure::{Fate, Rule};
use super::document::{Astray, At, Document, Place};
use super::draft::Draft;
use super::gather::Gathered;
use super::rewrite::Rewriter;
use crate::dialect::Recursion;

/// The definitions of the document that is written, in the order in which references led to them.
///
/// What is written may be thrown away, for it is never satisfied, or stands in another form. So a definition is written only
/// if a reference to it is [`kept`](Self::keep).
#[derive(Debug, Default)]
pub(super) struct Definitions<'a> {
    list: Vec<Definition<'a>>,
    /// The node of each target.
    known: HashMap<usize, usize>,
    names: HashSet<String>,
    /// Those that are to be written, by their index.
    wanted: VecDeque<usize>,
    /// The node that is being written.
    node: usize,
    /// Which definition refers to which, and where; see [`Definitions::called`].
    links: Vec<Link>,
    /// Whether what is being written may be left out of a reply.
    pub(super) optional: bool,
    /// Whether what is being written stands in an object or array of the definition, and not in its place.
    pub(super) inside: bool,
}

#[derive(Debug)]
struct Definition<'a> {
    name: String,
    target: At<'a>,
    kept: bool,
    written: Option<Draft<'a>>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    from: usize,
    to: usize,
    place: Place,
    optional: bool,
    inside: bool,
}

/// The root, among the nodes of the graph of references; a definition is its index plus one.
const ROOT: usize = 0;

impl<'a> Definitions<'a> {
    /// A reference to a target, whose definition is a new one if nothing has led there.
    pub(super) fn refer(&mut self, place: Place, target: At<'a>, document: &Document<'a>) -> Draft<'a> {
        let to = if let Some(node) = self.known.get(&target.identity()) {
            *node
        } else {
            let name = self.name(document.key(target.place));
            self.list.push(Definition { name, target, kept: false, written: None });
            self.known.insert(target.identity(), self.list.len());
            self.list.len()
        };
        self.link(place, to)
    }

    /// A reference to the root.
    pub(super) fn refer_to_root(&mut self, place: Place) -> Draft<'a> {
        self.link(place, ROOT)
    }

    fn link(&mut self, place: Place, to: usize) -> Draft<'a> {
        let Self { optional, inside, .. } = *self;
        self.links.push(Link { from: self.node, to, place, optional, inside });
        Draft::Reference(to)
    }

    /// A short name, from the last key of the pointer, that no other definition has.
    fn name(&mut self, key: Option<Cow<'_, str>>) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
        let mut name: String = match key {
            None => "Root".to_owned(),
            Some(key) if key.is_empty() => "Definition".to_owned(),
            Some(key) => key.chars().map(plain).collect(),
        };
        let base = name.clone();
        let mut suffix = 2_usize;
        while !self.names.insert(name.clone()) {
            // Doubling keeps the search short where thousands of definitions share a name.
            name = format!("{base}{suffix}");
            suffix += 1 + self.list.len() / 64;
        }
        name
    }

    /// A reference to the node stands in what is kept.
    pub(super) fn keep(&mut self, node: usize) {
        if let Some(index) = node.checked_sub(1)
            && !std::mem::replace(&mut self.list[index].kept, true)
        {
            self.wanted.push_back(index);
        }
    }

    /// The next definition to write.
    pub(super) fn next(&mut self) -> Option<(usize, At<'a>)> {
        let index = self.wanted.pop_front()?;
        self.node = index + 1;
        (self.optional, self.inside) = (false, false);
        Some((index, self.list[index].target))
    }

    /// A definition is written.
    pub(super) fn finish(&mut self, index: usize, written: Draft<'a>) {
        self.list[index].written = Some(written);
    }

    /// The name of a definition.
    pub(super) fn name_of(&self, index: usize) -> &str {
        &self.list[index].name
    }

    /// What a reference to a node is.
    pub(super) fn reference(&self, node: usize) -> String {
        if node == ROOT { "#".to_owned() } else { format!("#/$defs/{}", self.called(node)) }
    }

    /// All definitions that are written.
    pub(super) fn to_map(&self) -> Map<String, Value> {
        let entry = |one: &Definition<'a>| Some((one.name.clone(), one.written.as_ref()?.to_value(self)));
        self.list.iter().filter_map(entry).collect()
    }

    fn called(&self, node: usize) -> &str {
        if node == ROOT { "#" } else { &self.list[node - 1].name }
    }

    /// The links that close a cycle of those that count, each with the way around.
    fn cycles(&self, counts: impl Fn(&Link) -> bool) -> Vec<(Place, String)> {
        let mut out = vec![Vec::new(); self.list.len() + 1];
        for link in self.links.iter().filter(|link| counts(link)) {
            out[link.from].push(link);
        }
        // 0: not seen; 1: on the path; 2: done.
        let mut state = vec![0_u8; out.len()];
        // Where on the path a node stands.
        let mut height = vec![0; out.len()];
        let mut cycles = Vec::new();
        for start in 0..out.len() {
            if state[start] != 0 {
                continue;
            }
            (state[start], height[start]) = (1, 0);
            let mut path = vec![(start, 0)];
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                let Some(link) = out[node].get(*next) else {
                    state[node] = 2;
                    path.pop();
                    continue;
                };
                *next += 1;
                match state[link.to] {
                    0 => {
                        (state[link.to], height[link.to]) = (1, path.len());
                        path.push((link.to, 0));
                    }
                    1 => {
                        let around = path[height[link.to]..].iter().map(|(node, _)| self.called(*node)).take(8);
                        let names: Vec<_> = around.chain([self.called(link.to)]).collect();
                        cycles.push((link.place, names.join(" -> ")));
                    }
                    _ => {}
                }
            }
        }
        cycles
    }
}

impl<'a> Rewriter<'a, '_> {
    /// Follows a reference, and reports one that the dialect does not take.
    pub(super) fn refer(&mut self, at: At<'a>, reference: &'a Value, gathered: &mut Gathered<'a>) {
        let Some(text) = reference.as_str() else {
            gathered.broken = true;
            return self.malformed(at.place, "$ref", "text");
        };
        let target = match self.document.resolve(text) {
            Ok(target) => target,
            Err(astray) => {
                let (found, remedy) = match astray {
                    Astray::External => (
                        format!("the reference `{text}` leads out of the document"),
                        "copy what it leads to into `$defs`",
                    ),
                    Astray::Anchor => (format!("the reference `{text}` is by an anchor"), "write `#/$defs/Name`"),
                    Astray::Dangling => (format!("the reference `{text}` leads to nothing"), "define what it names"),
                };
                gathered.broken = true;
                return self.report(at.place, Rule::Reference, Fate::Stays, found, remedy);
            }
        };
        let keywords = &self.dialect.keywords;
        let plain = |prefix: &str| {
            text.strip_prefix(prefix).is_some_and(|name| {
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
            })
        };
        let taken = keywords.reference.sent()
            && (plain("#/$defs/")
                || (keywords.definitions.sent() && plain("#/definitions/"))
                || (text == "#" && self.dialect.forms.root_reference));
        if !taken {
            self.report(
                at.place,
                Rule::Reference,
                Fate::Same,
                format!("the reference is `{text}`"),
                "refer to `#/$defs/Name`, with a name of letters, digits, `_` and `-`",
            );
        }
        gathered.refer(at.place, target);
    }

    /// Reports types that contain themselves where the dialect does not take them, and those that have no end.
    pub(super) fn report_cycles(&mut self) {
        let endless = self.definitions.cycles(|link| !link.inside);
        for (place, around) in &endless {
            let found = format!("the schema leads to itself with nothing between: {around}");
            self.report(
                *place,
                Rule::Recursion,
                Fate::Stays,
                found,
                "put the inner value into a property of an object",
            );
        }
        let (found, remedy) = match self.dialect.forms.recursion {
            Recursion::Accepted => return,
            Recursion::Refused => (
                "Circular reference detected in schema definitions",
                "carry the items as a list beside each other, linked by an identifier",
            ),
            Recursion::Optional => (
                "a required property leads back in the schema definitions",
                "leave the property that leads back out of `required`",
            ),
        };
        let all = self.dialect.forms.recursion == Recursion::Refused;
        for (place, around) in self.definitions.cycles(|link| all || !link.optional) {
            self.report(place, Rule::Recursion, Fate::Stays, format!("{found}: {around}"), remedy);
        }
    }
}
