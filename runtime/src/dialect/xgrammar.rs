//! xgrammar, the default engine of vLLM and `SGLang`.
//!
//! Sources: runs of version 0.2.9 with one instance that must pass and one that must not for each keyword; web-xgrammar,
//! which the tests ask about every fixture; vLLM at 030141c (`backend_xgrammar.py`) and `SGLang` 0.5.23
//! (`json_schema_validation.py`), which refuse before xgrammar ignores.
//!
//! Departures: `multipleOf` is not sent, for vLLM refuses it. A key with `"`, `\` or a control character ends the
//! engine's process, so it is refused here.

use super::Support::{Ignored, Refused, Sent, Unknown};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// xgrammar.
    Xgrammar = XGRAMMAR
}

const BOUNDS: Bounds = Bounds { inclusive: Sent, exclusive: Sent, multiple_of: Refused };

impl Dialect {
    /// xgrammar.
    pub const XGRAMMAR: Self = Self {
        name: "xgrammar",
        keywords: Keywords {
            integers: BOUNDS,
            numbers: BOUNDS,
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Refused,
            min_items: Sent,
            max_items: Sent,
            unique_items: Refused,
            contains: Refused,
            prefix_items: Sent,
            item_list: Refused,
            bare_array: Sent,
            map: Sent,
            pattern_properties: Refused,
            property_names: Refused,
            property_counts: Sent,
            unevaluated: Sent,
            dependent: Refused,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Ignored,
            any_of: Sent,
            one_of: Ignored,
            all_of: Refused,
            not: Refused,
            conditional: Refused,
            reference: Sent,
            dynamic_reference: Unknown,
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
            anchors: Anchors::Whole,
            short_classes: true,
            boundaries: false,
            unicode_classes: false,
            lookaround: false,
            backreferences: false,
            rust_only: false,
            escaped_characters: false,
            wide_lists: false,
            lazy: false,
            listed_escapes: true,
            beside_others: false,
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
            keys: Keys::Unescaped,
        },
        limits: Limits::NONE,
        // An exclusive bound at the very end has no number behind it.
        ceilings: Ceilings { integer: i64::MAX as u64 - 1, ..Ceilings::NONE },
        hints: false,
        order: Order::Schema,
        caveats: &[
            "the model does not see the schema",
            "lengths hold for the JSON text, where some characters stand as several",
        ],
    };
}
