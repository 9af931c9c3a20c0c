//! Gemini: `POST /v1beta/models/M:generateContent` and `:streamGenerateContent`.

use std::time::Duration;

use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::judge::{Judged, field, list, text, unknown, wrong};
use super::play::Answer;
use super::server::Recorded;
use super::stream::data_crlf;
use super::wire::{Asked, Wire, message};

const KNOWN: &[&str] = &[
    "cachedContent",
    "contents",
    "generationConfig",
    "labels",
    "model",
    "safetySettings",
    "serviceTier",
    "store",
    "systemInstruction",
    "toolConfig",
    "tools",
];
const CONFIG: &[&str] = &[
    "candidateCount",
    "enableEnhancedCivicAnswers",
    "frequencyPenalty",
    "imageConfig",
    "logprobs",
    "maxOutputTokens",
    "mediaResolution",
    "presencePenalty",
    "responseFormat",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "responseModalities",
    "responseSchema",
    "seed",
    "speechConfig",
    "stopSequences",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
];

pub(super) fn judge(request: &Recorded, serial: u64) -> Judged<Asked<'_>> {
    let body = &request.body;
    let key_in_query = request.query.split('&').any(|pair| pair.starts_with("key=") && pair.len() > 4);
    let key = request.header("x-goog-api-key").or(request.header("authorization")).filter(|key| !key.is_empty());
    match key {
        None if !key_in_query => {
            return Err(Failure::new(Fail::Forbidden).message(
                "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
            ));
        }
        Some("wrong") => return Err(Failure::new(Fail::Unauthorized)),
        _ => {}
    }
    if let Some(key) = unknown(body, KNOWN) {
        return wrong(format!("Invalid JSON payload received. Unknown name \"{key}\": Cannot find field."));
    }
    if list(body, "contents").is_empty() {
        return wrong("* GenerateContentRequest.contents: contents is not specified\n");
    }
    contents(list(body, "contents"))?;
    config(body)?;
    for (i, tool) in list(body, "tools").iter().enumerate() {
        for (j, function) in list(tool, "functionDeclarations").iter().enumerate() {
            let at = format!("GenerateContentRequest.tools[{i}].function_declarations[{j}]");
            if text(function, "name").is_none_or(str::is_empty) {
                return wrong(format!(
                    "* {at}.name: Invalid function name. Must start with a letter or an underscore."
                ));
            }
            if field(function, "parameters").is_some() && field(function, "parametersJsonSchema").is_some() {
                return wrong(format!("* {at}: only one of parameters and parameters_json_schema can be set\n"));
            }
        }
    }
    let name = request.path.rsplit('/').next().unwrap_or_default();
    let (model, method) = name.split_once(':').unwrap_or((name, ""));
    let stream = method == "streamGenerateContent";
    let as_list = stream && !request.query.split('&').any(|pair| pair == "alt=sse");
    Ok(Asked { model: model.to_owned(), stream, body, serial, as_list })
}

