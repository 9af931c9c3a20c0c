//! What a route costs over a bare call of reqwest to the same server.
//!
//! ```text
//! cargo bench -p response-schema-tests-routes --features http --bench http
//! ```
//!
//! The bare call sends a body that was written beforehand, reads the reply as a JSON value and its text by serde. The
//! route's call (`extract`) writes its body, holds to deadlines, tells how the reply ended, and decodes and checks the
//! text. A second bare call has a time limit, as one that is meant to end has. All run against the loopback server in this
//! process, turn about, and each is compared with the bare call of the same round. The processor time of the client's
//! thread stands beside the wall time; on a busy machine it is the one to believe.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the person who runs it")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use response_schema::ResponseSchema;
use response_schema::adapter::{Adapter, CallRequest, Message, OpenAi, ResponseFormat};
use response_schema_tests_routes::loopback::{Exchange, Fault, Loopback, Wire};
use response_schema_tests_routes::measure::{Contender, compare, runtime};
use serde::Deserialize;
use serde_json::Value;

const ROUNDS: usize = 61;
const CALLS: u32 = 1_024;
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
    limit: Option<Duration>,
}

impl Bare {
    fn limited(&self) -> Self {
        Self { limit: Some(Duration::from_mins(10)), ..self.clone() }
    }

    async fn call(&self) -> Ticket {
        let request = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .bearer_auth(KEY)
            .body(self.body.clone());
        let request = match self.limit {
            Some(limit) => request.timeout(limit),
            None => request,
        };
        let response = request.send().await.unwrap();
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

fn main() {
    let server = Loopback::start([Exchange::text(REPLY).always()]);
    server.keep_requests(0);
    let route = OpenAi::new(KEY).unwrap().model("gpt-5.6").base_url(server.base_url(Wire::Responses));
    let body = route.dry_run(&request()).unwrap().body;
    let url = format!("{}/responses", server.base_url(Wire::Responses));
    let bare = Bare { client: client(), url, body, limit: None };
    println!("one request: {} bytes, one reply: {} bytes of text", bare.body.len(), REPLY.len());
    let contenders =
        [contender("bare", &bare), contender("bare, with a time limit", &bare.limited()), extracting(&route)];
    for at_once in [1, 64, 512] {
        println!("{at_once} at a time");
        for took in compare(&contenders, at_once, CALLS, ROUNDS) {
            println!("  {took}");
        }
    }
    memory(&bare, &route);
    alone(&route);
}

fn contender(name: &'static str, bare: &Bare) -> Contender {
    let bare = bare.clone();
    Contender::new(name, move || {
        let bare = bare.clone();
        async move { assert_eq!(bare.call().await.confidence, 90) }
    })
}

fn extracting(route: &OpenAi) -> Contender {
    let route = route.clone();
    Contender::new("route", move || {
        let route = route.clone();
        async move { assert_eq!(route.extract::<Ticket>(prompt()).await.unwrap().confidence, 90) }
    })
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
