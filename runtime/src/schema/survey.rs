//! Every named type below a root, visited once.
//!
//! The survey decides what stands in `$defs`: a type that is used more than once, or by itself.
//! Each type is visited once, whatever the number of ways to it, so a diamond of shared types costs
//! linear work; a cycle always has a type with two uses, so inlining the rest has an end.
//!
//! The table has a fixed number of places, for const code has no heap. [`with_survey!`] picks the
//! smallest table that is large enough.

use super::edge::SchemaRef;
use super::node::{Arg, Kind, Schema};
use super::shape::resolve;

/// How many edges between two named types are followed.
const ANONYMOUS_LEVELS: usize = 24;

/// The named types below a root: at most `N`, found through `SLOTS` hash slots.
pub(crate) struct Survey<const N: usize, const SLOTS: usize> {
    entries: [Entry; N],
    slots: [u16; SLOTS],
    len: usize,
    fault: Option<Fault>,
}

/// A named type.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Its node.
    pub(crate) node: &'static Schema,
    id: u128,
    uses: u32,
    /// Tells its definition apart from another of the same name: 0 and 1 stand for no suffix.
    pub(crate) suffix: u128,
}

/// Why a survey could not be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// More named types than places: try a larger table.
    Full,
    /// A type that contains itself with nothing but wrappers between.
    Endless,
    /// A back-reference to a generic type that does not enclose it.
    Dangling(&'static str),
}

impl<const N: usize, const SLOTS: usize> Survey<N, SLOTS> {
    /// The survey of everything below `root`.
    pub(crate) const fn of(root: SchemaRef) -> Self {
        let none = Entry { node: root.get(), id: 0, uses: 0, suffix: 0 };
        let mut survey = Self { entries: [none; N], slots: [0; SLOTS], len: 0, fault: None };
        survey.visit(root, ANONYMOUS_LEVELS);
        let mut i = 0;
        while i < survey.len {
            survey.walk(survey.entries[i].node, ANONYMOUS_LEVELS);
            i += 1;
        }
        survey.number();
        survey
    }

    /// What went wrong, if anything did.
    pub(crate) const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// How many named types there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The `i`-th named type, in the order in which a breadth-first walk meets them.
    pub(crate) const fn entry(&self, i: usize) -> &Entry {
        &self.entries[i]
    }

    /// The place in the table of a type that may have a definition.
    pub(crate) const fn find(&self, node: &Schema) -> Option<usize> {
        if !definable(node) {
            return None;
        }
        let slot = self.slots[self.slot(identity(node))];
        if slot == 0 { None } else { Some(slot as usize - 1) }
    }

    /// Whether the `i`-th type stands in `$defs`.
    pub(crate) const fn shared(&self, i: usize) -> bool {
        self.entries[i].uses > 1
    }

    const fn visit(&mut self, edge: SchemaRef, fuel: usize) {
        let node = edge.get();
        if !definable(node) {
            self.walk(node, fuel);
            return;
        }
        let id = identity(node);
        let slot = self.slot(id);
        if self.slots[slot] > 0 {
            self.entries[self.slots[slot] as usize - 1].uses += 1;
        } else if matches!(node.kind, Kind::Back) {
            self.fault = Some(Fault::Dangling(node.name));
        } else if self.len == N {
            self.fault = Some(Fault::Full);
        } else {
            self.entries[self.len] = Entry { node, id, uses: 1, suffix: 0 };
            self.len += 1;
            #[allow(clippy::cast_possible_truncation)] // N is at most 16,384
            {
                self.slots[slot] = self.len as u16;
            }
        }
    }

