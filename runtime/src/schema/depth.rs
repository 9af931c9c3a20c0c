//! How many objects stand below one another.
//!
//! Depth is the number of objects on a path through the types, the root included; a path does not
//! enter a type that it is already in. Each named type is measured once.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::Kind;
use super::survey::{ANONYMOUS_LEVELS, MOST_TYPES, Survey};
use crate::dialect::Dialect;

/// How many objects a document of the type behind `schema` has on its longest path, with `levels` around it. Past `limit` the
/// rest is not walked.
pub(crate) const fn height(schema: SchemaRef, levels: usize, survey: &Survey<'_>, limit: usize) -> usize {
    levels + Heights { survey, known: [0; MOST_TYPES], limit }.of(schema, levels)
}

/// Why a schema with `levels` objects around it, and `at` as the path that leads to it, is too deep.
pub(crate) const fn deep(
    schema: SchemaRef,
    levels: usize,
    at: &str,
    survey: &Survey<'_>,
    dialect: &Dialect,
) -> Option<Message> {
    let limit = dialect.limits.depth;
    if limit == usize::MAX {
        return None;
    }
    let mut heights = Heights { survey, known: [0; MOST_TYPES], limit };
    let depth = levels + heights.of(schema, levels);
    if depth <= limit {
        return None;
    }
    let message = Message::new("this nests objects more than ").number(limit).text(" deep, which ").text(dialect.name);
    Some(heights.path(schema, levels, message.text(" refuses; the path is `").text(at)).text(
        "; flatten a level (`#[serde(flatten)]`), or carry the inner part as a list beside it, linked by an identifier",
    ))
}

/// How many objects stand below one another, by named type.
struct Heights<'a> {
    survey: &'a Survey<'a>,
    /// By place in the survey: 0 for unknown, [`BUSY`] for being measured, else the height + 1.
    known: [u8; MOST_TYPES],
    limit: usize,
}

const BUSY: u8 = u8::MAX;

impl Heights<'_> {
    /// The objects on the longest path from here down. Past the limit the rest is not walked.
    const fn of(&mut self, schema: SchemaRef, above: usize) -> usize {
        let mut node = schema.get();
        let mut place = self.survey.find(node);
        // Not past a type with a place: a list of itself would have no end.
        while place.is_none()
            && let Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) = node.kind
        {
            node = inner.get();
            place = self.survey.find(node);
        }
        if let Some(i) = place {
            if self.known[i] == BUSY {
                return 0;
            }
            if self.known[i] > 0 {
                return self.known[i] as usize - 1;
            }
            self.known[i] = BUSY;
        }
        let mut height = 0;
        match node.kind {
            Kind::Object(object) => {
                height = 1;
                let mut i = 0;
                while i < object.fields.len() && above < self.limit {
                    let field = &object.fields[i];
                    // A flattened object adds no level of its own.
                    let below =
                        if field.flatten { self.of(field.schema, above) } else { 1 + self.of(field.schema, above + 1) };
                    if below > height {
                        height = below;
                    }
                    i += 1;
                }
            }
            Kind::Union(union) => {
                let mut i = 0;
                while i < union.cases.len() {
                    let below = self.of(union.cases[i].schema, above);
                    if below > height {
                        height = below;
                    }
                    i += 1;
                }
            }
            Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => height = self.of(inner, above),
            _ => {}
        }
        if let Some(i) = place {
            #[allow(clippy::cast_possible_truncation)] // the limit is far below 255
            {
                self.known[i] = if height < 250 { height as u8 + 1 } else { 250 };
            }
        }
        height
    }

    /// Adds the longest path to a message that ends where the path begins: `a.b[].c`.
    const fn path(&mut self, schema: SchemaRef, above: usize, mut message: Message) -> Message {
        let mut schema = schema;
        let mut above = above;
        while above <= self.limit {
            let mut node = schema.get();
            let mut wrappers = 0;
            while wrappers < ANONYMOUS_LEVELS
                && let Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) = node.kind
            {
                wrappers += 1;
                if matches!(node.kind, Kind::Array(_)) {
                    message = message.text("[]");
                }
                node = inner.get();
            }
            match node.kind {
                Kind::Object(object) => {
                    let mut best = None;
                    let mut most = 0;
                    let mut i = 0;
                    while i < object.fields.len() {
                        let field = &object.fields[i];
                        let height = self.of(field.schema, above + 1) + !field.flatten as usize;
                        if height > most {
                            most = height;
                            best = Some(field);
                        }
                        i += 1;
                    }
                    let Some(field) = best else { break };
                    if !field.flatten {
                        message =
                            message.text(if message.ends_with(b'`') { "" } else { "." }).text(field.key.escaped());
                        above += 1;
                    }
                    schema = field.schema;
                }
                Kind::Union(union) => {
                    let mut best = None;
                    let mut most = 0;
                    let mut i = 0;
                    while i < union.cases.len() {
                        let height = self.of(union.cases[i].schema, above);
                        if height > most {
                            most = height;
                            best = Some(union.cases[i].schema);
                        }
                        i += 1;
                    }
                    let Some(case) = best else { break };
                    schema = case;
                }
                _ => break,
            }
        }
        message.text("`")
    }
}
