//! The wires, and what they have in common.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::exchange::{Ending, Exchange, Fail, Failure};
use super::play::Answer;
use super::server::Recorded;
use super::{anthropic, chat, gemini, ollama, responses};

/// The form in which a provider takes requests and gives replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// `OpenAI` Responses.
    Responses,
    /// `OpenAI` Chat Completions, and the many that are like it.
    Chat,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
    /// Ollama `/api/chat`.
    Ollama,
}

/// A request that a wire has found in order.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) body: &'a Value,
    /// Different for each request: what identifiers are made of.
    pub(super) serial: u64,
    /// Gemini without `alt=sse`: one JSON list, written piece by piece.
    pub(super) as_list: bool,
}

/// Seconds since 1970 in replies.
pub(super) const CREATED: u64 = 1_790_000_000;

impl Wire {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Responses, Self::Chat, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// The wire that a path belongs to.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/chat/completions") {
            Some(Self::Chat)
        } else if path.ends_with("/responses") {
            Some(Self::Responses)
        } else if path.ends_with("/v1/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Self::Gemini)
        } else if path.ends_with("/api/chat") {
            Some(Self::Ollama)
        } else {
            None
        }
    }

    /// What a provider makes of a request: an error of its own, or the scripted reply.
    pub(super) fn judge(self, request: &Recorded, serial: u64) -> Result<Asked<'_>, Failure> {
        if request.method != "POST" {
            return Err(Failure::new(Fail::NotFound).message(format!("{} is not allowed here", request.method)));
        }
        if !request.body.is_object() {
            return Err(Failure::new(Fail::InvalidRequest).message(match self {
                Self::Gemini => "Invalid JSON payload received. Unexpected token.",
                Self::Anthropic => "The request body is not valid JSON: expected value: line 1 column 1 (char 0)",
                Self::Ollama => "invalid character at the start of the body",
                _ => {
                    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)"
                }
            }));
        }
        match self {
            Self::Responses => responses::judge(request, serial),
            Self::Chat => chat::judge(request, serial),
            Self::Anthropic => anthropic::judge(request, serial),
            Self::Gemini => gemini::judge(request, serial),
            Self::Ollama => ollama::judge(request, serial),
        }
    }

    /// What the provider finds wrong with a request that has this body and is in order otherwise.
    #[must_use]
    pub fn refusal(self, body: &Value) -> Option<String> {
        let request = Recorded::of(self, body.clone());
        self.judge(&request, 1).err().map(|failure| failure.message.unwrap_or_default())
    }

    /// The path of its requests.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Responses => "/v1/responses",
            Self::Chat => "/v1/chat/completions",
            Self::Anthropic => "/v1/messages",
            Self::Gemini => "/v1beta/models/any:generateContent",
            Self::Ollama => "/api/chat",
        }
    }

    /// The scripted reply, as this wire writes it.
    pub(super) fn answer(self, exchange: &Exchange, asked: &Asked<'_>) -> Answer {
        let pace = Duration::from_millis(exchange.pace_ms);
        let mut answer = match (&exchange.ending, asked.stream) {
            (Ending::Failed(failure), _) => self.failure(failure, asked.serial),
            _ => match self {
                Self::Responses => responses::answer(exchange, asked, pace),
                Self::Chat => chat::answer(exchange, asked, pace),
                Self::Anthropic => anthropic::answer(exchange, asked, pace),
                Self::Gemini => gemini::answer(exchange, asked, pace),
                Self::Ollama => ollama::answer(exchange, asked, pace),
            },
        };
        answer.headers.extend(exchange.headers.iter().cloned());
        answer.fault.clone_from(&exchange.fault);
        answer
    }

    /// An error, as this wire writes it.
    pub(super) fn failure(self, failure: &Failure, serial: u64) -> Answer {
        let mut answer = if failure.kind == Fail::BadGateway {
            Answer::whole(502, "text/html", failure.message.clone().unwrap_or_else(|| BAD_GATEWAY.to_owned()))
        } else {
            let (status, body) = match self {
                Self::Responses | Self::Chat => (openai_status(failure.kind), openai_error(self, failure)),
                Self::Anthropic => anthropic::error(failure, serial),
                Self::Gemini => gemini::error(failure),
                Self::Ollama => ollama::error(failure),
            };
            Answer::json(status, &body)
        };
        if let Some(wait) = &failure.retry_after {
            answer.headers.push(("retry-after".to_owned(), wait.clone()));
        }
        let mark = match self {
            Self::Responses | Self::Chat => Some("x-request-id"),
            Self::Anthropic => Some("request-id"),
            Self::Gemini | Self::Ollama => None,
        };
        if let Some(name) = mark {
            answer.headers.push((name.to_owned(), format!("req_{serial:08}")));
        }
        answer
    }

    /// An ending that this wire does not have.
    pub(super) fn lacks(self, exchange: &Exchange) -> Answer {
        Answer::json(501, &json!({"error": {"message": format!("loopback: {self:?} has no {:?}", exchange.ending)}}))
    }
}

