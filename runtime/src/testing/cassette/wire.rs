//! Requests and replies as they stand on a cassette.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::adapter::{
    CallError, CallErrorKind, CallRequest, CallResponse, Ending, Enforcement, Native, Parameters, ResponseFormat,
    ToolCall, ToolChoice, Usage,
};
use crate::dialect::Dialect;

/// All of a request that the reply depends on; the deadline is no part of that.
pub(crate) fn request(request: &CallRequest, dialect: &Dialect) -> Value {
    let CallRequest { messages, response_schema, tools, tool_choice, parameters, .. } = request;
    let mut whole = Map::new();
    whole.insert("messages".to_owned(), json!(messages));
    if let Some(format) = response_schema {
        whole.insert("response_schema".to_owned(), schema(format, dialect));
    }
    if !tools.is_empty() {
        let tools = tools.iter().map(
            |tool| json!({"name": tool.name, "description": tool.description, "input": schema(&tool.input, dialect)}),
        );
        whole.insert("tools".to_owned(), tools.collect());
        let choice = match tool_choice {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::None => json!("none"),
            ToolChoice::Required => json!("required"),
            ToolChoice::Named(name) => json!({ "named": name }),
        };
        whole.insert("tool_choice".to_owned(), choice);
    }
    let stated = self::parameters(parameters);
    if !stated.is_empty() {
        whole.insert("parameters".to_owned(), Value::Object(stated));
    }
    Value::Object(whole)
}

/// What is stated of how a reply is made.
pub(crate) fn parameters(parameters: &Parameters) -> Map<String, Value> {
    let mut stated = Map::new();
    let mut state = |name: &str, value: Option<Value>| {
        stated.extend(value.map(|value| (name.to_owned(), value)));
    };
    state("max_tokens", parameters.max_tokens.map(Value::from));
    state("temperature", parameters.temperature.map(Value::from));
    state("top_p", parameters.top_p.map(Value::from));
    state("seed", parameters.seed.map(Value::from));
    state("stop", Some(json!(parameters.stop)).filter(|_| !parameters.stop.is_empty()));
    state("reasoning_effort", parameters.reasoning_effort.map(|effort| effort.as_str().into()));
    state("extra", Some(json!(parameters.extra)).filter(|_| !parameters.extra.is_empty()));
    stated
}

fn schema(format: &ResponseFormat, dialect: &Dialect) -> Value {
    let schema = match format.wire(dialect) {
        Ok(wire) => serde_json::from_str(&wire.json).unwrap_or(Value::String(wire.json.into_owned())),
        Err(refusal) => json!({ "refused": refusal.to_string() }),
    };
    json!({ "name": format.name(), "schema": schema })
}

/// A reply, without the marks that change from run to run.
#[derive(Serialize, Deserialize)]
struct Reply {
    text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall>,
    ending: Ending,
    usage: Usage,
    enforcement: Enforcement,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    native: Option<Native>,
}

pub(crate) fn response(response: &CallResponse) -> Value {
    json!(Reply {
        text: response.text.clone(),
        tool_calls: response.tool_calls.clone(),
        ending: response.ending.clone(),
        usage: response.usage,
        enforcement: response.enforcement,
        model: response.model.clone(),
        native: response.native.clone(),
    })
}

pub(crate) fn to_response(value: &Value) -> serde_json::Result<CallResponse> {
    let reply = Reply::deserialize(value)?;
    let mut response = CallResponse::new(reply.text, reply.enforcement);
    response.tool_calls = reply.tool_calls;
    response.ending = reply.ending;
    response.usage = reply.usage;
    response.model = reply.model;
    response.native = reply.native;
    Ok(response)
}

#[derive(Serialize, Deserialize)]
struct Failure {
    kind: CallErrorKind,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
}

pub(crate) fn error(error: &CallError) -> Value {
    json!(Failure { kind: error.kind(), message: error.to_string(), status: error.status() })
}

pub(crate) fn to_error(value: &Value) -> serde_json::Result<CallError> {
    let failure = Failure::deserialize(value)?;
    let error = CallError::new(failure.kind, failure.message);
    Ok(match failure.status {
        Some(status) => error.with_status(status),
        None => error,
    })
}
