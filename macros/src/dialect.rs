//! The dialects that `#[response(for = "…")]` can name.

use syn::LitStr;

use crate::faults::{Faults, did_you_mean, listing};

/// A dialect's name in the attribute, and its marker type in `response_schema::dialect`, where
/// the runtime has one.
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    pub(crate) marker: Option<&'static str>,
}

/// Every dialect. One that the runtime gains gets its marker here.
const DIALECTS: &[Dialect] = &[
    Dialect { name: "openai", marker: Some("OpenAi") },
    Dialect { name: "anthropic", marker: None },
    Dialect { name: "gemini", marker: None },
    Dialect { name: "llama_cpp", marker: None },
    Dialect { name: "ollama", marker: None },
    Dialect { name: "guidance", marker: Some("Guidance") },
    Dialect { name: "claude_cli", marker: None },
    Dialect { name: "codex_cli", marker: None },
];

impl Dialect {
    /// The dialects in a list of names, each with the literal that named it.
    pub(crate) fn list(literal: &LitStr, faults: &Faults) -> Vec<(LitStr, &'static Self)> {
        let text = literal.value();
        let names = || DIALECTS.iter().map(|dialect| dialect.name);
        let mut found = Vec::new();
        for name in text.split(',').map(str::trim) {
            match DIALECTS.iter().find(|dialect| dialect.name == name) {
                Some(dialect) if dialect.marker.is_some() => found.push((literal.clone(), dialect)),
                Some(_) => {
                    let ready = DIALECTS.iter().filter(|dialect| dialect.marker.is_some()).map(|dialect| dialect.name);
                    faults.on(
                        literal,
                        format!(
                            "the dialect `{name}` cannot be checked yet; so far there is {}",
                            listing(ready, "and")
                        ),
                    );
                }
                None => {
                    let hint = match did_you_mean(name, names()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there is {}", listing(names(), "and")),
                    };
                    faults.on(literal, format!("unknown dialect `{name}`; {hint}"));
                }
            }
        }
        found
    }
}
