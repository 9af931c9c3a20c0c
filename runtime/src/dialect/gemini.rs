//! Gemini: `responseJsonSchema`.
//!
//! Sources: google-genai 3.6.1, `GenerateContentConfig.response_json_schema` (supported keywords; `oneOf` "interpreted
//! the same as anyOf"; only `$`-keys beside `$ref`; recursion "only … within non-required properties. (Nullable
//! properties are not sufficient.)"); @google/genai 2.32.0, `TextResponseFormat.schema` (lengths, property counts and
//! `uniqueItems` are ignored); pydantic-ai 2.68, `profiles/google.py` (`const` to `enum`, no exclusive bounds, no
//! `title`).
//!
//! Departures: keywords that are not listed count as ignored. A schema may also have "too many states for
//! serving", a budget that is not documented: long enums, nested `maxItems` and bounds use it up.

use super::Support::{Ignored, Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// Gemini's `responseJsonSchema`.
    Gemini = GEMINI
}

const BOUNDS: Bounds = Bounds { inclusive: Sent, exclusive: Refused, multiple_of: Ignored };

impl Dialect {
    /// Gemini's `responseJsonSchema`.
    pub const GEMINI: Self = Self {
        name: "Gemini",
        keywords: Keywords {
            integers: BOUNDS,
            numbers: BOUNDS,
            lengths: Ignored,
            pattern: Ignored,
            unlisted_format: Unknown,
            min_items: Sent,
            max_items: Sent,
            unique_items: Ignored,
            contains: Ignored,
            prefix_items: Sent,
            item_list: Refused,
            bare_array: Unknown,
            map: Sent,
            pattern_properties: Ignored,
            property_names: Ignored,
            property_counts: Ignored,
            unevaluated: Ignored,
            dependent: Ignored,
            type_list: Sent,
            r#enum: Sent,
            r#const: Refused,
            nullable: Ignored,
            any_of: Sent,
            one_of: Ignored,
            all_of: Ignored,
            not: Ignored,
            conditional: Ignored,
            reference: Sent,
            dynamic_reference: Unknown,
            defs: Sent,
            definitions: Unknown,
            boolean_schema: Unknown,
            empty_schema: Sent,
            description: Sent,
            title: Unknown,
            default: Unknown,
            examples: Unknown,
            notes: Unknown,
            content: Unknown,
            schema: Unknown,
            id: Sent,
            comment: Unknown,
            other: Unknown,
        },
        patterns: Patterns {
            anchors: Anchors::Search,
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
        formats: &["date-time", "date", "time"],
        forms: Forms {
            root: Root::Any,
            all_required: false,
            closed: false,
            recursion: Recursion::Optional,
            root_reference: true,
            reference_siblings: Refused,
            described_reference: DescribedReference::Wrapped,
            untyped_enum: false,
            enum_values: EnumValues::StringsAndNumbers,
            mixed_enum: false,
            keys: Keys::Any,
        },
        limits: Limits::NONE,
        ceilings: Ceilings::NONE,
        order: Order::Schema,
        caveats: &["a schema with long enums, nested `maxItems` or many bounds may have too many states for serving"],
    };
}
