//! xAI: Chat Completions and Responses.
//!
//! Sources: docs.x.ai, structured outputs: lengths hold up to 2,048, list sizes up to 256, property counts up to 64, number
//! bounds without limit; formats; a pattern is held at both ends, without `\b`, `\p`, back-references and look-around;
//! no recursion; an empty `enum` or `anyOf`, a boolean schema of a property, `minContains` and `maxContains` are refused.

use super::Support::{Ignored, Refused, Sent};
use super::{Bounds, Ceilings, Dialect, EnumValues, Forms, Keywords, Order, Patterns};

super::dialect_marker! {
    /// xAI.
    Xai = XAI
}

const BOUNDS: Bounds = Bounds { inclusive: Sent, exclusive: Sent, multiple_of: super::Support::Unknown };

impl Dialect {
    /// xAI.
    pub const XAI: Self = Self {
        name: "xAI",
        keywords: Keywords {
            integers: BOUNDS,
            numbers: BOUNDS,
            lengths: Sent,
            pattern: Sent,
            unlisted_format: Ignored,
            min_items: Sent,
            max_items: Sent,
            contains: Refused,
            item_list: Refused,
            property_counts: Sent,
            type_list: Sent,
            r#const: Sent,
            one_of: Ignored,
            all_of: Ignored,
            not: Ignored,
            conditional: Ignored,
            dependent: Ignored,
            boolean_schema: Refused,
            schema: Sent,
            ..Self::PORTABLE.keywords
        },
        patterns: Patterns {
            short_classes: true,
            escaped_characters: true,
            wide_lists: true,
            lazy: true,
            listed_escapes: true,
            ..Self::PORTABLE.patterns
        },
        formats: &["date-time", "time", "date", "email", "uuid", "ipv4", "ipv6", "uri"],
        forms: Forms { all_required: false, closed: false, enum_values: EnumValues::Strings, ..Self::PORTABLE.forms },
        limits: super::Limits::NONE,
        ceilings: Ceilings { length: 2_048, min_items: 256, max_items: 256, properties: 64, ..Ceilings::NONE },
        order: Order::Schema,
        caveats: &[],
    };
}
