//! A request on the Chat Completions wire.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::profile::{CallIds, ReasoningField, SchemaField};
use super::{Chat, WIRE};
use crate::adapter::{CallError, CallErrorKind, CallRequest, Message, ToolCall, ToolChoice, ToolSpec};
use crate::http::body::{Body, raw};
use crate::http::calls::{Calls, name};
use crate::http::json::object;
use crate::http::prompt::instruction;
use crate::http::wire::{Delivery, Lowered, Outgoing, lower, lower_tool};

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_schema: Option<Schema<'a>>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names)] // as they stand on the wire
struct Schema<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    schema: Box<RawValue>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    parameters: Box<RawValue>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: Cow<'a, str>,
    /// JSON text in text. Servers parse it for their templates, so it is always an object.
    arguments: Box<str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Turn<'a> {
    Text {
        role: &'static str,
        content: &'a str,
    },
    Assistant {
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        role: &'static str,
        tool_call_id: Cow<'a, str>,
        content: &'a str,
    },
    Native(&'a Value),
}

pub(super) fn encode(wire: &Chat, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
    let Chat { profile, dialect, model } = wire;
    let parameters = &request.parameters;
    let format = request.response_schema.as_ref().map(|format| lower(format, dialect)).transpose()?;
    let delivery = if format.is_some() && !profile.streams_schema { Delivery::Whole } else { delivery };

    let instruction = format.as_ref().filter(|_| profile.prompts()).map(instruction);
    let mut body = Body::new(&parameters.extra);
    model.write(&mut body)?;
    let system = system(&request.messages, instruction.as_deref());
    body.field("messages", turns(&request.messages, system.as_deref(), profile.call_ids)?)?;
    if let Some(format) = &format {
        if let Some(format) = response_format(wire, format)? {
            body.schema("response_format", format)?;
        }
        if profile.require_parameters {
            let mut provider = body.nested("provider");
            provider.field("require_parameters", true)?;
            body.object("provider", provider)?;
        }
    }
    let tools = offered(wire, request)?;
    if !tools.is_empty() {
        let all: Result<Vec<_>, _> = tools.iter().map(|spec| tool(wire, spec)).collect();
        body.schema("tools", all?)?;
        body.optional("tool_choice", profile.required_tool.and_then(|word| choice(&request.tool_choice, word)))?;
    }
    body.optional(profile.max_tokens, parameters.max_tokens)?;
    body.optional("temperature", parameters.temperature)?;
    body.optional("top_p", parameters.top_p)?;
    if let Some(name) = profile.seed {
        body.optional(name, parameters.seed)?;
    }
    body.optional("stop", (!parameters.stop.is_empty()).then_some(&parameters.stop))?;
    if let Some(effort) = parameters.reasoning_effort {
        match profile.reasoning {
            ReasoningField::Effort => body.field("reasoning_effort", effort.as_str())?,
            ReasoningField::Nested => {
                let mut reasoning = body.nested("reasoning");
                reasoning.field("effort", effort.as_str())?;
                body.object("reasoning", reasoning)?;
            }
            ReasoningField::None => {
                return Err(CallError::new(
                    CallErrorKind::Unsupported,
                    format!("{} has no reasoning effort; leave it out, or say it in `extra`", profile.route),
                ));
            }
        }
    }
    if delivery == Delivery::Stream {
        body.field("stream", true)?;
        if profile.stream_options {
            let mut options = body.nested("stream_options");
            options.field("include_usage", true)?;
            body.object("stream_options", options)?;
        }
    }
    let mut outgoing =
        Outgoing::new("/chat/completions", body.finish()?, delivery).with_schema(format.as_ref(), profile.enforcement);
    outgoing.has_tools = !tools.is_empty();
    Ok(outgoing)
}

