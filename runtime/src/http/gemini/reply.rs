//! A reply on Gemini's wire.

use std::ops::ControlFlow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{OWN_MARK, WIRE};
use crate::adapter::{CallResponse, Ending, Enforcement, Native, ToolCall, Usage};
use crate::http::complaint::Complaint;
use crate::http::json::null_as_default;
use crate::http::sse::Event;
use crate::http::wire::{Pieces, Trouble};

/// The part of the request that a complaint is about when the prompt was blocked.
pub(super) const PROMPT_BLOCKED: &str = "promptFeedback";

/// A response, or a piece of one: both have the same form.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    #[serde(default, deserialize_with = "null_as_default")]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Counts>,
    #[serde(default, deserialize_with = "null_as_default")]
    model_version: String,
    response_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default, deserialize_with = "null_as_default")]
    content: Content,
    finish_reason: Option<String>,
    finish_message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Content {
    #[serde(default, deserialize_with = "null_as_default")]
    parts: Vec<Part>,
}

/// One part of the content.
#[derive(Debug)]
struct Part {
    text: Option<String>,
    is_thought: bool,
    call: Option<Call>,
    /// The rest of it: signatures, and what this wire has beside text and calls.
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Call {
    id: Option<String>,
    #[serde(default, deserialize_with = "null_as_default")]
    name: String,
    /// JSON text, every digit of it.
    args: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
    block_reason_message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Counts {
    #[serde(default, rename = "promptTokenCount")]
    prompt: u64,
    /// What the provider's own tools put into the prompt.
    #[serde(default, rename = "toolUsePromptTokenCount")]
    tools: u64,
    #[serde(default, rename = "cachedContentTokenCount")]
    cached: u64,
    /// Of the text, thoughts not among them.
    #[serde(default, rename = "candidatesTokenCount")]
    text: u64,
    #[serde(default, rename = "thoughtsTokenCount")]
    thoughts: u64,
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Told {
            text: Option<String>,
            #[serde(default, deserialize_with = "null_as_default")]
            thought: bool,
            function_call: Option<Call>,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let told: Told = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        let mut rest: Map<String, Value> = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        rest.remove("text");
        if told.function_call.is_none() {
            rest.remove("functionCall");
        }
        Ok(Self { text: told.text, is_thought: told.thought, call: told.function_call, rest })
    }
}

impl Part {
    /// Whether text and calls say all of it.
    fn is_plain(&self) -> bool {
        self.rest.keys().all(|key| key == "functionCall") && self.call.as_ref().is_none_or(|call| call.id.is_none())
    }

    fn into_native(self) -> Value {
        let mut part = self.rest;
        if let Some(text) = self.text {
            part.insert("text".to_owned(), text.into());
        }
        Value::Object(part)
    }
}

pub(super) fn gather(reply: &mut Reply, event: &Event, pieces: &mut Pieces) -> Result<ControlFlow<()>, Trouble> {
    let more: Reply = serde_json::from_str(&event.data)?;
    reply.prompt_feedback = more.prompt_feedback.or(reply.prompt_feedback.take());
    reply.usage_metadata = more.usage_metadata.or(reply.usage_metadata.take());
    reply.response_id = more.response_id.or(reply.response_id.take());
    if !more.model_version.is_empty() {
        reply.model_version = more.model_version;
    }
    let Some(more) = more.candidates.into_iter().next() else { return Ok(ControlFlow::Continue(())) };
    if reply.candidates.is_empty() {
        reply.candidates.push(Candidate::default());
    }
    let candidate = &mut reply.candidates[0];
    candidate.finish_reason = more.finish_reason.or(candidate.finish_reason.take());
    candidate.finish_message = more.finish_message.or(candidate.finish_message.take());
    for part in more.content.parts {
        let text = part.text.as_deref().unwrap_or_default();
        if part.is_thought {
            pieces.reasoning(text);
        } else {
            pieces.text(text);
        }
        add(&mut candidate.content.parts, part);
    }
    Ok(ControlFlow::Continue(()))
}

/// A text goes on where one stood before; everything else is a part of its own.
fn add(parts: &mut Vec<Part>, more: Part) {
    let goes_on = |part: &Part| {
        let both_texts = part.text.is_some() && more.text.is_some();
        both_texts && part.is_thought == more.is_thought && !part.rest.contains_key("thoughtSignature")
    };
    match parts.last_mut() {
        Some(last) if goes_on(last) => {
            let text = last.text.get_or_insert_default();
            text.push_str(more.text.as_deref().unwrap_or_default());
            last.rest.extend(more.rest);
        }
        _ => parts.push(more),
    }
}

impl Reply {
    pub(super) fn is_whole(&self) -> bool {
        let blocked = self.prompt_feedback.as_ref().is_some_and(|feedback| feedback.block_reason.is_some());
        blocked || self.candidates.first().is_some_and(|candidate| candidate.finish_reason.is_some())
    }
}

pub(super) fn read(reply: Reply, enforcement: Enforcement) -> Result<CallResponse, Trouble> {
    let Some(candidate) = reply.candidates.into_iter().next() else {
        return Err(blocked(reply.prompt_feedback));
    };
    let reason = candidate.finish_reason.unwrap_or_default();
    let mut response = CallResponse::new("", enforcement);
    if let Some(counts) = reply.usage_metadata {
        let output = counts.text.saturating_add(counts.thoughts);
        let input = counts.prompt.saturating_add(counts.tools);
        response.usage = Usage::new(input, output);
        response.usage.cached_input_tokens = counts.cached;
        response.usage.reasoning_tokens = counts.thoughts;
    }
    let mark = reply.response_id.as_deref().unwrap_or_default();
    for part in &candidate.content.parts {
        if !part.is_thought {
            response.text.push_str(part.text.as_deref().unwrap_or_default());
        }
        if let Some(call) = &part.call {
            let nth = response.tool_calls.len();
            let id = call.id.clone().unwrap_or_else(|| format!("{OWN_MARK}{mark}-{nth}"));
            let arguments = call.args.as_ref().map_or("{}", |args| args.get());
            response.tool_calls.push(ToolCall::new(id, &*call.name, arguments));
        }
    }
    response.ending = ending(&reason, candidate.finish_message, !response.tool_calls.is_empty())?;
    response.model = reply.model_version;
    response.id = reply.response_id;
    // Signatures of thoughts must come back, or the next request is refused.
    if !candidate.content.parts.iter().all(Part::is_plain) {
        let parts = candidate.content.parts.into_iter().map(Part::into_native);
        response.native = Some(Native::new(WIRE, parts.collect::<Value>()));
    }
    Ok(response)
}

/// How a reply ended, by its reason.
fn ending(reason: &str, message: Option<String>, has_calls: bool) -> Result<Ending, Trouble> {
    Ok(match reason {
        "" | "FINISH_REASON_UNSPECIFIED" => return Err(Trouble::Malformed("it has no finish reason".to_owned())),
        "STOP" if has_calls => Ending::ToolCalls,
        "STOP" => Ending::Complete,
        "MAX_TOKENS" => Ending::CutShort,
        // The model wrote what the provider could not read as a call or a reply.
        "MALFORMED_FUNCTION_CALL" | "MALFORMED_RESPONSE" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" => {
            let message = message.unwrap_or_else(|| format!("the reply ended with the reason `{reason}`"));
            return Err(Complaint { message, class: reason.to_owned(), ..Complaint::default() }.into());
        }
        "MISSING_THOUGHT_SIGNATURE" => {
            let message = message.unwrap_or_else(|| "a turn of the model came back without its signature".to_owned());
            return Err(Complaint { message, class: "INVALID_ARGUMENT".to_owned(), ..Complaint::default() }.into());
        }
        // `SAFETY`, `RECITATION`, `BLOCKLIST`, `PROHIBITED_CONTENT`, `SPII`, `LANGUAGE`, `OTHER`, and those to come: the
        // provider stopped the reply.
        _ => Ending::Filtered(match message {
            Some(message) => format!("{reason}: {message}"),
            None => reason.to_owned(),
        }),
    })
}

/// There is no reply: the prompt was blocked, or this is none.
fn blocked(feedback: Option<Feedback>) -> Trouble {
    let Some(Feedback { block_reason: Some(reason), block_reason_message }) = feedback else {
        return Trouble::Malformed("it has no candidates".to_owned());
    };
    let message = block_reason_message.unwrap_or_else(|| "the prompt was blocked".to_owned());
    Complaint { message, class: reason, param: PROMPT_BLOCKED.to_owned(), ..Complaint::default() }.into()
}
