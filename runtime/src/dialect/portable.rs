//! What every hosted strict mode and every local engine takes: for endpoints that document no more.
//!
//! Sources: the common part of all other dialects. It is inferred from them and was not tried on every provider.
//! Keywords of which nothing is known are not sent, which costs nothing: they are in the description, and are checked after
//! parsing.

use super::Support::{Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// What every strict mode takes.
    Portable = PORTABLE
}

impl Dialect {
    /// What every strict mode takes.
    pub const PORTABLE: Self = Self {
        name: "the portable subset",
        keywords: Keywords {
            integers: Bounds::all(Unknown),
            numbers: Bounds::all(Unknown),
            lengths: Unknown,
            pattern: Unknown,
            unlisted_format: Unknown,
            min_items: Unknown,
            max_items: Unknown,
            unique_items: Unknown,
            contains: Unknown,
            prefix_items: Unknown,
            item_list: Unknown,
            bare_array: Unknown,
            map: Unknown,
            pattern_properties: Unknown,
            property_names: Unknown,
            property_counts: Unknown,
            unevaluated: Unknown,
            dependent: Unknown,
            type_list: Unknown,
            r#enum: Sent,
            r#const: Unknown,
            nullable: Unknown,
            any_of: Sent,
            one_of: Refused,
            all_of: Refused,
            not: Refused,
            conditional: Refused,
            reference: Sent,
            dynamic_reference: Unknown,
            defs: Sent,
            definitions: Unknown,
            boolean_schema: Unknown,
            empty_schema: Unknown,
            description: Sent,
            title: Unknown,
            default: Unknown,
            examples: Unknown,
            notes: Unknown,
            content: Unknown,
            schema: Unknown,
            id: Unknown,
            comment: Unknown,
            other: Unknown,
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
            lazy: false,
            listed_escapes: false,
            beside_others: false,
        },
        formats: &[],
        forms: Forms {
            root: Root::Object,
            all_required: true,
            closed: true,
            recursion: Recursion::Refused,
            root_reference: false,
            reference_siblings: Unknown,
            described_reference: DescribedReference::Wrapped,
            untyped_enum: false,
            enum_values: EnumValues::Strings,
            mixed_enum: false,
            keys: Keys::Any,
        },
        limits: Dialect::OPENAI.limits,
        ceilings: Ceilings::NONE,
        order: Order::Free,
        caveats: &["what holds depends on the endpoint"],
    };
}
