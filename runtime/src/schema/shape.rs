//! What a node looks like once flattening and wrappers are resolved.
//!
//! serde's `flatten` puts the members of one object into another. Where the flattened type is a
//! choice (an `Option`, an enum of objects), the outer object is a choice too: the choice
//! is *distributed* into closed objects, its **alternatives**. A plain struct has one alternative.
//! Alternatives are numbered, and every walk asks for the members of alternative `k`; so no
//! merged copy of the tree is ever built, and const code needs no memory for it.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::{Field, Kind, Schema};

/// How deep flattening is followed. A type that flattens itself would have no end.
pub(crate) const FLATTEN_LEVELS: usize = 16;

/// The node behind newtypes.
#[must_use]
pub(crate) const fn resolve(schema: SchemaRef) -> &'static Schema {
    let mut node = schema.get();
    let mut level = 0;
    while let Kind::Transparent(inner) = node.kind {
        if level == FLATTEN_LEVELS {
            break;
        }
        node = inner.get();
        level += 1;
    }
    node
}

/// Whether the schema, standing at the root, is an object as it is, so that it needs no
/// `{"value": …}` around it.
#[must_use]
pub(crate) const fn is_plain_object(schema: SchemaRef) -> bool {
    matches!(resolve(schema).kind, Kind::Object(_)) && alternatives(schema) == 1
}

/// Whether `null` is among the schema's values.
#[must_use]
pub(crate) const fn accepts_null(schema: SchemaRef) -> bool {
    accepts_null_within(schema, FLATTEN_LEVELS)
}

const fn accepts_null_within(schema: SchemaRef, fuel: usize) -> bool {
    if fuel == 0 {
        return false;
    }
    match resolve(schema).kind {
        Kind::Null | Kind::Nullable(_) => true,
        Kind::Union(union) => {
            let mut i = 0;
            while i < union.cases.len() {
                if accepts_null_within(union.cases[i].schema, fuel - 1) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// How many alternatives the schema has as an object; 0 if it is not one.
#[must_use]
pub(crate) const fn alternatives(schema: SchemaRef) -> usize {
    alternatives_of(resolve(schema))
}

/// How many alternatives a node has as an object; 0 if it is not one.
#[must_use]
pub(crate) const fn alternatives_of(node: &Schema) -> usize {
    count(node, FLATTEN_LEVELS)
}

/// How many alternatives a flattened field brings; 0 if it cannot be flattened.
#[must_use]
pub(crate) const fn flattened_alternatives(schema: SchemaRef) -> usize {
    count_flattened(schema, FLATTEN_LEVELS)
}

const fn count(node: &Schema, fuel: usize) -> usize {
    if fuel == 0 {
        return 0;
    }
    match node.kind {
        Kind::Object(object) if !object.flattens => 1,
        Kind::Object(object) => {
            let mut all = 1_usize;
            let mut i = 0;
            while i < object.fields.len() {
                if object.fields[i].flatten {
                    all = all.saturating_mul(count_flattened(object.fields[i].schema, fuel - 1));
                }
                i += 1;
            }
            all
        }
        Kind::Union(union) => {
            let mut all = 0_usize;
            let mut i = 0;
            while i < union.cases.len() {
                let case = count(resolve(union.cases[i].schema), fuel - 1);
                if case == 0 {
                    return 0;
                }
                all = all.saturating_add(case);
                i += 1;
            }
            all
        }
        _ => 0,
    }
}

const fn count_flattened(schema: SchemaRef, fuel: usize) -> usize {
    if fuel == 0 {
        return 0;
    }
    let node = resolve(schema);
    match node.kind {
        // Present, or absent as a whole.
        Kind::Nullable(inner) => match count(resolve(inner), fuel - 1) {
            0 => 0,
            all => all.saturating_add(1),
        },
        Kind::Null => 1,
        _ => count(node, fuel),
    }
}

/// A walk over the members of one alternative of an object, flattened ones in their places.
///
/// Where a step of the walk needs several loops at once, the levels are kept here.
#[derive(Clone, Copy)]
pub(crate) struct Members {
    levels: [Level; FLATTEN_LEVELS],
    depth: usize,
}

#[derive(Clone, Copy)]
struct Level {
    fields: &'static [Field],
    next: usize,
    alternative: usize,
}

impl Members {
    /// The members of alternative `alternative` of an object or of a union of objects.
    pub(crate) const fn of(node: &Schema, alternative: usize) -> Self {
        let empty = Level { fields: &[], next: 0, alternative: 0 };
        let mut members = Self { levels: [empty; FLATTEN_LEVELS], depth: 0 };
        members.enter(node, alternative);
        members
    }

    /// Goes into an object, a case of a union, or an optional object.
    const fn enter(&mut self, node: &Schema, mut alternative: usize) {
        let mut node = node;
        let mut fuel = FLATTEN_LEVELS;
        while fuel > 0 {
            fuel -= 1;
            match node.kind {
                Kind::Object(object) => {
                    if self.depth < FLATTEN_LEVELS {
                        self.levels[self.depth] = Level { fields: object.fields, next: 0, alternative };
                        self.depth += 1;
                    }
                    return;
                }
                Kind::Union(union) => {
                    let mut i = 0;
                    while i < union.cases.len() {
                        let here = alternatives(union.cases[i].schema);
                        if alternative < here {
                            break;
                        }
                        alternative -= here;
                        i += 1;
                    }
                    if i == union.cases.len() {
                        return;
                    }
                    node = resolve(union.cases[i].schema);
                }
                // The last alternative of an optional object: absent.
                Kind::Nullable(inner) => {
                    if alternative >= alternatives(inner) {
                        return;
                    }
                    node = resolve(inner);
                }
                Kind::Transparent(inner) => node = resolve(inner),
                _ => return,
            }
        }
    }

    /// The next member.
    pub(crate) const fn next(&mut self) -> Option<&'static Field> {
        while self.depth > 0 {
            let level = &mut self.levels[self.depth - 1];
            if level.next == level.fields.len() {
                self.depth -= 1;
                continue;
            }
            let field = &level.fields[level.next];
            level.next += 1;
            if !field.flatten {
                return Some(field);
            }
            // The alternatives of several flattened choices are counted like digits.
            let here = flattened_alternatives(field.schema);
            if here == 0 {
                continue;
            }
            let mine = level.alternative % here;
            level.alternative /= here;
            self.enter(resolve(field.schema), mine);
        }
        None
    }

    /// The flattened fields around the member that [`next`](Self::next) gave last, as `outer.inner.`.
    pub(crate) const fn write_path(&self, mut message: Message) -> Message {
        let mut i = 0;
        while i + 1 < self.depth {
            let level = &self.levels[i];
            message = message.text(level.fields[level.next - 1].key.escaped()).text(".");
            i += 1;
        }
        message
    }
}

/// The members of alternative `alternative`, for walks at run time.
#[must_use]
pub(crate) fn members(schema: SchemaRef, alternative: usize) -> Vec<&'static Field> {
    members_of(resolve(schema), alternative)
}

/// The members of alternative `alternative` of a node, for walks at run time.
#[must_use]
pub(crate) fn members_of(node: &Schema, alternative: usize) -> Vec<&'static Field> {
    let mut walk = Members::of(node, alternative);
    std::iter::from_fn(|| walk.next()).collect()
}
