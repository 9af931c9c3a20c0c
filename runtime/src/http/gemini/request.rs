//! A request on Gemini's wire.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{GenerateContent, OWN_MARK, WIRE};
use crate::adapter::{
    AssistantMessage, CallError, CallRequest, Enforcement, Message, ReasoningEffort, ToolChoice, ToolResult, ToolSpec,
};
use crate::dialect::Dialect;
use crate::http::body::{Body, raw};
use crate::http::calls::name;
use crate::http::json::object;
use crate::http::wire::{Delivery, Outgoing, lower, lower_tool};

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Part<'a> {
    Text(&'a str),
    FunctionCall {
        name: Cow<'a, str>,
        args: Box<RawValue>,
    },
    FunctionResponse {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        name: Cow<'a, str>,
        response: Value,
    },
    #[serde(untagged)]
    Native(&'a Value),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    parameters_json_schema: Box<RawValue>,
}

pub(super) fn encode(wire: &GenerateContent, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError> {
    let parameters = &request.parameters;
    let format = request.response_schema.as_ref().map(|format| lower(format, &Dialect::GEMINI)).transpose()?;

    let mut body = Body::new(&parameters.extra);
    let system: Vec<&str> = request
        .messages
        .iter()
        .filter(|message| matches!(message, Message::System { .. }))
        .map(Message::text)
        .filter(|text| !text.is_empty())
        .collect();
    body.optional(
        "systemInstruction",
        (!system.is_empty()).then(|| json!({"parts": [{"text": system.join("\n\n")}]})),
    )?;
    body.field("contents", contents(&request.messages)?)?;
    if !request.tools.is_empty() {
        let declarations: Vec<_> = request.tools.iter().map(declaration).collect::<Result<_, _>>()?;
        body.schema("tools", [Tools { function_declarations: declarations }])?;
        body.optional("toolConfig", choice(&request.tool_choice))?;
    }
    let mut config = body.nested("generationConfig");
    if let Some(format) = &format {
        config.schema("responseMimeType", "application/json")?;
        config.schema("responseJsonSchema", raw(format.wire.json.as_ref())?)?;
    }
    config.optional("maxOutputTokens", parameters.max_tokens)?;
    config.optional("temperature", parameters.temperature)?;
    config.optional("topP", parameters.top_p)?;
    config.optional("seed", parameters.seed)?;
    config.optional("stopSequences", (!parameters.stop.is_empty()).then_some(&parameters.stop))?;
    let mut thinking = config.nested("thinkingConfig");
    thinking.optional("thinkingLevel", parameters.reasoning_effort.map(level))?;
    config.object("thinkingConfig", thinking)?;
    body.object("generationConfig", config)?;

    let name = wire.model.named()?;
    // `models/…` and `tunedModels/…` stay as they are.
    let place = if name.contains('/') { name.to_owned() } else { format!("models/{name}") };
    let (method, query) = match delivery {
        Delivery::Whole => ("generateContent", None),
        Delivery::Stream => ("streamGenerateContent", Some(("alt", "sse"))),
    };
    let path = format!("/{place}:{method}");
    let mut outgoing =
        Outgoing::new(path, body.finish()?, delivery).with_schema(format.as_ref(), Enforcement::Enforced);
    outgoing.query = query;
    outgoing.has_tools = !request.tools.is_empty();
    Ok(outgoing)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

fn declaration(tool: &ToolSpec) -> Result<Declaration<'_>, CallError> {
    let input = lower_tool(&tool.input, &Dialect::GEMINI)?;
    Ok(Declaration {
        name: &tool.name,
        description: &tool.description,
        parameters_json_schema: raw(input.wire.json.as_ref())?,
    })
}

fn choice(choice: &ToolChoice) -> Option<Value> {
    let config = match choice {
        ToolChoice::Auto => return None,
        ToolChoice::None => json!({"mode": "NONE"}),
        ToolChoice::Required => json!({"mode": "ANY"}),
        ToolChoice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
    };
    Some(json!({ "functionCallingConfig": config }))
}

fn level(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Minimal => "MINIMAL",
        ReasoningEffort::Low => "LOW",
        ReasoningEffort::Medium => "MEDIUM",
        ReasoningEffort::High => "HIGH",
    }
}

/// The conversation. Messages of one side that follow one another are one content: the wire counts the results of tools
/// against the calls of the content before.
fn contents(messages: &[Message]) -> Result<Vec<Content<'_>>, CallError> {
    let marks: HashSet<&str> = messages.iter().filter_map(native).flatten().filter_map(mark).collect();
    let mut contents: Vec<Content<'_>> = Vec::new();
    for message in messages {
        let (role, parts) = match message {
            Message::System { .. } => continue,
            Message::User { text } => ("user", vec![Part::Text(text)]),
            Message::Tool(result) => ("user", vec![response(result, &marks)]),
            Message::Assistant(turn) => ("model", assistant(turn, message)?),
        };
        match contents.last_mut() {
            _ if parts.is_empty() => {}
            Some(content) if content.role == role => content.parts.extend(parts),
            _ => contents.push(Content { role, parts }),
        }
    }
    Ok(contents)
}

/// The parts of a turn in this wire's own form.
fn native(message: &Message) -> Option<&Vec<Value>> {
    let Message::Assistant(AssistantMessage { native: Some(native), .. }) = message else { return None };
    native.value.as_array().filter(|_| native.wire == WIRE)
}

/// The provider's own mark of a call, where it has one.
fn mark(part: &Value) -> Option<&str> {
    part.get("functionCall")?.get("id")?.as_str()
}

fn assistant<'a>(turn: &'a AssistantMessage, message: &'a Message) -> Result<Vec<Part<'a>>, CallError> {
    if let Some(parts) = native(message) {
        return Ok(parts.iter().map(Part::Native).collect());
    }
    let said = (!turn.text.is_empty()).then(|| Ok(Part::Text(&turn.text)));
    let calls = turn
        .tool_calls
        .iter()
        .map(|call| Ok(Part::FunctionCall { name: name(&call.name), args: object(&call.arguments)? }));
    said.into_iter().chain(calls).collect()
}

/// A result is an object on this wire. Marks that were made here, or by another provider, mean nothing to it.
fn response<'a>(result: &'a ToolResult, marks: &HashSet<&str>) -> Part<'a> {
    let known = !result.call_id.starts_with(OWN_MARK) && marks.contains(result.call_id.as_str());
    let key = if result.is_error { "error" } else { "result" };
    Part::FunctionResponse {
        id: known.then_some(&*result.call_id),
        name: name(&result.name),
        response: json!({ key: result.text }),
    }
}
