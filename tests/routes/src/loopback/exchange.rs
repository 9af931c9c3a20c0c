//! What a test scripts: one reply, in words that every wire has.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Wire;

/// One reply of the server. It says nothing of a wire's form, so the same one serves all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Exchange {
    /// Only for requests on this wire.
    pub wire: Option<Wire>,
    /// Only for requests whose body holds this text.
    pub containing: Option<String>,
    /// How many requests it answers; `None` answers all that come.
    pub times: Option<u32>,
    /// How the reply ends.
    pub ending: Ending,
    /// Its text.
    pub text: String,
    /// What the model thinks first, on wires that show it.
    pub thinking: String,
    /// The tools that it calls, after the text.
    pub calls: Vec<Call>,
    /// What it took.
    pub usage: Tokens,
    /// Characters of text in one event of a stream.
    pub piece: usize,
    /// Milliseconds between two events of a stream.
    pub pace_ms: u64,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// What goes wrong with the connection.
    pub fault: Option<Fault>,
}

/// How a reply ends.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The model is done, or waits for its tool calls.
    #[default]
    Complete,
    /// A token limit cuts the reply short.
    CutShort,
    /// The model refuses, with these words.
    Refused(String),
    /// The provider stops the reply.
    Filtered,
    /// The provider refuses the prompt.
    InputBlocked,
    /// The reply is cancelled on the provider's side.
    Cancelled,
    /// The provider's own word for the reason, as it stands on the wire.
    Reason(String),
    /// No reason at all: the reply just stops, though the connection closes in order.
    Missing,
    /// The provider fails after the text, in the middle of the reply.
    Broken(Failure),
    /// An error instead of a reply.
    Failed(Failure),
}

/// An error of the provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// What sort of error it is; it decides the status and the provider's words for it.
    pub kind: Fail,
    /// The message, instead of the usual one.
    #[serde(default)]
    pub message: Option<String>,
    /// The header `retry-after`: seconds, or a date.
    #[serde(default)]
    pub retry_after: Option<String>,
}

/// Sorts of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fail {
    /// The request is wrong.
    InvalidRequest,
    /// The schema of the reply is refused.
    SchemaRefused,
    /// The schema of a tool is refused.
    ToolRefused,
    /// The prompt is longer than the model's context.
    ContextTooLong,
    /// The credentials are wrong.
    Unauthorized,
    /// The credentials do not allow it.
    Forbidden,
    /// There is no such model.
    NotFound,
    /// The provider gave up waiting.
    RequestTimeout,
    /// Another request is in the way.
    Conflict,
    /// The body is too large.
    TooLarge,
    /// Too many requests.
    RateLimited,
    /// The account has no credit left. The same status as too many requests at most providers.
    QuotaUsedUp,
    /// The provider has an error of its own.
    ServerError,
    /// The provider has more requests than it can serve.
    Overloaded,
    /// A proxy answers in the provider's place, with a page of HTML.
    BadGateway,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name.
    pub name: String,
    /// The arguments as the model writes them. Wires that carry them as a value show what is no object as an empty one.
    pub arguments: String,
}

/// What a reply took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tokens {
    /// Of the prompt, cached ones included.
    pub input: u64,
    /// Of the reply, thinking included.
    pub output: u64,
    /// Of the prompt, from the cache.
    pub cached: u64,
    /// Of the reply, for thinking.
    pub reasoning: u64,
}

