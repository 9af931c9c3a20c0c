//! A reply on Ollama's wire.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::OWN_MARK;
use crate::adapter::{CallResponse, Ending, Enforcement, ToolCall, Usage};
use crate::http::json::null_as_default;
use crate::http::sse::Event;
use crate::http::wire::{Pieces, Trouble};

/// A reply, or a line of one: both have the same form.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Reply {
    #[serde(default, deserialize_with = "null_as_default")]
    model: String,
    /// Not optional: without it this is no reply.
    message: Said,
    #[serde(default, deserialize_with = "null_as_default")]
    pub(super) done: bool,
    #[serde(default, deserialize_with = "null_as_default")]
    done_reason: String,
    #[serde(default, deserialize_with = "null_as_default")]
    prompt_eval_count: u64,
    #[serde(default, deserialize_with = "null_as_default")]
    eval_count: u64,
}

#[derive(Debug, Default, Deserialize)]
struct Said {
    #[serde(default, deserialize_with = "null_as_default")]
    content: String,
    #[serde(default, deserialize_with = "null_as_default")]
    thinking: String,
    #[serde(default, deserialize_with = "null_as_default")]
    tool_calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
struct Call {
    #[serde(default, deserialize_with = "null_as_default")]
    id: String,
    function: Function,
}

#[derive(Debug, Deserialize)]
struct Function {
    #[serde(default, deserialize_with = "null_as_default")]
    name: String,
    /// JSON text, every digit of it.
    arguments: Option<Box<RawValue>>,
}

pub(super) fn gather(reply: &mut Reply, event: &Event, pieces: &mut Pieces) -> Result<ControlFlow<()>, Trouble> {
    let line: Reply = serde_json::from_str(&event.data)?;
    pieces.reasoning(&line.message.thinking);
    pieces.text(&line.message.content);
    let mut message = std::mem::take(&mut reply.message);
    message.content.push_str(&line.message.content);
    message.thinking.push_str(&line.message.thinking);
    message.tool_calls.extend(line.message.tool_calls);
    let done = line.done;
    // The last line has the counts.
    *reply = Reply { message, ..line };
    Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}

pub(super) fn read(reply: Reply, enforcement: Enforcement) -> Result<CallResponse, Trouble> {
    if !reply.done {
        return Err(Trouble::Malformed("it is not done".to_owned()));
    }
    let mut response = CallResponse::new(reply.message.content, enforcement);
    let calls = reply.message.tool_calls.into_iter().enumerate();
    response.tool_calls = calls
        .map(|(nth, call)| {
            let id = if call.id.is_empty() { format!("{OWN_MARK}{nth}") } else { call.id };
            let arguments = call.function.arguments.as_ref().map_or("{}", |arguments| arguments.get());
            ToolCall::new(id, call.function.name, arguments)
        })
        .collect();
    response.ending = match reply.done_reason.as_str() {
        "length" => Ending::CutShort,
        _ if !response.tool_calls.is_empty() => Ending::ToolCalls,
        _ => Ending::Complete,
    };
    response.usage = Usage::new(reply.prompt_eval_count, reply.eval_count);
    response.model = reply.model;
    Ok(response)
}
