//! What a document amounts to: properties, enum values, text.

use super::edge::SchemaRef;
use super::message::Message;
use super::name::name_len;
use super::node::{Field, Key, Kind, Schema, Unit};
use super::shape::{Members, accepts_null, alternatives_of, is_plain_object};
use super::survey::{Survey, definable};
use crate::dialect::{Dialect, Forms, Keys, Limits};

/// What a document amounts to.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    properties: usize,
    enum_values: usize,
    names: usize,
    /// The longest text of an enum with at least `large_enum` values.
    enum_text: usize,
    large_enum: usize,
    /// `anyOf`s, and how many of them stand for nullable members that may be left out instead. Where there is no
    /// limit, the former may be too many, and the latter are not counted.
    unions: usize,
    nullables: usize,
    counts_unions: bool,
    /// Which keys the dialect takes, and one that it does not.
    keys: Keys,
    odd_key: Option<Key>,
}

/// What is counted for this one can be compared with the limits of each.
pub(crate) const STRICTEST: Dialect = Dialect {
    limits: Limits { large_enum: 250, ..Limits::NONE },
    forms: Forms { keys: Keys::NotEmpty, ..Dialect::PROMPT.forms },
    ..Dialect::PROMPT
};

/// What a nullable member holds that may be left out.
pub(crate) const fn nullable_member(field: &Field) -> Option<SchemaRef> {
    if !field.may_be_left_out() {
        return None;
    }
    match field.schema.get().kind {
        Kind::Nullable(inner) if !accepts_null(inner) => Some(inner),
        _ => None,
    }
}

/// What the document of the type behind `root` amounts to.
pub(crate) const fn weight(root: SchemaRef, survey: &Survey<'_>, dialect: &Dialect) -> Weight {
    let mut weight = Weight::none(dialect);
    if !is_plain_object(root) {
        weight.properties += 1;
        weight.names += "value".len();
    }
    let mut i = 0;
    while i < survey.len() {
        let node = survey.entry(i).node();
        weight.add(node);
        if survey.shared(i) {
            weight.names += name_len(node);
            if i == 0 && is_plain_object(root) {
                weight.add(node);
            }
        }
        i += 1;
    }
    // A root without a definition of its own is not among the entries.
    if survey.find(root.get()).is_none() {
        weight.anonymous(root);
    }
    weight
}

impl Weight {
    /// Nothing yet.
    pub(crate) const fn none(dialect: &Dialect) -> Self {
        Self {
            properties: 0,
            enum_values: 0,
            names: 0,
            enum_text: 0,
            large_enum: dialect.limits.large_enum,
            unions: 0,
            nullables: 0,
            counts_unions: dialect.limits.unions < usize::MAX,
            keys: dialect.forms.keys,
            odd_key: None,
        }
    }

    /// Adds a named type, without the named types in it.
    const fn add(&mut self, node: &'static Schema) {
        match node.kind {
            Kind::Enum(units) => self.units(units),
            Kind::Object(_) => self.object(node),
            Kind::Union(union) => {
                self.unions += (union.cases.len() > 1) as usize;
                let mut i = 0;
                while i < union.cases.len() {
                    self.anonymous(union.cases[i].schema);
                    i += 1;
                }
            }
            Kind::Nullable(inner) => {
                self.nullable(inner);
                self.anonymous(inner);
            }
            Kind::Array(inner) | Kind::Transparent(inner) => self.anonymous(inner),
            _ => {}
        }
    }

