//! From the static nodes of a type.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Edge, Extra, Form, Limits, Member, Members, Node, Pick, Plan, Shape, Variant};
use crate::decode::tree::Tree;
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Field, Kind, Object, Schema, Tagging, Union, Unit, unquote};
use crate::schema::rules::Rules;
use crate::schema::shape::{alternatives, is_plain_object, members};
use crate::schema::survey::identity;

/// More alternatives than this make no useful message, and no model writes them.
const MOST_ALTERNATIVES: usize = 256;

impl Plan<'static> {
    /// The plan of a type; `stated` says whether some value below it has the schema of another type.
    pub(in crate::decode) fn of(schema: SchemaRef, stated: bool) -> Self {
        let mut reader = Reader::default();
        let inner = reader.edge(schema, Rules::NONE);
        let wrapped = !is_plain_object(schema);
        let root = if wrapped {
            let value = Member { key: "value".into(), aliases: Vec::new(), edge: inner, required: true };
            let shape = Shape::Object(Members::new(vec![value], Extra::Allowed));
            reader.push(Node { shape, limits: None })
        } else {
            inner
        };
        Self { nodes: reader.nodes, root, wrapped, dynamic: false, trusts_serde: !stated }
    }
}

#[derive(Default)]
struct Reader {
    nodes: Vec<Node<'static>>,
    /// Named types by identity, for types that contain themselves.
    named: HashMap<u128, usize>,
    /// Newtypes by identity, for the same reason.
    newtypes: HashMap<u128, &'static Schema>,
    /// Lists by address: a newtype of a list may be in the list.
    lists: HashMap<*const Schema, usize>,
}

impl Reader {
    fn push(&mut self, node: Node<'static>) -> Edge<'static> {
        self.nodes.push(node);
        Edge { node: self.nodes.len() - 1, ..Edge::default() }
    }

    /// The edge to a schema with further rules on it.
    fn edge(&mut self, schema: SchemaRef, rules: &Rules) -> Edge<'static> {
        let mut rules = *rules;
        let mut node = schema.get();
        let mut nullable = false;
        loop {
            match node.kind {
                Kind::Nullable(inner) => {
                    nullable = true;
                    node = inner.get();
                }
                Kind::Transparent(inner) => {
                    rules = rules.and(node.rules);
                    if node.named {
                        self.newtypes.insert(identity(node), node);
                    }
                    node = inner.get();
                }
                Kind::Back => match self.newtypes.get(&identity(node)) {
                    Some(newtype) => node = newtype,
                    None => break,
                },
                _ => break,
            }
        }
        // The tighter of two bounds is the one to tell of.
        // A form that a type has of itself is its parser's business, one that was put on plain text is not.
        let format = if node.rules.format.is_empty() { rules.format } else { "" };
        let limits = Limits::of(&Rules { format, ..rules.and(node.rules) });
        Edge { node: self.node(node), nullable, limits }
    }

    fn node(&mut self, node: &'static Schema) -> usize {
        let id = (node.named || matches!(node.kind, Kind::Back)).then(|| identity(node));
        if let Some(known) = id.and_then(|id| self.named.get(&id)) {
            return *known;
        }
        let list = matches!(node.kind, Kind::Array(_)).then(|| std::ptr::from_ref(node));
        if let Some(known) = list.and_then(|list| self.lists.get(&list)) {
            return *known;
        }
        let place = self.push(Node::default()).node;
        if let Some(list) = list {
            self.lists.insert(list, place);
        }
        if let Some(id) = id {
            self.named.insert(id, place);
        }
        let shape = match node.kind {
            Kind::Null => Shape::Null,
            Kind::Boolean => Shape::Boolean,
            Kind::Integer => Shape::Integer,
            Kind::Number => Shape::Number,
            Kind::String => Shape::Text,
            Kind::Enum(units) => Shape::Choice(units.iter().map(pick).collect()),
            Kind::Array(item) => Shape::List(self.edge(item, Rules::NONE)),
            Kind::Object(object) => self.object(node, object),
            Kind::Union(union) => self.union(union),
            // Resolved above; a back-reference without its type accepts anything, and serde decides.
            Kind::Nullable(_) | Kind::Transparent(_) | Kind::Back => Shape::Any,
        };
        self.nodes[place] = Node { shape, limits: None };
        place
    }

