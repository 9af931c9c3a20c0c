//! A request on the Responses wire.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Responses, WIRE};
use crate::adapter::{
    AssistantMessage, CallError, CallErrorKind, CallRequest, Enforcement, Message, ReasoningEffort, ToolChoice,
    ToolSpec,
};
use crate::dialect::Dialect;
use crate::http::body::{Body, raw};
use crate::http::calls::{Calls, name};
use crate::http::json::object;
use crate::http::wire::{Delivery, Lowered, Outgoing, lower, lower_tool};

/// The instructions where the `ChatGPT` backend demands some and the conversation has none.
const INSTRUCTIONS: &str = "Answer the user.";

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    name: &'a str,
    strict: bool,
    schema: Box<RawValue>,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    strict: bool,
    parameters: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Message { role: &'static str, content: &'a str },
    Call { r#type: &'static str, call_id: Cow<'a, str>, name: Cow<'a, str>, arguments: Box<str> },
    Output { r#type: &'static str, call_id: Cow<'a, str>, output: &'a str },
    Native(&'a Value),
}

pub(super) fn encode(wire: &Responses, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
    let parameters = &request.parameters;
    if !parameters.stop.is_empty() {
        return Err(CallError::new(
            CallErrorKind::Unsupported,
            "the Responses API has no stop texts; leave `stop` empty, or take a chat-completions route",
        ));
    }
    // The `ChatGPT` backend streams and keeps nothing, and wants to be told both.
    let delivery = if wire.login { Delivery::Stream } else { delivery };
    let format = request.response_schema.as_ref().map(|format| lower(format, &Dialect::OPENAI)).transpose()?;

    let leading = request.messages.iter().take_while(|message| matches!(message, Message::System { .. })).count();
    let (system, turns) = request.messages.split_at(leading);
    let instructions = system.iter().map(Message::text).collect::<Vec<_>>().join("\n\n");

    let mut body = Body::new(&parameters.extra);
    wire.model.write(&mut body)?;
    if !instructions.is_empty() {
        body.field("instructions", &instructions)?;
    } else if wire.login {
        body.field("instructions", INSTRUCTIONS)?;
    }
    body.field("input", items(turns)?)?;
    let mut text = body.nested("text");
    if let Some(format) = &format {
        text.schema("format", schema(format)?)?;
    }
    body.object("text", text)?;
    let tools = tools(&request.tools)?;
    if !tools.is_empty() {
        body.schema("tools", &tools)?;
        body.optional("tool_choice", choice(&request.tool_choice))?;
    }
    body.optional("max_output_tokens", parameters.max_tokens)?;
    body.optional("temperature", parameters.temperature)?;
    body.optional("top_p", parameters.top_p)?;
    let mut reasoning = body.nested("reasoning");
    reasoning.optional("effort", parameters.reasoning_effort.map(ReasoningEffort::as_str))?;
    body.object("reasoning", reasoning)?;
    if let Some(store) = wire.store {
        body.field("store", store)?;
        if !store {
            // What is not kept there must be able to come back from here.
            body.field("include", ["reasoning.encrypted_content"])?;
        }
    }
    if delivery == Delivery::Stream {
        body.field("stream", true)?;
    }
    let mut outgoing =
        Outgoing::new("/responses", body.finish()?, delivery).with_schema(format.as_ref(), Enforcement::Enforced);
    outgoing.has_tools = !request.tools.is_empty();
    Ok(outgoing)
}

fn schema<'a>(format: &Lowered<'a>) -> Result<Format<'a>, CallError> {
    Ok(Format {
        r#type: "json_schema",
        name: format.name,
        strict: format.wire.strict,
        schema: raw(format.wire.json.as_ref())?,
    })
}

fn tools(tools: &[ToolSpec]) -> Result<Vec<Tool<'_>>, CallError> {
    tools.iter().map(tool).collect()
}

fn tool(tool: &ToolSpec) -> Result<Tool<'_>, CallError> {
    let input = lower_tool(&tool.input, &Dialect::OPENAI)?;
    Ok(Tool {
        r#type: "function",
        name: &tool.name,
        description: &tool.description,
        strict: input.wire.strict,
        parameters: raw(input.wire.json.as_ref())?,
    })
}

fn choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some("none".into()),
        ToolChoice::Required => Some("required".into()),
        ToolChoice::Named(name) => Some(json!({"type": "function", "name": name})),
    }
}

/// The conversation as items of the input.
fn items(messages: &[Message]) -> Result<Vec<Item<'_>>, CallError> {
    let mut calls = Calls::new(|id| (1..=64).contains(&id.len()));
    let mut items = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Message::System { text } => items.push(Item::Message { role: "developer", content: text }),
            Message::User { text } => items.push(Item::Message { role: "user", content: text }),
            Message::Assistant(message) => assistant(message, &mut calls, &mut items)?,
            Message::Tool(result) => items.push(Item::Output {
                r#type: "function_call_output",
                call_id: calls.answered(result),
                output: &result.text,
            }),
        }
    }
    Ok(items)
}

fn assistant<'a>(
    message: &'a AssistantMessage,
    calls: &mut Calls<'a>,
    items: &mut Vec<Item<'a>>,
) -> Result<(), CallError> {
    if let Some(native) = message.native.as_ref().filter(|native| native.wire == WIRE)
        && let Some(own) = native.value.as_array()
    {
        calls.own(&message.tool_calls);
        items.extend(own.iter().map(Item::Native));
        return Ok(());
    }
    if !message.text.is_empty() {
        items.push(Item::Message { role: "assistant", content: &message.text });
    }
    for (call, call_id) in message.tool_calls.iter().zip(calls.marks(&message.tool_calls)) {
        let arguments = object(&call.arguments)?.get().into();
        items.push(Item::Call { r#type: "function_call", call_id, name: name(&call.name), arguments });
    }
    Ok(())
}