    const fn walk(&mut self, node: &Schema, fuel: usize) {
        if fuel == 0 {
            self.fault = Some(Fault::Endless);
            return;
        }
        match node.kind {
            Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => self.visit(inner, fuel - 1),
            Kind::Object(object) => {
                let mut i = 0;
                while i < object.fields.len() {
                    let field = &object.fields[i];
                    // A flattened type is merged: what it contains is used here, not the type.
                    if field.flatten {
                        self.walk(resolve(field.schema), fuel - 1);
                    } else {
                        self.visit(field.schema, fuel - 1);
                    }
                    i += 1;
                }
            }
            Kind::Union(union) => {
                let mut i = 0;
                while i < union.cases.len() {
                    self.visit(union.cases[i].schema, fuel - 1);
                    i += 1;
                }
            }
            Kind::Back => self.fault = Some(Fault::Dangling(node.name)),
            Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String | Kind::Enum(_) => {}
        }
    }

    /// The slot that holds `id`, or the empty one where it would go.
    const fn slot(&self, id: u128) -> usize {
        #[allow(clippy::cast_possible_truncation)] // a slot number is what is wanted
        let mut slot = (id >> 64) as usize % SLOTS;
        while self.slots[slot] > 0 && self.entries[self.slots[slot] as usize - 1].id != id {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    /// Gives definitions of one name numbers (`Status`, `Status2`), in the order of the walk.
    const fn number(&mut self) {
        let mut taken = [0_u64; SLOTS];
        let mut i = 0;
        while i < self.len {
            if self.shared(i) {
                let name = name_hash(self.entries[i].node, FNV_START);
                let mut suffix = 0;
                loop {
                    let label = if suffix == 0 { name } else { hash_digits(suffix, name) };
                    #[allow(clippy::cast_possible_truncation)] // a slot number is what is wanted
                    let mut slot = (label >> 16) as usize % SLOTS;
                    while taken[slot] != 0 && taken[slot] != label {
                        slot = (slot + 1) % SLOTS;
                    }
                    if taken[slot] == 0 {
                        taken[slot] = label;
                        break;
                    }
                    suffix = if suffix == 0 { 2 } else { suffix + 1 };
                }
                self.entries[i].suffix = suffix;
            }
            i += 1;
        }
    }
}

/// Whether a node may stand in `$defs`: a user's type that is more than a scalar.
///
/// A newtype around another user's type is not: it would be a definition of a mere reference.
pub(crate) const fn definable(node: &Schema) -> bool {
    if !node.named {
        return false;
    }
    match node.kind {
        Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => false,
        Kind::Enum(_) | Kind::Array(_) | Kind::Object(_) | Kind::Union(_) | Kind::Nullable(_) | Kind::Back => true,
        Kind::Transparent(inner) => {
            let inner = inner.get();
            !inner.named && matches!(inner.kind, Kind::Array(_) | Kind::Nullable(_) | Kind::Union(_))
        }
    }
}

/// A number that tells types apart: from where they are defined, and their arguments.
pub(crate) const fn identity(node: &Schema) -> u128 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let mut id = if node.place == 0 { super::node::key_hash(node.name) as u128 | 1 << 127 } else { node.place };
    let mut i = 0;
    while i < node.args.len() {
        let arg = match node.args[i] {
            Arg::Type(schema) => identity(schema.get()),
            Arg::Const(value) => value,
        };
        id = (id ^ arg).wrapping_mul(ODD).rotate_left(59);
        i += 1;
    }
    id
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of a type's full name, as [`write_name`](super::name::write_name) writes it.
const fn name_hash(node: &Schema, start: u64) -> u64 {
    let mut hash = hash_text(node.name, start);
    let mut i = 0;
    while i < node.args.len() {
        hash = hash_text(if i == 0 { "_of_" } else { "_and_" }, hash);
        hash = match node.args[i] {
            Arg::Type(schema) => name_hash(schema.get(), hash),
            Arg::Const(value) => hash_digits(value, hash),
        };
        i += 1;
    }
    hash
}

const fn hash_text(text: &str, mut hash: u64) -> u64 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

const fn hash_digits(value: u128, hash: u64) -> u64 {
    let hash = if value >= 10 { hash_digits(value / 10, hash) } else { hash };
    #[allow(clippy::cast_possible_truncation)] // one digit
    let digit = b'0' + (value % 10) as u8;
    (hash ^ digit as u64).wrapping_mul(0x0100_0000_01b3)
}

/// Whether two texts are the same.
pub(crate) const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
