//! A request on Anthropic's wire.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Messages, OutputMode, WIRE};
use crate::adapter::{
    AssistantMessage, CallError, CallErrorKind, CallRequest, Message, ReasoningEffort, ToolChoice, ToolResult, ToolSpec,
};
use crate::dialect::Dialect;
use crate::http::body::{Body, raw};
use crate::http::calls::{Calls, name};
use crate::http::json::object;
use crate::http::wire::{Delivery, Lowered, Outgoing, lower, lower_tool};

/// The limit of tokens where none is stated: what every model with structured outputs can write in one unstreamed reply.
const MAX_TOKENS: u32 = 16_000;
/// The same for models without: the smallest limit among them.
const MAX_TOKENS_OLDER: u32 = 4_096;

/// How many strict tools one request may have.
const MOST_STRICT_TOOLS: usize = 20;

#[derive(Serialize)]
struct Format {
    r#type: &'static str,
    schema: Box<RawValue>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    input_schema: Box<RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

#[derive(Serialize)]
struct Choice<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    disable_parallel_tool_use: bool,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    Text {
        r#type: &'static str,
        text: Cow<'a, str>,
    },
    Call {
        r#type: &'static str,
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: Box<RawValue>,
    },
    Result {
        r#type: &'static str,
        tool_use_id: Cow<'a, str>,
        #[serde(skip_serializing_if = "str::is_empty")]
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    Native(&'a Value),
}

pub(super) fn encode(wire: &Messages, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
    let parameters = &request.parameters;
    let format = request.response_schema.as_ref().map(|format| lower(format, &Dialect::ANTHROPIC)).transpose()?;

    let mut body = Body::new(&parameters.extra);
    wire.model.write(&mut body)?;
    let usual = if wire.mode == OutputMode::Tool { MAX_TOKENS_OLDER } else { MAX_TOKENS };
    body.field("max_tokens", parameters.max_tokens.unwrap_or(usual))?;
    let system: Vec<&str> = request
        .messages
        .iter()
        .filter(|message| matches!(message, Message::System { .. }))
        .map(Message::text)
        .filter(|text| !text.is_empty())
        .collect();
    body.optional("system", (!system.is_empty()).then(|| system.join("\n\n")))?;
    let answer = format.as_ref().filter(|_| wire.mode != OutputMode::Format);
    let tools = tools(wire, &request.tools, answer)?;
    body.field("messages", turns(&request.messages, !tools.is_empty())?)?;
    let mut config = body.nested("output_config");
    if let Some(format) = format.as_ref().filter(|_| wire.mode == OutputMode::Format) {
        config.schema("format", Format { r#type: "json_schema", schema: raw(format.wire.json.as_ref())? })?;
    }
    config.optional("effort", parameters.reasoning_effort.map(effort))?;
    body.object("output_config", config)?;
    if !tools.is_empty() {
        body.schema("tools", &tools)?;
        body.optional("tool_choice", choice(wire, request, answer.is_some()))?;
    }
    body.optional("temperature", parameters.temperature)?;
    body.optional("top_p", parameters.top_p)?;
    body.optional("stop_sequences", (!parameters.stop.is_empty()).then_some(&parameters.stop))?;
    if delivery == Delivery::Stream {
        body.field("stream", true)?;
    }
    let mut outgoing =
        Outgoing::new("/v1/messages", body.finish()?, delivery).with_schema(format.as_ref(), wire.schema_enforcement());
    if format.is_some() {
        // The API enforces a schema or refuses it: there is no hint among the modes that enforce.
        outgoing.enforcement = wire.schema_enforcement();
    }
    outgoing.has_tools = !request.tools.is_empty();
    Ok(outgoing)
}

/// The word for an effort. There is none below `low`.
fn effort(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Minimal => ReasoningEffort::Low.as_str(),
        other => other.as_str(),
    }
}

/// The tools, and the one that holds the answer.
fn tools<'a>(
    wire: &'a Messages,
    specs: &'a [ToolSpec],
    answer: Option<&Lowered<'_>>,
) -> Result<Vec<Tool<'a>>, CallError> {
    let unsupported = |text: String| Err(CallError::new(CallErrorKind::Unsupported, text));
    let mut tools = Vec::with_capacity(specs.len() + usize::from(answer.is_some()));
    for spec in specs {
        if answer.is_some() && spec.name == wire.answer {
            return unsupported(format!(
                "a tool has the name `{}`, which is that of the tool for the answer; rename one of them, the latter with \
                 `.answer_tool(\"…\")`",
                spec.name
            ));
        }
        let input = lower_tool(&spec.input, &Dialect::ANTHROPIC)?;
        tools.push(Tool {
            name: &spec.name,
            description: &spec.description,
            input_schema: raw(input.wire.json.as_ref())?,
            strict: wire.has_strict_tools() && input.wire.strict,
        });
    }
    if let Some(answer) = answer {
        tools.push(Tool {
            name: &wire.answer,
            description: "Call this with the answer. It is the only way to give one.",
            input_schema: raw(answer.wire.json.as_ref())?,
            strict: wire.mode == OutputMode::StrictTool,
        });
    }
    let strict = tools.iter().filter(|tool| tool.strict).count();
    if strict > MOST_STRICT_TOOLS {
        return unsupported(format!(
            "Anthropic takes at most {MOST_STRICT_TOOLS} strict tools in one request, and this one has {strict}; give it \
             fewer, or turn them into hints with `.strict_tools(false)`"
        ));
    }
    Ok(tools)
}

/// Which tools the model calls. Where its answer is one of them it must call one, and one alone.
fn choice<'a>(wire: &'a Messages, request: &'a CallRequest, has_answer: bool) -> Option<Choice<'a>> {
    let (r#type, name) = match &request.tool_choice {
        ToolChoice::Named(name) if !request.tools.is_empty() => ("tool", Some(name.as_str())),
        ToolChoice::Auto | ToolChoice::Required if has_answer && !request.tools.is_empty() => ("any", None),
        _ if has_answer => ("tool", Some(&*wire.answer)),
        ToolChoice::Auto | ToolChoice::Named(_) => return None,
        ToolChoice::None => ("none", None),
        ToolChoice::Required => ("any", None),
    };
    Some(Choice { r#type, name, disable_parallel_tool_use: has_answer })
}

/// The conversation. Messages of one side that follow one another are one turn, and there are no empty ones: the wire
/// has neither. The results of tools stand right after the calls. Where the request has no tools, the wire has no calls
/// either, and those of the conversation are told in words.
fn turns(messages: &[Message], has_tools: bool) -> Result<Vec<Turn<'_>>, CallError> {
    let mut calls = Calls::new(|id| {
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
    });
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            Message::System { .. } => continue,
            Message::User { text } => ("user", vec![Block::text(text)]),
            Message::Tool(result) if has_tools => ("user", vec![Block::result(result, calls.answered(result))]),
            Message::Tool(result) => ("user", vec![Block::text(format!("[`{}`: {}]", result.name, result.text))]),
            Message::Assistant(message) if has_tools => ("assistant", assistant(message, &mut calls)?),
            Message::Assistant(message) => ("assistant", in_words(message)),
        };
        match turns.last_mut() {
            _ if content.is_empty() => {}
            Some(turn) if turn.role == role => turn.content.extend(content),
            _ => turns.push(Turn { role, content }),
        }
    }
    Ok(turns)
}

