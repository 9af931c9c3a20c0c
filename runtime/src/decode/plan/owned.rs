//! A plan that outlives its document: for streams, which keep theirs.

use std::borrow::Cow;

use super::limits::Edge as Bound;
use super::{Edge, Extra, Form, Limits, Member, Members, Node, Pick, Plan, Shape, Variant};

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn all(texts: Vec<Cow<'_, str>>) -> Vec<Cow<'static, str>> {
    texts.into_iter().map(owned).collect()
}

impl Plan<'_> {
    /// The plan with texts of its own.
    pub(in crate::decode) fn into_owned(self) -> Plan<'static> {
        Plan {
            nodes: self.nodes.into_iter().map(Node::into_owned).collect(),
            root: self.root.into_owned(),
            wrapped: self.wrapped,
            dynamic: self.dynamic,
            trusts_serde: self.trusts_serde,
        }
    }
}

impl Node<'_> {
    fn into_owned(self) -> Node<'static> {
        Node { shape: self.shape.into_owned(), limits: self.limits.map(|limits| Box::new(limits.into_owned())) }
    }
}

impl Edge<'_> {
    fn into_owned(self) -> Edge<'static> {
        let limits = self.limits.map(|limits| Box::new(limits.into_owned()));
        Edge { node: self.node, nullable: self.nullable, limits }
    }
}

impl Shape<'_> {
    fn into_owned(self) -> Shape<'static> {
        match self {
            Self::Any => Shape::Any,
            Self::Never => Shape::Never,
            Self::Null => Shape::Null,
            Self::Boolean => Shape::Boolean,
            Self::Integer => Shape::Integer,
            Self::Number => Shape::Number,
            Self::Text => Shape::Text,
            Self::Choice(picks) => {
                let pick = |pick: Pick<'_>| Pick { value: pick.value.into_owned(), aliases: all(pick.aliases) };
                Shape::Choice(picks.into_iter().map(pick).collect())
            }
            Self::List(item) => Shape::List(item.into_owned()),
            Self::Object(members) => Shape::Object(members.into_owned()),
            Self::Union(variants) => Shape::Union(variants.into_iter().map(Variant::into_owned).collect()),
        }
    }
}

impl Members<'_> {
    fn into_owned(self) -> Members<'static> {
        let member = |member: Member<'_>| Member {
            key: owned(member.key),
            aliases: all(member.aliases),
            edge: member.edge.into_owned(),
            required: member.required,
        };
        let extra = match self.extra {
            Extra::Allowed => Extra::Allowed,
            Extra::Refused => Extra::Refused,
            Extra::Of(edge) => Extra::Of(Box::new(edge.into_owned())),
        };
        Members::new(self.list.into_iter().map(member).collect(), extra)
    }
}

impl Variant<'_> {
    fn into_owned(self) -> Variant<'static> {
        let form = match self.form {
            Form::Bare => Form::Bare,
            Form::Units => Form::Units,
            Form::Key => Form::Key,
            Form::Tag { tag, content } => Form::Tag { tag: owned(tag), content: content.map(owned) },
        };
        Variant { name: owned(self.name), aliases: all(self.aliases), edge: self.edge.into_owned(), form }
    }
}

impl Limits<'_> {
    fn into_owned(self) -> Limits<'static> {
        let bound = |bound: Option<Bound<'_>>| {
            bound.map(|Bound { text, whole, float }| Bound { text: owned(text), whole, float })
        };
        Limits {
            least: bound(self.least),
            most: bound(self.most),
            above: bound(self.above),
            below: bound(self.below),
            multiple: bound(self.multiple),
            length: self.length,
            items: self.items,
            pattern: self.pattern.map(super::limits::Pattern::into_owned),
            format: self.format.map(owned),
        }
    }
}