fn contents(contents: &[Value]) -> Judged<()> {
    let mut calls: Option<usize> = None;
    for (i, content) in contents.iter().enumerate() {
        let role = text(content, "role").unwrap_or("user");
        if !["user", "model", "function"].contains(&role) {
            return wrong("Please use a valid role: user, model.");
        }
        let parts = list(content, "parts");
        if parts.is_empty() {
            return wrong(format!("* GenerateContentRequest.contents[{i}].parts: contents.parts must not be empty.\n"));
        }
        for (j, part) in parts.iter().enumerate() {
            self::part(part, i, j)?;
        }
        let count = |key: &str| parts.iter().filter(|part| field(part, key).is_some()).count();
        let (asked, given) = (count("functionCall"), count("functionResponse"));
        if calls.take().unwrap_or(0) != given {
            return wrong(
                "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
            );
        }
        if asked > 0 {
            if i == 0 {
                return wrong(
                    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
                );
            }
            calls = Some(asked);
        }
    }
    if calls.is_some() {
        return wrong(
            "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        );
    }
    Ok(())
}

/// What a part holds, one of these.
const DATA: &[&str] = &["text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode"];
/// What may stand beside it.
const BESIDE: &[&str] = &["thought", "thoughtSignature", "partMetadata", "mediaResolution", "videoMetadata"];

fn part(part: &Value, i: usize, j: usize) -> Judged<()> {
    let at = format!("contents[{i}].parts[{j}]");
    if let Some(key) = unknown(part, &[DATA, BESIDE].concat()) {
        return wrong(format!("Invalid JSON payload received. Unknown name \"{key}\" at '{at}': Cannot find field."));
    }
    if !DATA.iter().any(|key| field(part, key).is_some()) {
        return wrong(format!(
            "* GenerateContentRequest.{at}.data: required oneof field 'data' must have one initialized field\n"
        ));
    }
    if let Some(given) = field(part, "functionResponse")
        && (text(given, "name").is_none_or(str::is_empty) || !given["response"].is_object())
    {
        return wrong(format!(
            "* GenerateContentRequest.{at}.function_response.name: Name cannot be empty, and response must be a Struct.\n"
        ));
    }
    if let Some(call) = field(part, "functionCall")
        && text(call, "name").is_none_or(str::is_empty)
    {
        return wrong(format!("* GenerateContentRequest.{at}.function_call.name: Name cannot be empty.\n"));
    }
    if let Some(call) = field(part, "functionCall")
        && !call.get("args").is_none_or(Value::is_object)
    {
        return wrong(format!(
            "Invalid value at '{at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)"
        ));
    }
    Ok(())
}

fn config(body: &Value) -> Judged<()> {
    let Some(config) = field(body, "generationConfig") else { return Ok(()) };
    if let Some(key) = unknown(config, CONFIG) {
        return wrong(format!(
            "Invalid JSON payload received. Unknown name \"{key}\" at 'generation_config': Cannot find field."
        ));
    }
    let (json_schema, open_api) = (field(config, "responseJsonSchema"), field(config, "responseSchema"));
    if json_schema.is_some() && open_api.is_some() {
        return wrong("Only one of response_schema and response_json_schema can be set.");
    }
    let typed =
        text(config, "responseMimeType").is_some_and(|kind| ["application/json", "text/x.enum"].contains(&kind));
    if (json_schema.is_some() || open_api.is_some()) && !typed {
        return wrong("response_schema is set, but response_mime_type is not 'application/json'.");
    }
    if let Some(schema) = json_schema {
        beside_reference(schema)?;
    }
    Ok(())
}

/// Beside a reference only keys with a `$` may stand.
fn beside_reference(schema: &Value) -> Judged<()> {
    match schema {
        Value::Object(map) => {
            if map.get("$ref").is_some_and(Value::is_string)
                && let Some(key) = map.keys().find(|key| !key.starts_with('$'))
            {
                return Err(Failure::new(Fail::SchemaRefused)
                    .message(format!("Schema.ref '{}' was set alongside unsupported fields: {key}", map["$ref"])));
            }
            map.values().try_for_each(beside_reference)
        }
        Value::Array(list) => list.iter().try_for_each(beside_reference),
        _ => Ok(()),
    }
}

pub(super) fn error(failure: &Failure) -> (u16, Value) {
    let (code, status, usual) = match failure.kind {
        Fail::InvalidRequest => (400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
        Fail::SchemaRefused => (
            400,
            "INVALID_ARGUMENT",
            "The specified schema produces a constraint that has too many states for serving.  Typical causes of this error are schemas with lots of text (for example, very long property or enum names), schemas with long array length limits (especially when nested), or schemas using complex value matchers (for example, integers or numbers with minimum/maximum bounds or strings with formats like date-time)",
        ),
        Fail::ToolRefused => (
            400,
            "INVALID_ARGUMENT",
            "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type\n",
        ),
        Fail::ContextTooLong => (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200020) exceeds the maximum number of tokens allowed (1048576).",
        ),
        Fail::Unauthorized => (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        Fail::Forbidden => (403, "PERMISSION_DENIED", "Permission denied"),
        Fail::NotFound => (
            404,
            "NOT_FOUND",
            "models/gemini-0 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
        ),
        Fail::RequestTimeout => (408, "DEADLINE_EXCEEDED", "Deadline exceeded."),
        Fail::Conflict => (409, "ABORTED", "The operation was aborted."),
        Fail::TooLarge => (413, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes."),
        Fail::RateLimited | Fail::QuotaUsedUp => (
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details. Please retry in 20.5s.",
        ),
        Fail::ServerError | Fail::BadGateway => (
            500,
            "INTERNAL",
            "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
        ),
        Fail::Overloaded => (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    };
    let mut body = json!({"error": {"code": code, "message": message(failure, usual), "status": status}});
    let details = match failure.kind {
        Fail::Unauthorized => json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
            "domain": "googleapis.com", "metadata": {"service": "generativelanguage.googleapis.com"}}]),
        // The wait stands in the body; there is no header.
        Fail::RateLimited => json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo",
            "retryDelay": failure.retry_after.as_ref().map_or_else(|| "20s".to_owned(), |wait| format!("{wait}s"))}]),
        _ => Value::Null,
    };
    if !details.is_null() {
        body["error"]["details"] = details;
    }
    (code, body)
}

fn finish_reason(exchange: &Exchange) -> Value {
    match &exchange.ending {
        Ending::CutShort => json!("MAX_TOKENS"),
        Ending::Filtered => json!("SAFETY"),
        Ending::Reason(reason) => json!(reason),
        Ending::Missing => Value::Null,
        _ => json!("STOP"),
    }
}

