//! `OpenAI` Responses: `POST /v1/responses`.

use std::time::Duration;

use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::judge::{Judged, field, invalid, list, name_fits, text, unknown, wrong};
use super::play::Answer;
use super::schema;
use super::server::Recorded;
use super::stream::named;
use super::wire::{Asked, CREATED, Wire, openai_error};

const KNOWN: &[&str] = &[
    "access_programs",
    "background",
    "client_metadata",
    "context_management",
    "conversation",
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "moderation",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
];

pub(super) fn judge(request: &Recorded, serial: u64) -> Judged<Asked<'_>> {
    let body = &request.body;
    if !request.header("authorization").is_some_and(|value| value.starts_with("Bearer ") && value.len() > 7)
        && request.header("api-key").is_none()
    {
        return Err(Failure::new(Fail::Unauthorized).message(
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
        ));
    }
    if let Some(key) = unknown(body, KNOWN) {
        return wrong(format!("Unknown parameter: '{key}'."));
    }
    let Some(model) = text(body, "model").filter(|model| !model.is_empty()) else {
        return wrong("Missing required parameter: 'model'.");
    };
    let prompt = input(body)?;
    format(body, &prompt)?;
    tools(body)?;
    if let Some(most) = field(body, "max_output_tokens")
        && most.as_u64().is_none_or(|most| most < 16)
    {
        return wrong(format!(
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got {most} instead."
        ));
    }
    Ok(Asked { model: model.to_owned(), stream: body["stream"] == true, body, serial, as_list: false })
}

/// Judges the conversation; all of its text.
fn input(body: &Value) -> Judged<String> {
    let mut all = text(body, "instructions").unwrap_or_default().to_owned();
    match field(body, "input") {
        None => wrong("Missing required parameter: 'input'."),
        Some(Value::String(text)) => Ok(all + text),
        Some(Value::Array(items)) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                all.push_str(&self::item(item, i)?);
            }
            calls(items)?;
            Ok(all)
        }
        Some(_) => wrong("Invalid type for 'input': expected one of a non-empty array of items or a string."),
    }
}

fn item(item: &Value, i: usize) -> Judged<String> {
    let need = |key: &str| -> Judged<&str> {
        text(item, key).ok_or_else(|| invalid(format!("Missing required parameter: 'input[{i}].{key}'.")))
    };
    match text(item, "type").unwrap_or("message") {
        "message" => {
            let role = need("role")?;
            if !["user", "assistant", "system", "developer"].contains(&role) {
                return wrong(format!(
                    "Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'."
                ));
            }
            match field(item, "content") {
                Some(Value::String(text)) => Ok(text.clone()),
                Some(Value::Array(parts)) => {
                    let mut all = String::new();
                    for (j, part) in parts.iter().enumerate() {
                        let kind = text(part, "type").unwrap_or_default();
                        let fits = if role == "assistant" {
                            ["output_text", "refusal"].contains(&kind)
                        } else {
                            ["input_text", "input_image", "input_file", "input_audio"].contains(&kind)
                        };
                        if !fits {
                            let may = if role == "assistant" {
                                "'output_text' and 'refusal'"
                            } else {
                                "'input_text', 'input_image', 'input_file', and 'input_audio'"
                            };
                            return wrong(format!(
                                "Invalid value: '{kind}'. Supported values are: {may} (input[{i}].content[{j}])."
                            ));
                        }
                        all.push_str(text(part, "text").unwrap_or_default());
                    }
                    Ok(all)
                }
                _ => wrong(format!("Missing required parameter: 'input[{i}].content'.")),
            }
        }
        "function_call" => {
            let id = need("call_id")?;
            if id.len() > 64 {
                return wrong(format!(
                    "Invalid 'input[{i}].call_id': string too long. Expected a string with maximum length 64, but got a string with length {} instead.",
                    id.len()
                ));
            }
            if !name_fits(need("name")?) {
                return wrong(format!(
                    "Invalid 'input[{i}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
                ));
            }
            need("arguments")?;
            Ok(String::new())
        }
        "function_call_output" => {
            need("call_id")?;
            if field(item, "output").is_none() {
                return wrong(format!("Missing required parameter: 'input[{i}].output'."));
            }
            Ok(String::new())
        }
        "reasoning" => {
            if field(item, "summary").is_none() {
                return wrong(format!("Missing required parameter: 'input[{i}].summary'."));
            }
            Ok(String::new())
        }
        "item_reference" => Ok(String::new()),
        other => wrong(format!(
            "Invalid value: '{other}'. Supported values are: 'message', 'function_call', 'function_call_output', and 'reasoning' (input[{i}].type)."
        )),
    }
}