    /// Adds what stands between named types.
    const fn anonymous(&mut self, schema: SchemaRef) {
        let mut node = schema.get();
        while let Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) = node.kind {
            if definable(node) {
                return;
            }
            if matches!(node.kind, Kind::Nullable(_)) {
                self.nullable(inner);
            }
            node = inner.get();
        }
        if !definable(node) {
            self.add(node);
        }
    }

    const fn nullable(&mut self, inner: SchemaRef) {
        self.unions += (!self.counts_unions || !accepts_null(inner)) as usize;
    }

    const fn object(&mut self, node: &'static Schema) {
        if let Kind::Object(object) = node.kind
            && !object.flattens
        {
            let mut i = 0;
            while i < object.fields.len() {
                self.field(&object.fields[i]);
                i += 1;
            }
            return;
        }
        let all = alternatives_of(node);
        self.unions += (all != 1) as usize;
        let mut k = 0;
        while k < all {
            let mut members = Members::of(node, k);
            while let Some(field) = members.next() {
                self.field(field);
            }
            k += 1;
        }
    }

    const fn field(&mut self, field: &Field) {
        self.properties += 1;
        self.names += field.key.escaped_len();
        if self.counts_unions && nullable_member(field).is_some() {
            self.nullables += 1;
        }
        let odd = match self.keys {
            Keys::Any => false,
            Keys::Unescaped => has_escape(field.key.escaped()),
            Keys::NotEmpty => field.key.escaped_len() == 0,
        };
        if odd {
            self.odd_key = Some(field.key);
        }
        self.anonymous(field.schema);
    }

    const fn units(&mut self, units: &[Unit]) {
        let mut text = 0;
        let mut i = 0;
        while i < units.len() {
            text += units[i].value.len() - 2;
            i += 1;
        }
        self.enum_values += units.len();
        self.names += text;
        if units.len() > self.large_enum && text > self.enum_text {
            self.enum_text = text;
        }
    }

    /// How many properties there are.
    pub(crate) const fn properties(&self) -> usize {
        self.properties
    }

    /// Whether it is certain that the dialect takes it, with every nullable as a union; counted for [`STRICTEST`].
    pub(crate) const fn fits(&self, dialect: &Dialect) -> bool {
        let Limits { properties, enum_values, names, enum_text, large_enum, .. } = dialect.limits;
        let keys = match dialect.forms.keys {
            Keys::Any => true,
            Keys::NotEmpty => self.odd_key.is_none(),
            Keys::Unescaped => false,
        };
        self.properties <= properties
            && self.enum_values <= enum_values
            && self.names <= names
            && self.enum_text <= enum_text
            && large_enum >= STRICTEST.limits.large_enum
            && keys
            && self.unions <= dialect.limits.unions
    }

    /// How many nullable members may be unions.
    pub(crate) const fn spare_unions(&self, dialect: &Dialect) -> usize {
        dialect.limits.unions.saturating_sub(self.unions - self.nullables)
    }

    /// Why the dialect refuses its unions, and the members that are left out for them.
    const fn unions_refused(&self, node: &Schema, dialect: &Dialect) -> Option<Message> {
        let Limits { unions, optionals, .. } = dialect.limits;
        let fixed = self.unions - self.nullables;
        if fixed > unions {
            return Some(over_limit(node, "enums with data and nullable elements", fixed, unions, dialect).text(
                "; give variants no data, make optional elements required, or ask for parts of it in several calls",
            ));
        }
        if self.nullables <= self.spare_unions(dialect).saturating_add(optionals) {
            return None;
        }
        Some(
            Message::new("the schema of `")
                .name(node)
                .text("` has ")
                .number(self.nullables)
                .text(" `Option` fields and ")
                .number(fixed)
                .text(" enums with data; ")
                .text(dialect.name)
                .text(" takes ")
                .number(unions)
                .text(" unions, and ")
                .number(optionals)
                .text(
                    " fields that may be left out; make some of them required, move them into a list of name and value, \
                     or ask for parts of it in several calls",
                ),
        )
    }

    /// Why the dialect refuses it.
    pub(crate) const fn refusal(&self, node: &Schema, dialect: &Dialect) -> Option<Message> {
        let Limits { properties, enum_values, names, enum_text, .. } = dialect.limits;
        if self.properties > properties {
            return Some(
                over_limit(node, "properties", self.properties, properties, dialect)
                    .text("; ask for parts of it in several calls"),
            );
        }
        if self.enum_values > enum_values {
            return Some(
                over_limit(node, "enum values", self.enum_values, enum_values, dialect)
                    .text("; take a `String` and check it with `validate`"),
            );
        }
        if self.enum_text > enum_text {
            return Some(
                over_limit(node, "bytes in the values of one enum", self.enum_text, enum_text, dialect)
                    .text("; shorten its values with `#[serde(rename = \"…\")]`"),
            );
        }
        if self.names > names {
            return Some(
                over_limit(
                    node,
                    "bytes of property names, definition names and enum values",
                    self.names,
                    names,
                    dialect,
                )
                .text("; shorten them with `#[serde(rename = \"…\")]`"),
            );
        }
        if let Some(key) = self.odd_key {
            let what = match self.keys {
                Keys::NotEmpty => " takes no empty key",
                _ => " takes no key with a quote, a backslash or a control character",
            };
            return Some(
                Message::new("the schema of `")
                    .name(node)
                    .text("` has the key `")
                    .text(key.escaped())
                    .text("`; ")
                    .text(dialect.name)
                    .text(what)
                    .text("; give it another name with `#[serde(rename = \"…\")]`"),
            );
        }
        self.unions_refused(node, dialect)
    }
}

/// Whether a JSON-escaped text has an escape.
const fn has_escape(escaped: &str) -> bool {
    let bytes = escaped.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b'\\' {
            return true;
        }
        i += 1;
    }
    false
}

const fn over_limit(node: &Schema, what: &str, found: usize, allowed: usize, dialect: &Dialect) -> Message {
    Message::new("the schema of `")
        .name(node)
        .text("` has ")
        .number(found)
        .text(" ")
        .text(what)
        .text("; ")
        .text(dialect.name)
        .text(" takes ")
        .number(allowed)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Schema, SchemaRef, Unit};
    use crate::dialect::Dialect;

    const VALUE: Unit = Unit::new("\"a value of sixty bytes, so that 251 of them are 15,060 bytes long\"");
    static LARGE: Schema = Schema::derived("Large", 1, "tests", Kind::Enum(&[VALUE; 251]));
    static SMALL: Schema = Schema::derived("Small", 2, "tests", Kind::Enum(&[VALUE; 250]));

    #[test]
    fn a_large_enum_may_not_have_much_text() {
        let text = 251 * (VALUE.value.len() - 2);
        let refusal = Dialect::OPENAI.accepts(SchemaRef::new(&LARGE)).expect_err("too much text").to_string();
        assert!(
            refusal.contains(&format!("has {text} bytes in the values of one enum; OpenAI takes 15000")),
            "{refusal}"
        );
        Dialect::OPENAI.accepts(SchemaRef::new(&SMALL)).expect("as many values as have no limit of text");
    }
}
