//! Several servers of one kind behind one route.
//!
//! ```text
//!   request ──► queue ──► the least loaded server ──► reply
//!                 ▲                 │
//!                 └──── fault ──────┘   the server is out for a time; the request goes to another
//! ```
//!
//! A [`Fleet`] is made of adapters of one type, so it has their dialect and typed calls are checked at compile time as
//! theirs are. What it keeps of its servers is in `state.rs`, which does no waiting; `lease.rs` is one call's hold on a
//! server, which ends with it whatever becomes of the call; `stream.rs` does for streams what [`Fleet::call`] does for
//! calls. All of it runs on any async runtime, and on a clock of a test's own.
//!
//! There is no probing in the background: a fleet has no task of its own that could outlive it. The first call after a
//! time out is the probe, and if it fails the request goes on to another server, so nobody pays for it with an error.

mod lease;
mod policy;
mod state;
mod stream;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use lease::Lease;
pub use policy::Ejection;
use state::{Fault, Health, Outcome, Standing, State};

use super::{
    Adapter, AnsweredBy, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, PassedOver,
    ResponseFormat, ResponseStream,
};
use crate::dialect::Refusal;
use crate::worker::{Clock, SharedClock};

/// The route's name in reports; a reply's report has the server's own beside it.
const ROUTE: &str = "fleet";

/// How long a request waits for a server to return, unless the user says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// Several servers of one kind as one route: each request goes to the least loaded one that is well.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, ChatCompletions, Fleet}, http::Retry};
/// # #[derive(serde::Deserialize, ResponseSchema)]
/// # struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let servers = ["http://gpu-1:8000/v1", "http://gpu-2:8000/v1", "http://gpu-3:8000/v1"];
/// // The fleet goes to another server after a fault, which is better than the same one again.
/// let vllm = ChatCompletions::vllm().model("qwen3-32b").retry(Retry::never());
/// let fleet = Fleet::named(servers.map(|url| (url, vllm.clone().base_url(url)))).limit(64);
/// let ticket: Ticket = fleet.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
///
/// - **Load.** A server gets the next request if it has the fewest under way, measured against its limit. Those who
///   find all servers at their limits wait, and are served in the order in which they came.
/// - **Health.** A server that cannot be reached, fails or has no room is left out for a time that doubles with each
///   failed return; see [`Ejection`]. The request that met the fault goes to another server, and the reply's report says
///   so. A stream does, too, as long as it has shown nothing.
/// - **Nobody there.** With all servers out, a request waits for the first to return, up to the fleet's
///   [patience](Self::patience); then its error has the last fault of each.
/// - **Cancelling.** Dropping a call or a stream frees its place.
///
/// Clones share everything, so a limit that is set on one holds for all. The route promises what the weakest of its
/// servers promises.
pub struct Fleet<A> {
    inner: Arc<Inner<A>>,
    clock: SharedClock,
}

struct Inner<A> {
    adapters: Vec<A>,
    state: Mutex<Shared>,
}

struct Shared {
    state: State,
    patience: Duration,
}

/// How it stands with one server of a [`Fleet`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerStatus {
    /// Its name.
    pub name: String,
    /// Whether it is called; otherwise it is out, or one call tries it.
    pub is_in: bool,
    /// Requests that are under way there.
    pub in_flight: usize,
    /// How many there may be.
    pub limit: Option<usize>,
    /// What last went wrong with it, which may be mended by now.
    pub last_fault: Option<String>,
}

impl<A: Adapter> Fleet<A> {
    /// These servers, under the names `1`, `2` and so on.
    #[must_use]
    pub fn new(servers: impl IntoIterator<Item = A>) -> Self {
        Self::named(servers.into_iter().enumerate().map(|(index, adapter)| ((index + 1).to_string(), adapter)))
    }

    /// These servers, under names of your own, which reports and errors show.
    #[must_use]
    pub fn named<S: Into<String>>(servers: impl IntoIterator<Item = (S, A)>) -> Self {
        let (names, adapters): (Vec<Arc<str>>, Vec<A>) =
            servers.into_iter().map(|(name, adapter)| (name.into().into(), adapter)).unzip();
        let shared = Shared { state: State::new(names.into_iter()), patience: PATIENCE };
        Self { inner: Arc::new(Inner { adapters, state: Mutex::new(shared) }), clock: SharedClock::default() }
    }