/// Each call has its output behind it, each output its call before it, and each thought what it led to.
fn calls(items: &[Value]) -> Judged<()> {
    let mut open: Vec<&str> = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let id = text(item, "call_id").unwrap_or_default();
        match text(item, "type").unwrap_or("message") {
            "function_call" => open.push(id),
            "function_call_output" => {
                let Some(at) = open.iter().position(|one| *one == id) else {
                    return wrong(format!("No tool call found for function call output with call_id {id}."));
                };
                open.remove(at);
            }
            "reasoning" => {
                let follows = items.get(i + 1).is_some_and(|next| {
                    ["reasoning", "function_call"].contains(&text(next, "type").unwrap_or("message"))
                        || next["role"] == "assistant"
                });
                if !follows {
                    return wrong(format!(
                        "Item '{}' of type 'reasoning' was provided without its required following item.",
                        text(item, "id").unwrap_or_default()
                    ));
                }
            }
            _ => {}
        }
    }
    match open.first() {
        Some(id) => wrong(format!("No tool output found for function call {id}.")),
        None => Ok(()),
    }
}

fn format(body: &Value, prompt: &str) -> Judged<()> {
    let Some(format) = body.get("text").and_then(|text| field(text, "format")) else { return Ok(()) };
    match text(format, "type") {
        Some("text") => Ok(()),
        Some("json_object") => json_is_asked_for(prompt, "Response input messages", "text.format"),
        Some("json_schema") => {
            if let Some(key) = unknown(format, &["type", "name", "schema", "strict", "description"]) {
                return wrong(format!("Unknown parameter: 'text.format.{key}'."));
            }
            let Some(name) = text(format, "name") else {
                return wrong("Missing required parameter: 'text.format.name'.");
            };
            json_schema(name, field(format, "schema"), field(format, "strict"), "text.format")
        }
        Some(other) => wrong(format!(
            "Invalid value: '{other}'. Supported values are: 'json_object', 'json_schema', and 'text' (text.format.type)."
        )),
        None => wrong("Missing required parameter: 'text.format.type'."),
    }
}

