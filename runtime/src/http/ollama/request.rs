//! A request on Ollama's wire.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Chat, OWN_MARK};
use crate::adapter::{CallError, CallErrorKind, CallRequest, Message, ReasoningEffort, ToolCall, ToolChoice, ToolSpec};
use crate::dialect::Dialect;
use crate::http::body::{Body, raw};
use crate::http::json::object;
use crate::http::prompt::instruction;
use crate::http::wire::{Delivery, Outgoing, lower, lower_tool};

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Cow<'a, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Call<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: &'a str,
    arguments: Box<RawValue>,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Box<RawValue>,
}

pub(super) fn encode(wire: &Chat, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
    let parameters = &request.parameters;
    let format = request.response_schema.as_ref().map(|format| lower(format, &Dialect::OLLAMA)).transpose()?;
    let tools = match &request.tool_choice {
        ToolChoice::None => &[],
        ToolChoice::Auto => request.tools.as_slice(),
        ToolChoice::Required | ToolChoice::Named(_) if request.tools.is_empty() => &[],
        ToolChoice::Required | ToolChoice::Named(_) => {
            return Err(CallError::new(
                CallErrorKind::Unsupported,
                "Ollama has no way to make a model call a tool; leave the choice to it",
            ));
        }
    };

    let mut body = Body::new(&parameters.extra);
    wire.model.write(&mut body)?;
    let shown = format.as_ref().filter(|_| wire.schema_in_prompt).map(instruction);
    body.field("messages", turns(&request.messages, shown)?)?;
    if let Some(format) = &format {
        body.schema("format", raw(format.wire.json.as_ref())?)?;
    }
    if !tools.is_empty() {
        let tools: Vec<_> = tools.iter().map(tool).collect::<Result<_, _>>()?;
        body.schema("tools", tools)?;
    }
    body.optional("think", think(parameters.reasoning_effort, format.is_some()))?;
    let mut options = body.nested("options");
    options.optional("num_predict", parameters.max_tokens)?;
    options.optional("temperature", parameters.temperature)?;
    options.optional("top_p", parameters.top_p)?;
    options.optional("seed", parameters.seed)?;
    options.optional("stop", (!parameters.stop.is_empty()).then_some(&parameters.stop))?;
    body.object("options", options)?;
    // It streams unless it is told not to.
    body.field("stream", delivery == Delivery::Stream)?;
    let mut outgoing =
        Outgoing::new("/api/chat", body.finish()?, delivery).with_schema(format.as_ref(), wire.enforcement());
    outgoing.has_tools = !tools.is_empty();
    Ok(outgoing)
}

/// Whether the model thinks, and how much. The least is not at all.
fn think(effort: Option<ReasoningEffort>, has_schema: bool) -> Option<Value> {
    match effort {
        None => has_schema.then_some(Value::Bool(false)),
        Some(ReasoningEffort::Minimal) => Some(Value::Bool(false)),
        Some(effort) => Some(effort.as_str().into()),
    }
}

fn tool(tool: &ToolSpec) -> Result<Tool<'_>, CallError> {
    let input = lower_tool(&tool.input, &Dialect::OLLAMA)?;
    Ok(Tool {
        r#type: "function",
        function: Function {
            name: &tool.name,
            description: &tool.description,
            parameters: raw(input.wire.json.as_ref())?,
        },
    })
}

/// The conversation, with what the model is told of the schema behind the first system message.
fn turns(messages: &[Message], shown: Option<String>) -> Result<Vec<Turn<'_>>, CallError> {
    let mut turns: Vec<Turn<'_>> = messages.iter().map(turn).collect::<Result<_, _>>()?;
    if let Some(shown) = shown {
        match turns.first_mut().filter(|turn| turn.role == "system") {
            Some(system) => system.content = format!("{}\n\n{shown}", system.content).into(),
            None => turns.insert(0, Turn::new("system", shown)),
        }
    }
    Ok(turns)
}

fn turn(message: &Message) -> Result<Turn<'_>, CallError> {
    Ok(match message {
        Message::System { text } => Turn::new("system", text),
        Message::User { text } => Turn::new("user", text),
        Message::Assistant(message) => {
            let tool_calls = message.tool_calls.iter().map(call).collect::<Result<_, _>>()?;
            Turn { tool_calls, ..Turn::new("assistant", &message.text) }
        }
        Message::Tool(result) => Turn {
            tool_name: Some(&result.name),
            tool_call_id: mark(&result.call_id),
            ..Turn::new("tool", &result.text)
        },
    })
}

fn call(call: &ToolCall) -> Result<Call<'_>, CallError> {
    Ok(Call { id: mark(&call.id), function: Called { name: &call.name, arguments: object(&call.arguments)? } })
}

/// A call's mark, unless it was made here.
fn mark(id: &str) -> Option<&str> {
    (!id.is_empty() && !id.starts_with(OWN_MARK)).then_some(id)
}

impl<'a> Turn<'a> {
    fn new(role: &'static str, content: impl Into<Cow<'a, str>>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_name: None, tool_call_id: None }
    }
}
