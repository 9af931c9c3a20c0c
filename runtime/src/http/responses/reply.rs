//! A reply on the Responses wire.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::Value;

use super::WIRE;
use crate::adapter::{CallResponse, Ending, Enforcement, Native, ToolCall, Usage};
use crate::http::complaint::Complaint;
use crate::http::json::{arguments, null_as_default, text};
use crate::http::sse::Event;
use crate::http::wire::{Pieces, Trouble};

/// A response object.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Reply {
    id: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    status: String,
    #[serde(default, deserialize_with = "null_as_default")]
    model: String,
    /// Not optional: without it this is no response object.
    #[serde(deserialize_with = "null_as_default")]
    output: Vec<Value>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    incomplete_details: Value,
    usage: Option<Counts>,
    /// Output items of a stream whose contents are no part of the answer.
    #[serde(skip)]
    asides: Vec<u64>,
    /// The event that ends a stream was there.
    #[serde(skip)]
    pub(super) ended: bool,
}

#[derive(Debug, Deserialize)]
struct Counts {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    input_tokens_details: Option<InputDetails>,
    output_tokens_details: Option<OutputDetails>,
}

#[derive(Debug, Deserialize)]
struct InputDetails {
    #[serde(default, deserialize_with = "null_as_default")]
    cached_tokens: u64,
}

#[derive(Debug, Deserialize)]
struct OutputDetails {
    #[serde(default, deserialize_with = "null_as_default")]
    reasoning_tokens: u64,
}

/// An event, as far as it is looked at.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    output_index: u64,
    #[serde(default)]
    delta: Value,
    #[serde(default)]
    item: Value,
    response: Option<Reply>,
}

pub(super) fn gather(reply: &mut Reply, event: &Event, pieces: &mut Pieces) -> Result<ControlFlow<()>, Trouble> {
    if event.data == "[DONE]" {
        return Ok(ControlFlow::Break(()));
    }
    let told: Told = serde_json::from_str(&event.data)?;
    let delta = told.delta.as_str().unwrap_or_default();
    match told.r#type.as_str() {
        "response.output_item.added" if is_aside(&told.item) => reply.asides.push(told.output_index),
        "response.output_text.delta" if !reply.asides.contains(&told.output_index) => pieces.text(delta),
        "response.refusal.delta" => pieces.refusal(delta),
        "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => pieces.reasoning(delta),
        "response.output_item.done" => reply.output.push(told.item),
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            let gathered = std::mem::take(&mut reply.output);
            *reply = told.response.ok_or_else(|| Trouble::Malformed("its last event has no response".to_owned()))?;
            // The ChatGPT backend leaves the items out of its last event.
            if reply.output.is_empty() {
                reply.output = gathered;
            }
            reply.ended = true;
            return Ok(ControlFlow::Break(()));
        }
        _ => {}
    }
    Ok(ControlFlow::Continue(()))
}

/// Whether a message is a remark on the way and not the answer.
fn is_aside(item: &Value) -> bool {
    text(item, "phase") == "commentary"
}

pub(super) fn read(reply: Reply, enforcement: Enforcement) -> Result<CallResponse, Trouble> {
    if reply.status == "failed" || !reply.error.is_null() {
        return Err(Complaint::of_value(&reply.error).into());
    }
    let mut response = CallResponse::new("", enforcement);
    let mut refusal = None;
    for item in &reply.output {
        match text(item, "type") {
            "message" if !is_aside(item) => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    match text(part, "type") {
                        "output_text" => response.text.push_str(text(part, "text")),
                        "refusal" => refusal.get_or_insert_with(String::new).push_str(text(part, "refusal")),
                        _ => {}
                    }
                }
            }
            "function_call" => response.tool_calls.push(ToolCall::new(
                text(item, "call_id"),
                text(item, "name"),
                arguments(&item["arguments"]),
            )),
            _ => {}
        }
    }
    let reason = text(&reply.incomplete_details, "reason");
    response.ending = match (reply.status.as_str(), refusal) {
        ("cancelled", _) => Ending::Cancelled,
        ("incomplete", _) if reason == "content_filter" => Ending::Filtered(reason.to_owned()),
        ("incomplete", _) => Ending::CutShort,
        (_, Some(words)) => Ending::Refused(words),
        _ if !response.tool_calls.is_empty() => Ending::ToolCalls,
        _ => Ending::Complete,
    };
    if let Some(counts) = reply.usage {
        response.usage = Usage::new(counts.input_tokens, counts.output_tokens);
        response.usage.cached_input_tokens = counts.input_tokens_details.map_or(0, |details| details.cached_tokens);
        response.usage.reasoning_tokens = counts.output_tokens_details.map_or(0, |details| details.reasoning_tokens);
    }
    response.model = reply.model;
    response.id = reply.id;
    // Reasoning items must go back as they are; everything else can be said in words and calls.
    if reply.output.iter().any(|item| !matches!(text(item, "type"), "message" | "function_call")) {
        response.native = Some(Native::new(WIRE, Value::Array(reply.output)));
    }
    Ok(response)
}
