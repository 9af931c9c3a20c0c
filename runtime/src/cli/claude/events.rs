//! The events that `claude --output-format stream-json` writes, one a line.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::output::Enough;
use super::super::protocol::event;
use super::super::setup::Protocol;
use super::outcome;
use crate::adapter::{CallError, CallErrorKind, CallResponse, StreamEvent};
use crate::cli::process::Ended;

/// The tool that carries the schema.
const TOOL: &str = "StructuredOutput";

/// The client tries a refused key eleven times, over minutes. Once may be a login that it can renew.
const REFUSALS_OF_A_KEY: u32 = 2;

/// What the events have said so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Whether a schema was sent.
    pub(super) asked: bool,
    /// Whether the client took it: it then offers the tool. `None` until it says.
    pub(super) offered: Option<bool>,
    /// The model as the provider names it.
    pub(super) model: String,
    /// The text of the last call of the tool, as the model wrote it.
    pub(super) written: Option<String>,
    /// Calls of the tool.
    pub(super) tries: u32,
    /// How often the client asked the provider again after a fault.
    pub(super) retries: u32,
    /// Why it last did.
    pub(super) fault: Option<Fault>,
    /// The client's word for what went wrong.
    pub(super) error: Option<String>,
    /// Why the provider says it refused.
    pub(super) refusal: Option<String>,
    /// The last event.
    pub(super) result: Option<ResultEvent>,
    /// The content block in which the tool is called, while it is.
    block: Option<u64>,
    /// Whether text was handed over that belongs to the current try.
    handed_over: bool,
}

/// A fault of the provider after which the client asks again.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Fault {
    #[serde(default)]
    pub(super) error_status: Option<u16>,
    #[serde(default)]
    pub(super) error: Option<String>,
}

/// The event at the end.
#[derive(Debug, Deserialize)]
pub(super) struct ResultEvent {
    pub(super) subtype: Option<String>,
    #[serde(default)]
    pub(super) is_error: bool,
    pub(super) api_error_status: Option<u16>,
    pub(super) result: Option<String>,
    #[serde(default)]
    pub(super) errors: Vec<String>,
    pub(super) stop_reason: Option<String>,
    pub(super) terminal_reason: Option<String>,
    pub(super) session_id: Option<String>,
    pub(super) total_cost_usd: Option<f64>,
    pub(super) usage: Option<Tokens>,
    #[serde(default)]
    pub(super) structured_output: Option<Box<RawValue>>,
}

/// Tokens, as the provider counts them: those from and into the cache are counted apart.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    #[serde(rename = "input_tokens")]
    pub(super) input: u64,
    #[serde(rename = "output_tokens")]
    pub(super) output: u64,
    #[serde(rename = "cache_read_input_tokens")]
    pub(super) from_cache: u64,
    #[serde(rename = "cache_creation_input_tokens")]
    pub(super) into_cache: u64,
}

#[derive(Deserialize)]
struct Head {
    r#type: String,
    subtype: Option<String>,
    /// Set in what a subagent does.
    parent_tool_use_id: Option<String>,
}

#[derive(Deserialize)]
struct Init {
    #[serde(default)]
    tools: Vec<String>,
    #[serde(default)]
    model: String,
}

#[derive(Deserialize)]
struct Refusal {
    api_refusal_explanation: Option<String>,
    api_refusal_category: Option<String>,
}

#[derive(Deserialize)]
struct Assistant {
    error: Option<String>,
    message: Option<Model>,
}

#[derive(Deserialize)]
struct Model {
    model: Option<String>,
}

#[derive(Deserialize)]
struct Partial {
    event: Wire,
}

