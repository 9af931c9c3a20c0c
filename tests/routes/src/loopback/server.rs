//! Connections, the script, and what was requested.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;

use serde::Serialize;
use serde_json::Value;
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;

use super::admin;
use super::batch::{self, BatchScript, Batched, Batches};
use super::exchange::{Exchange, Fail, Failure};
use super::http::{self, Raw};
use super::play::{After, Answer, Body, play};
use super::wire::Wire;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recorded {
    /// `POST`.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The query without the question mark.
    pub query: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; null if it is none.
    pub body: Value,
    /// The body as it came.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    /// The wire that the path belongs to.
    pub wire: Option<Wire>,
    /// What the provider finds wrong with it.
    pub refused: Option<String>,
}

impl Recorded {
    fn new(raw: Raw) -> Self {
        let (path, query) = raw.target.split_once('?').unwrap_or((&raw.target, ""));
        Self {
            wire: Wire::of(path),
            path: path.to_owned(),
            query: query.to_owned(),
            body: serde_json::from_slice(&raw.body).unwrap_or(Value::Null),
            method: raw.method,
            headers: raw.headers,
            bytes: raw.body,
            refused: None,
        }
    }

    /// A request that is in order, whatever its body is.
    pub(super) fn of(wire: Wire, body: Value) -> Self {
        let headers = [("authorization", "Bearer key"), ("x-api-key", "key"), ("anthropic-version", "2023-06-01")];
        Self {
            method: "POST".to_owned(),
            path: wire.path().to_owned(),
            query: String::new(),
            headers: headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            bytes: body.to_string().into_bytes(),
            body,
            wire: Some(wire),
            refused: None,
        }
    }

    /// The first header of this name, in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

type Answering = Box<dyn Fn(&Recorded) -> Exchange + Send + Sync>;

/// What the connections share.
pub(super) struct State {
    script: Mutex<Vec<Exchange>>,
    requests: Mutex<Vec<Recorded>>,
    batches: Mutex<Batches>,
    fallback: Option<Answering>,
    keep: AtomicUsize,
    served: AtomicU64,
    open: AtomicUsize,
    abandoned: AtomicUsize,
    sent: AtomicU64,
}

/// The server. It stops when it is dropped, and every connection with it.
pub struct Loopback {
    address: SocketAddr,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Loopback {
    /// A server with this script. Requests for which nothing is scripted are refused.
    #[must_use]
    pub fn start(script: impl IntoIterator<Item = Exchange>) -> Self {
        Self::on("127.0.0.1:0", script, None)
    }

    /// A server whose every reply is asked for.
    #[must_use]
    pub fn answering(answer: impl Fn(&Recorded) -> Exchange + Send + Sync + 'static) -> Self {
        Self::on("127.0.0.1:0", [], Some(Box::new(answer)))
    }

    /// A server at this address.
    ///
    /// # Panics
    ///
    /// If it cannot listen there.
    #[must_use]
    pub fn at(address: &str, script: impl IntoIterator<Item = Exchange>) -> Self {
        Self::on(address, script, None)
    }

    fn on(address: &str, script: impl IntoIterator<Item = Exchange>, fallback: Option<Answering>) -> Self {
        let address: SocketAddr = address.parse().expect("an address");
        let state = Arc::new(State {
            script: Mutex::new(script.into_iter().collect()),
            requests: Mutex::default(),
            batches: Mutex::default(),
            fallback,
            keep: AtomicUsize::new(usize::MAX),
            served: AtomicU64::new(0),
            open: AtomicUsize::new(0),
            abandoned: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
        });
        let (stop, stopped) = oneshot::channel();
        let (listening, listens) = mpsc::channel();
        let shared = state.clone();
        let thread = std::thread::Builder::new()
            .name("loopback".to_owned())
            .spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
                runtime.block_on(async move {
                    let listener = listen(address).expect("listens");
                    listening.send(listener.local_addr().expect("an address")).expect("is waited for");
                    tokio::select! {
                        () = accept(listener, shared) => {}
                        _ = stopped => {}
                    }
                });
            })
            .expect("a thread");
        let address = listens.recv().expect("the server listens");
        Self { address, state, stop: Some(stop), thread: Some(thread) }
    }