    /// With at most so many requests under way at each server; 0 counts as 1. Without this there is no limit.
    #[must_use]
    pub fn limit(self, most: usize) -> Self {
        self.lock().state.servers.iter_mut().for_each(|server| server.limit = Some(most.max(1)));
        self
    }

    /// With at most so many requests under way at the server of this name; 0 counts as 1. A name that none has changes
    /// nothing.
    #[must_use]
    pub fn limit_of(self, name: &str, most: usize) -> Self {
        let named = |server: &&mut state::Server| &*server.name == name;
        self.lock().state.servers.iter_mut().filter(named).for_each(|server| server.limit = Some(most.max(1)));
        self
    }

    /// With this rule for leaving servers out.
    #[must_use]
    pub fn ejection(self, ejection: Ejection) -> Self {
        self.lock().state.ejection = ejection;
        self
    }

    /// With a request that waits so long, and not 30 seconds, for a server to return when none is in; zero fails at
    /// once. It never waits beyond its deadline.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        self.lock().patience = patience;
        self
    }

    /// With another clock, for tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = SharedClock::new(clock);
        self
    }

    /// How it stands with each server, in the order in which they were given.
    #[must_use]
    pub fn servers(&self) -> Vec<ServerStatus> {
        let status = |server: &state::Server| ServerStatus {
            name: (*server.name).to_owned(),
            is_in: server.health == Health::In,
            in_flight: server.in_flight,
            limit: server.limit,
            last_fault: server.last_fault.as_ref().map(|fault| fault.words.clone()),
        };
        self.lock().state.servers.iter().map(status).collect()
    }
}

impl<A> Fleet<A> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, hands out what became free, and wakes those who got it.
    fn change<T>(&self, change: impl FnOnce(&mut State, Instant) -> T) -> T {
        let now = self.clock.now();
        let (done, wake) = {
            let mut shared = self.lock();
            let done = change(&mut shared.state, now);
            (done, shared.state.dispatch(now))
        };
        wake.into_iter().for_each(Waker::wake);
        done
    }

    /// How it stands with one who waits, after what became free by the passing of time is handed out; and how long one
    /// may wait while no server is in.
    fn look(&self, ticket: u64, now: Instant, waker: &Waker) -> (Standing, Duration) {
        let (wake, seen) = {
            let mut shared = self.lock();
            let wake = shared.state.dispatch(now);
            (wake, (shared.state.look(ticket, waker), shared.patience))
        };
        wake.into_iter().for_each(Waker::wake);
        seen
    }
}

/// One request on its way through the fleet.
struct Journey {
    /// When the request is of no use any more.
    deadline: Option<Instant>,
    /// Where it failed, and in which epoch of the server.
    tried: Vec<(usize, u64)>,
    passed: Vec<PassedOver>,
    /// How long it has waited while no server was in.
    waited: Duration,
    /// The fault that it met last.
    last: Option<Fault>,
}

impl Journey {
    fn new(request: &CallRequest) -> Self {
        Self { deadline: request.deadline, tried: Vec::new(), passed: Vec::new(), waited: Duration::ZERO, last: None }
    }
}

impl<A: Adapter> Fleet<A> {
    /// What becomes of a request after this result: it is the end, or the server was at fault and another is asked.
    fn judge(
        &self,
        lease: Lease<'_, A>,
        result: Result<CallResponse, CallError>,
        journey: &mut Journey,
    ) -> Option<Result<CallResponse, CallError>> {
        let index = lease.index();
        match result {
            Ok(mut response) => {
                lease.end(Outcome::Answered);
                response.retries =
                    response.retries.saturating_add(u32::try_from(journey.passed.len()).unwrap_or(u32::MAX));
                response.passed_over.splice(..0, std::mem::take(&mut journey.passed));
                if response.answered_by.is_none() {
                    let name = Arc::clone(&self.lock().state.servers[index].name);
                    let route = self.inner.adapters[index].capabilities().route;
                    response.answered_by = Some(AnsweredBy { name, route });
                }
                Some(Ok(response))
            }
            Err(error) => {
                let outcome = Outcome::of(&error);
                let end = if let Outcome::Fault(fault) = &outcome {
                    self.note(index, fault, journey);
                    None
                } else {
                    Some(Err(error.with_passed_over(std::mem::take(&mut journey.passed))))
                };
                lease.end(outcome);
                end
            }
        }
    }

