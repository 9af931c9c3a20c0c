//! Places in a value that grows.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::check::{push_index, push_key};
use crate::decode::grow::Growth;
use crate::decode::grow::tree::{Content, Id, Name};

/// A value, or a part of one, as far as it is known.
#[derive(Clone, Copy)]
pub struct PartialValue<'a> {
    growth: &'a Growth,
    id: Id,
}

/// How much of a value is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Nothing that may be seen. There is no [`PartialValue`] of it yet.
    Pending,
    /// It may still grow.
    Growing,
    /// It is complete, and stays as it is.
    Done,
}

/// A place that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The place, by the names on the wire: `labels[2]`; empty for the whole.
    pub path: String,
    /// How much of it is there now.
    pub state: State,
}

impl<'a> PartialValue<'a> {
    pub(super) fn root(growth: &'a Growth) -> Option<Self> {
        growth.tree().root().map(|id| Self { growth, id })
    }

    fn seen(self, id: Id) -> Option<Self> {
        self.growth.is_seen(id).then_some(Self { id, ..self })
    }

    /// How much of it is there.
    #[must_use]
    pub fn state(&self) -> State {
        if self.growth.tree().node(self.id).done { State::Done } else { State::Growing }
    }

    /// A member of an object, if it has begun.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        self.growth.tree().child(self.id, key).and_then(|id| self.seen(id))
    }

    /// The elements of a list that have begun. Only the last may grow. Empty for all but lists.
    #[must_use]
    pub fn items(&self) -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + use<'a> {
        let tree = self.growth.tree();
        let children = match &tree.node(self.id).content {
            Content::List(children) => children.as_slice(),
            _ => &[],
        };
        // An element that may not be seen yet is the last one.
        let hidden = children.last().is_some_and(|last| !self.growth.is_seen(*last));
        let this = *self;
        children[..children.len() - usize::from(hidden)].iter().map(move |id| Self { id: *id, ..this })
    }

    /// The members of an object that have begun, in the order of the reply. Empty for all but objects.
    pub fn members(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let tree = self.growth.tree();
        let this = *self;
        tree.children(self.id).iter().filter_map(move |id| match &tree.node(*id).name {
            Name::Key(key) => this.seen(*id).map(|value| (&**key, value)),
            Name::Index(_) | Name::Root => None,
        })
    }

    /// The text of a string, as far as it is there.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        self.growth.tree().node(self.id).text(self.growth.text())
    }

    /// The JSON text of a value that is done.
    #[must_use]
    pub fn json(&self) -> Option<&'a str> {
        let node = self.growth.tree().node(self.id);
        node.done.then(|| &self.growth.text()[node.span.clone()])
    }

    /// Whether it is a `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.json() == Some("null")
    }

    /// A value that is done, as serde reads it; `None` while it grows, or if serde does not read it. Nothing is
    /// mended and no rule is checked: that is for the whole reply at its end.
    #[must_use]
    pub fn read<U: DeserializeOwned>(&self) -> Option<U> {
        serde_json::from_str(self.json()?).ok()
    }

    /// A value that is done, as a function reads it: one that serde's `with` would name.
    pub fn read_with<U>(
        &self,
        read: impl FnOnce(&mut serde_json::Deserializer<serde_json::de::StrRead<'a>>) -> Result<U, serde_json::Error>,
    ) -> Option<U> {
        read(&mut serde_json::Deserializer::from_str(self.json()?)).ok()
    }

    /// A member of an object by the first of these names that has begun.
    #[must_use]
    pub fn get_any(&self, names: &[&str]) -> Option<Self> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The text of a string that is done: a name that something depends on.
    #[must_use]
    pub fn whole_str(&self) -> Option<&'a str> {
        self.as_str().filter(|_| self.state() == State::Done)
    }

    /// The text of a member that is done; see [`whole_str`](Self::whole_str).
    #[must_use]
    pub fn name(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.whole_str()
    }

    /// What is known, as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match &self.growth.tree().node(self.id).content {
            Content::Plain | Content::Text(_) => Value::from(self.as_str().unwrap_or_default()),
            Content::Scalar => self.read().unwrap_or_default(),
            Content::List(_) => Value::Array(self.items().map(|item| item.to_json()).collect()),
            Content::Object(_) => Value::Object(
                self.members().map(|(key, value)| (key.to_owned(), value.to_json())).collect::<Map<_, _>>(),
            ),
        }
    }
}

/// The value is not in the `Debug` form.
impl fmt::Debug for PartialValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartialValue").field(&self.state()).finish()
    }
}

/// What stands at a place below a value. Only the steps that a path is written with lead there, so it need not be taken
/// apart.
pub(super) fn at<'a>(root: PartialValue<'a>, path: &str) -> Option<PartialValue<'a>> {
    let (mut here, mut taken) = (root, String::new());
    while taken.len() < path.len() {
        let rest = &path[taken.len()..];
        let index = rest.strip_prefix('[').and_then(|rest| rest.split(']').next()?.parse().ok());
        if let (Some(index), Content::List(_)) = (index, &here.growth.tree().node(here.id).content) {
            here = here.items().nth(index)?;
            push_index(&mut taken, index);
            continue;
        }
        let length = taken.len();
        // Of several members of one name the last counts.
        let mut found = None;
        for (key, value) in here.members() {
            push_key(&mut taken, key);
            let behind = path.strip_prefix(taken.as_str());
            if behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '['])) {
                found = Some((value, taken.len()));
            }
            taken.truncate(length);
        }
        let (value, end) = found?;
        taken.push_str(&path[length..end]);
        here = value;
    }
    Some(here)
}

/// What has changed, by its place.
pub(super) fn changes(growth: &Growth) -> Vec<Change> {
    let tree = growth.tree();
    let seen = tree.moved().iter().copied().filter(|id| growth.is_seen(*id));
    seen.filter_map(|id| {
        let state = PartialValue { growth, id }.state();
        path(growth, id).map(|path| Change { path, state })
    })
    .collect()
}

/// The place of a node; `None` for what stands around the value.
fn path(growth: &Growth, id: Id) -> Option<String> {
    let tree = growth.tree();
    let up = std::iter::successors(Some(id), |id| tree.node(*id).parent);
    let mut names: Vec<&Name> = up.map(|id| &tree.node(id).name).collect();
    names.pop();
    if growth.is_wrapped() {
        names.pop()?;
    }
    let mut path = String::new();
    for name in names.iter().rev() {
        match name {
            Name::Key(key) => push_key(&mut path, key),
            Name::Index(index) => push_index(&mut path, *index),
            Name::Root => {}
        }
    }
    Some(path)
}
