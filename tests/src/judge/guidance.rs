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
        let ends = matcher.is_accepting().map_err(|error| error.to_string())?;
        if ends { Ok(()) } else { Err("the instance ends too early".to_owned()) }
    }
}

impl Grammar {
    /// What a model might write that knows nothing and is held by the mask alone; `None` if it does
    /// not come to an end.
    #[must_use]
    pub fn write(&self, seed: u64) -> Option<String> {
        let mut matcher = self.0.deep_clone();
        let mut chance = Chance(seed);
        let mut text = Vec::new();
        while text.len() < 3000 {
            if !text.is_empty() && matcher.is_accepting().ok()? {
                return String::from_utf8(text).ok();
            }
            let mask = matcher.compute_mask().ok()?;
            let allowed: Vec<u8> = (0..=u8::MAX).filter(|byte| mask.is_allowed(u32::from(*byte))).collect();
            // Now and then, and always in a long text, what brings the end nearer.
            let hurry = text.len() > 300 || chance.below(3) == 0;
            let ends = |byte: &&u8| b"\"}],n".contains(byte);
            let byte = match allowed.iter().find(ends) {
                Some(end) if hurry => *end,
                _ => *allowed.get(chance.below(allowed.len()))?,
            };
            // A model may write whitespace for ever; this one seldom does.
            if byte.is_ascii_whitespace() && allowed.iter().any(|b| !b.is_ascii_whitespace()) && chance.below(8) > 0 {
                continue;
            }
            matcher.consume_token(u32::from(byte)).ok()?;
            text.push(byte);
        }
        None
    }
}

/// Numbers without a plan (`xorshift`).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0 ^ (self.0 >> 31);
        mixed = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 29;
        usize::try_from(mixed >> 33).unwrap_or(0).checked_rem(end).unwrap_or(0)
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
