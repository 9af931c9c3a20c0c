//! A schema in words for the model.

use super::wire::Lowered;

/// What the model is told where the prompt carries the schema.
pub(crate) fn instruction(format: &Lowered<'_>) -> String {
    format!(
        "Reply with one JSON value and nothing else: no explanation, no code fence. It must satisfy this JSON Schema:\n{}",
        format.wire.json
    )
}
