//! What a provider's wire has of its own.
//!
//! A [`Wire`] turns a [`CallRequest`] into the text of a request, and what comes back into a [`CallResponse`]. It does
//! no input and output: sending, waiting, time limits, further attempts, framing and the reading of errors are the
//! [`exchange`](super::exchange)'s part, the same for all.
//!
//! A stream is no second way to read a reply. Its events are gathered into the value that an unstreamed reply is
//! parsed into, and that one value is read, so that both say the same.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::complaint::{Complaint, Verdict};
use super::sse::{Event, Framing};
use crate::adapter::{
    CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, ResponseFormat,
    StreamEvent, WireSchema,
};
use crate::dialect::{Dialect, Refusal};

/// One provider's wire, with what the user chose for it.
pub(crate) trait Wire: Clone + Send + Sync + 'static {
    /// How its streams are cut into events, where the answer does not say.
    const FRAMING: Framing;

    /// A reply as the provider sends it in one piece. The default is an empty one, for the events of a stream to be
    /// gathered into.
    type Reply: DeserializeOwned + Default + Send + Sync;

    /// What the route can do, and its name.
    fn capabilities(&self) -> Capabilities;

    /// The provider's name in traces, from OpenTelemetry's list where it is there: `openai`, `gcp.gemini`.
    fn provider(&self) -> &str;

    /// The model that is asked; empty where none was named.
    fn model(&self) -> &str;

    /// The request. The bodies of both deliveries differ in what asks for the stream, and in nothing else.
    ///
    /// # Errors
    ///
    /// What the wire cannot carry; nothing is sent then.
    fn encode(&self, request: &CallRequest, delivery: Delivery) -> Result<Outgoing, CallError>;

    /// Adds an event of a stream to the reply gathered so far, and what the user sees of it to the pieces. It breaks
    /// off where the provider says that nothing follows.
    ///
    /// Events that are errors do not come here.
    fn gather(
        &self,
        sent: &Outgoing,
        reply: &mut Self::Reply,
        event: &Event,
        pieces: &mut Pieces,
    ) -> Result<ControlFlow<()>, Trouble>;

    /// Whether the gathered reply came to its end. A stream that ends before is a fault.
    fn is_whole(reply: &Self::Reply) -> bool;

    /// What the reply says. How the schema was enforced is in `sent`.
    fn read(&self, reply: Self::Reply, sent: &Outgoing) -> Result<CallResponse, Trouble>;

    /// What becomes of a complaint of the provider.
    fn judge(&self, complaint: &Complaint, sent: &Outgoing) -> Verdict {
        let _ = sent;
        complaint.verdict()
    }
}

/// How a reply is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// In one piece.
    Whole,
    /// Piece by piece.
    Stream,
}

/// A request as the wire writes it.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// Where it goes, below the base URL: `/responses`.
    pub(crate) path: String,
    /// A parameter of the URL.
    pub(crate) query: Option<(&'static str, &'static str)>,
    /// The JSON text.
    pub(crate) body: Bytes,
    /// Whether it asks for a stream.
    pub(crate) streams: bool,
    /// What the route guarantees for the reply.
    pub(crate) enforcement: Enforcement,
    /// The schema of the reply, if the request carries one.
    pub(crate) schema: Option<SentSchema>,
    /// Whether it carries tools.
    pub(crate) has_tools: bool,
}

/// What is known of a schema that was sent.
#[derive(Debug, Clone)]
pub(crate) struct SentSchema {
    /// Its name.
    pub(crate) name: String,
    /// The dialect that it was written for.
    pub(crate) dialect: &'static str,
    /// Whether it is all that the dialect asks for. If the provider refuses it then, the dialect is wrong.
    pub(crate) passed: bool,
}

