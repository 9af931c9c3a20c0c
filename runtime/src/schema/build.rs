//! Const builders for nodes: what generated code and the impls for foreign types are written with.

use super::edge::SchemaRef;
use super::node::{Arg, Case, Doc, Field, Key, Kind, Object, Schema, Tagging, Union, Unit, Unknown};
use super::rules::Rules;

impl Schema {
    /// A node for a type of std or of another crate, told apart by its name and arguments.
    #[must_use]
    pub const fn plain(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
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
        Self { doc: Doc::new(joined), ..self }
    }

    /// With rules on the value.
    #[must_use]
    pub const fn rules(self, rules: &'static Rules) -> Self {
        Self { rules, ruled: !rules.is_empty(), ..self }
    }
}

impl Field {
    /// A member under the key whose text is `"name":`.
    #[must_use]
    pub const fn new(lead: &'static str, hash: u64, schema: SchemaRef) -> Self {
        Self {
            key: Key::new(lead, hash),
            doc: Doc::NONE,
            schema,
            rules: Rules::NONE,
            ruled: false,
            aliases: &[],
            fills: false,
            optional: false,
            flatten: false,
        }
    }

    /// With a description, given as `,"description":"text`.
    #[must_use]
    pub const fn doc(self, joined: &'static str) -> Self {
        Self { doc: Doc::new(joined), ..self }
    }

    /// With rules on the value.
    #[must_use]
    pub const fn rules(self, rules: &'static Rules) -> Self {
        Self { rules, ruled: !rules.is_empty(), ..self }
    }

    /// With other keys that serde accepts (escaped, without quotes).
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// serde fills it in when the key is missing.
    #[must_use]
    pub const fn fills(self) -> Self {
        Self { fills: true, ..self }
    }

    /// serde reads a missing key as `None`.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// Whether serde takes the object without it.
    #[must_use]
    pub const fn may_be_left_out(&self) -> bool {
        self.fills || self.optional
    }

    /// Its members stand in its place.
    #[must_use]
    pub const fn flatten(self) -> Self {
        Self { flatten: true, ..self }
    }
}

impl Unit {
    /// A value, as JSON text with quotes.
    #[must_use]
    pub const fn new(value: &'static str) -> Self {
        Self { value, doc: "", aliases: &[], unknown: Unknown::Refused }
    }

    /// With what it stands for (escaped, without quotes).
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// With other spellings (JSON text with quotes).
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// serde reads unknown names as this value.
    #[must_use]
    pub const fn other(self) -> Self {
        Self { unknown: Unknown::Other, ..self }
    }

    /// serde does not look at it.
    #[must_use]
    pub const fn ignored(self) -> Self {
        Self { unknown: Unknown::Ignored, ..self }
    }
}

impl Case {
    /// The case of the variant `name`.
    #[must_use]
    pub const fn new(name: &'static str, schema: SchemaRef) -> Self {
        Self { name, schema, aliases: &[] }
    }

    /// With other names that serde accepts (escaped, without quotes).
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
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
    let mut place = hash;
    let mut rest = module.as_bytes();
    // Sixteen bytes a step: a step of const evaluation costs microseconds, and every type pays.
    while let Some((chunk, tail)) = rest.split_first_chunk::<16>() {
        place = (place ^ u128::from_le_bytes(*chunk)).wrapping_mul(ODD).rotate_left(41);
        rest = tail;
    }
    while let Some((byte, tail)) = rest.split_first() {
        place = (place ^ *byte as u128).wrapping_mul(ODD).rotate_left(41);
        rest = tail;
    }
    // Zero stands for the types of std.
    if place == 0 { 1 } else { place }
}