    /// An object; where flattening makes it a choice, the choice of its alternatives.
    fn object(&mut self, node: &'static Schema, object: Object) -> Shape<'static> {
        let this = SchemaRef::new(node);
        match alternatives(this).min(MOST_ALTERNATIVES) {
            0 | 1 => Shape::Object(self.members(&members(this, 0), object.denies_unknown)),
            all => Shape::Union(
                (0..all)
                    .map(|alternative| {
                        let members = self.members(&members(this, alternative), object.denies_unknown);
                        let edge = self.push(Node { shape: Shape::Object(members), limits: None });
                        Variant { name: Cow::default(), aliases: Vec::new(), edge, form: Form::Bare }
                    })
                    .collect(),
            ),
        }
    }

    fn members(&mut self, fields: &[&'static Field], denies_unknown: bool) -> Members<'static> {
        let list = fields
            .iter()
            .map(|field| Member {
                key: text(field.key.escaped()),
                aliases: field.aliases.iter().map(|alias| text(alias)).collect(),
                edge: self.edge(field.schema, field.rules),
                required: !field.fills,
            })
            .collect();
        Members::new(list, if denies_unknown { Extra::Refused } else { Extra::Allowed })
    }

    fn union(&mut self, union: Union) -> Shape<'static> {
        let variants = union.cases.iter().map(|case| {
            let edge = self.edge(case.schema, Rules::NONE);
            let (name, form) = match (&self.nodes[edge.node].shape, union.tagging) {
                (Shape::Choice(_), Tagging::External) => (Cow::default(), Form::Units),
                (Shape::Object(members), Tagging::External) => {
                    (members.list.first().map(|member| member.key.clone()).unwrap_or_default(), Form::Key)
                }
                (_, Tagging::Internal { tag }) => {
                    let tag = text(tag.escaped());
                    (self.tag_value(&edge, &tag), Form::Tag { tag, content: None })
                }
                (_, Tagging::Adjacent { tag, content }) => {
                    let tag = text(tag.escaped());
                    (self.tag_value(&edge, &tag), Form::Tag { tag, content: Some(text(content.escaped())) })
                }
                _ => (Cow::Borrowed(case.name), Form::Bare),
            };
            // Repair may take the Rust name for the variant, too: models read docs and code.
            let aliases = case.aliases.iter().map(|alias| text(alias)).collect();
            Variant { name, aliases, edge, form }
        });
        Shape::Union(variants.collect())
    }

    /// The name of a case: what its tag has to be.
    fn tag_value(&self, edge: &Edge<'static>, tag: &str) -> Cow<'static, str> {
        let members = match &self.nodes[edge.node].shape {
            Shape::Object(members) => members,
            // A payload that is a choice itself has the tag in each alternative.
            Shape::Union(variants) => match variants.first().map(|variant| &self.nodes[variant.edge.node].shape) {
                Some(Shape::Object(members)) => members,
                _ => return Cow::default(),
            },
            _ => return Cow::default(),
        };
        let member = members.list.iter().find(|member| member.key == tag);
        match member.map(|member| &self.nodes[member.edge.node].shape) {
            Some(Shape::Choice(picks)) => match picks.first().map(|pick| &pick.value) {
                Some(Tree::Text(text)) => text.clone(),
                _ => Cow::default(),
            },
            _ => Cow::default(),
        }
    }
}

fn pick(unit: &Unit) -> Pick<'static> {
    Pick { value: Tree::Text(literal(unit.value)), aliases: unit.aliases.iter().map(|alias| literal(alias)).collect() }
}

/// What a JSON string literal means.
fn literal(quoted: &'static str) -> Cow<'static, str> {
    match quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(escaped) => text(escaped),
        None => unquote(quoted).into(),
    }
}

/// What text inside of a JSON string means.
fn text(escaped: &'static str) -> Cow<'static, str> {
    if escaped.contains('\\') { unquote(&format!("\"{escaped}\"")).into() } else { escaped.into() }
}
