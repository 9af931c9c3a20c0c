//! `OpenAI`'s strict mode: Responses, Chat Completions and strict tools.
//!
//! Sources: the guide "Structured model outputs" (properties, depth, enum and text limits; supported
//! keywords and formats; read 2026-11); error texts of the live API ("14 levels of nesting exceeds
//! limit of 10.", "6000 parameters exceeds limit of 5000.", "'uri' is not a valid format",
//! "schema must have a 'type' key", "$ref cannot have keywords {'description'}", "'oneOf' is not
//! permitted").
//!
//! Departures: `minLength` and `maxLength` go into the description, for the sources conflict on
//! whether the API takes them (the guide does not list them; live errors and a maintained client
//! disagree). So does `default`. Arrays may or may not count as levels of nesting: here they do not.

use super::Support::{Ignored, Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// `OpenAI`'s strict mode.
    OpenAi = OPENAI
}

impl Dialect {
    /// `OpenAI`'s strict mode.
    pub const OPENAI: Self = Self {
        name: "OpenAI",
        keywords: Keywords {
            integers: Bounds::all(Sent),
            numbers: Bounds::all(Sent),
            lengths: Unknown,
            pattern: Sent,
            unlisted_format: Refused,
            min_items: Sent,
            max_items: Sent,
            unique_items: Refused,
            contains: Refused,
            prefix_items: Refused,
            item_list: Refused,
            bare_array: Refused,
            map: Refused,
            pattern_properties: Refused,
            property_names: Refused,
            property_counts: Refused,
            unevaluated: Refused,
            dependent: Refused,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Ignored,
            any_of: Sent,
            one_of: Refused,
            all_of: Refused,
            not: Refused,
            conditional: Refused,
            reference: Sent,
            dynamic_reference: Refused,
            defs: Sent,
            definitions: Sent,
            boolean_schema: Refused,
            empty_schema: Refused,
            description: Sent,
            title: Sent,
            default: Unknown,
            examples: Refused,
            notes: Refused,
            content: Refused,
            schema: Unknown,
            id: Unknown,
            comment: Unknown,
            other: Refused,
        },
        patterns: Patterns {
            anchors: Anchors::Search,
            short_classes: true,
            boundaries: true,
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
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
        forms: Forms {
            root: Root::Object,
            all_required: true,
            closed: true,
            recursion: Recursion::Accepted,
            root_reference: true,
            reference_siblings: Refused,
            described_reference: DescribedReference::Wrapped,
            untyped_enum: false,
            enum_values: EnumValues::Primitives,
            mixed_enum: false,
            keys: Keys::Any,
        },
        limits: Limits {
            properties: 5_000,
            depth: 10,
            enum_values: 1_000,
            names: 120_000,
            large_enum: 250,
            enum_text: 15_000,
            ..Limits::NONE
        },
        ceilings: Ceilings::NONE,
        order: Order::Schema,
        caveats: &[],
    };
}