/// The tools that go out. Where the choice is the model's alone, none stand for none, and a demand is refused.
fn offered<'a>(wire: &Chat, request: &'a CallRequest) -> Result<&'a [ToolSpec], CallError> {
    let profile = &wire.profile;
    let refused = |words: &str| {
        Err(CallError::new(CallErrorKind::Unsupported, format!("{} has no way to {words}", profile.route)))
    };
    match (&request.tool_choice, profile.required_tool) {
        (ToolChoice::None, None) => Ok(&[]),
        _ if request.tools.is_empty() => Ok(&[]),
        (ToolChoice::Required | ToolChoice::Named(_), None) => {
            refused("make a model call a tool; leave the choice to it")
        }
        (ToolChoice::Named(_), Some(_)) if !profile.named_tool => {
            refused("make a model call one tool by its name; demand a call of any, or leave the choice to it")
        }
        _ => Ok(&request.tools),
    }
}

/// The first system message with the instruction behind it, where there is an instruction.
fn system(messages: &[Message], instruction: Option<&str>) -> Option<String> {
    let instruction = instruction?;
    Some(match messages.first() {
        Some(Message::System { text }) => format!("{text}\n\n{instruction}"),
        _ => instruction.to_owned(),
    })
}

fn turns<'a>(messages: &'a [Message], system: Option<&'a str>, ids: CallIds) -> Result<Vec<Turn<'a>>, CallError> {
    let mut calls = Calls::new(match ids {
        CallIds::Short => |id| (1..=40).contains(&id.len()),
        CallIds::Nine => |id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    });
    let replaced = system.is_some() && matches!(messages.first(), Some(Message::System { .. }));
    let first = system.map(|content| Ok(Turn::Text { role: "system", content }));
    let rest = messages.iter().skip(usize::from(replaced)).map(|message| turn(message, &mut calls));
    first.into_iter().chain(rest).collect()
}

fn turn<'a>(message: &'a Message, calls: &mut Calls<'a>) -> Result<Turn<'a>, CallError> {
    Ok(match message {
        Message::System { text } => Turn::Text { role: "system", content: text },
        Message::User { text } => Turn::Text { role: "user", content: text },
        Message::Tool(result) => {
            Turn::Tool { role: "tool", tool_call_id: calls.answered(result), content: &result.text }
        }
        Message::Assistant(message) => match &message.native {
            Some(native) if native.wire == WIRE => {
                calls.own(&message.tool_calls);
                Turn::Native(&native.value)
            }
            _ => {
                let content = (!message.text.is_empty() || message.tool_calls.is_empty()).then_some(&*message.text);
                let marks = calls.marks(&message.tool_calls);
                let tool_calls = message.tool_calls.iter().zip(marks).map(|(call, id)| Call::of(call, id));
                Turn::Assistant { role: "assistant", content, tool_calls: tool_calls.collect::<Result<_, _>>()? }
            }
        },
    })
}

impl<'a> Call<'a> {
    fn of(call: &'a ToolCall, id: Cow<'a, str>) -> Result<Self, CallError> {
        let function = Called { name: name(&call.name), arguments: object(&call.arguments)?.get().into() };
        Ok(Self { id, r#type: "function", function })
    }
}

fn response_format<'a>(wire: &Chat, format: &Lowered<'a>) -> Result<Option<Format<'a>>, CallError> {
    Ok(match wire.profile.schema {
        SchemaField::JsonSchema => Some(Format {
            r#type: "json_schema",
            json_schema: Some(Schema {
                name: format.name,
                strict: wire.profile.strict.then_some(format.wire.strict),
                schema: raw(format.wire.json.as_ref())?,
            }),
        }),
        SchemaField::JsonObject => Some(Format { r#type: "json_object", json_schema: None }),
        SchemaField::Prompt => None,
    })
}

fn tool<'a>(wire: &Chat, tool: &'a ToolSpec) -> Result<Tool<'a>, CallError> {
    let input = lower_tool(&tool.input, &wire.dialect)?;
    Ok(Tool {
        r#type: "function",
        function: Function {
            name: &tool.name,
            description: &tool.description,
            strict: wire.profile.strict_tools.then_some(input.wire.strict),
            parameters: raw(input.wire.json.as_ref())?,
        },
    })
}

fn choice(choice: &ToolChoice, required: &str) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some("none".into()),
        ToolChoice::Required => Some(required.into()),
        ToolChoice::Named(name) => Some(json!({"type": "function", "function": {"name": name}})),
    }
}