    /// `http://127.0.0.1:PORT`, without a path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL that clients of this wire are given.
    #[must_use]
    pub fn base_url(&self, wire: Wire) -> String {
        match wire {
            Wire::Responses | Wire::Chat => format!("{}/v1", self.url()),
            Wire::Gemini => format!("{}/v1beta", self.url()),
            Wire::Anthropic | Wire::Ollama => self.url(),
        }
    }

    /// Adds to the script.
    pub fn push(&self, exchange: impl Into<Exchange>) {
        lock(&self.state.script).push(exchange.into());
    }

    /// Takes the script away.
    pub fn clear(&self) {
        lock(&self.state.script).clear();
    }

    /// What was requested so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.state.requests).clone()
    }

    /// What was requested so far, and forgets it.
    #[must_use]
    pub fn take_requests(&self) -> Vec<Recorded> {
        std::mem::take(&mut lock(&self.state.requests))
    }

    /// Keeps at most so many requests: the first ones. Long runs need no more than their number.
    pub fn keep_requests(&self, most: usize) {
        self.state.keep.store(most, Ordering::Relaxed);
        lock(&self.state.requests).truncate(most);
    }

    /// How many requests were answered.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.state.served.load(Ordering::Relaxed)
    }

    /// How many exchanges of the script were not asked for. Those that answer all that comes do not count.
    #[must_use]
    pub fn left(&self) -> usize {
        lock(&self.state.script).iter().filter_map(|exchange| exchange.times).map(|times| times as usize).sum()
    }

    /// What becomes of batches from now on.
    pub fn batch_script(&self, script: BatchScript) {
        self.state.batches().script = script;
    }

    /// The batches that were created, in order.
    #[must_use]
    pub fn batches(&self) -> Vec<Batched> {
        self.state.batches().all.clone()
    }

    /// How many connections are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.state.open.load(Ordering::SeqCst)
    }

    /// How often a client went away before it had the whole response.
    #[must_use]
    pub fn abandoned(&self) -> usize {
        self.state.abandoned.load(Ordering::SeqCst)
    }

    /// How many bytes of responses went out. What a client does not read stays here, but for what the system holds.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.state.sent.load(Ordering::Relaxed)
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported already.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Loopback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loopback").field("address", &self.address).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(address: SocketAddr) -> std::io::Result<tokio::net::TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    // Hundreds of clients connect at once.
    socket.listen(4096)
}

async fn accept(listener: tokio::net::TcpListener, state: Arc<State>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(connection(stream, state.clone()));
            }
            // Out of file descriptors, or the client is gone already: others come.
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

/// Counts a connection as long as it lives.
struct Open(Arc<State>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn connection(mut stream: TcpStream, state: Arc<State>) {
    state.open.fetch_add(1, Ordering::SeqCst);
    let open = Open(state);
    let state = &open.0;
    let _ = stream.set_nodelay(true);
    let mut pending = Vec::new();
    loop {
        let raw = match http::read(&mut stream, &mut pending).await {
            Ok(Some(raw)) => raw,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                let answer = Answer::whole(400, "text/plain", error.to_string());
                play(&mut stream, answer, false, &state.sent).await;
                return;
            }
            Ok(None) | Err(_) => return,
        };
        let keep_alive = !raw.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let head_only = raw.method == "HEAD";
        let mut answer = state.answer(raw);
        if head_only {
            answer.body = Body::Whole(Vec::new());
        }
        let after = play(&mut stream, answer, keep_alive, &state.sent).await;
        match after {
            After::Keep => {}
            After::Close => return,
            After::Abandoned => {
                state.abandoned.fetch_add(1, Ordering::SeqCst);
                return;
            }
        }
    }
}

