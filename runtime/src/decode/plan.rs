//! What the coercer and the validator know of a schema, wherever it came from.
//!
//! A typed schema is a graph of static nodes, a dynamic one a JSON document. Both are read into
//! the same small graph once a reply needs more than serde, so repairs and messages
//! are written once. Clean replies never come here.

mod document;
mod limits;
mod owned;
mod typed;

use std::borrow::Cow;
use std::collections::HashMap;

use super::tree::Tree;
pub(super) use limits::{Limits, number_limits};

/// A schema. Its texts are those of the document or of the static nodes, borrowed where they are written plainly.
#[derive(Debug, Default)]
pub(super) struct Plan<'s> {
    nodes: Vec<Node<'s>>,
    pub(super) root: Edge<'s>,
    /// Whether the root is the `{"value": …}` around what is meant.
    pub(super) wrapped: bool,
    /// Whether values end up in `serde_json::Value`, which holds 64 bits of a whole number.
    pub(super) dynamic: bool,
    /// Whether what deserializes, and passes the checks of its type, satisfies the schema: not for a
    /// dynamic schema, nor where a value has the schema of another type.
    pub(super) trusts_serde: bool,
}

/// A use of a node.
#[derive(Debug, Clone, Default)]
pub(super) struct Edge<'s> {
    node: usize,
    /// Whether `null` will do, too.
    pub(super) nullable: bool,
    /// Limits of this use beyond the node's own, if there are any.
    pub(super) limits: Option<Box<Limits<'s>>>,
}

/// A node.
#[derive(Debug, Default)]
pub(super) struct Node<'s> {
    pub(super) shape: Shape<'s>,
    pub(super) limits: Option<Box<Limits<'s>>>,
}

/// Which values a node stands for.
#[derive(Debug, Default)]
pub(super) enum Shape<'s> {
    #[default]
    Any,
    /// None at all.
    Never,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Choice(Vec<Pick<'s>>),
    List(Edge<'s>),
    Object(Members<'s>),
    Union(Vec<Variant<'s>>),
}

/// One of a list of values.
#[derive(Debug)]
pub(super) struct Pick<'s> {
    pub(super) value: Tree<'s>,
    /// Other spellings of it.
    pub(super) aliases: Vec<Cow<'s, str>>,
}

/// The members of an object.
#[derive(Debug, Default)]
pub(super) struct Members<'s> {
    pub(super) list: Vec<Member<'s>>,
    pub(super) extra: Extra<'s>,
    /// Keys and aliases to places in the list, where there are too many to look through.
    index: Option<HashMap<Cow<'s, str>, usize>>,
}

impl<'s> Members<'s> {
    /// More members than this are looked up by hash.
    pub(super) const FEW: usize = 16;

    pub(super) fn new(list: Vec<Member<'s>>, extra: Extra<'s>) -> Self {
        let index = (list.len() > Self::FEW).then(|| {
            let mut index = HashMap::new();
            for (at, member) in list.iter().enumerate().rev() {
                index.extend(std::iter::once(&member.key).chain(&member.aliases).map(|key| (key.clone(), at)));
            }
            index
        });
        Self { list, extra, index }
    }

    /// The member that a key means, as serde reads it.
    #[inline]
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.get(key).copied();
        }
        self.list.iter().position(|member| member.key == key || member.aliases.iter().any(|alias| alias == key))
    }
}

/// What becomes of a key that is not among the members.
#[derive(Debug, Default)]
pub(super) enum Extra<'s> {
    /// It stays, or nobody reads it.
    #[default]
    Allowed,
    /// It is a fault.
    Refused,
    /// Its value has a schema.
    Of(Box<Edge<'s>>),
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member<'s> {
    pub(super) key: Cow<'s, str>,
    /// Other keys that are read as this one.
    pub(super) aliases: Vec<Cow<'s, str>>,
    pub(super) edge: Edge<'s>,
    /// Whether it has to be there.
    pub(super) required: bool,
}

/// One case of a union.
#[derive(Debug)]
pub(super) struct Variant<'s> {
    /// The name on the wire; empty if it has none.
    pub(super) name: Cow<'s, str>,
    pub(super) aliases: Vec<Cow<'s, str>>,
    pub(super) edge: Edge<'s>,
    pub(super) form: Form<'s>,
}

