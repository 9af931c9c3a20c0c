//! What a worker costs over a bare call of its adapter: time, allocations, throughput.
//!
//! `cargo bench -p response-schema-tests-routes --bench worker`
#![allow(clippy::print_stdout)] // a benchmark's business

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Barrier;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, Message, ResponseFormat,
    Usage,
};
use response_schema::dialect::Guidance;
use response_schema::{ResponseSchema, SubTask, Worker};
use serde::Deserialize;

#[derive(Debug, Deserialize, ResponseSchema)]
struct Ticket {
    summary: String,
    #[response(pattern = r"^\d+(\.\d+)*$")]
    build: Option<String>,
    #[response(max = 100)]
    confidence: u8,
}

const SYSTEM: &str = "Turn the user's report into a ticket. Say in one sentence what is wrong, and in which build.";
const PROMPT: &str = "Since build 4.2.0 nobody on our team can sign in any more. This is blocking us completely. \
                      The page says that the certificate has expired, on all machines, in all browsers.";
const REPLY: &str = r#"{"summary": "Nobody can sign in since build 4.2.0.", "build": "4.2.0", "confidence": 90}"#;

/// Answers at once.
struct Instantly;

impl Adapter for Instantly {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("instantly", Enforcement::Enforced)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        std::hint::black_box(request);
        let mut response = CallResponse::new(REPLY, Enforcement::Enforced);
        response.usage = Usage::new(80, 30);
        "instant-1".clone_into(&mut response.model);
        Ok(response)
    }
}

fn request() -> CallRequest {
    let messages = vec![Message::system(SYSTEM), Message::user(PROMPT)];
    CallRequest::new(messages).with_response_schema(ResponseFormat::of::<Ticket>())
}

fn task() -> SubTask {
    SubTask::new(PROMPT).system(SYSTEM)
}

/// A bare call, its reply read by serde alone.
fn bare(adapter: &impl Adapter) -> Ticket {
    let response = pollster::block_on(adapter.call(request())).expect("a reply");
    serde_json::from_str(&response.text).expect("a ticket")
}

fn worked(worker: &Worker<impl Adapter>) -> Ticket {
    pollster::block_on(worker.run::<Ticket>(task())).expect("a ticket").value
}

/// The median time of one call, in microseconds.
fn time(mut call: impl FnMut() -> Ticket) -> f64 {
    const BATCH: u32 = 1_000;
    let mut times: Vec<f64> = (0..41)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..BATCH {
                std::hint::black_box(call());
            }
            start.elapsed().as_secs_f64() * 1e6 / f64::from(BATCH)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One exchange over a connection: a length and a text each way, as a server and a client of a provider's
/// wire would, without its protocol.
struct Loopback(SocketAddr);

thread_local! {
    static CONNECTION: std::cell::RefCell<Option<TcpStream>> = const { std::cell::RefCell::new(None) };
}

impl Adapter for Loopback {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("loopback", Enforcement::Enforced)
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        let body = serde_json::to_vec(&request.messages).expect("JSON");
        let text = CONNECTION.with_borrow_mut(|connection| -> std::io::Result<String> {
            let stream = match connection {
                Some(stream) => stream,
                None => connection.insert(TcpStream::connect(self.0)?),
            };
            stream.set_nodelay(true)?;
            send(stream, &body)?;
            Ok(String::from_utf8_lossy(&receive(stream)?).into_owned())
        });
        let text = text.map_err(|error| CallError::new(CallErrorKind::Transport, "reset").with_source(error))?;
        Ok(CallResponse::new(text, Enforcement::Enforced))
    }
}

fn send(stream: &mut TcpStream, body: &[u8]) -> std::io::Result<()> {
    let mut message = u32::try_from(body.len()).expect("a short body").to_be_bytes().to_vec();
    message.extend_from_slice(body);
    stream.write_all(&message)
}

fn receive(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let small = std::thread::Builder::new().stack_size(64 * 1024);
            let _ = small.spawn(move || {
                let mut stream = stream;
                let _ = stream.set_nodelay(true);
                while receive(&mut stream).is_ok() && send(&mut stream, REPLY.as_bytes()).is_ok() {}
            });
        }
    });
    address
}

const CONCURRENCY: u32 = 512;
const CALLS: u32 = 40;

/// How many calls a second 512 threads make together.
fn throughput(call: impl Fn() -> Ticket + Sync) -> f64 {
    let barrier = Barrier::new(CONCURRENCY as usize + 1);
    let took = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CONCURRENCY)
            .map(|_| {
                let small = std::thread::Builder::new().stack_size(256 * 1024);
                let work = || {
                    call(); // connects
                    barrier.wait();
                    for _ in 0..CALLS {
                        std::hint::black_box(call());
                    }
                };
                small.spawn_scoped(scope, work).expect("a thread")
            })
            .collect();
        barrier.wait();
        let start = Instant::now();
        for thread in threads {
            thread.join().expect("calls that succeed");
        }
        start.elapsed()
    });
    f64::from(CONCURRENCY * CALLS) / took.as_secs_f64()
}

fn main() {
    let plain = Worker::new(Instantly);
    let timed = Worker::new(Instantly).timeout(Duration::from_mins(1));
    worked(&plain); // the first use compiles the pattern
    let (base, run, with_timeout) = (time(|| bare(&Instantly)), time(|| worked(&plain)), time(|| worked(&timed)));
    println!("one call   bare {base:.2} µs, worker {run:.2} µs, with a timeout {with_timeout:.2} µs");
    println!("overhead   {:.2} µs, with a timeout {:.2} µs (bound: 20)", run - base, with_timeout - base);

    let count = |call: &dyn Fn() -> Ticket| measure(|| drop(call())).count_total;
    let (base, run) = (count(&|| bare(&Instantly)), count(&|| worked(&timed)));
    println!("allocations  bare {base}, worker {run}, overhead {} (bound: 5)", run.saturating_sub(base));

    let adapter = Loopback(serve());
    let worker = Worker::new(&adapter).timeout(Duration::from_mins(1));
    let mut ratios: Vec<f64> = (0..9)
        .map(|round| {
            // In turns, so that a busy machine is as busy for one as for the other.
            let (base, run);
            if round % 2 == 0 {
                base = throughput(|| bare(&adapter));
                run = throughput(|| worked(&worker));
            } else {
                run = throughput(|| worked(&worker));
                base = throughput(|| bare(&adapter));
            }
            println!("{CONCURRENCY} at once  bare {base:.0} a second, worker {run:.0}");
            run / base
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("throughput   {:.3} of bare, the median of {} (bound: 0.95)", ratios[ratios.len() / 2], ratios.len());
}