/// The provider's own events. Others say nothing that is needed.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Wire {
    MessageStart,
    ContentBlockStart {
        index: u64,
        content_block: Block,
    },
    ContentBlockDelta {
        index: u64,
        delta: Delta,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Block {
    r#type: String,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "input_json_delta")]
    Input { partial_json: String },
    #[serde(other)]
    Other,
}

impl Events {
    pub(super) fn new(asked: bool) -> Self {
        Self { asked, ..Self::default() }
    }

    fn system(&mut self, subtype: Option<&str>, line: &str) -> ControlFlow<Enough> {
        match subtype {
            Some("init") => {
                let Some(init) = event::<Init>(line) else { return ControlFlow::Continue(()) };
                self.model = init.model;
                let offered = init.tools.iter().any(|tool| tool == TOOL);
                self.offered = Some(offered);
                if self.asked && !offered {
                    return ControlFlow::Break(Enough::InVain);
                }
            }
            Some("api_retry") => {
                self.retries += 1;
                self.fault = event(line);
                let refused = self.fault.as_ref().is_some_and(|fault| fault.error_status == Some(401));
                if refused && self.retries >= REFUSALS_OF_A_KEY {
                    return ControlFlow::Break(Enough::InVain);
                }
            }
            Some("model_refusal_no_fallback") => {
                self.refusal = event::<Refusal>(line)
                    .and_then(|refusal| refusal.api_refusal_explanation.or(refusal.api_refusal_category));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn assistant(&mut self, line: &str) {
        let Some(Assistant { error, message }) = event(line) else { return };
        self.error = error;
        // What the client puts into the model's mouth comes from a model of this name.
        let real = message.and_then(|message| message.model).filter(|model| model != "<synthetic>");
        if let Some(model) = real {
            self.model = model;
        }
    }

    fn partial(&mut self, wire: Wire, pieces: &mut dyn FnMut(StreamEvent)) {
        match wire {
            // Without a schema the reply is the text of the last message.
            Wire::MessageStart if !self.asked => self.restart(pieces),
            Wire::MessageStart => self.block = None,
            Wire::ContentBlockStart { index, content_block } => {
                let called = content_block.r#type == "tool_use" && content_block.name.as_deref() == Some(TOOL);
                if self.asked && called {
                    self.restart(pieces);
                    self.block = Some(index);
                    self.written = Some(String::new());
                    self.tries += 1;
                }
            }
            Wire::ContentBlockDelta { index, delta } => match delta {
                Delta::Input { partial_json } if self.block == Some(index) => {
                    self.written.get_or_insert_default().push_str(&partial_json);
                    self.hand_over(partial_json, pieces);
                }
                Delta::Text { text } if !self.asked => self.hand_over(text, pieces),
                Delta::Thinking { thinking } if !thinking.is_empty() => pieces(StreamEvent::Reasoning(thinking)),
                _ => {}
            },
            Wire::Other => {}
        }
    }

    fn hand_over(&mut self, text: String, pieces: &mut dyn FnMut(StreamEvent)) {
        if !text.is_empty() {
            self.handed_over = true;
            pieces(StreamEvent::Text(text));
        }
    }

    fn restart(&mut self, pieces: &mut dyn FnMut(StreamEvent)) {
        if std::mem::take(&mut self.handed_over) {
            let reason = if self.asked {
                "the client found the answer not to be what the schema asks for, and has asked again"
            } else {
                "the message before was no answer yet"
            };
            pieces(StreamEvent::Restart { kind: CallErrorKind::InvalidOutput, reason: reason.to_owned() });
        }
    }
}

impl Protocol for Events {
    fn line(&mut self, line: &str, pieces: &mut dyn FnMut(StreamEvent)) -> ControlFlow<Enough> {
        let Some(head) = event::<Head>(line) else { return ControlFlow::Continue(()) };
        if head.parent_tool_use_id.is_some() {
            return ControlFlow::Continue(());
        }
        match head.r#type.as_str() {
            "system" => return self.system(head.subtype.as_deref(), line),
            "assistant" => self.assistant(line),
            "stream_event" => {
                if let Some(Partial { event }) = event(line) {
                    self.partial(event, pieces);
                }
            }
            "result" => {
                if let Some(result) = event(line) {
                    self.result = Some(result);
                    return ControlFlow::Break(Enough::Answered);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn finish(self, ended: &Ended) -> Result<CallResponse, CallError> {
        outcome::of(self, ended)
    }
}