const BAD_GATEWAY: &str = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n";

pub(super) fn openai_status(kind: Fail) -> u16 {
    match kind {
        Fail::InvalidRequest | Fail::SchemaRefused | Fail::ToolRefused | Fail::ContextTooLong => 400,
        Fail::Unauthorized => 401,
        Fail::Forbidden => 403,
        Fail::NotFound => 404,
        Fail::RequestTimeout => 408,
        Fail::Conflict => 409,
        Fail::TooLarge => 413,
        Fail::RateLimited | Fail::QuotaUsedUp => 429,
        Fail::ServerError => 500,
        Fail::BadGateway => 502,
        Fail::Overloaded => 503,
    }
}

/// The error object of `OpenAI`: its type, code, parameter and usual message.
pub(super) fn openai_error(wire: Wire, failure: &Failure) -> Value {
    let schema_at = if wire == Wire::Responses { "text.format.schema" } else { "response_format" };
    let tool_at = if wire == Wire::Responses { "tools[0].parameters" } else { "tools[0].function.parameters" };
    let (of_type, code, param, usual) = match failure.kind {
        Fail::InvalidRequest => ("invalid_request_error", Value::Null, Value::Null, "Invalid request."),
        Fail::SchemaRefused => (
            "invalid_request_error",
            json!("invalid_json_schema"),
            json!(schema_at),
            "Invalid schema for response_format 'person': In context=('properties', 'x'), 'oneOf' is not permitted.",
        ),
        Fail::ToolRefused => (
            "invalid_request_error",
            json!("invalid_function_parameters"),
            json!(tool_at),
            "Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be supplied and to be false.",
        ),
        Fail::ContextTooLong => (
            "invalid_request_error",
            json!("context_length_exceeded"),
            json!(if wire == Wire::Responses { "input" } else { "messages" }),
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
        ),
        Fail::Unauthorized => (
            "invalid_request_error",
            json!("invalid_api_key"),
            Value::Null,
            "Incorrect API key provided: sk-…. You can find your API key at https://platform.openai.com/account/api-keys.",
        ),
        Fail::Forbidden => (
            "invalid_request_error",
            json!("unsupported_country_region_territory"),
            Value::Null,
            "Country, region, or territory not supported",
        ),
        Fail::NotFound => (
            "invalid_request_error",
            json!("model_not_found"),
            Value::Null,
            "The model `gpt-0` does not exist or you do not have access to it.",
        ),
        Fail::RequestTimeout => ("timeout", Value::Null, Value::Null, "Request timed out."),
        Fail::Conflict => {
            ("invalid_request_error", Value::Null, Value::Null, "The resource was updated by another request.")
        }
        Fail::TooLarge => ("invalid_request_error", Value::Null, Value::Null, "Request body is too large."),
        Fail::RateLimited => (
            "requests",
            json!("rate_limit_exceeded"),
            Value::Null,
            "Rate limit reached for gpt-5.6 in organization org-… on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.",
        ),
        Fail::QuotaUsedUp => (
            "insufficient_quota",
            json!("insufficient_quota"),
            Value::Null,
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        Fail::ServerError => (
            "server_error",
            json!("server_error"),
            Value::Null,
            "The server had an error while processing your request. Sorry about that!",
        ),
        Fail::Overloaded | Fail::BadGateway => (
            "service_unavailable_error",
            json!("server_is_overloaded"),
            Value::Null,
            "Our servers are currently overloaded. Please try again later.",
        ),
    };
    json!({"error": {"message": message(failure, usual), "type": of_type, "param": param, "code": code}})
}

/// The scripted message, or the usual one.
pub(super) fn message<'a>(failure: &'a Failure, usual: &'a str) -> &'a str {
    failure.message.as_deref().unwrap_or(usual)
}
