//! llama.cpp's server, so LM Studio with GGUF models too.
//!
//! Sources: runs of its converter with one instance that must pass and one that must not for each keyword, and its
//! server, which the tests ask about every fixture; `grammars/README.md`. What it cannot convert it mostly ignores, and says
//! so on the server's standard error alone.
//!
//! Departures: an empty key is refused, for the converter names a rule by it, and takes another for it. `allOf` and `anyOf` beside `properties` lose one side, so they count as refused. The server does
//! not show the schema to the model. Its integers have at most 16 digits.

use super::Support::{Ignored, Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// llama.cpp's server.
    LlamaCpp = LLAMA_CPP
}

impl Dialect {
    /// llama.cpp's server.
    pub const LLAMA_CPP: Self = Self {
        name: "llama.cpp",
        keywords: Keywords {
            integers: Bounds { inclusive: Sent, exclusive: Sent, multiple_of: Ignored },
            numbers: Bounds::all(Ignored),
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Ignored,
            min_items: Sent,
            max_items: Sent,
            unique_items: Ignored,
            contains: Ignored,
            prefix_items: Sent,
            item_list: Sent,
            bare_array: Sent,
            map: Sent,
            pattern_properties: Refused,
            property_names: Ignored,
            property_counts: Ignored,
            unevaluated: Sent,
            dependent: Ignored,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Ignored,
            any_of: Sent,
            one_of: Ignored,
            all_of: Refused,
            not: Ignored,
            conditional: Ignored,
            reference: Sent,
            dynamic_reference: Unknown,
            defs: Sent,
            definitions: Sent,
            boolean_schema: Refused,
            empty_schema: Sent,
            description: Sent,
            title: Sent,
            default: Sent,
            examples: Sent,
            notes: Sent,
            content: Ignored,
            schema: Sent,
            id: Sent,
            comment: Sent,
            other: Ignored,
        },
        patterns: Patterns {
            anchors: Anchors::Whole,
            short_classes: false,
            boundaries: false,
            unicode_classes: false,
            lookaround: false,
            backreferences: false,
            rust_only: false,
            escaped_characters: false,
            wide_lists: false,
            lazy: true,
            listed_escapes: false,
            beside_others: false,
        },
        formats: &["date-time", "date", "time", "uuid"],
        forms: Forms {
            root: Root::Any,
            all_required: false,
            closed: false,
            recursion: Recursion::Accepted,
            root_reference: false,
            reference_siblings: Sent,
            described_reference: DescribedReference::Wrapped,
            untyped_enum: true,
            enum_values: EnumValues::Any,
            mixed_enum: true,
            keys: Keys::NotEmpty,
        },
        limits: Limits::NONE,
        // An exclusive bound at the very end has no number behind it.
        ceilings: Ceilings { integer: i64::MAX as u64 - 1, ..Ceilings::NONE },
        hints: false,
        order: Order::RequiredFirst,
        caveats: &["the model does not see the schema", "integers have at most 16 digits"],
    };
}
