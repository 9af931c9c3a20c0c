//! What a route costs over a bare call of reqwest to the same server.
//!
//! ```text
//! cargo bench -p response-schema-tests-routes --features http --bench http
//! ```
//!
//! The bare call sends a body that was written beforehand, reads the reply as a JSON value and its text by serde. The
//! route's call (`extract`) writes its body, holds to deadlines, tells how the reply ended, and decodes and checks the
//! text. Both run against the loopback server in this process, turn about, and the best of the rounds counts: the one that other work
//! on the machine disturbed least. The processor time of the client's thread stands beside the wall time; on a busy
//! machine it is the one to believe.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the person who runs it")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use response_schema::ResponseSchema;
use response_schema::adapter::{Adapter, CallRequest, Message, OpenAi, ResponseFormat};
use response_schema_tests_routes::loopback::{Exchange, Fault, Loopback, Wire};
use serde::Deserialize;
use serde_json::Value;

const ROUNDS: usize = 7;
const CALLS: u32 = 2_000;
const KEY: &str = "sk-bench";

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Ticket {
    /// One sentence.
    summary: String,
    /// Build in which it was first seen.
    build: Option<String>,
    /// From 0 to 100.
    #[response(min = 0, max = 100)]
    confidence: u8,
    labels: Vec<String>,
}

const REPLY: &str = r#"{"summary":"Nobody can log in.","build":"2.14.3","confidence":90,"labels":["login","outage"]}"#;

fn prompt() -> String {
    "Since 2.14.3 nobody can log in any more! ".repeat(20)
}

fn request() -> CallRequest {
    CallRequest::new(vec![Message::user(prompt())]).with_response_schema(ResponseFormat::of::<Ticket>())
}

/// A bare call: what anyone would write by hand.
#[derive(Clone)]
struct Bare {
    client: reqwest::Client,
    url: String,
    body: String,
}

impl Bare {
    async fn call(&self) -> Ticket {
        let response = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .bearer_auth(KEY)
            .body(self.body.clone())
            .send()
            .await
            .unwrap();
        let reply: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        serde_json::from_str(reply["output"][0]["content"][0]["text"].as_str().unwrap()).unwrap()
    }
}

fn client() -> reqwest::Client {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).build().unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn main() {
    let server = Loopback::start([Exchange::text(REPLY).always()]);
    server.keep_requests(0);
    let route = OpenAi::new(KEY).unwrap().model("gpt-5.6").base_url(server.base_url(Wire::Responses));
    let body = route.dry_run(&request()).unwrap().body;
    let bare = Bare { client: client(), url: format!("{}/responses", server.base_url(Wire::Responses)), body };
    let runtime = runtime();
    println!("one request: {} bytes, one reply: {} bytes of text", bare.body.len(), REPLY.len());
    for concurrent in [1_u32, 64, 512] {
        let mut best = [[Duration::MAX; 2]; 2];
        for _ in 0..ROUNDS {
            let bare = bare.clone();
            let took = run(&runtime, concurrent, move || {
                let bare = bare.clone();
                async move { bare.call().await }
            });
            keep(&mut best[0], took);
            let route = route.clone();
            let took = run(&runtime, concurrent, move || {
                let route = route.clone();
                async move { route.extract::<Ticket>(prompt()).await.unwrap() }
            });
            keep(&mut best[1], took);
        }
        let [bare, route] = best.map(|took| took.map(|took| took.as_secs_f64() / f64::from(CALLS) * 1e6));
        for (what, of) in [("wall", 0), ("processor", 1)] {
            println!(
                "{concurrent:>3} concurrent, {what:<9}: bare {:.1} µs a call, route {:.1} µs, {:+.1} µs, {:.3} of bare",
                bare[of],
                route[of],
                route[of] - bare[of],
                bare[of] / route[of],
            );
        }
    }
    memory(&bare, &route);
    alone(&route);
}

fn keep(best: &mut [Duration; 2], took: [Duration; 2]) {
    for (best, took) in best.iter_mut().zip(took) {
        *best = took.min(*best);
    }
}

/// Time that this thread ran, where the system says it.
fn processor() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or_default())
}

/// Wall and processor time of all calls, so many at a time.
fn run<F, C>(runtime: &tokio::runtime::Runtime, concurrent: u32, call: F) -> [Duration; 2]
where
    F: Fn() -> C + Clone + Send + 'static,
    C: Future<Output = Ticket> + Send,
{
    let each = CALLS.div_ceil(concurrent);
    runtime.block_on(async {
        // Connections are there before the clock starts.
        go(concurrent, 1, &call).await;
        let before = processor();
        let wall = go(concurrent, each, &call).await;
        [wall, processor().checked_sub(before).unwrap()]
            .map(|took| took.mul_f64(f64::from(CALLS) / f64::from(each * concurrent)))
    })
}

async fn go<F, C>(concurrent: u32, each: u32, call: &F) -> Duration
where
    F: Fn() -> C + Clone + Send + 'static,
    C: Future<Output = Ticket> + Send,
{
    let begun = Instant::now();
    let tasks: Vec<_> = (0..concurrent)
        .map(|_| {
            let call = call.clone();
            tokio::spawn(async move {
                for _ in 0..each {
                    assert_eq!(call().await.confidence, 90);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    begun.elapsed()
}

/// Heap of calls that wait for their answer.
fn memory(bare: &Bare, route: &OpenAi) {
    const WAITING: u32 = 512;
    let server = Loopback::start([Exchange::default().fault(Fault::Silence).always()]);
    server.keep_requests(0);
    let held = |start: &dyn Fn() -> tokio::task::JoinHandle<()>| {
        let runtime = runtime();
        let measured = allocation_counter::measure(|| {
            runtime.block_on(async {
                let asked = server.served() + u64::from(WAITING);
                let waiting: Vec<_> = (0..WAITING).map(|_| start()).collect();
                while server.served() < asked {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                // What is held now stays until the measure is over.
                std::mem::forget(waiting);
            });
        });
        drop(runtime);
        measured.bytes_current / i64::from(WAITING)
    };
    let mut bare = bare.clone();
    bare.client = client();
    bare.url = format!("{}/responses", server.base_url(Wire::Responses));
    let of_bare = held(&|| {
        let bare = bare.clone();
        tokio::spawn(async move {
            bare.call().await;
        })
    });
    let route = route.clone().base_url(server.base_url(Wire::Responses)).client(client());
    let of_route = held(&|| {
        let route = route.clone();
        tokio::spawn(async move {
            let _ = route.call(request()).await;
        })
    });
    println!("heap of a call that waits, connection included: bare {of_bare} bytes, route {of_route} bytes");
}

/// The route's own work: writing the request.
fn alone(route: &OpenAi) {
    let request = request();
    let begun = Instant::now();
    for _ in 0..CALLS {
        std::hint::black_box(route.dry_run(std::hint::black_box(&request)).unwrap());
    }
    println!(
        "writing a request, its schema rendered at run time: {:.1} µs",
        begun.elapsed().as_secs_f64() / f64::from(CALLS) * 1e6
    );
}
