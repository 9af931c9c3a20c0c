//! A reply on Anthropic's wire.

use std::ops::ControlFlow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::WIRE;
use crate::adapter::{CallResponse, Ending, Enforcement, Native, ToolCall, Usage};
use crate::http::json::{null_as_default, text};
use crate::http::sse::Event;
use crate::http::wire::{Pieces, Trouble};

/// A message object.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Reply {
    id: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    model: String,
    /// Not optional: without it this is no message object.
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    stop_details: Value,
    #[serde(default, deserialize_with = "null_as_default")]
    usage: Counts,
}

/// One block of the content. In a stream it grows.
#[derive(Debug)]
struct Block {
    kind: String,
    text: String,
    thinking: String,
    name: String,
    id: String,
    /// The input of a tool as JSON text, every digit of it.
    input: String,
    /// All of it, as it came first.
    whole: Value,
}

/// Counts of tokens. In a stream later ones replace earlier ones.
#[derive(Debug, Default, Clone, Deserialize)]
struct Counts {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens_details: Option<Details>,
}

#[derive(Debug, Clone, Deserialize)]
struct Details {
    thinking_tokens: Option<u64>,
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Parts {
            #[serde(default, deserialize_with = "null_as_default")]
            r#type: String,
            #[serde(default)]
            text: Value,
            #[serde(default)]
            thinking: Value,
            #[serde(default)]
            name: Value,
            #[serde(default)]
            id: Value,
            input: Option<Box<RawValue>>,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let parts: Parts = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        let string = |value: Value| if let Value::String(text) = value { text } else { String::new() };
        Ok(Self {
            kind: parts.r#type,
            text: string(parts.text),
            thinking: string(parts.thinking),
            name: string(parts.name),
            id: string(parts.id),
            input: parts.input.map(|input| input.get().to_owned()).unwrap_or_default(),
            whole: serde_json::from_str(raw.get()).map_err(D::Error::custom)?,
        })
    }
}

impl Block {
    fn calls(&self) -> bool {
        self.kind == "tool_use"
    }

    /// The arguments of a call; a tool without any may be called with nothing.
    fn arguments(&self) -> String {
        if self.input.trim().is_empty() { "{}".to_owned() } else { self.input.clone() }
    }

    /// The block as the provider wants it back.
    fn into_native(mut self) -> Value {
        match self.kind.as_str() {
            "text" => self.whole["text"] = self.text.into(),
            "thinking" => self.whole["thinking"] = self.thinking.into(),
            // It takes objects alone back, whatever the model wrote.
            "tool_use" => {
                let input = serde_json::from_str(&self.input).ok().filter(Value::is_object);
                self.whole["input"] = input.unwrap_or_else(|| Value::Object(<_>::default()));
            }
            _ if !self.input.is_empty() => {
                self.whole["input"] =
                    serde_json::from_str(&self.input).unwrap_or_else(|_| Value::Object(<_>::default()));
            }
            _ => {}
        }
        self.whole
    }
}

impl Counts {
    fn update(&mut self, later: Self) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_creation_input_tokens = later.cache_creation_input_tokens.or(self.cache_creation_input_tokens);
        self.cache_read_input_tokens = later.cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.output_tokens_details = later.output_tokens_details.or(self.output_tokens_details.take());
    }

    fn usage(&self) -> Usage {
        let cached = self.cache_read_input_tokens.unwrap_or_default();
        let made = self.cache_creation_input_tokens.unwrap_or_default();
        // What went to or came from the cache is counted apart on this wire.
        let input = self.input_tokens.unwrap_or_default().saturating_add(cached).saturating_add(made);
        let mut usage = Usage::new(input, self.output_tokens.unwrap_or_default());
        usage.cached_input_tokens = cached;
        usage.reasoning_tokens =
            self.output_tokens_details.as_ref().and_then(|details| details.thinking_tokens).unwrap_or_default();
        usage
    }
}

/// An event, as far as it is looked at.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    index: usize,
    message: Option<Reply>,
    content_block: Option<Block>,
    #[serde(default)]
    delta: Value,
    #[serde(default, deserialize_with = "null_as_default")]
    usage: Counts,
}

