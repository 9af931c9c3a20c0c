//! Replies that were had before, on disk.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::mark::Hashed;
use crate::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, DynAdapter, Ending, Enforcement, ResponseFormat,
    ResponseStream, Route, Usage,
};
use crate::decode::Finish;
use crate::dialect::{Dialect, Refusal};
use crate::schema::ResponseSchema;
use crate::testing::cassette::wire;
use crate::worker::{Dynamic, Read as _, Verification};

const VERSION: u32 = 1;

/// A route that keeps its replies in a directory, and does not ask twice for the same.
///
/// A reply is found by all that it depends on: the route, its place, model and settings
/// ([`Adapter::identity`]), the schema as it goes out, the messages, the tools, and the parameters. The deadline is no part
/// of that. There is a file for each reply, written whole or not at all, so many processes may share a
/// directory. Nothing is ever removed; to forget a reply, delete its file.
///
/// Only good replies are kept: finished ones that hold a value of the schema, if there is one. What only the type
/// knows (`validate`) is not known here: a reply that fails there is answered by the worker's retry, which is kept, too. A
/// reply from the cache takes no tokens and costs nothing, and its report says so
/// ([`Report::cached`](crate::worker::Report::cached)).
///
/// A cache that cannot be read or written loses no reply: the route is asked, and [`problem`](Self::problem) says what
/// was wrong.
///
/// ```
/// use response_schema::adapter::Adapter;
/// use response_schema::many::Cached;
/// use response_schema::testing::Offline;
///
/// # let directory = tempfile::tempdir()?;
/// let model = Cached::new(Offline::seeded(7), directory.path());
/// let first: Vec<bool> = pollster::block_on(model.extract("Which of them?"))?;
/// let again: Vec<bool> = pollster::block_on(model.extract("Which of them?"))?;
/// assert_eq!((first, model.hits(), model.misses()), (again, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Over an [`Adapter`] it is one. Over a [`DynAdapter`] it is a [`Route`], which
/// becomes a [`DynAdapter`] again: `DynAdapter::from(Cached::new(route, directory))`.
#[derive(Debug, Clone)]
pub struct Cached<R> {
    route: R,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    directory: PathBuf,
    hits: AtomicU64,
    misses: AtomicU64,
    problem: Mutex<Option<String>>,
}

/// A file of the cache.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// What it is the reply of, for people who look.
    route: String,
    reply: Value,
}

impl<R: Route> Cached<R> {
    /// Keeps this route's replies in this directory, which is made if it is not there.
    pub fn new(route: R, directory: impl Into<PathBuf>) -> Self {
        let shared = Shared {
            directory: directory.into(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            problem: Mutex::new(None),
        };
        Self { route, shared: Arc::new(shared) }
    }

    /// How many replies were there.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.shared.hits.load(Ordering::Relaxed)
    }

    /// How many were not.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.shared.misses.load(Ordering::Relaxed)
    }

    /// What was last wrong with the directory, if anything was.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where the reply to a request is.
    fn path(&self, request: &CallRequest) -> PathBuf {
        let mut hashed = Hashed::default();
        hashed.text(&self.route.identity()).json(&wire::request(request, &self.route.dialect()));
        let name = hashed.hexadecimal();
        let (part, name) = name.split_at(2);
        self.shared.directory.join(part).join(format!("{name}.json"))
    }

    fn find(&self, path: &Path) -> Option<CallResponse> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    self.trouble(path, &error);
                }
                return None;
            }
        };
        // What is no reply of this version is asked for again, and replaced.
        let kept: Kept = serde_json::from_slice(&bytes).ok().filter(|kept: &Kept| kept.version == VERSION)?;
        let mut response = wire::to_response(&kept.reply).ok()?;
        response.usage = Usage { cost_usd: Some(0.0), ..Usage::default() };
        response.cached = true;
        Some(response)
    }

    fn keep(&self, path: &Path, response: &CallResponse) {
        let route = self.route.capabilities().route.to_owned();
        let kept = Kept { version: VERSION, route, reply: wire::response(response) };
        let written = || {
            let directory = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(directory)?;
            let mut half = tempfile::NamedTempFile::new_in(directory)?;
            half.write_all(&serde_json::to_vec(&kept)?)?;
            half.persist(path).map_err(|error| error.error)?;
            Ok(())
        };
        if let Err(error) = written() {
            self.trouble(path, &error);
        }
    }

    fn trouble(&self, path: &Path, error: &std::io::Error) {
        let words = format!("the cache `{}` cannot be used: {error}", path.display());
        *self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
    }

    async fn answer(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let path = self.path(&request);
        if let Some(response) = self.find(&path) {
            self.shared.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(response);
        }
        self.shared.misses.fetch_add(1, Ordering::Relaxed);
        let format = request.response_schema.clone();
        let response = self.route.call(request).await?;
        if is_good(&response, format.as_ref()) {
            self.keep(&path, &response);
        }
        Ok(response)
    }
}

/// Whole replies are kept, and handed over.
fn whole(capabilities: Capabilities) -> Capabilities {
    Capabilities { streaming: false, ..capabilities }
}

/// Whether a reply is one to keep.
fn is_good(response: &CallResponse, format: Option<&ResponseFormat>) -> bool {
    if response.ending != Ending::Complete || !response.tool_calls.is_empty() {
        return false;
    }
    let Some(format) = format else { return !response.text.trim().is_empty() };
    Dynamic::new(format, Verification::Full)
        .is_ok_and(|reader| reader.read(&response.text, Finish::Stop, crate::check::CheckContext::default()).is_ok())
}

impl<A: Adapter> Adapter for Cached<A> {
    type Dialect = A::Dialect;

    fn capabilities(&self) -> Capabilities {
        whole(Adapter::capabilities(&self.route))
    }

    fn identity(&self) -> String {
        Adapter::identity(&self.route)
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        Adapter::guarantee(&self.route, format)
    }

    fn is_stand_in(&self) -> bool {
        self.route.is_stand_in()
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        self.answer(request).await
    }
}

impl Route for Cached<DynAdapter> {
    const KNOWN: Option<Dialect> = DynAdapter::KNOWN;

    fn name(&self) -> Option<&str> {
        self.route.name()
    }

    fn capabilities(&self) -> Capabilities {
        whole(self.route.capabilities())
    }

    fn dialect(&self) -> Dialect {
        self.route.dialect()
    }

    fn identity(&self) -> String {
        self.route.identity()
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        self.route.guarantee(format)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        self.answer(request).await
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        ResponseStream::whole(self.answer(request))
    }

    fn format<T: ResponseSchema>() -> ResponseFormat {
        DynAdapter::format::<T>()
    }
}

impl From<Cached<DynAdapter>> for DynAdapter {
    fn from(cached: Cached<DynAdapter>) -> Self {
        Self::of(cached)
    }
}
