//! Every named type below a root, visited once.
//!
//! The survey decides what stands in `$defs`: a type that is used more than once, or by itself.
//! Each type is visited once, whatever the number of ways to it, so a diamond of shared types costs
//! linear work; a cycle always has a type with two uses, so inlining the rest has an end.
//!
//! The table has a fixed number of places, for const code has no heap. [`with_survey!`] picks the
//! smallest table that is large enough.

use super::edge::SchemaRef;
use super::faults;
use super::node::{Arg, Kind, Schema};
use super::shape::resolve;

/// How many named types the largest table holds.
pub(crate) const MOST_TYPES: usize = 8192;

/// How many edges between two named types are followed.
pub(crate) const ANONYMOUS_LEVELS: usize = 24;

/// The named types below a root.
///
/// It borrows its tables and is not generic over their size: in const evaluation a generic
/// function costs several times as much as a plain one.
pub(crate) struct Survey<'a> {
    entries: &'a [Entry],
    slots: &'a [u16],
    found: Found,
}

/// What a survey finds beside the types.
#[derive(Clone, Copy)]
struct Found {
    len: usize,
    fault: Option<Fault>,
    unsound: Option<&'static Schema>,
    stated: bool,
    shares: bool,
}

/// A survey with its tables, as a constant.
pub(crate) struct Kept<const PLACES: usize, const SLOTS: usize> {
    entries: [Entry; PLACES],
    slots: [u16; SLOTS],
    found: Found,
}

impl<const PLACES: usize, const SLOTS: usize> Kept<PLACES, SLOTS> {
    /// The survey of everything below `root`, as far as the tables hold it.
    #[allow(clippy::large_stack_arrays)] // in const evaluation they stand on no thread's stack
    pub(crate) const fn of(root: SchemaRef) -> Self {
        let mut entries = [Entry::empty(root); PLACES];
        let (mut slots, mut labels) = ([0; SLOTS], [0; SLOTS]);
        let tables = Tables { entries: &mut entries, slots: &mut slots, labels: &mut labels };
        let found = Survey::of(root, tables).found;
        Self { entries, slots, found }
    }

    /// Whether the tables are too small.
    pub(crate) const fn is_full(&self) -> bool {
        matches!(self.found.fault, Some(Fault::Full))
    }

    /// The survey.
    pub(crate) const fn survey(&self) -> Survey<'_> {
        Survey { entries: &self.entries, slots: &self.slots, found: self.found }
    }
}

/// The tables of a survey.
pub(crate) struct Tables<'a> {
    /// The named types, in the order in which they are met.
    pub(crate) entries: &'a mut [Entry],
    /// The places of types in `entries` (plus one), by hash of their identity.
    pub(crate) slots: &'a mut [u16],
    /// The hashes of definition names that are taken; as many as there are slots.
    pub(crate) labels: &'a mut [u64],
}

/// A named type.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// An edge, which the compiler does not follow when it looks at a survey that is a constant.
    edge: SchemaRef,
    id: u128,
    uses: u32,
    /// Tells its definition apart from another of the same name: 0 and 1 stand for no suffix.
    pub(crate) suffix: u128,
}

impl Entry {
    /// An empty place in a table.
    pub(crate) const fn empty(root: SchemaRef) -> Self {
        Self { edge: root, id: 0, uses: 0, suffix: 0 }
    }

    /// Its node.
    pub(crate) const fn node(&self) -> &'static Schema {
        self.edge.get()
    }
}

/// Calls a function with the survey of everything below a root, in the smallest tables that hold it.
macro_rules! with_survey {
    ($root:expr, |$survey:ident| $use:expr) => {
        with_survey!($root, |$survey| $use; 64 128, 1024 2048, 8192 16384)
    };
    ($root:expr, |$survey:ident| $use:expr; $places:literal $slots:literal $(, $more:literal $slots_more:literal)*) => {{
        // In const evaluation, where they stand on no thread's stack; at run time see `on_heap`.
        #[allow(clippy::large_stack_arrays)]
        let mut entries = [$crate::schema::survey::Entry::empty($root); $places];
        #[allow(clippy::large_stack_arrays)]
        let (mut slots, mut labels) = ([0; $slots], [0; $slots]);
        let tables = $crate::schema::survey::Tables { entries: &mut entries, slots: &mut slots, labels: &mut labels };
        let $survey = &$crate::schema::survey::Survey::of($root, tables);
        with_survey!(@or $root, |$survey| $use; $($more $slots_more),*)
    }};
    (@or $root:expr, |$survey:ident| $use:expr;) => { $use };
    (@or $root:expr, |$survey:ident| $use:expr; $($more:literal $slots_more:literal),+) => {
        if matches!($survey.fault(), Some($crate::schema::survey::Fault::Full)) {
            with_survey!($root, |$survey| $use; $($more $slots_more),+)
        } else {
            $use
        }
    };
}
pub(crate) use with_survey;

