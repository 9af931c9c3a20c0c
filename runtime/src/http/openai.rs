//! What `OpenAI`'s two wires share, and those who copied them.

use super::complaint::{Complaint, Verdict};
use super::wire::Outgoing;
use crate::adapter::CallErrorKind;

/// Words in the complaint of a server that takes no schema, not this one, or cannot make a grammar of it.
const SCHEMA_WORDS: [&str; 8] = [
    "invalid_json_schema",
    "invalid_function_parameters",
    "invalid schema",
    "response_format",
    "json_schema",
    "json schema",
    "grammar",
    "structured output",
];

/// Words in the complaint about what is in the conversation.
const INPUT_WORDS: [&str; 6] = [
    "context_length_exceeded",
    "string_above_max_length",
    "exceed_context_size_error",
    "content_filter",
    "content_policy_violation",
    "invalid_prompt",
];

/// What becomes of a complaint in `OpenAI`'s manner.
pub(crate) fn judge(complaint: &Complaint, sent: &Outgoing) -> Verdict {
    let verdict = complaint.verdict();
    let Verdict::Failed { kind: CallErrorKind::InvalidRequest | CallErrorKind::Provider, again } = verdict else {
        return verdict;
    };
    if complaint.says(&INPUT_WORDS) {
        return Verdict::failed(CallErrorKind::InputBlocked);
    }
    let about_schema = complaint.param.starts_with("text.format")
        || complaint.param.starts_with("response_format")
        || complaint.param.starts_with("tools[")
        || complaint.says(&SCHEMA_WORDS);
    if !again && sent.carries_schema() && about_schema {
        return Verdict::failed(CallErrorKind::SchemaRefused);
    }
    verdict
}