impl State {
    fn answer(&self, raw: Raw) -> Answer {
        let mut request = Recorded::new(raw);
        if let Some(answer) = admin::answer(self, &request) {
            return answer;
        }
        let serial = self.served.fetch_add(1, Ordering::Relaxed) + 1;
        let answer = match request.wire {
            None => batch::answer(self, &request).unwrap_or_else(|| admin::beside(&request)),
            Some(wire) => match wire.judge(&request, serial) {
                Ok(asked) => {
                    let unscripted =
                        || Failure::new(Fail::InvalidRequest).message("loopback: nothing is scripted for this");
                    let exchange = self.next(wire, &request).unwrap_or_else(|| unscripted().into());
                    wire.answer(&exchange, &asked)
                }
                Err(failure) => {
                    let answer = wire.failure(&failure, serial);
                    request.refused = Some(failure.message.unwrap_or_default());
                    answer
                }
            },
        };
        let mut requests = lock(&self.requests);
        if requests.len() < self.keep.load(Ordering::Relaxed) {
            requests.push(request);
        }
        answer
    }

    pub(super) fn batches(&self) -> MutexGuard<'_, Batches> {
        lock(&self.batches)
    }

    /// The answer to one request of a batch, which comes with the headers of the batch: its status and body.
    pub(super) fn one(&self, wire: Wire, path: &str, headers: &[(String, String)], body: &Value) -> (u16, Value) {
        let bytes = body.to_string().into_bytes();
        let raw = Raw { method: "POST".to_owned(), target: path.to_owned(), headers: headers.to_vec(), body: bytes };
        let request = Recorded::new(raw);
        let serial = self.served.fetch_add(1, Ordering::Relaxed) + 1;
        let answer = match wire.judge(&request, serial) {
            Ok(asked) => {
                let unscripted =
                    || Failure::new(Fail::InvalidRequest).message("loopback: nothing is scripted for this");
                let exchange = self.next(wire, &request).unwrap_or_else(|| unscripted().into());
                wire.answer(&exchange, &asked)
            }
            Err(failure) => wire.failure(&failure, serial),
        };
        let body = match &answer.body {
            Body::Whole(bytes) => serde_json::from_slice(bytes).unwrap_or(Value::Null),
            Body::Pieces { .. } => Value::Null,
        };
        (answer.status, body)
    }

    /// The first exchange of the script that this request may have.
    fn next(&self, wire: Wire, request: &Recorded) -> Option<Exchange> {
        let mut script = lock(&self.script);
        let fits = |exchange: &Exchange| {
            exchange.wire.is_none_or(|of| of == wire)
                && exchange.containing.as_deref().is_none_or(|text| request.holds(text))
        };
        let Some(at) = script.iter().position(fits) else {
            drop(script);
            return self.fallback.as_ref().map(|answer| answer(request));
        };
        match script[at].times.as_mut() {
            None => Some(script[at].clone()),
            Some(times) if *times > 1 => {
                *times -= 1;
                Some(script[at].clone())
            }
            Some(_) => Some(script.remove(at)),
        }
    }

    pub(super) fn script(&self, exchanges: Vec<Exchange>) {
        lock(&self.script).extend(exchanges);
    }

    pub(super) fn reset(&self) {
        *self.batches() = Batches::default();
        lock(&self.script).clear();
        lock(&self.requests).clear();
    }

    /// The requests, and how many connections are open and were abandoned.
    pub(super) fn seen(&self) -> (Vec<Recorded>, usize, usize) {
        let requests = lock(&self.requests).clone();
        (requests, self.open.load(Ordering::SeqCst), self.abandoned.load(Ordering::SeqCst))
    }
}

impl Recorded {
    fn holds(&self, text: &str) -> bool {
        self.bytes.windows(text.len().max(1)).any(|window| window == text.as_bytes())
    }
}
