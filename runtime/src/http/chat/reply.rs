//! A reply on the Chat Completions wire.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::WIRE;
use crate::adapter::{CallResponse, Ending, Enforcement, Native, ToolCall, Usage};
use crate::http::calls;
use crate::http::complaint::Complaint;
use crate::http::json::{arguments, null_as_default, object, text};
use crate::http::sse::Event;
use crate::http::wire::{Pieces, Trouble};

/// A completion, or a chunk of one: they differ in whether a choice has a message or a delta.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Reply {
    #[serde(default, deserialize_with = "null_as_default")]
    id: String,
    #[serde(default, deserialize_with = "null_as_default")]
    model: String,
    /// Not optional: without it this is no completion.
    #[serde(deserialize_with = "null_as_default")]
    choices: Vec<Choice>,
    usage: Option<Counts>,
}

#[derive(Debug, Default, Deserialize)]
struct Choice {
    #[serde(default, deserialize_with = "null_as_default")]
    index: u64,
    #[serde(default, alias = "delta", deserialize_with = "null_as_default")]
    message: Said,
    finish_reason: Option<String>,
    #[serde(default)]
    error: Value,
}

/// A message, or more of one.
#[derive(Debug, Default, Deserialize)]
struct Said {
    /// Text, or a list of parts.
    #[serde(default)]
    content: Value,
    refusal: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    tool_calls: Vec<Call>,
    /// What the model thinks; servers have two names for it.
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    reasoning_details: Vec<Value>,
}

#[derive(Debug, Default, Deserialize)]
struct Call {
    index: Option<u64>,
    #[serde(default, deserialize_with = "null_as_default")]
    id: String,
    #[serde(default, deserialize_with = "null_as_default")]
    function: Function,
}

#[derive(Debug, Default, Deserialize)]
struct Function {
    #[serde(default, deserialize_with = "null_as_default")]
    name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Debug, Deserialize)]
struct Counts {
    #[serde(default, deserialize_with = "null_as_default")]
    prompt_tokens: u64,
    #[serde(default, deserialize_with = "null_as_default")]
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
    cost: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct PromptDetails {
    #[serde(default, deserialize_with = "null_as_default")]
    cached_tokens: u64,
}

#[derive(Debug, Deserialize)]
struct CompletionDetails {
    #[serde(default, deserialize_with = "null_as_default")]
    reasoning_tokens: u64,
}

pub(super) fn gather(reply: &mut Reply, event: &Event, pieces: &mut Pieces) -> Result<ControlFlow<()>, Trouble> {
    if event.data.trim() == "[DONE]" {
        return Ok(ControlFlow::Break(()));
    }
    let chunk: Reply = serde_json::from_str(&event.data)?;
    if reply.id.is_empty() {
        reply.id = chunk.id;
    }
    if reply.model.is_empty() {
        reply.model = chunk.model;
    }
    reply.usage = chunk.usage.or(reply.usage.take());
    for more in chunk.choices.into_iter().filter(|choice| choice.index == 0) {
        if reply.choices.is_empty() {
            reply.choices.push(Choice::default());
        }
        let choice = &mut reply.choices[0];
        more.message.show(pieces);
        choice.message.extend(more.message);
        choice.finish_reason = more.finish_reason.or(choice.finish_reason.take());
        if !more.error.is_null() {
            choice.error = more.error;
        }
    }
    Ok(ControlFlow::Continue(()))
}

pub(super) fn is_whole(reply: &Reply) -> bool {
    reply.choices.first().is_some_and(|choice| choice.finish_reason.is_some())
}

impl Said {
    fn show(&self, pieces: &mut Pieces) {
        pieces.reasoning(self.thoughts());
        pieces.text(&content(&self.content));
        pieces.refusal(self.refusal.as_deref().unwrap_or_default());
    }

    fn thoughts(&self) -> &str {
        self.reasoning_content.as_deref().or(self.reasoning.as_deref()).unwrap_or_default()
    }

    fn extend(&mut self, more: Self) {
        let add = |into: &mut Option<String>, more: Option<String>| match (into.as_mut(), more) {
            (Some(text), Some(more)) => text.push_str(&more),
            (None, more) => *into = more,
            (Some(_), None) => {}
        };
        match (&mut self.content, content(&more.content)) {
            (Value::String(text), more) => text.push_str(&more),
            (_, more) if more.is_empty() => {}
            (none, more) => *none = Value::String(more),
        }
        add(&mut self.refusal, more.refusal);
        add(&mut self.reasoning_content, more.reasoning_content);
        add(&mut self.reasoning, more.reasoning);
        for detail in more.reasoning_details {
            add_detail(&mut self.reasoning_details, detail);
        }
        for call in more.tool_calls {
            self.add_call(call);
        }
    }

