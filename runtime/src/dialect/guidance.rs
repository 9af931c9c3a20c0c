//! llguidance: the engine of the embedded model, and one of vLLM's and `SGLang`'s.
//!
//! Sources: its `docs/json_schema.md`, and runs of version 1.9.1 with one instance that must pass and
//! one that must not for each keyword. It is loud: what it does not implement is an error.
//!
//! Departures, each measured on both sides of the limit: bounds of whole numbers are read as floats, so those from 2⁵³ on
//! are another number, and from 10¹⁸ on an error or a panic; bounds of other numbers are an error from 10¹⁸ on, and with
//! some 100 zeros behind the point. A `multipleOf` is a state machine of as many states: 10,000 take seconds in a debug build,
//! and from 429,496,730 on the count wraps around. A length is read into 32 bits. What is beyond is said in words. Its
//! `ipv6` has no `::ffff:1.2.3.4`.

use super::Support::{Ignored, Refused, Sent};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// llguidance.
    Guidance = GUIDANCE
}

impl Dialect {
    /// llguidance.
    pub const GUIDANCE: Self = Self {
        name: "llguidance",
        keywords: Keywords {
            integers: Bounds::all(Sent),
            numbers: Bounds::all(Sent),
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Refused,
            min_items: Sent,
            max_items: Sent,
            unique_items: Refused,
            contains: Refused,
            prefix_items: Sent,
            item_list: Sent,
            bare_array: Sent,
            map: Sent,
            pattern_properties: Sent,
            property_names: Refused,
            property_counts: Sent,
            unevaluated: Refused,
            dependent: Refused,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Ignored,
            any_of: Sent,
            one_of: Refused,
            all_of: Sent,
            not: Refused,
            conditional: Refused,
            reference: Sent,
            dynamic_reference: Refused,
            defs: Sent,
            definitions: Sent,
            boolean_schema: Sent,
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
            anchors: Anchors::Search,
            short_classes: true,
            boundaries: false,
            unicode_classes: true,
            lookaround: false,
            backreferences: false,
            rust_only: true,
            escaped_characters: true,
            wide_lists: true,
            lazy: true,
            listed_escapes: true,
            beside_others: true,
        },
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri"],
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
        ceilings: Ceilings {
            integer: (1 << 53) - 1,
            number: 1e15,
            fraction: 1e-30,
            multiple_of: 1_000.0,
            length: u32::MAX as u64,
            ..Ceilings::NONE
        },
        hints: false,
        order: Order::Schema,
        caveats: &["the model does not see the schema"],
    };
}
