//! Ollama: `POST /api/chat`.

use std::time::Duration;

use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::judge::{Judged, field, list, text, wrong};
use super::play::Answer;
use super::server::Recorded;
use super::stream::line;
use super::wire::{Asked, Wire, message};

const CREATED_AT: &str = "2026-09-21T15:33:20.000000000Z";

pub(super) fn judge(request: &Recorded, serial: u64) -> Judged<Asked<'_>> {
    let body = &request.body;
    let Some(model) = text(body, "model").filter(|model| !model.is_empty()) else {
        return wrong("model is required");
    };
    for turn in list(body, "messages") {
        let role = text(turn, "role").unwrap_or_default();
        if !["system", "user", "assistant", "tool"].contains(&role) {
            return wrong(format!("invalid role: {role}"));
        }
        if !turn.get("content").is_none_or(Value::is_string) {
            return wrong(
                "json: cannot unmarshal object into Go struct field ChatRequest.messages.content of type string",
            );
        }
        for call in list(turn, "tool_calls") {
            if !call["function"]["arguments"].is_object() {
                return wrong(
                    "json: cannot unmarshal string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments",
                );
            }
        }
    }
    // `""` is no format; everything but `"json"` and an object is refused.
    match field(body, "format") {
        None | Some(Value::Object(_)) => {}
        Some(Value::String(word)) if word.is_empty() || word == "json" => {}
        Some(other) => {
            return wrong(format!("invalid format: {other}; expected \"json\" or a valid JSON Schema object"));
        }
    }
    if let Some(options) = field(body, "options")
        && !options.is_object()
    {
        return wrong(
            "json: cannot unmarshal into Go struct field ChatRequest.options of type map[string]interface {}",
        );
    }
    for tool in list(body, "tools") {
        if tool["type"] != "function" || text(&tool["function"], "name").is_none() {
            return wrong("invalid tool");
        }
    }
    // A stream unless it is refused.
    Ok(Asked { model: model.to_owned(), stream: body["stream"] != false, body, serial, as_list: false })
}

pub(super) fn error(failure: &Failure) -> (u16, Value) {
    let (status, usual) = match failure.kind {
        Fail::InvalidRequest | Fail::ToolRefused => (400, "invalid request"),
        Fail::SchemaRefused => (400, "invalid format: [1]; expected \"json\" or a valid JSON Schema object"),
        Fail::ContextTooLong => (400, "the input length exceeds the context length"),
        Fail::Unauthorized => (401, "unauthorized"),
        Fail::Forbidden => (403, "this model requires a subscription, upgrade for access: https://ollama.com/upgrade"),
        Fail::NotFound => (404, "model 'llama0' not found"),
        Fail::RequestTimeout => (408, "timed out waiting for llama runner to start"),
        Fail::Conflict => (409, "conflict"),
        Fail::TooLarge => (413, "request entity too large"),
        Fail::RateLimited | Fail::QuotaUsedUp => {
            (429, "you've reached your hourly usage limit, please upgrade to continue")
        }
        Fail::ServerError | Fail::BadGateway => (500, "llama runner process has terminated: exit status 2"),
        Fail::Overloaded => (503, "server busy, please try again. maximum pending requests exceeded"),
    };
    (status, json!({"error": message(failure, usual)}))
}

fn done_reason(exchange: &Exchange) -> Value {
    match &exchange.ending {
        Ending::CutShort => json!("length"),
        Ending::Reason(reason) => json!(reason),
        _ => json!("stop"),
    }
}

fn part(asked: &Asked<'_>, message: &Value) -> Value {
    let mut message = message.clone();
    message["role"] = json!("assistant");
    if message.get("content").is_none() {
        message["content"] = json!("");
    }
    json!({"model": asked.model, "created_at": CREATED_AT, "message": message, "done": false})
}

fn finish(mut part: Value, exchange: &Exchange) -> Value {
    part["done"] = json!(true);
    part["done_reason"] = done_reason(exchange);
    for (key, value) in [
        ("total_duration", 4_883_583_458_u64),
        ("load_duration", 1_334_875),
        ("prompt_eval_count", exchange.usage.input),
        ("prompt_eval_duration", 342_546_000),
        ("eval_count", exchange.usage.output),
        ("eval_duration", 4_535_599_000),
    ] {
        part[key] = json!(value);
    }
    part
}

fn calls(exchange: &Exchange) -> Value {
    let calls = exchange.calls.iter().enumerate();
    calls.map(|(i, call)| json!({"function": {"index": i, "name": call.name, "arguments": call.value()}})).collect()
}

pub(super) fn answer(exchange: &Exchange, asked: &Asked<'_>, pace: Duration) -> Answer {
    match &exchange.ending {
        Ending::Refused(_) | Ending::Filtered | Ending::InputBlocked | Ending::Cancelled => {
            return Wire::Ollama.lacks(exchange);
        }
        Ending::Broken(failure) if !asked.stream => return Wire::Ollama.failure(failure, asked.serial),
        _ => {}
    }
    if !asked.stream {
        let mut message = json!({ "content": exchange.text });
        if !exchange.thinking.is_empty() {
            message["thinking"] = json!(exchange.thinking);
        }
        if !exchange.calls.is_empty() {
            message["tool_calls"] = calls(exchange);
        }
        return Answer::json(200, &finish(part(asked, &message), exchange));
    }
    let mut lines: Vec<Value> = exchange
        .pieces(&exchange.thinking)
        .into_iter()
        .map(|piece| part(asked, &json!({ "thinking": piece })))
        .collect();
    lines.extend(exchange.pieces(&exchange.text).into_iter().map(|piece| part(asked, &json!({ "content": piece }))));
    if !exchange.calls.is_empty() {
        lines.push(part(asked, &json!({ "tool_calls": calls(exchange) })));
    }
    match &exchange.ending {
        Ending::Broken(failure) => lines.push(error(failure).1),
        Ending::Missing => {}
        _ => lines.push(finish(part(asked, &json!({})), exchange)),
    }
    Answer::stream("application/x-ndjson", lines.iter().map(line).collect(), pace)
}
