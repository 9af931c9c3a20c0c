//! The command line of Claude Code: `claude -p --json-schema`.
//!
//! Sources: runs of @anthropic-ai/claude-code 2.1.197 against a loopback server. The schema travels as the input of a
//! tool, and the client holds the reply to it with AJV: draft 7, strict mode, no formats. A schema that AJV does not
//! compile is dropped without a word, and the command ends with 0.
//!
//! Departures: the whole schema is one argument of a process, which Linux limits to 128 KiB with its end. The API behind
//! the tool does not compile it, so the limits of Anthropic's strict mode do not hold.

use super::Support::{Refused, Sent};
use super::{
    Anchors, Bounds, Ceilings, DescribedReference, Dialect, EnumValues, Forms, Keys, Keywords, Limits, Order, Patterns,
    Recursion, Root,
};

super::dialect_marker! {
    /// The command line of Claude Code.
    ClaudeCli = CLAUDE_CLI
}

impl Dialect {
    /// The command line of Claude Code.
    pub const CLAUDE_CLI: Self = Self {
        name: "the claude command line",
        keywords: Keywords {
            integers: Bounds::all(Sent),
            numbers: Bounds::all(Sent),
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Refused,
            min_items: Sent,
            max_items: Sent,
            unique_items: Sent,
            contains: Refused,
            prefix_items: Refused,
            item_list: Sent,
            bare_array: Sent,
            map: Sent,
            pattern_properties: Sent,
            property_names: Sent,
            property_counts: Sent,
            unevaluated: Refused,
            dependent: Refused,
            type_list: Sent,
            r#enum: Sent,
            r#const: Sent,
            nullable: Sent,
            any_of: Sent,
            one_of: Sent,
            all_of: Sent,
            not: Sent,
            conditional: Sent,
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
            content: Sent,
            schema: Refused,
            id: Sent,
            comment: Sent,
            other: Refused,
        },
        patterns: Patterns {
            anchors: Anchors::Search,
            short_classes: true,
            boundaries: true,
            unicode_classes: true,
            lookaround: true,
            backreferences: true,
            rust_only: false,
            escaped_characters: true,
            wide_lists: true,
            lazy: true,
            listed_escapes: true,
            beside_others: true,
        },
        formats: &[],
        forms: Forms {
            root: Root::Object,
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
        limits: Limits { document: 128 * 1024 - 1, ..Limits::NONE },
        ceilings: Ceilings::NONE,
        order: Order::Free,
        caveats: &["a success without `structured_output` is none: the model may answer in prose"],
    };
}
