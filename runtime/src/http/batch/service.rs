//! What a provider's batch service has of its own.
//!
//! A [`Service`] knows the places and the forms; it decides nothing. When something is sent, taken or sent again is the
//! job's part, the same for all.

use std::fmt;
use std::pin::Pin;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::transport::Failure;
use crate::adapter::{CallError, CallRequest, CallResponse};
use crate::http::wire::Outgoing;

pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How much one batch may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Requests.
    pub requests: usize,
    /// Bytes of all requests together, as they are sent.
    pub bytes: usize,
}

impl Limits {
    /// So many requests of so many bytes together.
    #[must_use]
    pub const fn new(requests: usize, bytes: usize) -> Self {
        Self { requests, bytes }
    }

    /// The smaller of each.
    pub(super) fn min(self, other: Self) -> Self {
        Self { requests: self.requests.min(other.requests), bytes: self.bytes.min(other.bytes) }
    }
}

/// One provider's batch service.
#[allow(unreachable_pub, private_interfaces, reason = "what a sealed trait that is public hands out")]
pub trait Service: fmt::Debug + Send + Sync {
    /// How much one batch may hold.
    fn limits(&self) -> Limits;

    /// The model that is asked.
    fn model(&self) -> &str;

    /// The request, as a call would send it.
    fn encode(&self, request: &CallRequest) -> Result<Outgoing, CallError>;

    /// A request as one line, or one member of a list: `custom_id` and the body of a call.
    fn line(&self, custom_id: &str, sent: &Outgoing) -> Vec<u8>;

    /// What an answer to a request says, read as a call reads it.
    fn read(&self, answer: &Answer, sent: &Outgoing) -> Result<CallResponse, Lost>;

    /// Puts the lines where the batch can be made of them; `None` where they go along with its creation.
    fn upload<'a>(&'a self, mark: &'a str, lines: &'a [Bytes]) -> Boxed<'a, Result<Option<String>, CallError>>;

    /// Creates a batch. It is not known what became of that if the failure does not say that it was refused.
    fn create<'a>(
        &'a self,
        mark: &'a str,
        file: Option<&'a str>,
        lines: &'a [Bytes],
    ) -> Boxed<'a, Result<Status, Failure>>;

    /// Looks for a batch that may have been created since then (seconds of the Unix era) with this mark.
    fn find<'a>(&'a self, mark: &'a str, since: u64, requests: usize) -> Boxed<'a, Result<Found, CallError>>;

    /// How it stands with a batch.
    fn status<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>>;

    /// Asks for its end.
    fn cancel<'a>(&'a self, id: &'a str) -> Boxed<'a, Result<Status, CallError>>;

    /// Hands over each line of the results of a batch that has ended. After a failure it begins anew.
    fn results<'a>(
        &'a self,
        status: &'a Status,
        each: &'a mut (dyn FnMut(&[u8]) + Send),
    ) -> Boxed<'a, Result<(), CallError>>;

    /// What a line of the results says; `None` if it is no such line.
    fn parse(&self, line: &[u8]) -> Option<Line>;
}

/// What became of the search for a batch.
#[derive(Debug)]
pub enum Found {
    /// It is there.
    Here(Status),
    /// It is not.
    Nowhere,
    /// That will be known when these have ended.
    Perhaps(Vec<String>),
}

/// How it stands with a batch.
#[derive(Debug, Clone)]
pub struct Status {
    pub(crate) id: String,
    pub(crate) state: State,
    pub(crate) counts: Counts,
    /// Where the results are: ids of files.
    pub(crate) files: Vec<String>,
    /// The results themselves, where they come with the state.
    pub(crate) inline: Vec<Bytes>,
    /// What the provider found wrong with single requests, by their line, the first being 0.
    pub(crate) faults: Vec<(usize, String)>,
}

/// Where a batch is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// It waits, is checked, or is worked on.
    Running,
    /// Its end was asked for.
    Cancelling,
    /// Each request has an answer of some sort.
    Completed,
    /// The time was over before each request had one.
    Expired,
    /// It was cancelled before each request had one.
    Cancelled,
    /// The provider refused it as a whole, in these words.
    Failed(String),
}

impl State {
    /// Whether nothing more will come of it.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        !matches!(self, Self::Running | Self::Cancelling)
    }
}

/// How many requests of a batch are where, as far as the provider tells before its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// All of them.
    pub total: usize,
    /// Those that were answered.
    pub succeeded: usize,
    /// Those that failed, expired or were cancelled.
    pub failed: usize,
}

/// A line of the results.
#[derive(Debug)]
pub struct Line {
    pub(crate) custom_id: String,
    pub(crate) answer: Answer,
}

/// What became of one request.
#[derive(Debug)]
pub enum Answer {
    /// The body of an answer with this status, as a call would have had it.
    Body { status: u16, body: Box<RawValue>, request_id: Option<String> },
    /// The time was over first.
    Expired(String),
    /// It was cancelled first.
    Cancelled(String),
    /// The service failed it, in these words.
    Failed(String),
}

/// Why a request has no reply, and whether the same may be sent again.
#[derive(Debug)]
pub struct Lost {
    pub(crate) error: CallError,
    pub(crate) again: bool,
}