fn usage(exchange: &Exchange) -> Value {
    let usage = exchange.usage;
    let mut counts = json!({
        "promptTokenCount": usage.input,
        "candidatesTokenCount": usage.output.saturating_sub(usage.reasoning),
        "totalTokenCount": usage.input + usage.output,
    });
    if usage.cached > 0 {
        counts["cachedContentTokenCount"] = json!(usage.cached);
    }
    if usage.reasoning > 0 {
        counts["thoughtsTokenCount"] = json!(usage.reasoning);
    }
    counts
}

/// One response: a whole one, or a piece of a stream. Names without a value are left out.
fn response(asked: &Asked<'_>, parts: &[Value], reason: Value, usage: Value) -> Value {
    let mut candidate = json!({"index": 0});
    if !parts.is_empty() {
        candidate["content"] = json!({"role": "model", "parts": parts});
    }
    if !reason.is_null() {
        candidate["finishReason"] = reason;
    }
    let mut body = json!({"candidates": [candidate], "modelVersion": asked.model,
        "responseId": format!("resp{:08}", asked.serial)});
    if !usage.is_null() {
        body["usageMetadata"] = usage;
    }
    body
}

fn blocked(asked: &Asked<'_>, exchange: &Exchange) -> Value {
    json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": asked.model,
        "usageMetadata": {"promptTokenCount": exchange.usage.input, "totalTokenCount": exchange.usage.input},
        "responseId": format!("resp{:08}", asked.serial)})
}

fn calls(exchange: &Exchange) -> Vec<Value> {
    let parts = exchange.calls.iter().enumerate();
    parts
        .map(|(i, call)| {
            let mut part = json!({"functionCall": {"name": call.name, "args": call.value()}});
            // The first call of a turn carries the signature of the thoughts.
            if i == 0 && !exchange.thinking.is_empty() {
                part["thoughtSignature"] = json!("c2lnbmF0dXJl");
            }
            part
        })
        .collect()
}

fn thought(text: &str) -> Value {
    json!({"text": text, "thought": true})
}

pub(super) fn answer(exchange: &Exchange, asked: &Asked<'_>, pace: Duration) -> Answer {
    match &exchange.ending {
        Ending::Refused(_) => return Wire::Gemini.lacks(exchange),
        Ending::Cancelled => {
            let body =
                json!({"error": {"code": 499, "message": "The operation was cancelled.", "status": "CANCELLED"}});
            return Answer::json(499, &body);
        }
        Ending::Broken(failure) if !asked.stream => return Wire::Gemini.failure(failure, asked.serial),
        _ => {}
    }
    if !asked.stream {
        let body = if exchange.ending == Ending::InputBlocked {
            blocked(asked, exchange)
        } else {
            let mut parts = Vec::new();
            if !exchange.thinking.is_empty() {
                parts.push(thought(&exchange.thinking));
            }
            if !exchange.text.is_empty() {
                parts.push(json!({"text": exchange.text}));
            }
            parts.extend(calls(exchange));
            response(asked, &parts, finish_reason(exchange), usage(exchange))
        };
        return Answer::json(200, &body);
    }
    let events = events(exchange, asked);
    if asked.as_list {
        let last = events.len().saturating_sub(1);
        let pieces = events.iter().enumerate().map(|(i, event)| {
            let (before, after) = (if i == 0 { "[" } else { ",\r\n" }, if i == last { "]" } else { "" });
            format!("{before}{event}{after}").into_bytes()
        });
        return Answer::stream("application/json; charset=UTF-8", pieces.collect(), pace);
    }
    Answer::stream("text/event-stream", events.iter().map(data_crlf).collect(), pace)
}

fn events(exchange: &Exchange, asked: &Asked<'_>) -> Vec<Value> {
    if exchange.ending == Ending::InputBlocked {
        return vec![blocked(asked, exchange)];
    }
    let so_far = json!({"promptTokenCount": exchange.usage.input, "totalTokenCount": exchange.usage.input});
    let piece = |part: Value| response(asked, &[part], Value::Null, so_far.clone());
    let mut events: Vec<Value> =
        exchange.pieces(&exchange.thinking).into_iter().map(|text| piece(thought(text))).collect();
    events.extend(exchange.pieces(&exchange.text).into_iter().map(|text| piece(json!({ "text": text }))));
    events.extend(calls(exchange).into_iter().map(piece));
    match &exchange.ending {
        Ending::Broken(failure) => events.push(error(failure).1),
        Ending::Missing => {}
        _ => {
            // The last piece of text is empty, or there is none where the reply was withheld.
            let withheld = finish_reason(exchange) != "STOP" && finish_reason(exchange) != "MAX_TOKENS";
            let parts = if withheld { Vec::new() } else { vec![json!({"text": ""})] };
            events.push(response(asked, &parts, finish_reason(exchange), usage(exchange)));
        }
    }
    events
}