impl Outgoing {
    /// A request without a schema.
    pub(crate) fn new(path: impl Into<String>, body: Vec<u8>, delivery: Delivery) -> Self {
        Self {
            path: path.into(),
            query: None,
            body: body.into(),
            streams: delivery == Delivery::Stream,
            enforcement: Enforcement::None,
            schema: None,
            has_tools: false,
        }
    }

    /// Whether it carries a schema, for the reply or for a tool.
    pub(crate) fn carries_schema(&self) -> bool {
        self.schema.is_some() || self.has_tools
    }

    /// With a schema for the reply, and what the route makes of a strict one. What is not strict is a hint at most.
    pub(crate) fn with_schema(mut self, schema: Option<&Lowered<'_>>, strict: Enforcement) -> Self {
        if let Some(schema) = schema {
            self.enforcement = if schema.wire.strict { strict } else { strict.min(Enforcement::Hint) };
            self.schema =
                Some(SentSchema { name: schema.name.to_owned(), dialect: schema.dialect, passed: schema.wire.strict });
        }
        self
    }
}

/// A schema in the form of the wire's dialect.
#[derive(Debug)]
pub(crate) struct Lowered<'a> {
    pub(crate) name: &'a str,
    pub(crate) dialect: &'static str,
    pub(crate) wire: WireSchema,
}

/// Writes a schema in a dialect.
pub(crate) fn lower<'a>(format: &'a ResponseFormat, dialect: &Dialect) -> Result<Lowered<'a>, CallError> {
    lowered(format, dialect, format.wire(dialect))
}

/// Writes the schema of a tool's arguments: in a dialect, or as a hint where that does not take it.
pub(crate) fn lower_tool<'a>(format: &'a ResponseFormat, dialect: &Dialect) -> Result<Lowered<'a>, CallError> {
    lowered(format, dialect, format.wire_or_hint(dialect))
}

fn lowered<'a>(
    format: &'a ResponseFormat,
    dialect: &Dialect,
    wire: Result<WireSchema, Refusal>,
) -> Result<Lowered<'a>, CallError> {
    let wire = wire.map_err(|refusal| {
        CallError::new(
            CallErrorKind::SchemaRefused,
            format!("{} would refuse the schema `{}`: {refusal}", dialect.name, format.name()),
        )
    })?;
    Ok(Lowered { name: format.name(), dialect: dialect.name, wire })
}

/// What the user sees of a stream before its end.
#[derive(Debug, Default)]
pub(crate) struct Pieces(VecDeque<StreamEvent>);

impl Pieces {
    /// More of the reply's text.
    pub(crate) fn text(&mut self, text: &str) {
        self.add(text, StreamEvent::Text);
    }

    /// More of the words of a refusal.
    pub(crate) fn refusal(&mut self, text: &str) {
        self.add(text, StreamEvent::Refusal);
    }

    /// More of what the model thinks.
    pub(crate) fn reasoning(&mut self, text: &str) {
        self.add(text, StreamEvent::Reasoning);
    }

    /// A reply that came in one piece.
    pub(super) fn whole(&mut self, response: &CallResponse) {
        self.text(&response.text);
        if let Ending::Refused(words) = &response.ending {
            self.refusal(words);
        }
    }

    fn add(&mut self, text: &str, event: fn(String) -> StreamEvent) {
        if !text.is_empty() {
            self.0.push_back(event(text.to_owned()));
        }
    }

    pub(super) fn next(&mut self) -> Option<StreamEvent> {
        self.0.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Why what came back is no reply.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The provider says that something went wrong.
    Complaint(Box<Complaint>),
    /// It is not what this wire sends; in which way.
    Malformed(String),
}

impl From<Complaint> for Trouble {
    fn from(complaint: Complaint) -> Self {
        Self::Complaint(Box::new(complaint))
    }
}

/// The words of a parser, without the part of the reply that it quotes.
impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        Self::Malformed(match text.find(", expected ") {
            Some(at) => text[at + 2..].to_owned(),
            None => text,
        })
    }
}