fn assistant<'a>(message: &'a AssistantMessage, calls: &mut Calls<'a>) -> Result<Vec<Block<'a>>, CallError> {
    if let Some(blocks) = native(message) {
        calls.own(&message.tool_calls);
        return Ok(blocks.iter().map(Block::Native).collect());
    }
    let text = (!message.text.trim().is_empty()).then(|| Ok(Block::text(&*message.text)));
    let marks = calls.marks(&message.tool_calls);
    let calls = message.tool_calls.iter().zip(marks).map(|(call, id)| {
        Ok(Block::Call { r#type: "tool_use", id, name: name(&call.name), input: object(&call.arguments)? })
    });
    text.into_iter().chain(calls).collect()
}

/// A turn without the form of its calls.
fn in_words(message: &AssistantMessage) -> Vec<Block<'_>> {
    if message.tool_calls.is_empty()
        && let Some(blocks) = native(message)
    {
        return blocks.iter().map(Block::Native).collect();
    }
    let text = (!message.text.trim().is_empty()).then(|| Block::text(&*message.text));
    let calls = message.tool_calls.iter();
    text.into_iter().chain(calls.map(|call| Block::text(format!("[`{}` {}]", call.name, call.arguments)))).collect()
}

/// The blocks of a turn in this wire's own form.
fn native(message: &AssistantMessage) -> Option<&Vec<Value>> {
    message.native.as_ref().filter(|native| native.wire == WIRE)?.value.as_array()
}

impl<'a> Block<'a> {
    fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text { r#type: "text", text: text.into() }
    }

    fn result(result: &'a ToolResult, id: Cow<'a, str>) -> Self {
        // An error without words is refused.
        let silent = result.is_error && result.text.is_empty();
        let content = if silent { "it failed" } else { &*result.text };
        Self::Result { r#type: "tool_result", tool_use_id: id, content, is_error: result.is_error }
    }
}