/// What both wires of `OpenAI` say about a schema, its name and its strictness.
pub(super) fn json_schema(name: &str, of: Option<&Value>, strict: Option<&Value>, at: &str) -> Judged<()> {
    if !name_fits(name) {
        return wrong(format!(
            "Invalid '{at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        ));
    }
    let Some(of) = of.filter(|schema| schema.is_object()) else {
        return wrong(format!("Missing required parameter: '{at}.schema'."));
    };
    match strict {
        None | Some(Value::Bool(false)) => Ok(()),
        Some(Value::Bool(true)) => schema::openai(of).map_err(|what| {
            Failure::new(Fail::SchemaRefused).message(format!("Invalid schema for response_format '{name}': {what}"))
        }),
        Some(_) => wrong(format!("Invalid type for '{at}.strict': expected a boolean.")),
    }
}

pub(super) fn json_is_asked_for(prompt: &str, what: &str, at: &str) -> Judged<()> {
    if prompt.to_lowercase().contains("json") {
        return Ok(());
    }
    wrong(format!("{what} must contain the word 'json' in some form to use '{at}' of type 'json_object'."))
}

fn tools(body: &Value) -> Judged<()> {
    for (i, tool) in list(body, "tools").iter().enumerate() {
        if tool["type"] != "function" {
            continue;
        }
        let Some(name) = text(tool, "name") else {
            return wrong(format!("Missing required parameter: 'tools[{i}].name'."));
        };
        function(name, tool, &format!("tools[{i}]"))?;
    }
    Ok(())
}

/// What both wires of `OpenAI` say about a function.
pub(super) fn function(name: &str, function: &Value, at: &str) -> Judged<()> {
    if !name_fits(name) {
        return wrong(format!(
            "Invalid '{at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        ));
    }
    if function["strict"] == true {
        schema::openai(&function["parameters"]).map_err(|what| {
            Failure::new(Fail::ToolRefused).message(format!("Invalid schema for function '{name}': {what}"))
        })?;
    }
    Ok(())
}

/// How a reply ends: its status, its details, its error.
struct End {
    status: &'static str,
    details: Value,
    error: Value,
    event: &'static str,
}

fn end(exchange: &Exchange) -> Option<End> {
    let incomplete = |reason: &str| End {
        status: "incomplete",
        details: json!({ "reason": reason }),
        error: Value::Null,
        event: "response.incomplete",
    };
    Some(match &exchange.ending {
        Ending::Complete | Ending::Refused(_) => {
            End { status: "completed", details: Value::Null, error: Value::Null, event: "response.completed" }
        }
        Ending::CutShort => incomplete("max_output_tokens"),
        Ending::Filtered => incomplete("content_filter"),
        Ending::Reason(reason) => incomplete(reason),
        Ending::Cancelled => {
            End { status: "cancelled", details: Value::Null, error: Value::Null, event: "response.incomplete" }
        }
        Ending::Broken(failure) => End {
            status: "failed",
            details: Value::Null,
            error: json!({"code": failed_code(failure), "message": openai_error(Wire::Responses, failure)["error"]["message"]}),
            event: "response.failed",
        },
        Ending::InputBlocked => End {
            status: "failed",
            details: Value::Null,
            error: json!({"code": "invalid_prompt", "message": "Invalid prompt: we've limited access to this content for safety reasons."}),
            event: "response.failed",
        },
        Ending::Missing | Ending::Failed(_) => return None,
    })
}

fn failed_code(failure: &Failure) -> &'static str {
    match failure.kind {
        Fail::RateLimited | Fail::QuotaUsedUp => "rate_limit_exceeded",
        Fail::Overloaded => "server_is_overloaded",
        _ => "server_error",
    }
}

/// The items of the reply.
fn output(exchange: &Exchange, serial: u64) -> Vec<Value> {
    let mut items = Vec::new();
    if !exchange.thinking.is_empty() {
        items.push(json!({"id": format!("rs_{serial:08}"), "type": "reasoning",
            "summary": [{"type": "summary_text", "text": exchange.thinking}],
            "encrypted_content": format!("enc_{serial:08}")}));
    }
    let status =
        if matches!(exchange.ending, Ending::CutShort | Ending::Filtered) { "incomplete" } else { "completed" };
    let part = match &exchange.ending {
        Ending::Refused(words) => Some(json!({"type": "refusal", "refusal": words})),
        _ if exchange.text.is_empty() => None,
        _ => Some(json!({"type": "output_text", "text": exchange.text, "annotations": [], "logprobs": []})),
    };
    if let Some(part) = part {
        items.push(json!({"id": format!("msg_{serial:08}"), "type": "message", "role": "assistant",
            "status": status, "content": [part]}));
    }
    for (i, call) in exchange.calls.iter().enumerate() {
        items.push(json!({"id": format!("fc_{serial:08}_{i}"), "type": "function_call", "status": status,
            "call_id": format!("call_{serial:08}_{i}"), "name": call.name, "arguments": call.arguments}));
    }
    items
}

fn response(asked: &Asked<'_>, status: &str, output: &[Value]) -> Value {
    let body = asked.body;
    json!({
        "id": format!("resp_{:08}", asked.serial),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "background": false,
        "error": null,
        "incomplete_details": null,
        "instructions": body["instructions"],
        "max_output_tokens": body["max_output_tokens"],
        "metadata": {},
        "model": asked.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "reasoning": {"effort": null, "summary": null},
        "store": body.get("store").cloned().unwrap_or(json!(true)),
        "temperature": 1.0,
        "text": body.get("text").cloned().unwrap_or_else(|| json!({"format": {"type": "text"}})),
        "tool_choice": body.get("tool_choice").cloned().unwrap_or(json!("auto")),
        "tools": body.get("tools").cloned().unwrap_or(json!([])),
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": null,
        "user": null,
    })
}

fn ended(exchange: &Exchange, asked: &Asked<'_>, end: &End) -> Value {
    let mut response = response(asked, end.status, &output(exchange, asked.serial));
    let usage = exchange.usage;
    response["incomplete_details"].clone_from(&end.details);
    response["error"].clone_from(&end.error);
    if end.status != "failed" {
        response["usage"] = json!({
            "input_tokens": usage.input,
            "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": usage.input + usage.output,
        });
    }
    response
}

pub(super) fn answer(exchange: &Exchange, asked: &Asked<'_>, pace: Duration) -> Answer {
    if asked.stream {
        let pieces = events(exchange, asked).iter().map(named).collect();
        return Answer::stream("text/event-stream; charset=utf-8", pieces, pace);
    }
    match end(exchange) {
        Some(end) => Answer::json(200, &ended(exchange, asked, &end)),
        None => Wire::Responses.lacks(exchange),
    }
}

/// The events of a stream, numbered.
fn events(exchange: &Exchange, asked: &Asked<'_>) -> Vec<Value> {
    let mut events = vec![
        json!({"type": "response.created", "response": response(asked, "in_progress", &[])}),
        json!({"type": "response.in_progress", "response": response(asked, "in_progress", &[])}),
    ];
    for (index, item) in output(exchange, asked.serial).iter().enumerate() {
        let mut started = item.clone();
        if item["type"] != "reasoning" {
            started["status"] = json!("in_progress");
        }
        for key in ["content", "summary"] {
            if item.get(key).is_some() {
                started[key] = json!([]);
            }
        }
        if item["type"] == "function_call" {
            started["arguments"] = json!("");
        }
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": started}));
        inner(&mut events, exchange, item, index);
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    match (&exchange.ending, end(exchange)) {
        // Half of the failures come as an event of their own, half as the end of the response.
        (Ending::Broken(failure), _) if failure.kind != Fail::ServerError => {
            let error = &openai_error(Wire::Responses, failure)["error"];
            events.push(
                json!({"type": "error", "code": failed_code(failure), "message": error["message"], "param": null}),
            );
        }
        (_, Some(end)) => events.push(json!({"type": end.event, "response": ended(exchange, asked, &end)})),
        (_, None) => {}
    }
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events
}

/// The events between an item's begin and its end.
fn inner(events: &mut Vec<Value>, exchange: &Exchange, item: &Value, index: usize) {
    let id = &item["id"];
    if item["type"] == "function_call" {
        let arguments = text(item, "arguments").unwrap_or_default();
        for piece in exchange.pieces(arguments) {
            events.push(json!({"type": "response.function_call_arguments.delta", "item_id": id, "output_index": index, "delta": piece}));
        }
        events.push(json!({"type": "response.function_call_arguments.done", "item_id": id, "output_index": index, "name": item["name"], "arguments": arguments}));
        return;
    }
    if item["type"] == "reasoning" {
        let part = &item["summary"][0];
        let place = json!({"item_id": id, "output_index": index, "summary_index": 0});
        events.push(with(
            &place,
            "response.reasoning_summary_part.added",
            &json!({"part": {"type": "summary_text", "text": ""}}),
        ));
        for piece in exchange.pieces(&exchange.thinking) {
            events.push(with(&place, "response.reasoning_summary_text.delta", &json!({ "delta": piece })));
        }
        events.push(with(&place, "response.reasoning_summary_text.done", &json!({ "text": exchange.thinking })));
        events.push(with(&place, "response.reasoning_summary_part.done", &json!({ "part": part })));
        return;
    }
    let part = &item["content"][0];
    let place = json!({"item_id": id, "output_index": index, "content_index": 0});
    let (kind, key) = if part["type"] == "refusal" { ("refusal", "refusal") } else { ("output_text", "text") };
    let mut empty = part.clone();
    empty[key] = json!("");
    events.push(with(&place, "response.content_part.added", &json!({ "part": empty })));
    let all = text(part, key).unwrap_or_default();
    for piece in exchange.pieces(all) {
        let mut event = with(&place, &format!("response.{kind}.delta"), &json!({ "delta": piece }));
        if kind == "output_text" {
            event["logprobs"] = json!([]);
        }
        events.push(event);
    }
    let mut done = with(&place, &format!("response.{kind}.done"), &json!({ key: all }));
    if kind == "output_text" {
        done["logprobs"] = json!([]);
    }
    events.push(done);
    events.push(with(&place, "response.content_part.done", &json!({ "part": part })));
}

fn with(place: &Value, kind: &str, more: &Value) -> Value {
    let mut event = place.clone();
    event["type"] = json!(kind);
    for (key, value) in more.as_object().into_iter().flatten() {
        event[key] = value.clone();
    }
    event
}
