//! A constrained decoder: llguidance over single bytes, without a model.
//!
//! It holds an instance to the schema as it would hold a model's reply: byte by byte, keys in the
//! order of the schema.

use std::fmt;
use std::sync::OnceLock;

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv};
use llguidance::{Matcher, ParserFactory};
use serde_json::Value;

/// A schema compiled to a grammar.
pub struct Grammar(Matcher);

impl Grammar {
    /// From a schema's text; refuses what the engine cannot enforce.
    pub fn new(schema: &str) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(schema).map_err(|error| format!("not JSON: {error}"))?;
        let parser = factory().create_parser(TopLevelGrammar::from_json_schema(schema));
        let mut matcher = Matcher::new(parser);
        if let Some(error) = matcher.get_error() {
            return Err(format!("llguidance refuses the schema: {error}"));
        }
        match matcher.grammar_warnings() {
            warnings if warnings.is_empty() => Ok(Self(matcher)),
            warnings => Err(format!("llguidance warns about the schema: {}", warnings.join("; "))),
        }
    }

    /// Whether the decoder could have written an instance; or how far it would have come.
    pub fn judge(&self, instance: &str) -> Result<(), String> {
        let mut matcher = self.0.deep_clone();
        let tokens: Vec<u32> = instance.bytes().map(u32::from).collect();
        let taken = matcher.try_consume_tokens(&tokens).map_err(|error| error.to_string())?;
        if taken < tokens.len() {
            let (before, after) = instance.as_bytes().split_at(taken);
            return Err(format!(
                "refused behind {:?}, where {:?} follows",
                tail(&String::from_utf8_lossy(before)),
                String::from_utf8_lossy(after).chars().take(20).collect::<String>()
            ));
        }
        match matcher.is_accepting().map_err(|error| error.to_string())? {
            true => Ok(()),
            false => Err("the instance ends too early".to_owned()),
        }
    }
}

impl fmt::Debug for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grammar").finish_non_exhaustive()
    }
}

/// The last characters of a text.
fn tail(text: &str) -> &str {
    text.char_indices().rev().nth(30).map_or(text, |(start, _)| &text[start..])
}

/// One token a byte.
fn factory() -> &'static ParserFactory {
    static FACTORY: OnceLock<ParserFactory> = OnceLock::new();
    FACTORY.get_or_init(|| {
        let bytes: TokEnv = ApproximateTokEnv::single_byte_env();
        let mut factory =
            ParserFactory::new(&bytes, InferenceCapabilities::default(), &[]).expect("no slices to refuse");
        factory.quiet();
        factory
    })
}
