//! Text for a prompt: nothing holds the model to the schema, so it says all there is to say.
//!
//! It is for models and endpoints without structured output, and for those that do not show the schema to the model.

use super::Support::{Ignored, Sent};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// Text for a prompt.
    Prompt = PROMPT
}

impl Dialect {
    /// Text for a prompt.
    pub const PROMPT: Self = Self {
        name: "prompt text",
        keywords: Keywords {
            integers: Bounds::all(Sent),
            numbers: Bounds::all(Sent),
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Sent,
            min_items: Sent,
            max_items: Sent,
            unique_items: Sent,
            contains: Sent,
            prefix_items: Sent,
            item_list: Sent,
            bare_array: Sent,
            map: Sent,
            pattern_properties: Sent,
            property_names: Sent,
            property_counts: Sent,
            unevaluated: Sent,
            dependent: Sent,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Ignored,
            any_of: Sent,
            one_of: Sent,
            all_of: Sent,
            not: Sent,
            conditional: Sent,
            reference: Sent,
            dynamic_reference: Sent,
            defs: Sent,
            definitions: Sent,
            boolean_schema: Sent,
            empty_schema: Sent,
            description: Sent,
            title: Sent,
            default: Sent,
            examples: Sent,
            notes: Sent,
            content: Sent,
            schema: Sent,
            id: Sent,
            comment: Sent,
            other: Sent,
        },
        patterns: Patterns {
            anchors: Anchors::Search,
            short_classes: true,
            boundaries: true,
            unicode_classes: true,
            lookaround: true,
            backreferences: true,
            rust_only: true,
            beside_lengths: true,
        },
        formats: &[],
        forms: Forms {
            root: Root::Any,
            all_required: false,
            closed: false,
            recursion: Recursion::Accepted,
            root_reference: true,
            reference_siblings: Sent,
            described_reference: DescribedReference::Wrapped,
            untyped_enum: true,
            enum_values: EnumValues::Any,
            mixed_enum: true,
            keys: Keys::Any,
        },
        limits: Limits::NONE,
        ceilings: Ceilings::NONE,
        order: Order::Free,
        caveats: &["nothing holds the model to the schema"],
    };
}
