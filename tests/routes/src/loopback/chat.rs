//! `OpenAI` Chat Completions: `POST /v1/chat/completions`.

use std::time::Duration;

use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::judge::{Judged, field, list, name_fits, text, unknown, wrong};
use super::play::Answer;
use super::responses::{function, json_is_asked_for, json_schema};
use super::server::Recorded;
use super::stream::data;
use super::wire::{Asked, CREATED, Wire, openai_error, openai_status};

pub(super) fn judge(request: &Recorded, serial: u64) -> Judged<Asked<'_>> {
    let body = &request.body;
    let Some(model) = text(body, "model").filter(|model| !model.is_empty()) else {
        return wrong("you must provide a model parameter");
    };
    let turns = list(body, "messages");
    if turns.is_empty() {
        return wrong("Missing required parameter: 'messages'.");
    }
    messages(turns)?;
    let prompt: String = turns.iter().map(|turn| turn["content"].to_string()).collect();
    format(body, &prompt)?;
    for (i, tool) in list(body, "tools").iter().enumerate() {
        let inner = &tool["function"];
        let Some(name) = text(inner, "name").filter(|_| tool["type"] == "function") else {
            return wrong(format!("Missing required parameter: 'tools[{i}].function'."));
        };
        function(name, inner, &format!("tools[{i}].function"))?;
    }
    if field(body, "tool_choice").is_some_and(|choice| choice != "none") && list(body, "tools").is_empty() {
        return wrong("'tool_choice' is only allowed when 'tools' are specified.");
    }
    let stream = body["stream"] == true;
    if field(body, "stream_options").is_some() && !stream {
        return wrong("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    }
    Ok(Asked { model: model.to_owned(), stream, body, serial, as_list: false })
}

/// Roles, contents, and for each call of a tool its result.
fn messages(turns: &[Value]) -> Judged<()> {
    let mut open: Vec<&str> = Vec::new();
    for (i, turn) in turns.iter().enumerate() {
        let role = text(turn, "role").unwrap_or_default();
        if role == "tool" {
            let Some(id) = text(turn, "tool_call_id") else {
                return wrong(format!("Missing required parameter: 'messages[{i}].tool_call_id'."));
            };
            let Some(at) = open.iter().position(|one| *one == id) else {
                return wrong(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
                );
            };
            open.remove(at);
            continue;
        }
        answered(&open)?;
        match role {
            "system" | "developer" | "user" if field(turn, "content").is_none() => {
                return wrong(format!(
                    "Invalid value for 'content': expected a string, got null (messages[{i}].content)."
                ));
            }
            "system" | "developer" | "user" => {}
            "assistant" => {
                for (j, call) in list(turn, "tool_calls").iter().enumerate() {
                    called(call, &format!("messages[{i}].tool_calls[{j}]"))?;
                }
                open = list(turn, "tool_calls").iter().filter_map(|call| text(call, "id")).collect();
                if open.len() < list(turn, "tool_calls").len() {
                    return wrong(format!("Missing required parameter: 'messages[{i}].tool_calls[0].id'."));
                }
                if turn.get("tool_calls").is_some_and(|calls| calls.as_array().is_none_or(Vec::is_empty)) {
                    return wrong(format!(
                        "Invalid 'messages[{i}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead."
                    ));
                }
                if field(turn, "content").is_none() && open.is_empty() && field(turn, "refusal").is_none() {
                    return wrong(format!(
                        "Invalid value for 'content': expected a string, got null (messages[{i}].content)."
                    ));
                }
            }
            other => {
                return wrong(format!(
                    "Invalid value: '{other}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
                ));
            }
        }
    }
    answered(&open)
}

/// A call in the conversation.
fn called(call: &Value, at: &str) -> Judged<()> {
    let length = text(call, "id").map_or(0, str::len);
    if length > 40 {
        return wrong(format!(
            "Invalid '{at}.id': string too long. Expected a string with maximum length 40, but got a string with length {length} instead."
        ));
    }
    match text(&call["function"], "name") {
        Some(name) if name_fits(name) => {}
        _ => {
            return wrong(format!(
                "Invalid '{at}.function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
            ));
        }
    }
    // `OpenAI` takes any text; llama.cpp and vLLM parse it.
    let arguments = text(&call["function"], "arguments").unwrap_or_default();
    if serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
        return Ok(());
    }
    wrong(format!("Failed to parse tool call arguments as JSON: {arguments}"))
}

fn answered(open: &[&str]) -> Judged<()> {
    if open.is_empty() {
        return Ok(());
    }
    wrong(format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
        open.join(", ")
    ))
}

fn format(body: &Value, prompt: &str) -> Judged<()> {
    let Some(format) = field(body, "response_format") else { return Ok(()) };
    match text(format, "type") {
        Some("text") => Ok(()),
        Some("json_object") => json_is_asked_for(prompt, "'messages'", "response_format"),
        Some("json_schema") => {
            let Some(inner) = field(format, "json_schema") else {
                return wrong("Missing required parameter: 'response_format.json_schema'.");
            };
            if let Some(key) = unknown(inner, &["name", "schema", "strict", "description"]) {
                return wrong(format!("Unknown parameter: 'response_format.json_schema.{key}'."));
            }
            let Some(name) = text(inner, "name") else {
                return wrong("Missing required parameter: 'response_format.json_schema.name'.");
            };
            json_schema(name, field(inner, "schema"), field(inner, "strict"), "response_format.json_schema")
        }
        other => wrong(format!(
            "Invalid value: '{}'. Supported values are: 'json_object', 'json_schema', and 'text' (response_format.type).",
            other.unwrap_or_default()
        )),
    }
}

