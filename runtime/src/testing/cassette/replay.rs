//! A route that answers from a cassette.

use std::fmt::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::scrub::Scrubber;
use super::{Cassette, Outcome, wire};
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, ResponseFormat,
};
use crate::dialect::{Guidance, Refusal, Spec};

/// A route that answers from a file that a [`Recording`](super::Recording) wrote.
///
/// Each exchange is used once, those of equal requests in the order in which they were recorded. A request
/// that was not recorded is an error that names the nearest one and where it differs. The deadline is no
/// part of a request.
pub struct Replay<D = Guidance> {
    path: PathBuf,
    cassette: Arc<Cassette>,
    /// Which exchanges were used.
    used: Arc<Mutex<Vec<bool>>>,
    scrubber: Scrubber,
    dialect: PhantomData<fn() -> D>,
}

impl Replay {
    /// Reads a cassette. Schemas on it stand in the dialect of the route that was recorded; for any other
    /// than [`Guidance`] name it with [`as_dialect`](Self::as_dialect).
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no cassette.
    pub fn open(path: impl Into<PathBuf>) -> std::io::Result<Self> {
        let path = path.into();
        let cassette = Cassette::load(&path)?;
        let used = Arc::new(Mutex::new(vec![false; cassette.exchanges.len()]));
        Ok(Self { path, cassette: Arc::new(cassette), used, scrubber: Scrubber::default(), dialect: PhantomData })
    }
}

impl<D: Spec> Replay<D> {
    /// The same replay of a route with another dialect.
    #[must_use]
    pub fn as_dialect<E: Spec>(self) -> Replay<E> {
        let Self { path, cassette, used, scrubber, dialect: _ } = self;
        Replay { path, cassette, used, scrubber, dialect: PhantomData }
    }

    /// Also replaces this text, as the recording did.
    #[must_use]
    pub fn secret(mut self, text: impl Into<String>) -> Self {
        self.scrubber.secret(text);
        self
    }

    /// How many exchanges were not asked for yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.used().iter().filter(|used| !**used).count()
    }

    fn used(&self) -> std::sync::MutexGuard<'_, Vec<bool>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, asked: &Value) -> Result<&Outcome, CallError> {
        let mut used = self.used();
        let same = |(_, exchange): &(usize, &super::Exchange)| exchange.request == *asked;
        let exchanges = self.cassette.exchanges.iter().enumerate();
        if let Some((at, exchange)) = exchanges.clone().filter(same).find(|(at, _)| !used[*at]) {
            used[at] = true;
            return Ok(&exchange.outcome);
        }
        let times = exchanges.filter(same).count();
        Err(if times > 0 {
            self.missing(&format!("it was recorded {times} times, and is asked for once more"))
        } else {
            self.missing(&self.nearest(asked))
        })
    }

    fn nearest(&self, asked: &Value) -> String {
        let compared = self.cassette.exchanges.iter().enumerate().map(|(at, exchange)| {
            let mut differences = Vec::new();
            compare(&exchange.request, asked, &mut String::new(), &mut differences);
            (at, differences)
        });
        match compared.min_by_key(|(_, differences)| differences.len()) {
            Some((at, differences)) => {
                let first = differences.first().map_or("/", String::as_str);
                format!("the nearest is exchange {}, which differs at {first}", at + 1)
            }
            None => "it holds no exchanges".to_owned(),
        }
    }

    fn missing(&self, why: &str) -> CallError {
        let path = self.path.display();
        let words = format!("the cassette `{path}` has no reply to this request: {why}; record it again");
        CallError::new(CallErrorKind::InvalidRequest, words)
    }

    /// Fails if the cassette was recorded in another dialect.
    fn speaks(&self) -> Result<(), CallError> {
        if self.cassette.dialect == D::DIALECT.name {
            return Ok(());
        }
        Err(CallError::new(
            CallErrorKind::InvalidRequest,
            format!(
                "the cassette `{}` was recorded in the dialect `{}`, and is replayed in `{}`; name it with `as_dialect`",
                self.path.display(),
                self.cassette.dialect,
                D::DIALECT.name
            ),
        ))
    }
}

/// Adds the places where two values differ.
fn compare(one: &Value, other: &Value, path: &mut String, found: &mut Vec<String>) {
    let length = path.len();
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys().filter(|key| !one.contains_key(*key))) {
                path.push('/');
                path.push_str(key);
                match (one.get(key), other.get(key)) {
                    (Some(one), Some(other)) => compare(one, other, path, found),
                    _ => found.push(path.clone()),
                }
                path.truncate(length);
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            for at in 0..one.len().max(other.len()) {
                let _ = write!(path, "/{at}");
                match (one.get(at), other.get(at)) {
                    (Some(one), Some(other)) => compare(one, other, path, found),
                    _ => found.push(path.clone()),
                }
                path.truncate(length);
            }
        }
        _ if one == other => {}
        _ => found.push(path.clone()),
    }
}

impl<D: Spec> Adapter for Replay<D> {
    type Dialect = D;

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = Capabilities::new("replay", self.cassette.schema);
        capabilities.tools = self.cassette.tools;
        capabilities.tools_with_schema = self.cassette.tools_with_schema;
        capabilities
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        format.wire(&D::DIALECT).map(|_| self.cassette.schema)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        self.speaks()?;
        let mut asked = wire::request(&request, &D::DIALECT);
        self.scrubber.value(&mut asked);
        let read = match self.find(&asked)? {
            Outcome::Response(value) => wire::to_response(value).map(Ok),
            Outcome::Error(value) => wire::to_error(value).map(Err),
        };
        read.unwrap_or_else(|error| Err(self.missing(&format!("what stands there cannot be read: {error}"))))
    }
}

impl<D> Clone for Replay<D> {
    fn clone(&self) -> Self {
        Self {
            path: self.path.clone(),
            cassette: Arc::clone(&self.cassette),
            used: Arc::clone(&self.used),
            scrubber: self.scrubber.clone(),
            dialect: PhantomData,
        }
    }
}

impl<D> fmt::Debug for Replay<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: &Path = &self.path;
        f.debug_struct("Replay").field("path", &path).finish_non_exhaustive()
    }
}
