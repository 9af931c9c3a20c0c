//! A JSON schema as a mask over the model's tokens.
//!
//! llguidance compiles the schema into a grammar and answers, at each step, which tokens can
//! still lead to a valid document. It either guarantees that or refuses the schema; its words
//! are passed on whole. Whitespace is pinned to what models write by themselves, `", "` and
//! `": "`: with flexible whitespace a small model wanders off into blank lines, and with none
//! it is forced into token sequences that it has never seen and writes worse values.

use llguidance::api::TopLevelGrammar;
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{InferenceCapabilities, SimpleVob};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};
use toktrie::TokenId;

use super::error::{ModelError, ModelErrorKind};
use super::tokenizer::Vocabulary;

/// Compiles schemas for one vocabulary.
pub(super) struct Compiler(ParserFactory);

impl Compiler {
    pub(super) fn new(vocabulary: &Vocabulary) -> Result<Self, ModelError> {
        let capabilities = InferenceCapabilities {
            ff_tokens: true,
            ..Default::default()
        };
        let slices = SlicedBiasComputer::json_slices();
        let mut factory = ParserFactory::new(vocabulary.environment(), capabilities, &slices)
            .map_err(|cause| {
                let text = format!("the model's tokens cannot be turned into a mask: {cause:#}");
                ModelError::new(ModelErrorKind::Unsupported, text)
            })?;
        factory.quiet();
        Ok(Self(factory))
    }

    /// A mask for documents of this schema.
    pub(super) fn compile(&self, schema: &str) -> Result<Constraint, ModelError> {
        let refused = |what: &dyn std::fmt::Display| {
            let text = format!("the schema cannot be enforced on this model: {what}");
            ModelError::new(ModelErrorKind::Schema, text)
        };
        let mut schema: Value = serde_json::from_str(schema)
            .map_err(|cause| refused(&format_args!("it is not JSON ({cause})")))?;
        match &mut schema {
            Value::Object(keys) => {
                let spacing = json!({
                    "whitespace_flexible": false,
                    "item_separator": ", ",
                    "key_separator": ": ",
                });
                keys.insert("x-guidance".to_owned(), spacing);
            }
            Value::Bool(_) => {}
            _ => return Err(refused(&"a schema is an object or a boolean")),
        }
        let grammar = TopLevelGrammar::from_json_schema(schema);
        let parser = self.0.create_parser(grammar);
        let matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(words) => Err(refused(&words)),
            None => Ok(Constraint(matcher)),
        }
    }
}

/// Follows one reply through its grammar.
pub(super) struct Constraint(Matcher);

impl Constraint {
    /// The tokens that may come next.
    pub(super) fn mask(&mut self) -> Result<SimpleVob, ModelError> {
        self.0.compute_mask_or_eos().map_err(failed)
    }

    /// Takes a token that the mask allowed.
    pub(super) fn take(&mut self, token: TokenId) -> Result<(), ModelError> {
        self.0.consume_token(token).map_err(failed)
    }

    /// The tokens that must come next, if only one continuation is left; they are taken.
    pub(super) fn forced(&mut self) -> Vec<TokenId> {
        if self.0.is_stopped() {
            Vec::new()
        } else {
            self.0.consume_ff_tokens()
        }
    }

    /// Whether the document is complete and nothing may follow.
    pub(super) fn is_done(&self) -> bool {
        self.0.is_stopped() && !self.0.is_error()
    }
}

fn failed(cause: impl std::fmt::Display) -> ModelError {
    ModelError::new(
        ModelErrorKind::Schema,
        format!("the schema's grammar failed midway: {cause}"),
    )
}
