//! A request on the Responses wire.

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
use crate::http::wire::{Delivery, Lowered, Outgoing, lower};

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
    Call { r#type: &'static str, call_id: &'a str, name: &'a str, arguments: &'a str },
    Output { r#type: &'static str, call_id: &'a str, output: &'a str },
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
    body.field("input", turns.iter().flat_map(items).collect::<Vec<_>>())?;
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
    let input = lower(&tool.input, &Dialect::OPENAI)?;
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

/// A message as items of the input.
fn items(message: &Message) -> Vec<Item<'_>> {
    match message {
        Message::System { text } => vec![Item::Message { role: "developer", content: text }],
        Message::User { text } => vec![Item::Message { role: "user", content: text }],
        Message::Assistant(message) => assistant(message),
        Message::Tool(result) => {
            vec![Item::Output { r#type: "function_call_output", call_id: &result.call_id, output: &result.text }]
        }
    }
}

fn assistant(message: &AssistantMessage) -> Vec<Item<'_>> {
    if let Some(native) = message.native.as_ref().filter(|native| native.wire == WIRE)
        && let Some(items) = native.value.as_array()
    {
        return items.iter().map(Item::Native).collect();
    }
    let text = (!message.text.is_empty()).then_some(Item::Message { role: "assistant", content: &message.text });
    let calls = message.tool_calls.iter().map(|call| Item::Call {
        r#type: "function_call",
        call_id: &call.id,
        name: &call.name,
        arguments: &call.arguments,
    });
    text.into_iter().chain(calls).collect()
}
