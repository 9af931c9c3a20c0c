//! Anthropic Messages: `POST /v1/messages`.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::judge::{Judged, field, list, name_fits, text, unknown, wrong};
use super::play::Answer;
use super::schema;
use super::server::Recorded;
use super::stream::named;
use super::wire::{Asked, Wire, message};

const KNOWN: &[&str] = &[
    "cache_control",
    "container",
    "context_management",
    "diagnostics",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "messages",
    "metadata",
    "model",
    "output_config",
    "service_tier",
    "speed",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];
const VERSIONS: &[&str] = &["2023-01-01", "2023-06-01", "2026-10-21"];
const NEWEST: &str = "2026-10-21";

pub(super) fn judge(request: &Recorded, serial: u64) -> Judged<Asked<'_>> {
    let body = &request.body;
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let Some(key) = request.header("x-api-key").or(bearer).filter(|key| !key.is_empty()) else {
        return Err(Failure::new(Fail::Unauthorized).message("x-api-key header is required"));
    };
    if key == "wrong" {
        return Err(Failure::new(Fail::Unauthorized).message("invalid x-api-key"));
    }
    let Some(version) = request.header("anthropic-version") else {
        return wrong("anthropic-version: header is required");
    };
    if !VERSIONS.contains(&version) {
        return wrong(format!("anthropic-version: \"{version}\" is not a valid version"));
    }
    // A beta client may send what is not known here.
    if request.header("anthropic-beta").is_none()
        && let Some(key) = unknown(body, KNOWN)
    {
        return wrong(format!("{key}: Extra inputs are not permitted"));
    }
    for key in ["model", "max_tokens", "messages"] {
        if field(body, key).is_none() {
            return wrong(format!("{key}: Field required"));
        }
    }
    let Some(model) = text(body, "model") else { return wrong("model: Input should be a valid string") };
    if body["max_tokens"].as_u64().is_none_or(|most| most < 1) {
        return wrong("max_tokens: Input should be greater than or equal to 1");
    }
    sampling(body, version)?;
    let turns = turns(body)?;
    tool_results(&turns)?;
    let speaks_of_tools = |one: &Value| ["tool_use", "tool_result"].contains(&text(one, "type").unwrap_or_default());
    if list(body, "tools").is_empty() && turns.iter().any(|(_, blocks)| blocks.iter().any(speaks_of_tools)) {
        return wrong("Requests which include `tool_use` or `tool_result` blocks must define tools.");
    }
    let last_is_model = turns.last().is_some_and(|(role, _)| *role == "assistant");
    if last_is_model && version == NEWEST {
        return wrong(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        );
    }
    format(body, last_is_model)?;
    tools(body)?;
    Ok(Asked { model: model.to_owned(), stream: body["stream"] == true, body, serial, as_list: false })
}

fn sampling(body: &Value, version: &str) -> Judged<()> {
    for key in ["temperature", "top_p", "top_k"] {
        if field(body, key).is_some() && version == NEWEST {
            return wrong(format!("{key}: Extra inputs are not permitted"));
        }
    }
    if body["temperature"].as_f64().is_some_and(|warmth| !(0.0..=1.0).contains(&warmth)) {
        return wrong("temperature: Input should be less than or equal to 1");
    }
    Ok(())
}

/// The blocks of a message; text alone is one block.
fn blocks(turn: &Value) -> Vec<Value> {
    match turn.get("content") {
        Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

type Turn<'a> = (&'a str, Vec<Value>);

/// The turns, with turns of one role one after the other made into one, as the API does.
fn turns(body: &Value) -> Judged<Vec<Turn<'_>>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for (i, turn) in list(body, "messages").iter().enumerate() {
        let role = text(turn, "role").unwrap_or_default();
        if role == "system" {
            return wrong(
                "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role.",
            );
        }
        if !["user", "assistant"].contains(&role) {
            return wrong(format!("messages.{i}.role: Input should be 'user' or 'assistant'"));
        }
        if !turn["content"].is_string() && !turn["content"].is_array() {
            return wrong(format!("messages.{i}.content: Field required"));
        }
        let blocks = blocks(turn);
        for (j, one) in blocks.iter().enumerate() {
            block(one, role).map_err(|failure| Failure {
                message: failure.message.map(|what| format!("messages.{i}.content.{j}{what}")),
                ..failure
            })?;
        }
        if blocks.is_empty() && i + 1 < list(body, "messages").len() {
            return wrong(format!(
                "messages.{i}: all messages must have non-empty content except for the optional final assistant message"
            ));
        }
        match turns.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    match turns.first() {
        None => wrong("messages: at least one message is required"),
        Some(("user", _)) => Ok(turns),
        Some(_) => wrong("messages: first message must use the \"user\" role"),
    }
}

