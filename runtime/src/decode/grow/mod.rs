//! A reply's value while the reply is being written.
//!
//! The text comes in pieces, cut anywhere; [`Growth`] takes each once and keeps a [`Tree`] of what
//! is known. It reads strict JSON. Where a reply departs from that, the tree stands still:
//! whatever was seen so far holds, and the whole text is decoded when the reply has ended, with
//! all that decoding mends. So a snapshot never shows a guess.
//!
//! # Which value
//!
//! Every schema has an object at its root, so a value begins at a `{` outside of reasoning; and
//! what an array holds is not the answer. It is shown from the first key on that the
//! schema knows: prose with braces in it, such as `{name}`, shows nothing. When another
//! value begins behind a finished one, the first was a draft: [`Growth::generation`] counts them.
//!
//! # What is shown when
//!
//! Numbers, booleans and `null` once they are complete; a text as it grows, unless the schema
//! has a list of values there (see [`Shown`]): `"high` may yet become `"higher"`. And nothing that the schema has no room
//! for: keys that it does not know, and values of another kind, which decoding mends or drops.
//!
//! # Cost
//!
//! Every byte is read once, but for a token that a piece cuts: it waits for the rest. A `{`
//! that was none costs the bytes up to the fault a second time, a bounded number of times the text.

mod parser;
mod prefix;
mod shown;
pub(crate) mod tree;

use serde_json::Value;

use crate::schema::edge::SchemaRef;
use parser::{Parser, Step};
use prefix::Prefix;
use shown::Shown;
use tree::Tree;

/// A reply's value while the reply is being written.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    text: String,
    tree: Tree,
    shown: Shown,
    generation: usize,
    state: State,
    /// Bytes read again after a `{` that was none.
    waste: usize,
}

#[derive(Debug, Clone)]
enum State {
    /// Before a value, or behind one.
    Outside(Prefix),
    Inside(Parser),
    /// What follows is not read any more.
    Still,
}

impl Growth {
    /// Before the first piece of a value of a type.
    pub(crate) fn new(schema: SchemaRef) -> Self {
        Self::before(Shown::of(schema))
    }

    /// Before the first piece of a value of a JSON Schema.
    pub(crate) fn against(schema: &Value) -> Self {
        Self::before(Shown::read(schema))
    }

    /// Before the first piece of another value of the same schema.
    pub(crate) fn anew(&self) -> Self {
        Self::before(self.shown.clone())
    }

    fn before(shown: Shown) -> Self {
        Self {
            text: String::new(),
            tree: Tree::default(),
            shown,
            generation: 0,
            state: State::Outside(Prefix::at(0)),
            waste: 0,
        }
    }

    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What is known of the value.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether the value is inside of the `{"value": …}` at the root.
    pub(crate) fn is_wrapped(&self) -> bool {
        self.shown.is_wrapped()
    }

    /// How many values have begun before this one.
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// Takes more of the text. Says whether there is anything new to see.
    pub(crate) fn push(&mut self, more: &str) -> bool {
        self.tree.settle();
        self.text.push_str(more);
        let generation = self.generation;
        while self.step() {}
        self.generation != generation || self.tree.moved().iter().any(|id| self.is_seen(*id))
    }

    /// Reads on; says whether there may be more to read.
    fn step(&mut self) -> bool {
        match &mut self.state {
            State::Still => false,
            State::Outside(prefix) => match prefix.find(&self.text) {
                None => false,
                Some(start) => {
                    self.state = State::Inside(Parser::at(start));
                    true
                }
            },
            State::Inside(parser) => match parser.run(&self.text, &mut self.tree, &mut self.shown) {
                Step::Wait => false,
                Step::Shown { another } => {
                    self.generation += usize::from(another);
                    true
                }
                Step::Done(end) => {
                    self.state = State::Outside(Prefix::at(end));
                    true
                }
                Step::Fault { start, at } => {
                    self.fault(start, at);
                    true
                }
            },
        }
    }

    /// What began at `start` is no JSON.
    fn fault(&mut self, start: usize, at: usize) {
        const MOST: usize = 4;
        self.waste += at - start;
        // A value that was shown stays as it is: the whole text is decoded at the end.
        let shown = self.tree.root().is_some();
        self.state = if shown || self.waste > MOST * self.text.len() {
            State::Still
        } else {
            State::Outside(Prefix::at(start + 1))
        };
    }

    /// Whether a node may be seen: it is done, or need not be.
    pub(crate) fn is_seen(&self, id: tree::Id) -> bool {
        let node = self.tree.node(id);
        node.done || node.shown
    }
}
