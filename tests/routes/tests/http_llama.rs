//! A real server: llama.cpp's own, with the embedded model's weights.
//!
//! It comes from the Python package `xllamacpp`, installed under `target/` by the first run. What the model says is not
//! asserted, only its shape and how the reply ended.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::ResponseSchema;
use response_schema::adapter::{
    Adapter, CallErrorKind, CallRequest, ChatCompletions, Ending, Enforcement, Message, ResponseFormat, StreamEvent,
};
use response_schema::decode::decode;
use response_schema::dialect::LlamaCpp;
use response_schema::embedded::Embedded;
use response_schema::worker::Update;
use response_schema_tests_routes::python;
use serde::Deserialize;
use serde_json::json;

const PACKAGE: &str = "xllamacpp==2026.10.11549";

/// Nothing that a model would write unless it is held to it.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
struct Odd {
    #[allow(dead_code)]
    zeta: Code,
    #[response(min = 3, max = 5)]
    #[allow(dead_code)]
    count: u8,
    #[response(pattern = "^[A-F]{2}-[0-9]{2}$")]
    #[allow(dead_code)]
    mark: String,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
enum Code {
    #[serde(rename = "kx/1")]
    One,
    #[serde(rename = "qw/2")]
    Two,
}

/// The server in a child process, which ends with it.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start() -> Self {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("llama");
        let python = python::environment(&home, &[PACKAGE]);
        let model = Embedded::builder().model_file().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        // The server ends when this process does, however that comes: then its standard input is closed.
        let script = format!(
            "import sys, xllamacpp\n\
             p = xllamacpp.CommonParams()\n\
             p.model.path = {model:?}\n\
             p.n_ctx = 4096; p.n_parallel = 1; p.warmup = False; p.use_jinja = True\n\
             p.cpuparams.n_threads = 1; p.cpuparams_batch.n_threads = 1\n\
             p.hostnames = ['127.0.0.1']; p.port = {port}\n\
             s = xllamacpp.Server(p)\n\
             sys.stdin.read()\n\
             import os; os._exit(0)\n",
            model = model.display().to_string(),
        );
        let child = Command::new(&python)
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, url: format!("http://127.0.0.1:{port}/v1") }
    }

    /// Waits until it answers.
    async fn ready(&mut self) -> ChatCompletions<LlamaCpp> {
        let adapter = ChatCompletions::llama_cpp().base_url(&self.url);
        let begun = Instant::now();
        let mut hello = CallRequest::new(vec![Message::user("Hello.")]);
        hello.parameters.max_tokens = Some(1);
        while let Err(error) = adapter.call(hello.clone()).await {
            assert!(begun.elapsed() < Duration::from_mins(2), "the server did not come up: {error}");
            assert!(self.child.try_wait().unwrap().is_none(), "the server ended");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        adapter
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(words: &str) -> CallRequest {
    let mut request = CallRequest::new(vec![Message::user(words)]);
    request.parameters.temperature = Some(0.0);
    request.parameters.max_tokens = Some(96);
    request
}

#[tokio::test]
async fn llama_cpps_server_is_held_to_the_schema() {
    let mut server = Server::start();
    let adapter = server.ready().await;
    let prompt = "Tell me about the sea.";

    // Without a schema it writes prose, so what follows is the schema's doing.
    let mut free = ask(prompt);
    free.parameters.max_tokens = Some(24);
    let free = adapter.call(free).await.unwrap();
    assert_eq!(free.enforcement, Enforcement::None);
    assert!(decode::<Odd>(&free.text).is_err(), "{}", free.text);

    let typed = || ask(prompt).with_response_schema(ResponseFormat::of::<Odd>());
    for adapter in [adapter.clone(), adapter.clone().schema_in_prompt(false)] {
        let reply = adapter.call(typed()).await.unwrap();
        assert_eq!((&reply.ending, reply.enforcement), (&Ending::Complete, Enforcement::Enforced), "{}", reply.text);
        decode::<Odd>(&reply.text).unwrap();
        assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0, "{:?}", reply.usage);
    }
    adapter.extract::<Odd>(prompt).await.unwrap();

    let mut stream = adapter.call_streamed(typed());
    let (mut text, mut pieces) = (String::new(), 0);
    let done = loop {
        match stream.next().await.expect("an end").unwrap() {
            StreamEvent::Text(piece) => {
                text.push_str(&piece);
                pieces += 1;
            }
            StreamEvent::Done(done) => break done,
            other => panic!("{other:?}"),
        }
    };
    assert!(pieces > 3, "{pieces} pieces");
    assert_eq!(text, done.text);
    decode::<Odd>(&text).unwrap();
    assert!(done.usage.output_tokens > 0, "usage comes in streams, too");

    let (mut partials, mut reply) = (Vec::new(), adapter.stream::<Odd>(prompt));
    let odd = loop {
        match reply.next().await.expect("an end").unwrap() {
            Update::Partial(partial) => partials.push(partial.fields().expect("begun")),
            Update::Done(reply) => break reply.value,
            other => panic!("{other:?}"),
        }
    };
    assert!(partials.len() > 2, "{partials:?}");
    assert!(partials.iter().all(|partial| odd.mark.starts_with(partial.mark.as_deref().unwrap_or_default())));
    assert!(partials.iter().all(|partial| partial.count.is_none_or(|count| count == odd.count)));
    assert!(partials[0].mark.is_none(), "the last field comes last");

    let mut short = typed();
    short.parameters.max_tokens = Some(4);
    let cut = adapter.call(short).await.unwrap();
    assert_eq!(cut.ending, Ending::CutShort, "{}", cut.text);
    assert!(!cut.text.is_empty());

    // A schema that the server cannot make a grammar of: its own words come through.
    let schema = json!({"type": "object", "properties": {"next": {"$ref": "#/nowhere"}}, "required": ["next"]});
    let error = adapter.call(ask(prompt).with_response_schema(ResponseFormat::from_schema(schema))).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused, "{error}");
    assert!(error.to_string().contains("nowhere"), "{error}");

    let long = "The sea is wide. ".repeat(2_000);
    let error = adapter.call(ask(&long)).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
}