/// How a case is told from the others.
#[derive(Debug)]
pub(super) enum Form<'s> {
    /// By its shape alone.
    Bare,
    /// It is one of a list of strings.
    Units,
    /// `{"Name": …}`
    Key,
    /// `{"tag": "Name", …}`, the rest under `content` if there is one.
    Tag { tag: Cow<'s, str>, content: Option<Cow<'s, str>> },
}

/// Which node an edge leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place(usize);

impl Edge<'_> {
    pub(super) fn place(&self) -> Place {
        Place(self.node)
    }
}

impl<'s> Plan<'s> {
    pub(super) fn at(&self, place: Place) -> &Node<'s> {
        &self.nodes[place.0]
    }

    /// The same, whose root is said to be the wrapper around what is meant, or not.
    pub(super) fn wrapped(self, wrapped: bool) -> Self {
        Self { wrapped, ..self }
    }

    #[inline]
    pub(super) fn node(&self, edge: &Edge<'_>) -> &Node<'s> {
        &self.nodes[edge.node]
    }

    /// The limits on values at an edge.
    #[inline]
    pub(super) fn limits<'p>(&'p self, edge: &'p Edge<'s>) -> impl Iterator<Item = &'p Limits<'s>> {
        self.node(edge).limits.iter().chain(&edge.limits).map(Box::as_ref)
    }

    /// What is wanted, in words.
    pub(super) fn wanted(&self, edge: &Edge<'s>) -> String {
        let node = self.node(edge);
        let mut words = match &node.shape {
            Shape::Any => "any value".to_owned(),
            Shape::Never => "nothing".to_owned(),
            Shape::Null => "null".to_owned(),
            Shape::Boolean => "true or false".to_owned(),
            Shape::Integer => "a whole number".to_owned(),
            Shape::Number => "a number".to_owned(),
            Shape::Text => match self.limits(edge).find_map(|limits| limits.format.as_deref()) {
                Some(format) => format!("text in the form `{format}`"),
                None => "text".to_owned(),
            },
            Shape::Choice(picks) => choice(picks),
            Shape::List(item) => match &self.node(item).shape {
                Shape::Any | Shape::List(_) | Shape::Choice(_) | Shape::Union(_) => "a list".to_owned(),
                _ => format!("a list, each of {}", self.wanted(item)),
            },
            Shape::Object(members) if members.list.is_empty() => "an object".to_owned(),
            Shape::Object(members) => {
                let keys = members.list.iter().map(|member| format!("`{}`", member.key));
                format!("an object with {}", several(keys, "and"))
            }
            Shape::Union(variants) => {
                let mut names = Vec::new();
                for variant in variants {
                    match (&self.node(&variant.edge).shape, &variant.form) {
                        (Shape::Choice(picks), _) => names.extend(picks.iter().map(Pick::shown)),
                        (_, Form::Key) => names.push(format!("{{\"{}\": …}}", variant.name)),
                        (_, Form::Tag { tag, .. }) => names.push(format!("{{\"{tag}\": \"{}\", …}}", variant.name)),
                        _ => names.push(self.wanted(&variant.edge)),
                    }
                }
                format!("one of {}", several(names.into_iter(), "or"))
            }
        };
        if edge.nullable {
            words.push_str(", or null");
        }
        words
    }
}

impl Pick<'_> {
    fn shown(&self) -> String {
        let mut text = String::new();
        self.value.write(&mut text);
        super::tree::cut(&text)
    }
}

fn choice(picks: &[Pick<'_>]) -> String {
    match picks {
        [one] => one.shown(),
        _ => format!("one of {}", several(picks.iter().map(Pick::shown), "or")),
    }
}

/// A list in words, cut where it gets long.
pub(super) fn several(items: impl ExactSizeIterator<Item = String>, last: &str) -> String {
    const MOST: usize = 12;
    let length = items.len();
    let mut words = String::new();
    for (i, item) in items.take(MOST).enumerate() {
        if i > 0 {
            words.push_str(if i + 1 < length { ", " } else { " " });
            if i + 1 == length {
                words.push_str(last);
                words.push(' ');
            }
        }
        words.push_str(&item);
    }
    if length > MOST {
        words.push_str(", … (");
        words.push_str(&length.to_string());
        words.push_str(" in all)");
    }
    words
}
