//! A route without a model: random replies that are always valid.

use std::fmt;
use std::marker::PhantomData;

use super::document;
use super::random::Random;
use super::sample::instance;
use super::types::Types;
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, Message,
    ResponseFormat, ResponseStream, ToolCall, ToolChoice, Usage,
};
use crate::dialect::{Guidance, Refusal, Spec};

/// How many values a reply has, about.
const SIZE: usize = 40;

/// A route without a model: it answers at once with a random reply that satisfies the schema.
///
/// The same conversation gets the same reply for the same seed, whatever else is asked meanwhile. Rules of
/// your own (`validate`) are in no schema, so a reply may break those. Without a schema the
/// reply is a sentence. It calls a tool only if the request says that it must.
///
/// ```
/// use response_schema::adapter::Adapter;
/// use response_schema::testing::Offline;
///
/// let model = Offline::seeded(7);
/// let list: Vec<bool> = pollster::block_on(model.extract("Which of them?"))?;
/// # Ok::<(), response_schema::Error>(())
/// ```
pub struct Offline<D = Guidance> {
    seed: u64,
    /// Bytes of a piece of a streamed reply, if it streams.
    piece: Option<usize>,
    dialect: PhantomData<fn() -> D>,
}

impl Offline {
    /// A route that starts from a seed.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self { seed, piece: None, dialect: PhantomData }
    }
}

impl<D: Spec> Offline<D> {
    /// The same route, held to another dialect by the compiler: that of the route it stands in for.
    #[must_use]
    pub const fn as_dialect<E: Spec>(self) -> Offline<E> {
        Offline { seed: self.seed, piece: self.piece, dialect: PhantomData }
    }

    /// With streamed replies that come in pieces of about this many bytes.
    #[must_use]
    pub const fn in_pieces(mut self, bytes: usize) -> Self {
        self.piece = Some(bytes);
        self
    }

    fn reply(self, request: &CallRequest) -> Result<CallResponse, CallError> {
        let mut random = Random::new(self.seed ^ mark(&request.messages));
        let called = match &request.tool_choice {
            ToolChoice::Required => request.tools.first(),
            ToolChoice::Named(name) => request.tools.iter().find(|tool| tool.name == *name),
            ToolChoice::Auto | ToolChoice::None => None,
        };
        if let Some(tool) = called {
            let arguments = made_up(&tool.input, &mut random)?;
            let mut response = CallResponse::new("", Enforcement::None);
            response.tool_calls = vec![ToolCall::new(format!("call_{:x}", random.next()), &tool.name, arguments)];
            response.ending = Ending::ToolCalls;
            return Ok(response);
        }
        Ok(match &request.response_schema {
            Some(format) => CallResponse::new(made_up(format, &mut random)?, Enforcement::Enforced),
            None => CallResponse::new("There is no model behind this route.", Enforcement::None),
        })
    }
}

impl<D: Spec> Adapter for Offline<D> {
    type Dialect = D;

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::new("offline", Enforcement::Enforced)
            .with_tools(Enforcement::Enforced)
            .with_tools_beside_schema();
        capabilities.streaming = self.piece.is_some();
        capabilities
    }

    fn identity(&self) -> String {
        format!("offline {}", self.seed)
    }

    /// The sampler keeps to any schema that it can read, whatever strict modes say of it.
    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        format.wire(&D::DIALECT).map(|_| Enforcement::Enforced)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let mut response = self.reply(&request)?;
        let asked: usize = request.messages.iter().map(|message| message.text().len()).sum();
        // Four bytes a token, about.
        response.usage = Usage::new(asked as u64 / 4 + 1, response.text.len() as u64 / 4 + 1);
        "sampler".clone_into(&mut response.model);
        Ok(response)
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        match self.piece {
            Some(bytes) => ResponseStream::in_pieces(Adapter::call(self, request), bytes),
            None => ResponseStream::whole(Adapter::call(self, request)),
        }
    }
}

/// A valid value of a format, as JSON text.
fn made_up(format: &ResponseFormat, random: &mut Random) -> Result<String, CallError> {
    let cannot = |why: String| {
        let words = format!("no value of `{}` can be made up: {why}", format.name());
        CallError::new(CallErrorKind::SchemaRefused, words)
    };
    match (format.root(), format.given()) {
        (Some(root), _) => instance(root, &Types::below(root), SIZE, random)
            .map(|instance| instance.to_string())
            .map_err(|unsampled| cannot(unsampled.why)),
        (None, Some(schema)) => document::value(schema, random).map(|value| value.to_string()).map_err(cannot),
        (None, None) => Err(cannot("it has no schema".to_owned())),
    }
}

/// A mark of a conversation (FNV-1a): the same on every machine.
fn mark(messages: &[Message]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for message in messages {
        for byte in [message.role() as u8].into_iter().chain(message.text().bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

impl<D> Clone for Offline<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Offline<D> {}

impl<D> fmt::Debug for Offline<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offline").field("seed", &self.seed).field("piece", &self.piece).finish_non_exhaustive()
    }
}
