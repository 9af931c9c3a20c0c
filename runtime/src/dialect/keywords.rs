//! The keywords of JSON Schema, and what becomes of each.
//!
//! Every keyword of drafts 7 and 2020-12, and of `OpenAPI`'s dialect, has an entry in [`Keywords`]. The
//! struct has no defaults: a dialect says something about every keyword, or takes it from the
//! dialect that it is a profile of.

/// What becomes of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It stands in the schema, and holds.
    Sent,
    /// The provider takes it and does not hold to it.
    Ignored,
    /// The provider refuses the schema, or is wrong about what it means.
    Refused,
    /// No source says. It is treated as refused, which is never wrong.
    Unknown,
}

impl Support {
    /// Whether it stands in the schema. If not, a rule becomes a sentence of the description and is checked
    /// after parsing; a note to readers (`title`, `examples`, …) is left out; a shape is written in another
    /// form.
    #[must_use]
    pub const fn sent(self) -> bool {
        matches!(self, Self::Sent)
    }

    /// Whether a schema with it may be answered with an error.
    #[must_use]
    pub const fn refused(self) -> bool {
        matches!(self, Self::Refused | Self::Unknown)
    }
}

/// What becomes of each keyword.
#[derive(Debug, Clone, Copy)]
pub struct Keywords {
    /// Bounds of whole numbers.
    pub integers: Bounds,
    /// Bounds of other numbers.
    pub numbers: Bounds,
    /// `minLength`, `maxLength`.
    pub lengths: Support,
    /// `pattern`; see [`Patterns`](super::Patterns) for which.
    pub pattern: Support,
    /// `format` with a value that [`Dialect::formats`](super::Dialect::formats) does not list. Those listed are sent.
    pub unlisted_format: Support,
    /// `minItems`.
    pub min_items: Support,
    /// `maxItems`.
    pub max_items: Support,
    /// `uniqueItems`.
    pub unique_items: Support,
    /// `contains`, `minContains`, `maxContains`.
    pub contains: Support,
    /// `prefixItems`.
    pub prefix_items: Support,
    /// `items` as a list of schemas, and `additionalItems` (draft 7).
    pub item_list: Support,
    /// An array without `items`.
    pub bare_array: Support,
    /// `additionalProperties` with a schema, or `true`.
    pub map: Support,
    /// `patternProperties`.
    pub pattern_properties: Support,
    /// `propertyNames`.
    pub property_names: Support,
    /// `minProperties`, `maxProperties`.
    pub property_counts: Support,
    /// `unevaluatedProperties`, `unevaluatedItems`.
    pub unevaluated: Support,
    /// `dependentRequired`, `dependentSchemas`, `dependencies`.
    pub dependent: Support,
    /// `type` with a list of names.
    pub type_list: Support,
    /// `enum`; see [`Forms`](super::Forms) for which values.
    pub r#enum: Support,
    /// `const`.
    pub r#const: Support,
    /// `nullable` (`OpenAPI`).
    pub nullable: Support,
    /// `anyOf`.
    pub any_of: Support,
    /// `oneOf`, as exactly one.
    pub one_of: Support,
    /// `allOf` with several schemas.
    pub all_of: Support,
    /// `not`.
    pub not: Support,
    /// `if`, `then`, `else`.
    pub conditional: Support,
    /// `$ref` to `#/$defs/…`.
    pub reference: Support,
    /// `$anchor`, `$dynamicRef`, `$dynamicAnchor`, `$recursiveRef`, `$recursiveAnchor`.
    pub dynamic_reference: Support,
    /// `$defs`.
    pub defs: Support,
    /// `definitions` (draft 7).
    pub definitions: Support,
    /// `true`, `false` as a schema.
    pub boolean_schema: Support,
    /// `{}` as a schema.
    pub empty_schema: Support,
    /// `description`.
    pub description: Support,
    /// `title`.
    pub title: Support,
    /// `default`.
    pub default: Support,
    /// `examples`, and `example` (`OpenAPI`).
    pub examples: Support,
    /// `deprecated`, `readOnly`, `writeOnly`.
    pub notes: Support,
    /// `contentEncoding`, `contentMediaType`, `contentSchema`.
    pub content: Support,
    /// `$schema`, `$vocabulary`.
    pub schema: Support,
    /// `$id`, `id`.
    pub id: Support,
    /// `$comment`.
    pub comment: Support,
    /// `discriminator`, `xml`, `externalDocs` (`OpenAPI`), `propertyOrdering`, keywords that begin with `x-`, and all
    /// others.
    pub other: Support,
}

/// What becomes of the rules on numbers.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// `minimum`, `maximum`.
    pub inclusive: Support,
    /// `exclusiveMinimum`, `exclusiveMaximum`.
    pub exclusive: Support,
    /// `multipleOf`.
    pub multiple_of: Support,
}

impl Bounds {
    /// The same for each.
    #[must_use]
    pub const fn all(support: Support) -> Self {
        Self { inclusive: support, exclusive: support, multiple_of: support }
    }
}

