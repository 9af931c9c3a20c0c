//! Every attribute word, once: what it is called, where it may stand, and what becomes of it.
//!
//! The reader in [`attr`](crate::attr) goes by these tables alone, and so does the test that
//! compares them with the table in the runtime's documentation. A word that is in no table is a
//! compile error: a serde attribute passed over in silence would be a schema that lies.

/// Where an attribute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Container,
    Variant,
    Field,
}

impl On {
    /// What messages call the place.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Container => "a type",
            Self::Variant => "a variant",
            Self::Field => "a field",
        }
    }
}

/// What becomes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It shapes the schema or the check.
    Honoured,
    /// It says nothing about what is read from JSON.
    NoMeaning,
    /// No strict schema can follow it; the text is the message's second half.
    Refused(&'static str),
}

/// One word of an attribute.
#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) word: &'static str,
    pub(crate) on: &'static [On],
    pub(crate) fate: Fate,
    /// How it is written, for messages about its value.
    pub(crate) usage: &'static str,
    /// What it does to the schema, for the documentation (which a test holds to it).
    #[cfg_attr(not(test), allow(dead_code))]
    pub(crate) meaning: &'static str,
}

const fn honoured(word: &'static str, on: &'static [On], usage: &'static str, meaning: &'static str) -> Symbol {
    Symbol { word, on, fate: Fate::Honoured, usage, meaning }
}

const fn no_meaning(word: &'static str, on: &'static [On], meaning: &'static str) -> Symbol {
    Symbol { word, on, fate: Fate::NoMeaning, usage: "", meaning }
}

const fn refused(word: &'static str, on: &'static [On], why: &'static str) -> Symbol {
    Symbol { word, on, fate: Fate::Refused(why), usage: "", meaning: why }
}

use On::{Container, Field, Variant};

const TYPE: &[On] = &[Container];
const VARIANT: &[On] = &[Variant];
const FIELD: &[On] = &[Field];
const INSIDE: &[On] = &[Field, Variant];
const ALL: &[On] = &[Container, Variant, Field];

/// The words of `#[serde(…)]`.
pub(crate) const SERDE: &[Symbol] = &[
    honoured("rename", ALL, "rename = \"name\"", "the key, value or schema name; of a pair, the `deserialize` side"),
    honoured(
        "rename_all",
        &[Container, Variant],
        "rename_all = \"snake_case\"",
        "keys and variant names follow the rule; of a pair, the `deserialize` side",
    ),
    honoured(
        "rename_all_fields",
        TYPE,
        "rename_all_fields = \"snake_case\"",
        "keys of struct variants follow the rule, unless the variant has its own `rename_all`",
    ),
    honoured(
        "alias",
        INSIDE,
        "alias = \"name\"",
        "kept for decoding and collisions; the schema asks for the first name",
    ),
    honoured("deny_unknown_fields", TYPE, "deny_unknown_fields", "every object of a schema is closed as it is"),
    honoured(
        "tag",
        TYPE,
        "tag = \"type\"",
        "each variant is an object whose first key is the tag; on a struct, the first key is the tag",
    ),
    honoured("content", TYPE, "content = \"content\"", "beside `tag`: the key of the variant's data"),
    honoured(
        "untagged",
        TYPE,
        "untagged",
        "any of the variants; refused where an earlier one would take a later one's value",
    ),
    refused(
        "untagged",
        VARIANT,
        "a variant outside the tagging cannot be told from the others; put `untagged` on the enum, or give the variant a tag",
    ),
    honoured("default", TYPE, "default", "the schema still asks for every key; decoding may fill in what is missing"),
    honoured(
        "default",
        FIELD,
        "default",
        "the schema still asks for the key; decoding may fill it in where it is missing",
    ),
    honoured(
        "flatten",
        FIELD,
        "flatten",
        "the keys of a struct stand in the field's place; an enum of objects makes one alternative each",
    ),
    honoured("skip", INSIDE, "skip", "not in the schema"),
    honoured("skip_deserializing", INSIDE, "skip_deserializing", "not in the schema"),
    no_meaning("skip_serializing", INSIDE, "in the schema all the same: it is read"),
    no_meaning("skip_serializing_if", FIELD, "in the schema all the same: it is read"),
    honoured("other", VARIANT, "other", "the variant's own name joins the enum; unknown names stay outside the schema"),
    honoured("transparent", TYPE, "transparent", "the schema of the one field, under this type's name"),
    honoured("from", TYPE, "from = \"Type\"", "the schema of the type that is converted from"),
    honoured(
        "try_from",
        TYPE,
        "try_from = \"Type\"",
        "the schema of the type that is converted from; what the conversion refuses is a violation",
    ),
    no_meaning("into", TYPE, "about writing only"),
    honoured(
        "with",
        INSIDE,
        "with = \"module\"",
        "needs `#[response(schema_of = \"Type\")]`; `response_schema::entries` and `response_schema::json_text` are known",
    ),
    honoured(
        "deserialize_with",
        INSIDE,
        "deserialize_with = \"function\"",
        "needs `#[response(schema_of = \"Type\")]`",
    ),
    no_meaning("serialize_with", INSIDE, "about writing only"),
    no_meaning("remote", TYPE, "the definition's own fields are the schema, as of any type"),
    no_meaning("getter", FIELD, "about writing only"),
    no_meaning("borrow", INSIDE, "about lifetimes only"),
    no_meaning("bound", ALL, "about serde's own impl; for ours there is `#[response(bound = \"…\")]`"),
    no_meaning("crate", TYPE, "about serde's own impl; for ours there is `#[response(crate = \"…\")]`"),
    no_meaning("expecting", TYPE, "about serde's error messages only"),
    refused("variant_identifier", TYPE, "it reads numbers as well as names; write an enum of unit variants without it"),
    refused("field_identifier", TYPE, "it reads numbers as well as names; write an enum of unit variants without it"),
];

