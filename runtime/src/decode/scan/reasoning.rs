//! Where a reply reasons: `<think>…</think>` and its relatives.
//!
//! A tag inside of a string of the answer never comes here, for values are skipped as a whole.

use std::ops::Range;

/// Names of tags that models reason in.
const NAMES: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
    "rationale",
    "antthinking",
    "inner_monologue",
    "seed:think",
];

/// What stands at a mark.
pub(super) enum Tag {
    /// No tag of reasoning.
    None,
    /// Reasoning, up to here.
    Span(usize),
    /// Reasoning that does not end.
    Unclosed,
    /// The end of reasoning whose start is missing.
    Close(usize),
}

/// Whether a tag in square brackets begins the text.
pub(super) fn opens_in_brackets(text: &str) -> bool {
    text.starts_with("[THINK]") || text.starts_with("[/THINK]")
}

/// Reads the tag at `mark`.
pub(super) fn read(text: &str, mark: usize) -> Tag {
    let rest = &text[mark..];
    // Most are signs of comparison.
    if !matches!(rest.as_bytes(), [b'[', ..] | [b'<', b'/' | b'|' | b'a'..=b'z' | b'A'..=b'Z', ..]) {
        return Tag::None;
    }
    if rest.starts_with("[THINK]") {
        return rest.find("[/THINK]").map_or(Tag::Unclosed, |end| Tag::Span(mark + end + "[/THINK]".len()));
    }
    if rest.starts_with("[/THINK]") {
        return Tag::Close(mark + "[/THINK]".len());
    }
    if let Some(channel) = rest.strip_prefix("<|channel|>") {
        return channel_end(text, mark, channel);
    }
    let (closing, body) = match rest.strip_prefix("</") {
        Some(body) => (true, body),
        None => (false, &rest[1..]),
    };
    let Some(name) = name_at(body) else { return Tag::None };
    let Some(tag_end) = body.find(['>', '<']).filter(|end| body.as_bytes()[*end] == b'>') else { return Tag::None };
    let after = text.len() - body.len() + tag_end + 1;
    if closing {
        return Tag::Close(after);
    }
    if body[..tag_end].ends_with('/') {
        return Tag::Span(after);
    }
    let mut at = after;
    while let Some(next) = text[at..].find("</").map(|ahead| at + ahead) {
        let body = &text[next + 2..];
        if name_at(body).is_some_and(|other| other == name) {
            return Tag::Span(body.find('>').map_or(text.len(), |end| next + 2 + end + 1));
        }
        at = next + 2;
    }
    Tag::Unclosed
}

/// Where reasoning ends in a part of the text that was taken for a value.
pub(super) fn close_in(text: &str, part: Range<usize>) -> Option<usize> {
    let tags = text[part.clone()].match_indices("</").map(|(at, _)| part.start + at);
    let tag = tags.into_iter().find(|at| name_at(&text[at + 2..]).is_some());
    let mark = text[part.clone()].find("[/THINK]").map(|at| part.start + at);
    tag.into_iter().chain(mark).min()
}

/// The name of reasoning that begins the text and ends there.
fn name_at(text: &str) -> Option<&'static str> {
    let end =
        text.bytes().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')).count();
    let bounded = matches!(text.as_bytes().get(end), None | Some(b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r'));
    NAMES.iter().find(|name| bounded && name.eq_ignore_ascii_case(&text[..end])).copied()
}

/// A channel of reasoning ends where the next message begins.
fn channel_end(text: &str, mark: usize, channel: &str) -> Tag {
    if !channel.trim_start().starts_with("analysis") {
        return Tag::None;
    }
    let mut at = mark + 2;
    while let Some(next) = text[at..].find("<|").map(|ahead| at + ahead) {
        let rest = &text[next..];
        if ["<|end|>", "<|start|>", "<|channel|>", "<|return|>"].iter().any(|end| rest.starts_with(end)) {
            return Tag::Span(next);
        }
        at = next + 2;
    }
    Tag::Unclosed
}

/// What stands at a mark of a text that is still growing.
pub(in crate::decode) enum Opening {
    /// No reasoning.
    None,
    /// Reasoning, whose mark is this long.
    Reasoning { length: usize, end: End },
    /// More of the text is needed to tell.
    Unknown,
}

/// What ends reasoning.
#[derive(Debug, Clone, Copy)]
pub(in crate::decode) enum End {
    /// This text.
    Mark(&'static str),
    /// The closing tag of this name.
    Tag(&'static str),
    /// The next message.
    Channel,
}

/// Whether reasoning begins the text, as far as it is there.
pub(in crate::decode) fn opening(rest: &str) -> Opening {
    const THINK: &str = "[THINK]";
    const CHANNEL: &str = "<|channel|>analysis";
    for (mark, end) in [(THINK, End::Mark("[/THINK]")), (CHANNEL, End::Channel)] {
        if rest.starts_with(mark) {
            return Opening::Reasoning { length: mark.len(), end };
        }
        if mark.starts_with(rest) {
            return Opening::Unknown;
        }
    }
    let Some(body) = rest.strip_prefix('<') else { return Opening::None };
    let name =
        body.bytes().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')).count();
    if name == body.len() {
        return Opening::Unknown;
    }
    let Some(name) = name_at(body) else { return Opening::None };
    match body.find(['>', '<']) {
        None if body.len() < 200 => Opening::Unknown,
        Some(end) if body.as_bytes()[end] == b'>' && !body[..end].ends_with('/') => {
            Opening::Reasoning { length: end + 2, end: End::Tag(name) }
        }
        _ => Opening::None,
    }
}

impl End {
    /// How far a growing text was searched from `at`, and whether the reasoning ends there.
    pub(in crate::decode) fn find(self, text: &str, at: usize) -> (usize, bool) {
        let lead = match self {
            Self::Mark(mark) => mark,
            Self::Tag(_) => "</",
            Self::Channel => "<|",
        };
        let mut at = at;
        while let Some(next) = text[at..].find(lead).map(|ahead| at + ahead) {
            let rest = &text[next + lead.len()..];
            match self {
                Self::Mark(mark) => return (next + mark.len(), true),
                Self::Tag(name) => match rest.find('>') {
                    Some(end) if name_at(rest) == Some(name) => return (next + lead.len() + end + 1, true),
                    None if rest.len() < 200 => return (next, false),
                    _ => {}
                },
                Self::Channel => {
                    let ends = ["end|>", "start|>", "channel|>", "return|>"];
                    if ends.iter().any(|end| rest.starts_with(end)) {
                        return (next, true);
                    }
                    if ends.iter().any(|end| end.starts_with(rest)) {
                        return (next, false);
                    }
                }
            }
            at = next + lead.len();
        }
        // The lead may be cut.
        let kept = (1..lead.len()).rev().find(|kept| text[at..].ends_with(&lead[..*kept])).unwrap_or(0);
        (text.len() - kept, false)
    }
}