/// Calls a function with the survey of everything below a root, at run time: the tables are on the heap,
/// for the largest would not fit every thread's stack.
pub(crate) fn on_heap<R>(root: SchemaRef, use_it: impl FnOnce(&Survey<'_>) -> R) -> R {
    let mut places = 64;
    loop {
        let mut entries = vec![Entry::empty(root); places];
        let (mut slots, mut labels) = (vec![0; places * 2], vec![0; places * 2]);
        let tables = Tables { entries: &mut entries, slots: &mut slots, labels: &mut labels };
        let survey = Survey::of(root, tables);
        if !matches!(survey.fault(), Some(Fault::Full)) || places == MOST_TYPES {
            return use_it(&survey);
        }
        places = (places * 4).min(MOST_TYPES);
    }
}

/// Whether some value below `root` has the schema of another type than its own.
pub(crate) const fn is_stated(root: SchemaRef) -> bool {
    with_survey!(root, |survey| survey.stated())
}

/// Why a survey could not be made.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// More named types than places: try a larger table.
    Full,
    /// A type that contains itself with nothing but wrappers between.
    Endless,
    /// A back-reference to a generic type that does not enclose it.
    Dangling(&'static Schema),
}

impl<'a> Survey<'a> {
    /// The survey of everything below `root`.
    pub(crate) const fn of(root: SchemaRef, tables: Tables<'a>) -> Self {
        let found = Found { len: 0, fault: None, unsound: None, stated: false, shares: false };
        let mut walk = Surveyor { tables, found };
        walk.visit(root, ANONYMOUS_LEVELS);
        let mut i = 0;
        while i < walk.found.len {
            walk.walk(walk.tables.entries[i].node(), ANONYMOUS_LEVELS);
            i += 1;
        }
        walk.number();
        let Surveyor { tables: Tables { entries, slots, .. }, found } = walk;
        Self { entries, slots, found }
    }

    /// What went wrong, if anything did.
    pub(crate) const fn fault(&self) -> Option<Fault> {
        self.found.fault
    }

    /// A generic type without a definition of its own that does not fit its arguments.
    pub(crate) const fn unsound(&self) -> Option<&'static Schema> {
        self.found.unsound
    }

    /// Whether some value has the schema of another type than its own.
    pub(crate) const fn stated(&self) -> bool {
        self.found.stated
    }

    /// Whether any type stands in `$defs`.
    pub(crate) const fn shares(&self) -> bool {
        self.found.shares
    }

    /// How many named types there are.
    pub(crate) const fn len(&self) -> usize {
        self.found.len
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
        let slot = self.slots[slot(self.entries, self.slots, identity(node))];
        if slot == 0 { None } else { Some(slot as usize - 1) }
    }

    /// Whether the `i`-th type stands in `$defs`.
    pub(crate) const fn shared(&self, i: usize) -> bool {
        self.entries[i].uses > 1
    }
}

/// A survey in the making.
struct Surveyor<'a> {
    tables: Tables<'a>,
    found: Found,
}

impl Surveyor<'_> {
    const fn visit(&mut self, edge: SchemaRef, fuel: usize) {
        let node = edge.get();
        if !definable(node) {
            if node.named && !node.checked && faults::own(node).is_some() {
                self.found.unsound = Some(node);
            }
            self.walk(node, fuel);
            return;
        }
        let id = identity(node);
        let slot = slot(self.tables.entries, self.tables.slots, id);
        if self.tables.slots[slot] > 0 {
            self.tables.entries[self.tables.slots[slot] as usize - 1].uses += 1;
        } else if matches!(node.kind, Kind::Back) {
            self.found.fault = Some(Fault::Dangling(node));
        } else if self.found.len == self.tables.entries.len() {
            self.found.fault = Some(Fault::Full);
        } else {
            self.tables.entries[self.found.len] = Entry { edge, id, uses: 1, suffix: 0 };
            self.found.len += 1;
            #[allow(clippy::cast_possible_truncation)] // the largest table has 8,192 places
            {
                self.tables.slots[slot] = self.found.len as u16;
            }
        }
    }

    const fn walk(&mut self, node: &'static Schema, fuel: usize) {
        if fuel == 0 {
            self.found.fault = Some(Fault::Endless);
            return;
        }
        self.found.stated |= node.stated;
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
            Kind::Back => self.found.fault = Some(Fault::Dangling(node)),
            Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String | Kind::Enum(_) => {}
        }
    }

    /// Gives definitions of one name numbers (`Status`, `Status2`), in the order of the walk.
    const fn number(&mut self) {
        let mut i = 0;
        while i < self.found.len {
            if self.tables.entries[i].uses > 1 {
                self.found.shares = true;
                let name = name_hash(self.tables.entries[i].node(), FNV_START);
                let mut suffix = 0;
                loop {
                    let label = if suffix == 0 { name } else { hash_digits(suffix, name) };
                    #[allow(clippy::cast_possible_truncation)] // a slot number is what is wanted
                    let mut slot = (label >> 16) as usize % self.tables.slots.len();
                    while self.tables.labels[slot] != 0 && self.tables.labels[slot] != label {
                        slot = (slot + 1) % self.tables.slots.len();
                    }
                    if self.tables.labels[slot] == 0 {
                        self.tables.labels[slot] = label;
                        break;
                    }
                    suffix = if suffix == 0 { 2 } else { suffix + 1 };
                }
                self.tables.entries[i].suffix = suffix;
            }
            i += 1;
        }
    }
}

/// The slot that holds `id`, or the empty one where it would go.
const fn slot(entries: &[Entry], slots: &[u16], id: u128) -> usize {
    #[allow(clippy::cast_possible_truncation)] // a slot number is what is wanted
    let mut slot = (id >> 64) as usize % slots.len();
    while slots[slot] > 0 && entries[slots[slot] as usize - 1].id != id {
        slot = (slot + 1) % slots.len();
    }
    slot
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
            Arg::Const(value) if value > u128::MAX / 2 => hash_digits(value.wrapping_neg(), hash_text("minus_", hash)),
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