/// The words of `#[response(…)]`.
pub(crate) const RESPONSE: &[Symbol] = &[
    honoured(
        "title",
        TYPE,
        "title = \"Name\"",
        "the name of the schema; what is not `[A-Za-z0-9_-]` becomes `_`, and the name then ends in a number that keeps it distinct",
    ),
    honoured("description", ALL, "description = \"…\"", "what the model is told, instead of the doc comment"),
    honoured("for", TYPE, "for = \"openai, anthropic\"", "the dialects that must accept the type"),
    honoured("crate", TYPE, "crate = \"path::to::response_schema\"", "where the runtime crate is found"),
    honoured(
        "json_schema",
        TYPE,
        "json_schema",
        "`schemars::JsonSchema` is implemented too, with this schema (feature `schemars`)",
    ),
    honoured("bound", TYPE, "bound = \"T: Trait\"", "the where clause of the impl, instead of the inferred one"),
    honoured(
        "validate",
        ALL,
        "validate = path::to::function",
        "a rule of your own: `fn(&T) -> Result<(), impl Display>`",
    ),
    honoured(
        "validate_with",
        ALL,
        "validate_with = path::to::function",
        "the same with the context: `fn(&T, &CheckContext) -> Result<(), impl Display>`",
    ),
    honoured("schema_of", ALL, "schema_of = \"Type\"", "the schema of another type"),
    honoured("examples", INSIDE, "examples(\"one\", 2)", "values added to the description"),
    honoured("min", INSIDE, "min = 0", "the least number"),
    honoured("max", INSIDE, "max = 100", "the greatest number"),
    honoured("exclusive_min", INSIDE, "exclusive_min = 0", "the number is greater than this"),
    honoured("exclusive_max", INSIDE, "exclusive_max = 100", "the number is less than this"),
    honoured("multiple_of", INSIDE, "multiple_of = 5", "the number is a multiple of this"),
    honoured("min_length", INSIDE, "min_length = 1", "the least number of characters"),
    honoured("max_length", INSIDE, "max_length = 80", "the greatest number of characters"),
    honoured("pattern", INSIDE, "pattern = r\"^[a-z]+$\"", "a regular expression that the text matches"),
    honoured("format", INSIDE, "format = \"date\"", "a JSON Schema format name"),
    honoured("min_items", INSIDE, "min_items = 1", "the least number of elements"),
    honoured("max_items", INSIDE, "max_items = 5", "the greatest number of elements"),
    honoured(
        "partial",
        TYPE,
        "partial(Debug, Clone)",
        "a type for unfinished values, `Partial…`, with these derives; see `response_schema::partial`",
    ),
    honoured(
        "stream",
        FIELD,
        "stream = \"done\"",
        "in the partial form: `done` appears once it is complete, without a `not_null` field the whole does not appear",
    ),
    honoured("recursive", FIELD, "recursive", "a reference back to an enclosing generic type"),
    honoured("aliases", VARIANT, "aliases(\"one\", \"two\")", "spellings that decoding maps to a unit variant"),
];

/// Words that other crates and JSON Schema have for what `#[response(…)]` says otherwise, and what to write.
pub(crate) const MEANT: &[(&[&str], &str)] = &[
    (&["range"], "write `min = 0` and `max = 100`"),
    (
        &["length", "len", "size"],
        "write `min_length` and `max_length` for text, `min_items` and `max_items` for a list",
    ),
    (&["regex"], "write `pattern = r\"^[a-z]+$\"`"),
    (&["email"], "write `format = \"email\"`"),
    (&["url", "uri"], "write `format = \"uri\"`"),
    (&["custom", "check", "validator"], "write `validate = path::to::function`"),
    (&["required"], "every key is asked for as it is; leave it out"),
    (&["optional", "nullable"], "leave it out and make the type an `Option`"),
    (
        &["nested", "dive", "inner"],
        "values inside are checked as they are; leave it out, or put rules of theirs on a newtype",
    ),
    (&["unique", "unique_items"], "leave it out and take a set, such as `BTreeSet`"),
    (&["enum", "one_of", "values"], "leave it out and take an enum of unit variants"),
    (&["name"], "write `title = \"Name\"` on the type; a key is renamed by `#[serde(rename = \"…\")]`"),
    (&["schema_with"], "write `schema_of = \"Type\"`"),
];

/// The entry of `word` at a place, or else where it may stand.
pub(crate) fn find(table: &'static [Symbol], word: &str, on: On) -> Result<&'static Symbol, Vec<On>> {
    let mut elsewhere = Vec::new();
    for symbol in table.iter().filter(|symbol| symbol.word == word) {
        if symbol.on.contains(&on) {
            return Ok(symbol);
        }
        elsewhere.extend_from_slice(symbol.on);
    }
    Err(elsewhere)
}
