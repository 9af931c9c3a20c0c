//! GLM (Zhipu, Z.AI): Chat Completions knows `json_object` alone, so the schema goes into the prompt.
//!
//! Sources: docs.z.ai; `json_schema` is answered with 200 and ignored (measured 2026-09).

use super::Dialect;

super::dialect_marker! {
    /// GLM, with the schema in the prompt.
    Glm = GLM
}

impl Dialect {
    /// GLM, with the schema in the prompt.
    pub const GLM: Self = Self { name: "GLM", ..Self::PROMPT };
}
