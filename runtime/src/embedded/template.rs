//! Renders a conversation as the model was trained to read it.
//!
//! A GGUF file carries its chat template as jinja written for Python; minijinja runs it, with
//! the settings and the functions that such templates expect. A turn whose text holds the text
//! of a control token (`<|im_end|>`) would let its author end the turn and speak as somebody else;
//! a zero-width space is put into it, which leaves it readable and makes it ordinary text.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, context};

use super::error::{ModelError, ModelErrorKind};
use super::generate::{Role, Turn};
use super::tokenizer::Vocabulary;

const NAME: &str = "chat";

/// A compiled chat template.
pub(super) struct Template {
    environment: Environment<'static>,
}

impl Template {
    pub(super) fn compile(source: &str) -> Result<Self, ModelError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|cause| broken(&cause))?);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |text: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, text))
        });
        environment.add_template_owned(NAME, source.to_owned()).map_err(|cause| broken(&cause))?;
        Ok(Self { environment })
    }

    /// The prompt, up to where the assistant's reply begins.
    pub(super) fn render(&self, turns: &[Turn<'_>], vocabulary: &Vocabulary) -> Result<String, ModelError> {
        let turns: Vec<(Role, String)> = turns.iter().map(|turn| (turn.role, defused(turn.text, vocabulary))).collect();
        match self.attempt(&turns, vocabulary) {
            Ok(text) => Ok(text),
            // Some models know no system turn; their makers put it before the first question.
            Err(cause) => {
                folded(&turns).and_then(|turns| self.attempt(&turns, vocabulary).ok()).ok_or_else(|| broken(&cause))
            }
        }
    }

    fn attempt(&self, turns: &[(Role, String)], vocabulary: &Vocabulary) -> Result<String, Error> {
        let messages: Vec<_> =
            turns.iter().map(|(role, text)| context! { role => role.word(), content => text }).collect();
        self.environment.get_template(NAME)?.render(context! {
            messages,
            add_generation_prompt => true,
            bos_token => vocabulary.begin_text(),
            eos_token => vocabulary.end_text(),
        })
    }
}

/// The same conversation with its system turn put before the first user turn.
fn folded(turns: &[(Role, String)]) -> Option<Vec<(Role, String)>> {
    let [(Role::System, system), (Role::User, user), rest @ ..] = turns else {
        return None;
    };
    let mut folded = vec![(Role::User, format!("{system}\n\n{user}"))];
    folded.extend_from_slice(rest);
    Some(folded)
}

fn defused(text: &str, vocabulary: &Vocabulary) -> String {
    let mut text = text.to_owned();
    while let Some(control) = vocabulary.control_in(&text) {
        let mut characters = control.chars();
        let first = characters.next().map(String::from).unwrap_or_default();
        text = text.replace(control, &format!("{first}\u{200b}{}", characters.as_str()));
    }
    text
}

fn broken(cause: &Error) -> ModelError {
    let detail = cause.detail().map_or_else(|| cause.to_string(), str::to_owned);
    let line = cause.line().map(|line| format!(" (line {line})")).unwrap_or_default();
    ModelError::new(
        ModelErrorKind::Template,
        format!(
            "the model's chat template cannot be rendered{line}: {detail}; give another one with \
             `EmbeddedBuilder::chat_template`"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_turn_moves_into_the_first_question() {
        let turn = |role, text: &str| (role, text.to_owned());
        let turns = [turn(Role::System, "a"), turn(Role::User, "b"), turn(Role::Assistant, "c")];
        let folded = folded(&turns).expect("has a system turn");
        assert_eq!(folded, [turn(Role::User, "a\n\nb"), turn(Role::Assistant, "c")]);
        assert!(super::folded(&turns[1..]).is_none());
    }

    #[test]
    fn a_broken_template_is_an_error_that_says_what_to_do() {
        let Err(fault) = Template::compile("{% for x in %}") else { panic!("compiled") };
        assert_eq!(fault.kind(), ModelErrorKind::Template);
        assert!(fault.to_string().contains("chat_template"), "{fault}");
    }
}