/// What goes wrong with the connection.
///
/// Bytes are counted after the response's head, with the framing of chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Nothing is answered, and the connection is reset.
    ResetAtOnce,
    /// The connection is reset after so many bytes.
    Reset(usize),
    /// The connection is closed after so many bytes, though more was promised.
    Close(usize),
    /// Nothing comes after so many bytes, and the connection stays open.
    Stall(usize),
    /// Nothing comes at all, and the connection stays open.
    Silence,
    /// Nothing comes for so many milliseconds.
    Delay(u64),
    /// The response comes in writes of so many bytes, each sent on its own, with a pause of
    /// milliseconds between them.
    Drip {
        /// Bytes in one write.
        bytes: usize,
        /// Milliseconds between two.
        pause_ms: u64,
    },
    /// What comes is not HTTP.
    Garbage,
    /// The body is this instead, with the usual head.
    Body(String),
    /// The head says this content type.
    ContentType(String),
    /// Each `U+FFFD` of the reply goes out as the byte 0xFF, which is no UTF-8.
    InvalidUtf8,
    /// So many bytes of padding follow the reply: blanks, or one comment line of a stream.
    Huge(u64),
    /// So many bytes of padding stand before the reply.
    HugeFirst(u64),
    /// The connection is closed after the reply, without a word in the head.
    CloseAfter,
}

impl Default for Exchange {
    fn default() -> Self {
        Self {
            wire: None,
            containing: None,
            times: Some(1),
            ending: Ending::Complete,
            text: String::new(),
            thinking: String::new(),
            calls: Vec::new(),
            usage: Tokens::default(),
            piece: 7,
            pace_ms: 0,
            headers: Vec::new(),
            fault: None,
        }
    }
}

impl Default for Tokens {
    fn default() -> Self {
        Self { input: 20, output: 10, cached: 0, reasoning: 0 }
    }
}

impl Exchange {
    /// A complete reply with this text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A reply that calls a tool with these arguments.
    #[must_use]
    pub fn call(name: impl Into<String>, arguments: &Value) -> Self {
        Self::default().and_call(name, arguments)
    }

    /// An error of this sort instead of a reply.
    #[must_use]
    pub fn failure(kind: Fail) -> Self {
        Self::default().ending(Ending::Failed(Failure::new(kind)))
    }

    /// With one more call of a tool.
    #[must_use]
    pub fn and_call(mut self, name: impl Into<String>, arguments: &Value) -> Self {
        self.calls.push(Call { name: name.into(), arguments: arguments.to_string() });
        self
    }

    /// With this ending.
    #[must_use]
    pub fn ending(mut self, ending: Ending) -> Self {
        self.ending = ending;
        self
    }

    /// With this fault of the connection.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    /// With this thought before the text.
    #[must_use]
    pub fn thinking(mut self, text: impl Into<String>) -> Self {
        self.thinking = text.into();
        self
    }

    /// With this usage.
    #[must_use]
    pub fn usage(mut self, usage: Tokens) -> Self {
        self.usage = usage;
        self
    }

    /// For so many requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// For all requests that come.
    #[must_use]
    pub fn always(mut self) -> Self {
        self.times = None;
        self
    }

    /// Only for requests on this wire.
    #[must_use]
    pub fn on(mut self, wire: Wire) -> Self {
        self.wire = Some(wire);
        self
    }

    /// Only for requests whose body holds this text.
    #[must_use]
    pub fn when(mut self, containing: impl Into<String>) -> Self {
        self.containing = Some(containing.into());
        self
    }

    /// With a further header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The text in the pieces in which a stream brings it.
    pub(super) fn pieces<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.char_indices().nth(self.piece.max(1)).map_or(rest.len(), |(at, _)| at);
            let (piece, after) = rest.split_at(end);
            pieces.push(piece);
            rest = after;
        }
        pieces
    }
}

impl Failure {
    /// An error of this sort, with the provider's usual words.
    #[must_use]
    pub fn new(kind: Fail) -> Self {
        Self { kind, message: None, retry_after: None }
    }

    /// With this message.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// With the header `retry-after`: seconds, or a date.
    #[must_use]
    pub fn retry_after(mut self, value: impl Into<String>) -> Self {
        self.retry_after = Some(value.into());
        self
    }
}

impl From<Failure> for Exchange {
    fn from(failure: Failure) -> Self {
        Self::default().ending(Ending::Failed(failure))
    }
}

impl Call {
    /// The arguments as a value.
    pub(super) fn value(&self) -> Value {
        let value = serde_json::from_str(&self.arguments).ok().filter(Value::is_object);
        value.unwrap_or_else(|| Value::Object(serde_json::Map::new()))
    }
}
