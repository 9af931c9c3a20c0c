//! A typed call through this crate, through async-openai and through genai, on one server and in one run: time,
//! allocations, and the heap of a call that waits. `./run` builds and runs it, and counts what each brings.
//!
//! Each client gets a `reqwest::Client` that is made in the same way, asks by Chat Completions for a strict schema, and
//! has its text read into the same type: by serde for the peers, by the worker's checks here.

use std::time::Duration;

use allocation_counter::measure;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs, ResponseFormat, ResponseFormatJsonSchema,
};
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use response_schema::ResponseSchema;
use response_schema::adapter::{Adapter, ChatCompletions};
use response_schema_tests_routes::loopback::{Exchange, Fault, Loopback, Wire};
use response_schema_tests_routes::measure::{Contender, compare, runtime};
use serde::Deserialize;

const KEY: &str = "sk-bench";
const MODEL: &str = "gpt-5.6";
const REPLY: &str = r#"{"summary":"Nobody can log in.","build":"2.14.3","confidence":90,"labels":["login","outage"]}"#;
const SCHEMA: &str = response_schema::json::<Ticket>();

#[derive(Debug, Deserialize, ResponseSchema)]
#[allow(dead_code)] // only whether it can be read matters
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

fn prompt() -> String {
    "Since 2.14.3 nobody can log in any more! ".repeat(20)
}

fn ticket(text: &str) {
    let ticket: Ticket = serde_json::from_str(text).expect("a ticket");
    assert_eq!(ticket.confidence, 90);
}

fn ours(server: &Loopback) -> Contender {
    let route =
        ChatCompletions::openai(KEY).expect("a key").model(MODEL).base_url(server.base_url(Wire::Chat)).client(client());
    Contender::new("response-schema", move || {
        let route = route.clone();
        async move {
            let ticket = route.extract::<Ticket>(prompt()).await.expect("a ticket");
            assert_eq!(ticket.confidence, 90);
        }
    })
}

fn async_openai(server: &Loopback) -> Contender {
    let config = OpenAIConfig::new().with_api_key(KEY).with_api_base(server.base_url(Wire::Chat));
    let route = async_openai::Client::with_config(config).with_http_client(client());
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).expect("JSON");
    Contender::new("async-openai", move || {
        let (route, schema) = (route.clone(), schema.clone());
        async move {
            let message = ChatCompletionRequestUserMessageArgs::default().content(prompt()).build().expect("a message");
            let format = ResponseFormatJsonSchema {
                description: None,
                name: "Ticket".to_owned(),
                schema,
                strict: Some(true),
            };
            let request = CreateChatCompletionRequestArgs::default()
                .model(MODEL)
                .messages(vec![message.into()])
                .response_format(ResponseFormat::JsonSchema { json_schema: format })
                .build()
                .expect("a request");
            let response = route.chat().create(request).await.expect("a reply");
            ticket(response.choices[0].message.content.as_deref().expect("text"));
        }
    })
}

fn genai(server: &Loopback) -> Contender {
    let route = genai::Client::builder().with_reqwest(client()).build().expect("a client");
    let target = ServiceTarget {
        model: ModelIden::from_static(AdapterKind::OpenAI, MODEL),
        endpoint: Endpoint::from_owned(format!("{}/", server.base_url(Wire::Chat))),
        auth: AuthData::Key(KEY.to_owned()),
    };
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).expect("JSON");
    let options = ChatOptions::default()
        .with_response_format(ChatResponseFormat::JsonSpec(JsonSpec::new("Ticket", schema)));
    Contender::new("genai", move || {
        let (route, target, options) = (route.clone(), target.clone(), options.clone());
        async move {
            let request = ChatRequest::new(vec![ChatMessage::user(prompt())]);
            let response = route.exec_chat(target, request, Some(&options)).await.expect("a reply");
            ticket(response.first_text().expect("text"));
        }
    })
}

/// A client that speaks no TLS: all of them call a server on this machine.
fn client() -> reqwest::Client {
    let tls = rustls::ClientConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).build().expect("a client")
}

fn all(server: &Loopback) -> [Contender; 3] {
    [ours(server), async_openai(server), genai(server)]
}

fn main() {
    // Before it is given one, async-openai makes a client of its own, with the program's TLS.
    rustls::crypto::ring::default_provider().install_default().expect("the first");
    let server = Loopback::start([Exchange::text(REPLY).always()]);
    server.keep_requests(0);
    for at_once in [1, 64, 512] {
        println!("{at_once} at a time");
        for took in compare(&all(&server), at_once, 1_024, 41) {
            println!("  {took}");
        }
    }
    println!("one call after another");
    for contender in all(&server) {
        let runtime = runtime();
        let calls = |count| measure(|| runtime.block_on(async { for _ in 0..count { contender.call().await } }));
        // What the first one starts is not of every call.
        calls(20);
        let many = calls(100);
        println!("  {:<24} {} allocations, {} bytes a call", contender.name, many.count_total / 100, many.bytes_total / 100);
    }
    println!("waiting for an answer");
    let silent = Loopback::start([Exchange::default().fault(Fault::Silence).always()]);
    silent.keep_requests(0);
    for contender in all(&silent) {
        println!("  {:<24} {} bytes of heap a call, connection included", contender.name, waiting(&contender, &silent));
    }
}

fn waiting(contender: &Contender, server: &Loopback) -> i64 {
    const CALLS: u32 = 512;
    let runtime = runtime();
    let held = measure(|| {
        runtime.block_on(async {
            let asked = server.served() + u64::from(CALLS);
            for _ in 0..CALLS {
                let contender = contender.clone();
                tokio::spawn(async move { contender.call().await });
            }
            while server.served() < asked {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    });
    drop(runtime);
    held.bytes_current / i64::from(CALLS)
}