/// `answer` is the tool whose input is the reply's text.
pub(super) fn gather(
    reply: &mut Reply,
    event: &Event,
    answer: Option<&str>,
    pieces: &mut Pieces,
) -> Result<ControlFlow<()>, Trouble> {
    let told: Told = serde_json::from_str(&event.data)?;
    match told.r#type.as_str() {
        "message_start" => {
            *reply = told.message.ok_or_else(|| Trouble::Malformed("its first event has no message".to_owned()))?;
        }
        "content_block_start" => {
            let mut block =
                told.content_block.ok_or_else(|| Trouble::Malformed("a block begins without a block".to_owned()))?;
            if told.index != reply.content.len() {
                return Err(Trouble::Malformed(format!("block {} begins out of turn", told.index)));
            }
            // An empty object stands for what is still to come.
            block.input.clear();
            reply.content.push(block);
        }
        "content_block_delta" => {
            let Some(block) = reply.content.get_mut(told.index) else {
                return Err(Trouble::Malformed(format!("there is more of block {}, which never began", told.index)));
            };
            match text(&told.delta, "type") {
                "text_delta" => {
                    let more = text(&told.delta, "text");
                    block.text.push_str(more);
                    if answer.is_none() {
                        pieces.text(more);
                    }
                }
                "thinking_delta" => {
                    let more = text(&told.delta, "thinking");
                    block.thinking.push_str(more);
                    pieces.reasoning(more);
                }
                "signature_delta" => block.whole["signature"] = told.delta["signature"].clone(),
                "input_json_delta" => {
                    let more = text(&told.delta, "partial_json");
                    block.input.push_str(more);
                    if answer.is_some_and(|answer| answer == block.name) {
                        pieces.text(more);
                    }
                }
                _ => {}
            }
        }
        "message_delta" => {
            reply.stop_reason = told.delta.get("stop_reason").and_then(Value::as_str).map(str::to_owned);
            reply.stop_details = told.delta.get("stop_details").cloned().unwrap_or_default();
            reply.usage.update(told.usage);
        }
        "message_stop" => {
            // The answer should have been the input of a tool, and the model just wrote.
            if answer.is_some_and(|answer| !reply.content.iter().any(|block| block.calls() && block.name == answer)) {
                pieces.text(&reply.text());
            }
            return Ok(ControlFlow::Break(()));
        }
        _ => {}
    }
    Ok(ControlFlow::Continue(()))
}

impl Reply {
    pub(super) fn is_whole(&self) -> bool {
        self.stop_reason.is_some()
    }

    fn text(&self) -> String {
        self.content.iter().filter(|block| block.kind == "text").map(|block| block.text.as_str()).collect()
    }

    /// The words of a refusal: the provider's explanation, or what the model wrote, or else its sort.
    fn refusal(&self, written: &str) -> String {
        let words = [text(&self.stop_details, "explanation"), written];
        let sort = text(&self.stop_details, "category");
        match words.into_iter().find(|words| !words.trim().is_empty()) {
            Some(words) => words.to_owned(),
            None if sort.is_empty() => "the model refused, without a reason".to_owned(),
            None => format!("the model refused ({sort})"),
        }
    }
}

/// `answer` is the tool whose input is the reply's text.
pub(super) fn read(reply: Reply, answer: Option<&str>, enforcement: Enforcement) -> Result<CallResponse, Trouble> {
    let Some(reason) = reply.stop_reason.clone() else {
        return Err(Trouble::Malformed("it has no stop reason".to_owned()));
    };
    let mut response = CallResponse::new(reply.text(), enforcement);
    response.model.clone_from(&reply.model);
    response.id.clone_from(&reply.id);
    response.usage = reply.usage.usage();

    let is_answer = |block: &Block| answer.is_some_and(|answer| block.calls() && block.name == answer);
    let others = reply.content.iter().filter(|block| block.calls() && !is_answer(block));
    response.tool_calls = others.map(|block| ToolCall::new(&*block.id, &*block.name, block.arguments())).collect();
    let answers: Vec<String> = reply.content.iter().filter(|block| is_answer(block)).map(Block::arguments).collect();
    let answered = response.tool_calls.is_empty() && !answers.is_empty();
    if answered {
        response.text = the_answer(&answers)?;
    }
    response.ending = match reason.as_str() {
        // The pause is one in which the provider's own tools may go on; the turn goes back as it is.
        "max_tokens" | "model_context_window_exceeded" | "pause_turn" => Ending::CutShort,
        "refusal" => Ending::Refused(reply.refusal(&response.text)),
        _ if !response.tool_calls.is_empty() => Ending::ToolCalls,
        _ => Ending::Complete,
    };
    // Thoughts go back with their signatures, and so do the traces of the provider's own tools. Where the answer came as
    // a tool's input it goes back as text: a call would want a result.
    let plain = |block: &Block| block.kind == "text" || block.calls();
    if !answered && !reply.content.iter().all(plain) {
        let blocks = reply.content.into_iter().filter(|block| !is_answer(block) && !block.is_empty_text());
        response.native = Some(Native::new(WIRE, blocks.map(Block::into_native).collect::<Value>()));
    }
    Ok(response)
}

impl Block {
    /// The wire writes empty texts and does not take them.
    fn is_empty_text(&self) -> bool {
        self.kind == "text" && self.text.trim().is_empty()
    }
}

/// The one answer. Models call the tool twice at times, mostly with the same words.
fn the_answer(answers: &[String]) -> Result<String, Trouble> {
    let value = |text: &String| serde_json::from_str::<Value>(text).ok();
    let first = &answers[0];
    if answers[1..].iter().any(|other| other != first && value(other) != value(first)) {
        return Err(Trouble::Malformed(format!("it answers {} times, each time something else", answers.len())));
    }
    Ok(first.clone())
}
