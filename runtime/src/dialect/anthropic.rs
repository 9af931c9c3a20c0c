//! Anthropic's Messages API: `output_config.format`, and strict tools.
//!
//! Sources: the structured-outputs guide (supported keywords, 10 formats, 20 strict tools, 24 optional
//! and 16 union parameters; read 2026-11); error bodies of the live API ("For 'integer' type, properties
//! maximum, minimum are not supported", "'minItems' values other than 0 or 1 are not supported", "Schema type
//! 'oneOf' is not supported", "Circular reference detected in schema definitions: A -> A", "Schemas contains too
//! many parameters with union types"); `anthropic` 2.14.0 for Python and 1.14.0 for TypeScript.
//!
//! Departures:
//!
//! - `pattern` goes into the description: the guide takes simple ones, both SDKs do not send it, and a
//!   recorded error refuses it;
//! - unions and optional properties are counted on the schema as it is sent, each definition once. Measurements of
//!   the live API disagree on whether it follows references: a schema near the limit that uses a type with unions many
//!   times may still be refused;
//! - every `anyOf` counts, also one in a list; the API is said to count those of properties alone.

use super::Support::{Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// Anthropic's Messages API.
    Anthropic = ANTHROPIC
}

impl Dialect {
    /// Anthropic's Messages API.
    pub const ANTHROPIC: Self = Self {
        name: "Anthropic",
        keywords: Keywords {
            integers: Bounds::all(Refused),
            numbers: Bounds::all(Refused),
            lengths: Refused,
            pattern: Unknown,
            unlisted_format: Refused,
            min_items: Sent,
            max_items: Refused,
            unique_items: Refused,
            contains: Refused,
            prefix_items: Refused,
            item_list: Refused,
            bare_array: Unknown,
            map: Refused,
            pattern_properties: Refused,
            property_names: Refused,
            property_counts: Refused,
            unevaluated: Refused,
            dependent: Refused,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Refused,
            any_of: Sent,
            one_of: Refused,
            all_of: Unknown,
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
            default: Sent,
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
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
        forms: Forms {
            root: Root::Object,
            all_required: false,
            closed: true,
            recursion: Recursion::Refused,
            root_reference: false,
            reference_siblings: Unknown,
            described_reference: DescribedReference::Parent,
            untyped_enum: true,
            enum_values: EnumValues::Primitives,
            mixed_enum: true,
            keys: Keys::Any,
        },
        limits: Limits { unions: 16, optionals: 24, tools: 20, ..Limits::NONE },
        ceilings: Ceilings { min_items: 1, ..Ceilings::NONE },
        order: Order::RequiredFirst,
        caveats: &[
            "the letter case of enum values is not guaranteed",
            "the compiled grammar may be too large for a limit that is not documented",
        ],
    };
}