fn block(block: &Value, role: &str) -> Judged<()> {
    let need = |keys: &[&str]| match keys.iter().find(|key| field(block, key).is_none()) {
        Some(key) => wrong(format!(".{key}: Field required")),
        None => Ok(()),
    };
    match (text(block, "type").unwrap_or_default(), role) {
        ("text", _) => match text(block, "text") {
            Some("") => wrong(": text content blocks must be non-empty"),
            Some(text) if text.trim().is_empty() => wrong(": text content blocks must contain non-whitespace text"),
            Some(_) => Ok(()),
            None => wrong(".text.text: Field required"),
        },
        ("tool_use", "assistant") => {
            need(&["id", "name", "input"])?;
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if text(block, "id").is_none_or(|id| id.is_empty() || !id.chars().all(fits)) {
                return wrong(".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'");
            }
            if text(block, "name").is_none_or(|name| !name_fits(name)) {
                return wrong(".tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
            }
            if block["input"].is_object() {
                Ok(())
            } else {
                wrong(".tool_use.input: Input should be a valid dictionary")
            }
        }
        ("thinking", "assistant") => need(&["thinking", "signature"]),
        ("redacted_thinking", "assistant") => need(&["data"]),
        ("tool_result", "user") => {
            need(&["tool_use_id"])?;
            let silent = field(block, "content").is_none_or(|content| content == "" || content == &json!([]));
            if block["is_error"] == true && silent {
                return wrong(".tool_result: content cannot be empty if `is_error` is true");
            }
            Ok(())
        }
        ("image" | "document", "user") | ("server_tool_use" | "web_search_tool_result", "assistant") => Ok(()),
        (other, _) => {
            wrong(format!(": Input tag '{other}' found using 'type' does not match any of the expected tags"))
        }
    }
}

/// Each call is answered in the very next message, before anything else stands there.
fn tool_results(turns: &[Turn<'_>]) -> Judged<()> {
    let ids = |blocks: &[Value], kind: &str, key: &str| -> Vec<String> {
        blocks.iter().filter(|one| one["type"] == kind).filter_map(|one| text(one, key)).map(str::to_owned).collect()
    };
    let mut asked: Vec<String> = Vec::new();
    let mut all: HashSet<String> = HashSet::new();
    for (i, (role, blocks)) in turns.iter().enumerate() {
        let given = ids(blocks, "tool_result", "tool_use_id");
        for id in ids(blocks, "tool_use", "id") {
            if !all.insert(id) {
                return wrong(format!("messages.{i}.content.0: `tool_use` ids must be unique"));
            }
        }
        let twice = given.iter().enumerate().find(|(j, id)| given[..*j].contains(id));
        if let Some((j, id)) = twice {
            return wrong(format!(
                "messages.{i}.content.{j}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}"
            ));
        }
        if *role == "user" {
            if let Some(id) = given.iter().find(|id| !asked.contains(id)) {
                return wrong(format!(
                    "messages.{i}.content.0: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
                ));
            }
            let missing: Vec<String> = asked.iter().filter(|id| !given.contains(id)).cloned().collect();
            let late = !given.is_empty() && blocks[..given.len()].iter().any(|one| one["type"] != "tool_result");
            if !missing.is_empty() || late {
                return wrong(unanswered(i - 1, if late { &asked } else { &missing }));
            }
        }
        asked = ids(blocks, "tool_use", "id");
    }
    if asked.is_empty() { Ok(()) } else { wrong(unanswered(turns.len() - 1, &asked)) }
}

fn unanswered(i: usize, ids: &[String]) -> String {
    format!(
        "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        ids.join(", ")
    )
}

fn format(body: &Value, prefill: bool) -> Judged<()> {
    let Some(config) = field(body, "output_config") else { return Ok(()) };
    if let Some(key) = unknown(config, &["effort", "format", "task_budget"]) {
        return wrong(format!("output_config.{key}: Extra inputs are not permitted"));
    }
    let Some(format) = field(config, "format") else { return Ok(()) };
    if let Some(key) = unknown(format, &["type", "schema"]) {
        return wrong(format!("output_config.format.{key}: Extra inputs are not permitted"));
    }
    if format["type"] != "json_schema" {
        return wrong("output_config.format.type: Input should be 'json_schema'");
    }
    let Some(of) = field(format, "schema") else { return wrong("output_config.format.schema: Field required") };
    if prefill {
        return wrong("output_config.format: Output format is incompatible with prefilled assistant messages");
    }
    schema::anthropic(of)
        .map_err(|what| Failure::new(Fail::SchemaRefused).message(format!("output_config.format.schema: {what}")))
}

fn tools(body: &Value) -> Judged<()> {
    let mut strict = 0;
    let mut names: Vec<&str> = Vec::new();
    for (i, tool) in list(body, "tools").iter().enumerate() {
        // Tools of the provider's own have a dated type.
        if text(tool, "type").is_some_and(|kind| kind != "custom") {
            continue;
        }
        let Some(name) = text(tool, "name") else { return wrong(format!("tools.{i}.custom.name: Field required")) };
        if !name_fits(name) {
            return wrong(format!("tools.{i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"));
        }
        if names.contains(&name) {
            return wrong("tools: Tool names must be unique.");
        }
        names.push(name);
        let Some(input) = field(tool, "input_schema") else {
            return wrong(format!("tools.{i}.custom.input_schema: Field required"));
        };
        if input["type"] != "object" {
            return wrong(format!("tools.{i}.custom.input_schema.type: Input should be 'object'"));
        }
        if tool["strict"] == true {
            strict += 1;
            schema::anthropic(input).map_err(|what| {
                Failure::new(Fail::ToolRefused).message(format!("tools.{i}.custom.input_schema: {what}"))
            })?;
        }
    }
    if strict > 20 {
        return wrong(format!("tools: Too many strict tools ({strict}). The maximum number of strict tools is 20."));
    }
    let Some(choice) = field(body, "tool_choice") else { return Ok(()) };
    if names.is_empty() && list(body, "tools").is_empty() {
        return wrong("tool_choice: tool_choice may only be specified while providing tools");
    }
    let kind = text(choice, "type").unwrap_or_default();
    if !["auto", "any", "tool", "none"].contains(&kind) {
        return wrong(format!(
            "tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'"
        ));
    }
    if kind == "tool" && !text(choice, "name").is_some_and(|name| names.contains(&name)) {
        return wrong(format!("Tool '{}' not found in provided tools", text(choice, "name").unwrap_or_default()));
    }
    let thinks = text(&body["thinking"], "type").is_some_and(|kind| kind != "disabled");
    if ["any", "tool"].contains(&kind) && thinks {
        return wrong("Thinking may not be enabled when tool_choice forces tool use.");
    }
    Ok(())
}

pub(super) fn error(failure: &Failure, serial: u64) -> (u16, Value) {
    let (status, kind, usual) = match failure.kind {
        Fail::InvalidRequest | Fail::ToolRefused => (400, "invalid_request_error", "messages: Field required"),
        Fail::SchemaRefused => (
            400,
            "invalid_request_error",
            "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
        ),
        Fail::ContextTooLong => (400, "invalid_request_error", "prompt is too long: 210245 tokens > 200000 maximum"),
        Fail::QuotaUsedUp => (
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
        ),
        Fail::Unauthorized => (401, "authentication_error", "invalid x-api-key"),
        Fail::Forbidden => {
            (403, "permission_error", "Your API key does not have permission to use the specified resource.")
        }
        Fail::NotFound => (404, "not_found_error", "model: claude-0"),
        Fail::RequestTimeout => (408, "timeout_error", "Request timed out"),
        Fail::Conflict => (409, "invalid_request_error", "Conflict"),
        Fail::TooLarge => (413, "request_too_large", "Request exceeds the maximum size"),
        Fail::RateLimited => (
            429,
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 50 requests per minute.",
        ),
        Fail::ServerError | Fail::BadGateway => (500, "api_error", "Internal server error"),
        Fail::Overloaded => (529, "overloaded_error", "Overloaded"),
    };
    let error = json!({"type": "error", "error": {"type": kind, "message": message(failure, usual)},
        "request_id": format!("req_{serial:08}")});
    (status, error)
}

struct End {
    reason: Value,
    details: Value,
}

fn end(exchange: &Exchange) -> End {
    let reason = match &exchange.ending {
        Ending::CutShort => json!("max_tokens"),
        Ending::Refused(_) => json!("refusal"),
        Ending::Reason(reason) => json!(reason),
        Ending::Missing => Value::Null,
        _ if exchange.calls.is_empty() => json!("end_turn"),
        _ => json!("tool_use"),
    };
    let details = match &exchange.ending {
        Ending::Refused(words) => json!({"type": "refusal", "category": "cyber", "explanation": words}),
        _ => Value::Null,
    };
    End { reason, details }
}

fn content(exchange: &Exchange, serial: u64) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !exchange.thinking.is_empty() {
        blocks
            .push(json!({"type": "thinking", "thinking": exchange.thinking, "signature": format!("sig_{serial:08}")}));
    }
    if !exchange.text.is_empty() {
        blocks.push(json!({"type": "text", "text": exchange.text, "citations": null}));
    }
    for (i, call) in exchange.calls.iter().enumerate() {
        blocks.push(json!({"type": "tool_use", "id": format!("toolu_{serial:08}_{i}"), "name": call.name,
            "input": call.value(), "caller": {"type": "direct"}}));
    }
    blocks
}

fn usage(exchange: &Exchange) -> Value {
    let usage = exchange.usage;
    json!({
        "input_tokens": usage.input.saturating_sub(usage.cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
        "service_tier": "standard",
    })
}

pub(super) fn answer(exchange: &Exchange, asked: &Asked<'_>, pace: Duration) -> Answer {
    match &exchange.ending {
        Ending::Filtered | Ending::InputBlocked => {
            // The one wording for both; the filter on the reply ends the call, too.
            let failure = Failure::new(Fail::InvalidRequest).message("Output blocked by content filtering policy");
            return Wire::Anthropic.failure(&failure, asked.serial);
        }
        Ending::Cancelled => return Wire::Anthropic.lacks(exchange),
        Ending::Broken(failure) if !asked.stream => return Wire::Anthropic.failure(failure, asked.serial),
        _ => {}
    }
    let mut answer = if asked.stream {
        let pieces = events(exchange, asked).iter().map(named).collect();
        Answer::stream("text/event-stream; charset=utf-8", pieces, pace)
    } else {
        let End { reason, details } = end(exchange);
        let mut message = message_of(asked, &content(exchange, asked.serial));
        message["stop_reason"] = reason;
        message["stop_details"] = details;
        message["usage"] = usage(exchange);
        Answer::json(200, &message)
    };
    answer.headers.push(("request-id".to_owned(), format!("req_{:08}", asked.serial)));
    answer
}

fn message_of(asked: &Asked<'_>, content: &[Value]) -> Value {
    json!({
        "id": format!("msg_{:08}", asked.serial),
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": null,
        "stop_sequence": null,
        "stop_details": null,
    })
}

fn events(exchange: &Exchange, asked: &Asked<'_>) -> Vec<Value> {
    let mut start = message_of(asked, &[]);
    start["usage"] = usage(exchange);
    start["usage"]["output_tokens"] = json!(1);
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in content(exchange, asked.serial).iter().enumerate() {
        let (begin, deltas): (Value, Vec<Value>) = match text(block, "type") {
            Some("thinking") => {
                let mut deltas: Vec<Value> = exchange
                    .pieces(&exchange.thinking)
                    .into_iter()
                    .map(|piece| json!({"type": "thinking_delta", "thinking": piece}))
                    .collect();
                deltas.push(json!({"type": "signature_delta", "signature": block["signature"]}));
                (json!({"type": "thinking", "thinking": "", "signature": ""}), deltas)
            }
            Some("text") => {
                let pieces = exchange.pieces(&exchange.text);
                let deltas = pieces.into_iter().map(|piece| json!({"type": "text_delta", "text": piece}));
                (json!({"type": "text", "text": "", "citations": null}), deltas.collect())
            }
            _ => {
                let nth = index - usize::from(!exchange.thinking.is_empty()) - usize::from(!exchange.text.is_empty());
                let arguments = exchange.calls[nth].arguments.as_str();
                let pieces = std::iter::once("").chain(exchange.pieces(arguments));
                let deltas = pieces.map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
                let mut begin = block.clone();
                begin["input"] = json!({});
                (begin, deltas.collect())
            }
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": begin}));
        if index == 0 {
            events.push(json!({"type": "ping"}));
        }
        events
            .extend(deltas.iter().map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta})));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    match &exchange.ending {
        Ending::Broken(failure) => {
            let (_, mut error) = error(failure, asked.serial);
            error.as_object_mut().expect("an object").remove("request_id");
            events.push(error);
        }
        Ending::Missing => {}
        _ => {
            let End { reason, details } = end(exchange);
            events.push(json!({"type": "message_delta",
                "delta": {"stop_reason": reason, "stop_sequence": null, "stop_details": details},
                "usage": usage(exchange)}));
            events.push(json!({"type": "message_stop"}));
        }
    }
    events
}
