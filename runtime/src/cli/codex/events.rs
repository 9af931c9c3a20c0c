//! The events that `codex exec --json` writes, one a line.

use std::ops::ControlFlow;

use serde::Deserialize;

use super::super::output::Enough;
use super::super::process::Ended;
use super::super::protocol::event;
use super::super::setup::Protocol;
use super::failure;
use crate::adapter::{CallError, CallErrorKind, CallResponse, Ending, Enforcement, StreamEvent, Usage};

/// What the events have said so far.
#[derive(Debug)]
pub(super) struct Events {
    /// What is guaranteed for the answer.
    pub(super) enforcement: Enforcement,
    /// The model that was asked for; the events name none.
    model: Option<String>,
    thread: Option<String>,
    /// The last message of the model.
    pub(super) message: Option<String>,
    /// How often the program connected again.
    pub(super) retries: u32,
    /// The last complaint, which may not be the end.
    pub(super) complaint: Option<String>,
    end: Option<End>,
}

/// How the turn ended.
#[derive(Debug)]
enum End {
    Completed(Tokens),
    Failed(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    #[serde(rename = "input_tokens")]
    input: u64,
    #[serde(rename = "cached_input_tokens")]
    from_cache: u64,
    #[serde(rename = "output_tokens")]
    output: u64,
    #[serde(rename = "reasoning_output_tokens")]
    reasoning: u64,
}

/// Events that say something needed. Names and fields changed between versions, so there is a default for each.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "thread.started")]
    ThreadStarted { thread_id: Option<String> },
    #[serde(rename = "item.completed")]
    ItemCompleted { item: Item },
    #[serde(rename = "turn.completed")]
    TurnCompleted {
        #[serde(default)]
        usage: Option<Tokens>,
    },
    #[serde(rename = "turn.failed")]
    TurnFailed {
        #[serde(default)]
        error: Option<Message>,
    },
    #[serde(rename = "error")]
    Error {
        #[serde(default)]
        message: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Item {
    #[serde(alias = "item_type")]
    r#type: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    message: String,
}

impl Events {
    pub(super) fn new(enforcement: Enforcement, model: Option<String>) -> Self {
        Self { enforcement, model, thread: None, message: None, retries: 0, complaint: None, end: None }
    }

    /// A reply with the last message.
    pub(super) fn reply(&mut self, ending: Ending) -> CallResponse {
        let mut response = CallResponse::new(self.message.take().unwrap_or_default(), self.enforcement);
        response.ending = ending;
        response.model = self.model.take().unwrap_or_default();
        response.id = self.thread.take();
        response.retries = self.retries;
        response
    }
}

impl Protocol for Events {
    fn line(&mut self, line: &str, pieces: &mut dyn FnMut(StreamEvent)) -> ControlFlow<Enough> {
        let Some(event) = event::<Event>(line) else { return ControlFlow::Continue(()) };
        match event {
            Event::ThreadStarted { thread_id } => self.thread = thread_id,
            Event::ItemCompleted { item } => match item.r#type.as_str() {
                "agent_message" | "assistant_message" => {
                    // With tools there may be words before the answer; the last message is the answer.
                    if self.message.replace(item.text.clone()).is_some_and(|before| !before.is_empty()) {
                        let reason = "the message before was no answer yet".to_owned();
                        pieces(StreamEvent::Restart { kind: CallErrorKind::InvalidOutput, reason });
                    }
                    pieces(StreamEvent::Text(item.text));
                }
                "reasoning" => pieces(StreamEvent::Reasoning(item.text)),
                _ => {}
            },
            Event::Error { message } => {
                // These may be mere notices; a turn that failed says so by itself.
                self.retries += u32::from(message.starts_with("Reconnecting"));
                self.complaint = Some(message);
            }
            Event::TurnCompleted { usage } => self.end = Some(End::Completed(usage.unwrap_or_default())),
            Event::TurnFailed { error } => {
                let message = error.map(|error| error.message).filter(|message| !message.is_empty());
                let message = message.or_else(|| self.complaint.take()).unwrap_or_default();
                self.end = Some(End::Failed(message));
            }
            Event::Other => {}
        }
        match self.end {
            Some(_) => ControlFlow::Break(Enough::Answered),
            None => ControlFlow::Continue(()),
        }
    }

    fn finish(mut self, ended: &Ended) -> Result<CallResponse, CallError> {
        match self.end.take() {
            Some(End::Completed(tokens)) => {
                let refused = self.message.as_deref().is_none_or(|text| text.trim().is_empty());
                let ending = if refused {
                    Ending::Refused(
                        "`codex` hands over no words of a refusal, only that nothing was answered".to_owned(),
                    )
                } else {
                    Ending::Complete
                };
                let mut response = self.reply(ending);
                response.usage = Usage::new(tokens.input, tokens.output);
                response.usage.cached_input_tokens = tokens.from_cache;
                response.usage.reasoning_tokens = tokens.reasoning;
                Ok(response)
            }
            Some(End::Failed(message)) => failure::of_turn(self, &message),
            None => Err(failure::without_end(&self, ended)),
        }
    }
}
