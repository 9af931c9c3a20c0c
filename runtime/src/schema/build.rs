//! Const builders for nodes: what generated code and the impls for foreign types are written with.
//!
//! Generated code writes members, values and cases as literals over `PLAIN`: a call costs the compiler far more.

use super::edge::SchemaRef;
use super::node::{Arg, Case, Doc, Field, Key, Kind, Object, Schema, Tagging, Union, Unit, Unknown};
use super::rules::Rules;

impl Schema {
    /// A node for a type of std or of another crate, told apart by its name and arguments.
    #[must_use]
    pub const fn plain(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            ident: name,
            place: 0,
            args: &[],
            named: false,
            checked: true,
            one_sided: false,
            stated: false,
            doc: Doc::NONE,
            rules: Rules::NONE,
            ruled: false,
            kind,
        }
    }

    /// A node for a type that a user derived. `hash` stands for the text and the place of the
    /// definition, `module` is its `module_path!()`.
    #[must_use]
    pub const fn derived(name: &'static str, hash: u128, module: &'static str, kind: Kind) -> Self {
        Self { place: place(hash, module), named: true, ..Self::plain(name, kind) }
    }

    /// With the name in Rust, where it is not the schema's.
    #[must_use]
    pub const fn ident(self, ident: &'static str) -> Self {
        Self { ident, ..self }
    }

    /// With the generic arguments that the schema depends on; checked where it is used.
    #[must_use]
    pub const fn generic(self, args: &'static [Arg]) -> Self {
        Self { args, checked: false, ..self }
    }

    /// With generic arguments, for foreign types (which need no check of their own).
    #[must_use]
    pub const fn of(self, args: &'static [Arg]) -> Self {
        Self { args, ..self }
    }

    /// serde writes it in another form than it reads it from.
    #[must_use]
    pub const fn one_sided(self) -> Self {
        Self { one_sided: true, ..self }
    }

    /// Its schema, or that of a field, is another type's.
    #[must_use]
    pub const fn stated(self) -> Self {
        Self { stated: true, ..self }
    }

    /// With a description, given as `,"description":"text`.
    #[must_use]
    pub const fn doc(self, joined: &'static str) -> Self {
        Self { doc: Doc(joined), ..self }
    }

    /// With rules on the value.
    #[must_use]
    pub const fn rules(self, rules: &'static Rules) -> Self {
        Self { rules, ruled: !rules.is_empty(), ..self }
    }
}

impl Field {
    /// What a member is unless something else is said.
    pub const PLAIN: Self = Self {
        key: Key { lead: "\"\":", hash: 0 },
        doc: Doc::NONE,
        schema: SchemaRef::new(&Schema::plain("", Kind::Null)),
        rules: Rules::NONE,
        ruled: false,
        aliases: &[],
        fills: false,
        optional: false,
        flatten: false,
    };

    /// A member under the key whose text is `"name":`.
    #[must_use]
    pub const fn new(lead: &'static str, hash: u64, schema: SchemaRef) -> Self {
        Self { key: Key { lead, hash }, schema, ..Self::PLAIN }
    }

    /// With a description, given as `,"description":"text`.
    #[must_use]
    pub const fn doc(self, joined: &'static str) -> Self {
        Self { doc: Doc(joined), ..self }
    }

    /// Whether serde takes the object without it.
    #[must_use]
    pub const fn may_be_left_out(&self) -> bool {
        self.fills || self.optional
    }
}

impl Unit {
    /// What a value is unless something else is said.
    pub const PLAIN: Self = Self { value: "\"\"", doc: "", aliases: &[], unknown: Unknown::Refused };

    /// A value, as JSON text with quotes.
    #[must_use]
    pub const fn new(value: &'static str) -> Self {
        Self { value, ..Self::PLAIN }
    }
}

impl Case {
    /// What a case is unless something else is said.
    pub const PLAIN: Self = Self { name: "", schema: Field::PLAIN.schema, aliases: &[] };

    /// The case of the variant `name`.
    #[must_use]
    pub const fn new(name: &'static str, schema: SchemaRef) -> Self {
        Self { name, schema, ..Self::PLAIN }
    }
}

impl Kind {
    /// An object of these members.
    #[must_use]
    pub const fn object(fields: &'static [Field]) -> Self {
        let mut flattens = false;
        let mut i = 0;
        while i < fields.len() {
            flattens |= fields[i].flatten;
            i += 1;
        }
        Self::Object(Object { fields, flattens, denies_unknown: false })
    }

    /// An object of these members that refuses unknown keys when it is read.
    #[must_use]
    pub const fn closed_object(fields: &'static [Field]) -> Self {
        match Self::object(fields) {
            Self::Object(object) => Self::Object(Object { denies_unknown: true, ..object }),
            other => other,
        }
    }

    /// A choice between cases.
    #[must_use]
    pub const fn union(tagging: Tagging, cases: &'static [Case]) -> Self {
        Self::Union(Union { tagging, cases })
    }
}

/// Where a type is defined, as a number.
const fn place(hash: u128, module: &'static str) -> u128 {
    const ODD: u128 = 0x2d35_8dcc_aa6c_78a5_8bb8_4b93_962e_acc9;
    let bytes = module.as_bytes();
    let mut place = hash;
    let mut word = 0;
    let mut i = 0;
    // Sixteen bytes a step, and no call for a byte: every type pays for them.
    while i < bytes.len() {
        word = word << 8 | bytes[i] as u128;
        i += 1;
        if i % 16 == 0 || i == bytes.len() {
            place = (place ^ word).wrapping_mul(ODD).rotate_left(41);
            word = 0;
        }
    }
    // Zero stands for the types of std.
    if place == 0 { 1 } else { place }
}