impl Keywords {
    /// What becomes of a keyword by its name; of `type`, `properties` and the other words without which there is no
    /// schema, that they are sent.
    ///
    /// A rule on numbers is answered for whole numbers if `integer`. `format` is answered for a value
    /// that is not listed, `items` for a single schema.
    #[must_use]
    pub fn of(&self, keyword: &str, integer: bool) -> Support {
        self.entry(keyword, integer).unwrap_or(self.other)
    }

    /// The entry of a keyword; `None` if it is one of the [`other`](Self::other) ones.
    fn entry(&self, keyword: &str, integer: bool) -> Option<Support> {
        let numbers = if integer { self.integers } else { self.numbers };
        let support = match keyword {
            "type" | "properties" | "required" | "additionalProperties" | "items" => Support::Sent,
            "minimum" | "maximum" => numbers.inclusive,
            "exclusiveMinimum" | "exclusiveMaximum" => numbers.exclusive,
            "multipleOf" => numbers.multiple_of,
            "minLength" | "maxLength" => self.lengths,
            "pattern" => self.pattern,
            "format" => self.unlisted_format,
            "minItems" => self.min_items,
            "maxItems" => self.max_items,
            "uniqueItems" => self.unique_items,
            "contains" | "minContains" | "maxContains" => self.contains,
            "prefixItems" => self.prefix_items,
            "additionalItems" => self.item_list,
            "patternProperties" => self.pattern_properties,
            "propertyNames" => self.property_names,
            "minProperties" | "maxProperties" => self.property_counts,
            "unevaluatedProperties" | "unevaluatedItems" => self.unevaluated,
            "dependentRequired" | "dependentSchemas" | "dependencies" => self.dependent,
            "enum" => self.r#enum,
            "const" => self.r#const,
            "nullable" => self.nullable,
            "anyOf" => self.any_of,
            "oneOf" => self.one_of,
            "allOf" => self.all_of,
            "not" => self.not,
            "if" | "then" | "else" => self.conditional,
            "$ref" => self.reference,
            "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef" | "$recursiveAnchor" => {
                self.dynamic_reference
            }
            "$defs" => self.defs,
            "definitions" => self.definitions,
            "description" => self.description,
            "title" => self.title,
            "default" => self.default,
            "examples" | "example" => self.examples,
            "deprecated" | "readOnly" | "writeOnly" => self.notes,
            "contentEncoding" | "contentMediaType" | "contentSchema" => self.content,
            "$schema" | "$vocabulary" => self.schema,
            "$id" | "id" => self.id,
            "$comment" => self.comment,
            _ => return None,
        };
        Some(support)
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::{Dialect, Support};

    /// The keywords of draft 7 and of draft 2020-12, from their meta-schemas.
    const KEYWORDS: &[&str] = &[
        "$anchor",
        "$comment",
        "$defs",
        "$dynamicAnchor",
        "$dynamicRef",
        "$id",
        "$ref",
        "$schema",
        "$vocabulary",
        "additionalItems",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "contains",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "definitions",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "deprecated",
        "description",
        "else",
        "enum",
        "examples",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "if",
        "items",
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
        "readOnly",
        "required",
        "then",
        "title",
        "type",
        "unevaluatedItems",
        "unevaluatedProperties",
        "uniqueItems",
        "writeOnly",
    ];

    #[test]
    fn every_keyword_has_an_entry() {
        for dialect in Dialect::ALL {
            for keyword in KEYWORDS {
                assert!(dialect.keywords.entry(keyword, true).is_some(), "{}: {keyword}", dialect.name);
            }
            assert_eq!(dialect.keywords.of("x-order", false), dialect.keywords.other, "{}", dialect.name);
        }
    }

    /// What the recorded error texts of providers say about single keywords.
    #[test]
    fn what_providers_were_seen_to_refuse_is_not_sent() {
        for (dialect, keywords) in [
            (Dialect::OPENAI, &["oneOf", "uniqueItems", "allOf", "not", "prefixItems", "minLength", "default"][..]),
            (Dialect::ANTHROPIC, &["minimum", "maximum", "maxLength", "maxItems", "oneOf", "multipleOf"]),
            (Dialect::BEDROCK, &["minimum", "maxItems", "contains", "oneOf"]),
            (Dialect::GEMINI, &["const", "exclusiveMinimum", "uniqueItems"]),
            (Dialect::XAI, &["minContains", "additionalItems"]),
            (Dialect::CEREBRAS, &["pattern", "minItems", "maxItems", "oneOf", "allOf", "not", "nullable"]),
            (Dialect::GUIDANCE, &["uniqueItems", "contains", "not", "if", "propertyNames"]),
            (
                Dialect::CLAUDE_CLI,
                &["prefixItems", "dependentRequired", "unevaluatedProperties", "discriminator", "x-a"],
            ),
        ] {
            for keyword in keywords {
                assert_ne!(dialect.keywords.of(keyword, true), Support::Sent, "{}: {keyword}", dialect.name);
            }
        }
    }
}
