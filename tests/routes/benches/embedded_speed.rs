//! Speed of the model in this process against llama.cpp on the same weights, one thread each.
//!
//! ```text
//! cargo bench -p response-schema-tests-routes --features embedded --bench embedded_speed
//! ```
//!
//! llama.cpp comes from the Python package `xllamacpp`, installed into a temporary virtual
//! environment; without Python or a network its half is skipped. Both sides take turns, and the
//! best of five rounds counts: that is the one that other work on the machine disturbed least.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the person who runs it")]
#![allow(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use response_schema::embedded::{Embedded, Measured};
use serde_json::{Value, json};

const PACKAGE: &str = "xllamacpp==2026.10.11549";
const ROUNDS: usize = 5;
const STORY_TOKENS: u32 = 128;

const SYSTEM: &str = "Turn each report into a ticket.";
const TURNS: [(&str, &str); 6] = [
    ("system", SYSTEM),
    ("user", "The app crashes when I open settings. Version 2.4.1. Only sometimes, no big deal."),
    (
        "assistant",
        r#"{"summary": "The app crashes when settings are opened.", "build": "2.4.1", "severity": "low", "labels": ["crash", "settings"]}"#,
    ),
    ("user", "Nobody in the company can log in since this morning!! Everything is down."),
    (
        "assistant",
        r#"{"summary": "No user can log in.", "build": null, "severity": "blocking", "labels": ["login", "outage"]}"#,
    ),
    ("user", "Exporting to PDF in 3.10 gives blank pages for some customers, quite annoying."),
];
const STORY: [(&str, &str); 1] = [("user", "Tell me a long story about a fox and a lighthouse.")];

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "build": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "severity": {"type": "string", "enum": ["low", "medium", "high", "blocking"]},
            "labels": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        },
        "required": ["summary", "build", "severity", "labels"],
        "additionalProperties": false,
    })
}

/// Tokens per second of one reply.
#[derive(Clone, Copy)]
struct Speed {
    reading: f64,
    writing: f64,
    tokens: u32,
}

impl Speed {
    fn best(speeds: &[Self]) -> Self {
        let most = |of: fn(&Self) -> f64| speeds.iter().map(of).fold(0.0, f64::max);
        Self { reading: most(|speed| speed.reading), writing: most(|speed| speed.writing), tokens: speeds[0].tokens }
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { reading, writing, tokens } = self;
        write!(f, "writes {writing:.1} tok/s ({tokens} tokens), reads {reading:.1} tok/s")
    }
}

fn main() {
    let cache = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    let model = Embedded::smollm2().unwrap();
    println!("in process: {} loaded in {:.1?}", model.name(), begun.elapsed());
    let server = Server::start(cache.path(), &weights()).inspect_err(|cause| {
        println!("llama.cpp is skipped: {cause}");
    });
    for (task, turns, limit, schema) in
        [("free text", &STORY[..], Some(STORY_TOKENS), None), ("with a schema", &TURNS[..], None, Some(schema()))]
    {
        let text = schema.as_ref().map(Value::to_string);
        let mut ours = Vec::new();
        let mut theirs = Vec::new();
        for _ in 0..ROUNDS {
            ours.push(speed(&model.measure(turns, text.as_deref(), limit).unwrap()));
            if let Ok(server) = &server {
                theirs.push(server.reply(turns, schema.as_ref(), limit).unwrap());
            }
        }
        let mine = Speed::best(&ours);
        println!("{task}: in process {mine}");
        if !theirs.is_empty() {
            let other = Speed::best(&theirs);
            println!("{task}: llama.cpp  {other}");
            println!("{task}: ratio of writing {:.2}", mine.writing / other.writing);
        }
    }
    println!("resident memory of this process: {}", resident().unwrap_or_else(|| "unknown".into()));
}

fn speed(reply: &Measured) -> Speed {
    let fresh = f64::from(reply.prompt_tokens - reply.cached_tokens);
    Speed {
        reading: fresh / reply.reading.as_secs_f64(),
        writing: f64::from(reply.completion_tokens) / reply.writing.as_secs_f64(),
        tokens: reply.completion_tokens,
    }
}

/// The file that the model in this process was loaded from.
fn weights() -> std::path::PathBuf {
    Embedded::builder().model_file().unwrap()
}

fn resident() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.trim_start_matches("VmHWM:").trim().to_owned() + " at most")
}

/// llama.cpp's own HTTP server in a child process.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(directory: &Path, model: &Path) -> io::Result<Self> {
        let python = directory.join("venv/bin/python");
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(directory.join("venv"));
        succeed(venv)?;
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]);
        succeed(install)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let script = format!(
            "import xllamacpp, time\n\
             p = xllamacpp.CommonParams()\n\
             p.model.path = {model:?}\n\
             p.n_ctx = 4096; p.n_parallel = 1; p.warmup = False; p.use_jinja = True\n\
             p.cpuparams.n_threads = 1; p.cpuparams_batch.n_threads = 1\n\
             p.hostnames = ['127.0.0.1']; p.port = {port}\n\
             s = xllamacpp.Server(p)\n\
             time.sleep(3600)\n",
            model = model.display().to_string(),
        );
        let child = Command::new(&python)
            .args(["-c", &script])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let server = Self { child, port };
        let deadline = Instant::now() + Duration::from_mins(1);
        while server.post("/tokenize", &json!({"content": "hello"})).is_err() {
            if Instant::now() > deadline {
                return Err(io::Error::other("the server did not come up"));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(server)
    }

    fn reply(&self, turns: &[(&str, &str)], schema: Option<&Value>, limit: Option<u32>) -> io::Result<Speed> {
        let messages: Vec<Value> = turns.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
        let mut body = json!({
            "messages": messages,
            "temperature": 0,
            "max_tokens": limit.unwrap_or(512),
        });
        if let Some(schema) = schema {
            body["response_format"] =
                json!({"type": "json_schema", "json_schema": {"name": "ticket", "schema": schema}});
        }
        let reply = self.post("/v1/chat/completions", &body)?;
        let timings = &reply["timings"];
        let speed = timings["predicted_per_second"].as_f64();
        let reading = timings["prompt_per_second"].as_f64();
        let tokens = timings["predicted_n"].as_u64().and_then(|tokens| tokens.try_into().ok());
        match (reading, speed, tokens) {
            (Some(reading), Some(writing), Some(tokens)) => Ok(Speed { reading, writing, tokens }),
            _ => Err(io::Error::other(format!("no timings in {reply}"))),
        }
    }

    fn post(&self, path: &str, body: &Value) -> io::Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let body = body.to_string();
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let begin = answer.find("\r\n\r\n").ok_or_else(|| io::Error::other("no answer"))?;
        if answer.split_whitespace().nth(1) != Some("200") {
            return Err(io::Error::other(answer));
        }
        Ok(serde_json::from_str(&answer[begin..])?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn succeed(mut command: Command) -> io::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
}