    /// Pieces of a call have its index; where a server sends none, a new id begins a new call.
    fn add_call(&mut self, more: Call) {
        let same = |call: &&mut Call| match (call.index, more.index) {
            (Some(one), Some(other)) => one == other,
            _ => more.id.is_empty() || call.id == more.id,
        };
        let Some(call) = self.tool_calls.iter_mut().rev().find(same) else {
            self.tool_calls.push(more);
            return;
        };
        if call.id.is_empty() {
            call.id = more.id;
        }
        if call.function.name.is_empty() {
            call.function.name = more.function.name;
        }
        match (&mut call.function.arguments, more.function.arguments) {
            (Value::String(text), Value::String(more)) => text.push_str(&more),
            (_, Value::Null) => {}
            (arguments, more) => *arguments = more,
        }
    }
}

/// Pieces of one detail have its index; their texts follow one another.
fn add_detail(details: &mut Vec<Value>, more: Value) {
    let place = details.iter().position(|detail| {
        detail.get("index").is_some_and(Value::is_number)
            && (detail.get("index"), detail.get("type")) == (more.get("index"), more.get("type"))
    });
    match (place, more) {
        (Some(place), Value::Object(more)) => {
            for (key, more) in more {
                let old = &mut details[place][&key];
                match (old, more) {
                    (Value::String(text), Value::String(more)) if matches!(&*key, "text" | "summary" | "data") => {
                        text.push_str(&more);
                    }
                    (_, Value::Null) => {}
                    (old, more) => *old = more,
                }
            }
        }
        (_, more) => details.push(more),
    }
}

/// The text of a message; of parts, those that are text.
fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter(|part| text(part, "type") == "text").map(|part| text(part, "text")).collect()
        }
        _ => String::new(),
    }
}

pub(super) fn read(reply: Reply, enforcement: Enforcement) -> Result<CallResponse, Trouble> {
    let Some(choice) = reply.choices.into_iter().next() else {
        return Err(Trouble::Malformed("it has no choices".to_owned()));
    };
    let reason = choice.finish_reason.unwrap_or_default();
    if !choice.error.is_null() {
        return Err(Complaint::of_value(&choice.error).into());
    }
    if matches!(reason.as_str(), "error" | "network_error" | "insufficient_system_resource") {
        let message = format!("the reply ended with the reason `{reason}`");
        return Err(Complaint { message, class: "server_error".to_owned(), ..Complaint::default() }.into());
    }
    let message = choice.message;
    let mut response = CallResponse::new(content(&message.content), enforcement);
    response.native = native(&message, &response.text);
    response.tool_calls = message
        .tool_calls
        .into_iter()
        .map(|call| ToolCall::new(call.id, call.function.name, arguments(&call.function.arguments)))
        .collect();
    response.ending = match (reason.as_str(), message.refusal.filter(|words| !words.is_empty())) {
        ("length" | "model_length" | "max_tokens" | "model_context_window_exceeded", _) => Ending::CutShort,
        ("content_filter" | "sensitive", _) => Ending::Filtered(reason),
        ("abort" | "cancelled", _) => Ending::Cancelled,
        (_, Some(words)) => Ending::Refused(words),
        _ if !response.tool_calls.is_empty() => Ending::ToolCalls,
        _ => Ending::Complete,
    };
    if let Some(counts) = reply.usage {
        response.usage = Usage::new(counts.prompt_tokens, counts.completion_tokens);
        response.usage.cached_input_tokens = counts.prompt_tokens_details.map_or(0, |details| details.cached_tokens);
        response.usage.reasoning_tokens =
            counts.completion_tokens_details.map_or(0, |details| details.reasoning_tokens);
        response.usage.cost_usd = counts.cost;
    }
    response.model = reply.model;
    response.id = Some(reply.id).filter(|id| !id.is_empty());
    Ok(response)
}

/// The turn in the server's own form, where the model thought before it called tools: those servers want their
/// thoughts back.
fn native(message: &Said, content: &str) -> Option<Native> {
    let thought = !message.reasoning_details.is_empty() || !message.thoughts().is_empty();
    if !thought || message.tool_calls.is_empty() {
        return None;
    }
    let calls: Vec<_> = message
        .tool_calls
        .iter()
        .map(|call| {
            let written = arguments(&call.function.arguments);
            let written = object(&written).map_or_else(|_| "{}".to_owned(), |json| json.get().to_owned());
            let function = json!({"name": calls::name(&call.function.name), "arguments": written});
            json!({"id": call.id, "type": "function", "function": function})
        })
        .collect();
    let mut turn = Map::new();
    turn.insert("role".to_owned(), "assistant".into());
    turn.insert("content".to_owned(), content.into());
    turn.insert("tool_calls".to_owned(), calls.into());
    if !message.reasoning_details.is_empty() {
        turn.insert("reasoning_details".to_owned(), message.reasoning_details.clone().into());
    } else if let Some(thoughts) = &message.reasoning_content {
        turn.insert("reasoning_content".to_owned(), thoughts.clone().into());
    } else {
        turn.insert("reasoning".to_owned(), message.thoughts().into());
    }
    Some(Native::new(WIRE, Value::Object(turn)))
}
