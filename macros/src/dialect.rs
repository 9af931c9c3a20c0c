//! The dialects that `#[response(for = "…")]` can name.

use syn::LitStr;

use crate::faults::{Faults, did_you_mean, listing};

/// A dialect's name in the attribute, and its marker type in `response_schema::dialect`.
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    pub(crate) marker: &'static str,
}

/// Every dialect.
const DIALECTS: &[Dialect] = &[
    Dialect { name: "openai", marker: "OpenAi" },
    Dialect { name: "anthropic", marker: "Anthropic" },
    Dialect { name: "gemini", marker: "Gemini" },
    Dialect { name: "llama_cpp", marker: "LlamaCpp" },
    Dialect { name: "ollama", marker: "Ollama" },
    Dialect { name: "guidance", marker: "Guidance" },
    Dialect { name: "xgrammar", marker: "Xgrammar" },
    Dialect { name: "claude_cli", marker: "ClaudeCli" },
    Dialect { name: "codex_cli", marker: "CodexCli" },
    Dialect { name: "prompt", marker: "Prompt" },
    Dialect { name: "portable", marker: "Portable" },
    Dialect { name: "azure", marker: "Azure" },
    Dialect { name: "bedrock", marker: "Bedrock" },
    Dialect { name: "cerebras", marker: "Cerebras" },
    Dialect { name: "deepseek", marker: "DeepSeek" },
    Dialect { name: "glm", marker: "Glm" },
    Dialect { name: "groq", marker: "Groq" },
    Dialect { name: "mistral", marker: "Mistral" },
    Dialect { name: "openrouter", marker: "OpenRouter" },
    Dialect { name: "xai", marker: "Xai" },
];

/// Other names, of models and companies, and whose dialect they speak.
const MEANT: &[(&[&str], &str)] = &[
    (&["gpt", "chatgpt", "open_ai", "OpenAi", "OpenAI"], "`openai`"),
    (&["claude", "Anthropic"], "`anthropic` for the API, or `claude_cli` for the command line"),
    (&["codex"], "`codex_cli`"),
    (&["google", "vertex", "Gemini"], "`gemini`"),
    (&["llama", "llamacpp", "llama.cpp", "lm_studio", "gguf"], "`llama_cpp`"),
    (&["llguidance", "embedded"], "`guidance`"),
    (&["vllm", "sglang"], "`xgrammar` or `guidance`, whichever engine it runs"),
    (&["grok"], "`xai`"),
    (&["aws"], "`bedrock`"),
    (&["zhipu", "zai", "z.ai"], "`glm`"),
];

impl Dialect {
    /// The dialects in a list of names, each with the literal that named it.
    pub(crate) fn list(literal: &LitStr, faults: &Faults) -> Vec<(LitStr, &'static Self)> {
        let text = literal.value();
        let names = || DIALECTS.iter().map(|dialect| dialect.name);
        let mut found = Vec::new();
        for name in text.split(',').map(str::trim) {
            if let Some(dialect) = DIALECTS.iter().find(|dialect| dialect.name == name) {
                found.push((literal.clone(), dialect));
                continue;
            }
            let hint = match (MEANT.iter().find(|(others, _)| others.contains(&name)), did_you_mean(name, names())) {
                (Some((_, instead)), _) => format!("write {instead}"),
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => format!("there is {}", listing(names(), "and")),
            };
            faults.on(literal, format!("unknown dialect `{name}`; {hint}"));
        }
        found
    }
}
