//! A route whose exchanges are written down.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::scrub::Scrubber;
use super::{Cassette, Exchange, Outcome, VERSION, wire};
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, ResponseFormat,
};
use crate::dialect::{Refusal, Spec};

/// A route whose exchanges are written to a file, for [`Replay`](super::Replay).
///
/// The file is begun anew, and is whole after each call. What looks like a key is replaced; tell it your own
/// secrets with [`secret`](Self::secret).
///
/// ```
/// use response_schema::adapter::Adapter;
/// use response_schema::testing::{Offline, Recording, Replay};
///
/// let path = std::env::temp_dir().join("response-schema-doc-cassette.json");
/// let real = Recording::new(Offline::seeded(7), &path);
/// let recorded: Vec<bool> = pollster::block_on(real.extract("Which of them?"))?;
///
/// let model = Replay::open(&path)?;
/// let replayed: Vec<bool> = pollster::block_on(model.extract("Which of them?"))?;
/// assert_eq!(replayed, recorded);
///
/// let error = pollster::block_on(model.extract::<Vec<bool>>("Which others?")).unwrap_err();
/// let why = std::error::Error::source(&error).unwrap().to_string();
/// assert!(why.contains("differs at /messages/0/text"), "{why}");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Recording<A> {
    adapter: A,
    path: PathBuf,
    cassette: Arc<Mutex<Cassette>>,
    scrubber: Scrubber,
}

impl<A: Adapter> Recording<A> {
    /// Writes down what this route is asked, and what comes back.
    #[must_use]
    pub fn new(adapter: A, path: impl Into<PathBuf>) -> Self {
        let capabilities = adapter.capabilities();
        let cassette = Cassette {
            version: VERSION,
            route: capabilities.route.to_owned(),
            dialect: A::Dialect::DIALECT.name.to_owned(),
            schema: capabilities.schema,
            tools: capabilities.tools,
            tools_with_schema: capabilities.tools_with_schema,
            exchanges: Vec::new(),
        };
        Self { adapter, path: path.into(), cassette: Arc::new(Mutex::new(cassette)), scrubber: Scrubber::default() }
    }

    /// Also replaces this text, wherever it stands.
    #[must_use]
    pub fn secret(mut self, text: impl Into<String>) -> Self {
        self.scrubber.secret(text);
        self
    }

    fn keep(&self, mut request: serde_json::Value, result: &Result<CallResponse, CallError>) -> std::io::Result<()> {
        self.scrubber.value(&mut request);
        let mut outcome = match result {
            Ok(response) => Outcome::Response(wire::response(response)),
            Err(error) => Outcome::Error(wire::error(error)),
        };
        let (Outcome::Response(value) | Outcome::Error(value)) = &mut outcome;
        self.scrubber.value(value);
        let mut cassette = self.cassette.lock().unwrap_or_else(PoisonError::into_inner);
        cassette.add(Exchange { request, outcome });
        cassette.save(&self.path)
    }
}

impl<A: Adapter> Adapter for Recording<A> {
    type Dialect = A::Dialect;

    fn capabilities(&self) -> Capabilities {
        // What is recorded is a whole reply, and that is what is handed over.
        Capabilities { streaming: false, ..self.adapter.capabilities() }
    }

    fn identity(&self) -> String {
        self.adapter.identity()
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        self.adapter.guarantee(format)
    }

    fn is_stand_in(&self) -> bool {
        self.adapter.is_stand_in()
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let asked = wire::request(&request, &A::Dialect::DIALECT);
        let result = self.adapter.call(request).await;
        self.keep(asked, &result).map_err(|error| {
            let words = format!("the recording cannot be written to `{}`", self.path.display());
            CallError::new(CallErrorKind::InvalidRequest, words).with_source(error)
        })?;
        result
    }
}

impl<A: std::fmt::Debug> std::fmt::Debug for Recording<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("adapter", &self.adapter).field("path", &self.path).finish_non_exhaustive()
    }
}