fn finish_reason(exchange: &Exchange) -> Value {
    match &exchange.ending {
        Ending::CutShort => json!("length"),
        Ending::Filtered => json!("content_filter"),
        Ending::Reason(reason) => json!(reason),
        Ending::Missing => Value::Null,
        _ if exchange.calls.is_empty() => json!("stop"),
        _ => json!("tool_calls"),
    }
}

fn usage(exchange: &Exchange) -> Value {
    let usage = exchange.usage;
    json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning, "audio_tokens": 0,
            "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0},
    })
}

fn call_id(serial: u64, i: usize) -> String {
    format!("call_{serial:08}_{i}")
}

/// What a filter on the prompt says, at Azure.
fn blocked() -> Answer {
    Answer::json(
        400,
        &json!({"error": {
            "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
            "type": null, "param": "prompt", "code": "content_filter", "status": 400,
        }}),
    )
}

pub(super) fn answer(exchange: &Exchange, asked: &Asked<'_>, pace: Duration) -> Answer {
    match &exchange.ending {
        Ending::Cancelled => return Wire::Chat.lacks(exchange),
        Ending::InputBlocked => return blocked(),
        Ending::Broken(failure) if !asked.stream => return Wire::Chat.failure(failure, asked.serial),
        _ => {}
    }
    if asked.stream {
        return Answer::stream("text/event-stream", events(exchange, asked), pace);
    }
    let refusal = match &exchange.ending {
        Ending::Refused(words) => json!(words),
        _ => Value::Null,
    };
    let no_text = !refusal.is_null() || (exchange.text.is_empty() && !exchange.calls.is_empty());
    let content = if no_text { Value::Null } else { json!(exchange.text) };
    let mut message = json!({"role": "assistant", "content": content, "refusal": refusal, "annotations": []});
    if !exchange.thinking.is_empty() {
        message["reasoning_content"] = json!(exchange.thinking);
    }
    if !exchange.calls.is_empty() {
        let calls = exchange.calls.iter().enumerate().map(|(i, call)| {
            json!({"id": call_id(asked.serial, i), "type": "function",
                "function": {"name": call.name, "arguments": call.arguments}})
        });
        message["tool_calls"] = calls.collect();
    }
    Answer::json(
        200,
        &json!({
            "id": format!("chatcmpl-{:08}", asked.serial),
            "object": "chat.completion",
            "created": CREATED,
            "model": asked.model,
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(exchange)}],
            "usage": usage(exchange),
            "service_tier": "default",
            "system_fingerprint": null,
        }),
    )
}

fn events(exchange: &Exchange, asked: &Asked<'_>) -> Vec<Vec<u8>> {
    let with_usage = asked.body["stream_options"]["include_usage"] == true;
    let chunk = |choices: Value, usage: Value| {
        let mut chunk = json!({
            "id": format!("chatcmpl-{:08}", asked.serial),
            "object": "chat.completion.chunk",
            "created": CREATED,
            "model": asked.model,
            "service_tier": "default",
            "system_fingerprint": null,
            "choices": choices,
        });
        if with_usage {
            chunk["usage"] = usage;
        }
        data(&chunk)
    };
    let delta = |delta: Value, reason: Value| {
        chunk(json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": reason}]), Value::Null)
    };
    let mut events = vec![delta(json!({"role": "assistant", "content": "", "refusal": null}), Value::Null)];
    for piece in exchange.pieces(&exchange.thinking) {
        events.push(delta(json!({ "reasoning_content": piece }), Value::Null));
    }
    match &exchange.ending {
        Ending::Refused(words) => {
            events.extend(
                exchange.pieces(words).into_iter().map(|piece| delta(json!({ "refusal": piece }), Value::Null)),
            );
        }
        _ => {
            events.extend(
                exchange
                    .pieces(&exchange.text)
                    .into_iter()
                    .map(|piece| delta(json!({ "content": piece }), Value::Null)),
            );
        }
    }
    for (i, call) in exchange.calls.iter().enumerate() {
        let begin = json!({"tool_calls": [{"index": i, "id": call_id(asked.serial, i), "type": "function",
            "function": {"name": call.name, "arguments": ""}}]});
        events.push(delta(begin, Value::Null));
        for piece in exchange.pieces(&call.arguments) {
            events.push(delta(json!({"tool_calls": [{"index": i, "function": {"arguments": piece}}]}), Value::Null));
        }
    }
    match &exchange.ending {
        Ending::Broken(failure) => {
            events.push(data(&broken(failure)));
            return events;
        }
        Ending::Missing => {}
        _ => events.push(delta(json!({}), finish_reason(exchange))),
    }
    if with_usage && exchange.ending != Ending::Missing {
        events.push(chunk(json!([]), usage(exchange)));
    }
    events.push(b"data: [DONE]\n\n".to_vec());
    events
}

/// An error in the middle of a stream; the status, which has gone out already, stands in it as a number.
fn broken(failure: &Failure) -> Value {
    let mut error = openai_error(Wire::Chat, failure);
    if failure.kind == Fail::Overloaded {
        error["error"]["code"] = json!(openai_status(failure.kind));
    }
    error
}
