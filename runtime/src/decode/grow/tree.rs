//! A value that is still being written.
//!
//! An arena: nodes are only ever added, each knows its parent, and all but those on the path to
//! the end of the text are done. So a step costs what it adds, whatever was there before.

use std::ops::Range;

/// A place in the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Id(u32);

/// What is known of a value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// What has changed since [`settle`](Self::settle), each once, in the order of its first change.
    moved: Vec<Id>,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) parent: Option<Id>,
    pub(crate) name: Name,
    pub(crate) content: Content,
    pub(crate) done: bool,
    /// Where it stands in the text; open at its end while it grows.
    pub(crate) span: Range<usize>,
    /// Whether it may be seen before it is done.
    pub(crate) shown: bool,
    moved: bool,
}

/// Where a value stands in its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    Root,
    Key(Box<str>),
    Index(usize),
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// A number, `true`, `false` or `null`: its text says all.
    Scalar,
    /// A text without escapes so far: it stands in the reply as it is.
    Plain,
    /// As much of a text as is there, unescaped.
    Text(String),
    List(Vec<Id>),
    Object(Vec<Id>),
}

impl Node {
    /// A text, as far as it is there in this reply.
    pub(crate) fn text<'a>(&'a self, reply: &'a str) -> Option<&'a str> {
        match &self.content {
            Content::Text(text) => Some(text),
            // Behind the quote, and before the one at its end.
            Content::Plain if self.span.is_empty() => Some(""),
            Content::Plain => Some(&reply[self.span.start + 1..self.span.end - usize::from(self.done)]),
            _ => None,
        }
    }
}

impl Tree {
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn root(&self) -> Option<Id> {
        (!self.nodes.is_empty()).then_some(Id(0))
    }

    /// The child of an object under this key; of several, the last, as serde's maps have it.
    pub(crate) fn child(&self, id: Id, key: &str) -> Option<Id> {
        let Content::Object(children) = &self.node(id).content else { return None };
        children
            .iter()
            .rev()
            .copied()
            .find(|child| matches!(&self.node(*child).name, Name::Key(name) if **name == *key))
    }

    pub(crate) fn children(&self, id: Id) -> &[Id] {
        match &self.node(id).content {
            Content::List(children) | Content::Object(children) => children,
            Content::Scalar | Content::Plain | Content::Text(_) => &[],
        }
    }

    /// Adds a value that begins at `start`.
    pub(crate) fn begin(
        &mut self,
        parent: Option<Id>,
        key: Option<Box<str>>,
        start: usize,
        content: Content,
        shown: bool,
    ) -> Id {
        // A text of four billion values is beyond what any model writes in one reply.
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let name = match (parent, key) {
            (None, _) => Name::Root,
            (Some(_), Some(key)) => Name::Key(key),
            (Some(parent), None) => Name::Index(self.children(parent).len()),
        };
        if let Some(parent) = parent {
            match &mut self.node_mut(parent).content {
                Content::List(children) | Content::Object(children) => children.push(id),
                Content::Scalar | Content::Plain | Content::Text(_) => {}
            }
        }
        self.nodes.push(Node { parent, name, content, done: false, span: start..start, shown, moved: false });
        self.touch(id);
        id
    }

    /// Adds what stands in the reply before `end` to a text.
    pub(super) fn grow(&mut self, id: Id, more: &str, end: usize) {
        if more.is_empty() {
            return;
        }
        let node = self.node_mut(id);
        node.span.end = end;
        if let Content::Text(text) = &mut node.content {
            text.push_str(more);
        }
        self.touch(id);
    }

    /// Adds the character that an escape stands for, which ends before `end`.
    pub(super) fn unescape(&mut self, id: Id, c: char, end: usize, reply: &str) {
        let node = self.node_mut(id);
        if matches!(node.content, Content::Plain) {
            node.content = Content::Text(node.text(reply).unwrap_or_default().to_owned());
        }
        if let Content::Text(text) = &mut node.content {
            text.push(c);
        }
        node.span.end = end;
        self.touch(id);
    }

    /// A value ends before `end`.
    pub(super) fn finish(&mut self, id: Id, end: usize) {
        let node = self.node_mut(id);
        node.done = true;
        node.span.end = end;
        self.touch(id);
    }

    /// Takes the value back that was added last, and holds no other.
    pub(super) fn take_back(&mut self, id: Id) {
        let Some(node) = self.nodes.pop() else { return };
        if let Some(parent) = node.parent
            && let Content::List(children) | Content::Object(children) = &mut self.node_mut(parent).content
        {
            children.pop();
        }
        self.moved.retain(|moved| *moved != id);
    }

    fn touch(&mut self, id: Id) {
        let node = self.node_mut(id);
        if !node.moved {
            node.moved = true;
            self.moved.push(id);
        }
    }

    /// What has changed since the last [`settle`](Self::settle).
    pub(crate) fn moved(&self) -> &[Id] {
        &self.moved
    }

    /// Forgets what has changed.
    pub(super) fn settle(&mut self) {
        for id in self.moved.drain(..) {
            self.nodes[id.0 as usize].moved = false;
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.moved.clear();
    }
}
