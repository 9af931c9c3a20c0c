//! The command line of Codex: `codex exec --output-schema`.
//!
//! Sources: runs of @openai/codex 0.171.0 against a loopback server. The schema travels as it is in `text.format` of the
//! Responses API, `strict: true`; the client checks nothing, so the rules are those of `OpenAI`.

use super::Dialect;

super::dialect_marker! {
    /// The command line of Codex.
    CodexCli = CODEX_CLI
}

impl Dialect {
    /// The command line of Codex.
    pub const CODEX_CLI: Self = Self {
        name: "the codex command line",
        caveats: &["a reply that breaks the schema, or a refusal, ends with 0"],
        ..Self::OPENAI
    };
}