    /// Takes down that a server failed a request.
    fn note(&self, index: usize, fault: &Fault, journey: &mut Journey) {
        let server = &self.lock().state.servers[index];
        journey.tried.push((index, server.epoch));
        journey.passed.push(PassedOver { route: (*server.name).to_owned(), reason: fault.words.clone() });
        journey.last = Some(fault.clone());
    }

    /// The error of a request that no server can take: the last fault of each.
    fn nobody(&self, journey: &mut Journey) -> CallError {
        let now = self.clock.now();
        let shared = self.lock();
        let servers = &shared.state.servers;
        if servers.is_empty() {
            return CallError::new(CallErrorKind::InvalidRequest, "the fleet has no servers; give it some");
        }
        let mut back: Option<Duration> = None;
        let told: Vec<_> = servers
            .iter()
            .map(|server| {
                let words = server.last_fault.as_ref().map_or("one call tries it", |fault| &fault.words);
                match server.health {
                    Health::Out(until) => {
                        let left = until.saturating_duration_since(now);
                        back = Some(back.map_or(left, |back| back.min(left)));
                        format!("`{}` (out for {:.1} s more): {words}", server.name, left.as_secs_f64())
                    }
                    _ => format!("`{}`: {words}", server.name),
                }
            })
            .collect();
        let fault = journey.last.clone().or_else(|| servers.iter().find_map(|server| server.last_fault.clone()));
        let kind = fault.as_ref().map_or(CallErrorKind::Transport, |fault| fault.kind);
        let text = format!("no server of the fleet could take the request; {}", told.join("; "));
        let mut error = CallError::new(kind, text)
            .with_retries(u32::try_from(journey.passed.len().saturating_sub(1)).unwrap_or(u32::MAX))
            .with_passed_over(std::mem::take(&mut journey.passed));
        if let Some(status) = fault.and_then(|fault| fault.status) {
            error = error.with_status(status);
        }
        match back {
            Some(back) => error.with_retry_after(back),
            None => error,
        }
    }
}

impl<A: Adapter> Adapter for Fleet<A> {
    type Dialect = A::Dialect;

    /// What every server can do.
    fn capabilities(&self) -> Capabilities {
        let mut servers = self.inner.adapters.iter().map(Adapter::capabilities);
        let Some(mut all) = servers.next() else { return Capabilities::new(ROUTE, Enforcement::None) };
        for one in servers {
            all.schema = all.schema.min(one.schema);
            all.tools = all.tools.min(one.tools);
            all.tools_with_schema &= one.tools_with_schema;
            all.streaming &= one.streaming;
        }
        all.route = ROUTE;
        all
    }

    /// Any of them may have answered.
    fn identity(&self) -> String {
        self.inner.adapters.iter().map(Adapter::identity).collect::<Vec<_>>().join("\n")
    }

    fn guarantee(&self, format: &ResponseFormat) -> Result<Enforcement, Refusal> {
        let mut least = None;
        for adapter in &self.inner.adapters {
            let held = adapter.guarantee(format)?;
            least = Some(least.map_or(held, |least: Enforcement| least.min(held)));
        }
        Ok(least.unwrap_or(Enforcement::None))
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let mut journey = Journey::new(&request);
        loop {
            let lease = Lease::wait(self, &mut journey).await?;
            let result = lease.adapter().call(request.clone()).await;
            if let Some(end) = self.judge(lease, result, &mut journey) {
                return end;
            }
        }
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        stream::of(self, request)
    }

    fn is_stand_in(&self) -> bool {
        self.inner.adapters.iter().all(Adapter::is_stand_in)
    }
}

impl<A> Clone for Fleet<A> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), clock: self.clock.clone() }
    }
}

impl<A: Adapter> fmt::Debug for Fleet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fleet").field("servers", &self.servers()).finish_non_exhaustive()
    }
}
