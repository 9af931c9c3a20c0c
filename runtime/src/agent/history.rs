//! The conversation of a loop, as it can be kept and taken up again.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::adapter::{AssistantMessage, Message, Messages, ToolCall, ToolResult};

/// The version that is written.
const VERSION: u32 = 1;

/// The conversation of a loop. It serializes, so that it can be kept and taken up again.
///
/// Whatever happens in a run, it is one that providers accept: every tool call has its result, and no turn
/// is empty. Messages are not in the `Debug` form.
#[derive(Clone, Default, Serialize)]
pub struct History {
    version: Version,
    messages: Messages,
}

/// Which version of the form a kept history has.
#[derive(Clone, Copy)]
struct Version;

impl History {
    /// A conversation from messages. Tool calls that have no result get one that says so, and results without their
    /// call are left out.
    #[must_use]
    pub fn from_messages(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut history = Self::default();
        for message in messages {
            match message {
                Message::Assistant(turn) => history.say(turn),
                Message::Tool(result) => {
                    history.answer(result);
                }
                other => history.messages.push(other),
            }
        }
        history
    }

    /// The messages, in order.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The same messages for a request, without a copy.
    pub(super) fn share(&self) -> Messages {
        self.messages.clone()
    }

    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(super) fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Takes back what was said to the model after the first `length` messages and brought no turn of it: that would
    /// stand beside what is said next.
    pub(super) fn take_back(&mut self, length: usize) {
        while self.messages.len() > length && matches!(self.messages.last(), Some(Message::User { .. })) {
            self.messages.pop();
        }
    }

    /// Turns that a retry adds: the model's turn, results of its calls, and what is said about it.
    pub(super) fn go_on(&mut self, turns: Vec<Message>) {
        self.messages.extend(turns);
    }

    /// A turn of the model that calls nothing, if there is one.
    pub(super) fn extend(&mut self, turn: Option<AssistantMessage>) {
        if let Some(turn) = turn {
            self.say(turn);
        }
    }

    /// A turn of the model, with a result for each of its calls that says that it has not come. An empty turn leaves nothing.
    pub(super) fn say(&mut self, turn: AssistantMessage) {
        if turn.text.trim().is_empty() && turn.tool_calls.is_empty() {
            return;
        }
        let pending: Vec<_> = turn.tool_calls.iter().map(pending).collect();
        self.messages.push(turn.into());
        self.messages.extend(pending);
    }

    /// Puts the result of a call in its place. Says whether there is such a place.
    pub(super) fn answer(&mut self, result: ToolResult) -> bool {
        let results = self.messages.iter().rev().take_while(|message| matches!(message, Message::Tool(_))).count();
        let start = self.messages.len() - results;
        let place = self.messages[start..].iter().position(|message| match message {
            Message::Tool(place) => place.call_id == result.call_id && place.text == NOT_DONE,
            _ => false,
        });
        if let Some(place) = place {
            self.messages[start + place] = result.into();
        }
        place.is_some()
    }
}

/// What stands in the place of a result that has not come.
const NOT_DONE: &str = "not done: the run was cancelled before this tool had finished";

fn pending(call: &ToolCall) -> Message {
    ToolResult::error(call, NOT_DONE).into()
}

impl Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VERSION.serialize(serializer)
    }
}

impl Default for Version {
    fn default() -> Self {
        Self
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Kept {
            version: u32,
            messages: Vec<Message>,
        }
        let kept = Kept::deserialize(deserializer)?;
        if kept.version != VERSION {
            return Err(D::Error::custom(format_args!(
                "a history of version {} cannot be read; this is version {VERSION}",
                kept.version
            )));
        }
        Ok(Self::from_messages(kept.messages))
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "History({} messages)", self.messages.len())
    }
}
