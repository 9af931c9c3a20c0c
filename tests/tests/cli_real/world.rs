//! What one test has: a server, a home, and the command lines in it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pollster::block_on;
use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, ClaudeCli, CodexCli, Message, ResponseFormat, StreamEvent,
};
use response_schema_tests_routes::loopback::{Exchange, Loopback, Recorded, Wire};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::install::{Tools, tools};

/// A test that takes longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(100);

pub(crate) struct World {
    pub(crate) server: Loopback,
    pub(crate) home: TempDir,
    tools: Tools,
}

impl World {
    /// A world whose model answers like this.
    pub(crate) fn new(script: impl IntoIterator<Item = Exchange>) -> Self {
        Self { server: Loopback::start(script), home: TempDir::new().unwrap(), tools: tools() }
    }

    pub(crate) fn claude(&self) -> ClaudeCli {
        ClaudeCli::new()
            .program(&self.tools.claude)
            .env("PATH", &self.tools.path)
            .env("HOME", self.home.path())
            .env("ANTHROPIC_BASE_URL", self.server.url())
            .env("ANTHROPIC_API_KEY", "sk-ant-a-key-for-tests")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("CLAUDE_CODE_MAX_RETRIES", "1")
            .current_dir(self.home.path())
            .system("Be brief.")
    }

    pub(crate) fn codex(&self) -> CodexCli {
        let url = self.server.base_url(Wire::Responses);
        let provider = format!(
            "{{name=\"here\",base_url=\"{url}\",wire_api=\"responses\",env_key=\"TEST_KEY\",\
             request_max_retries=0,stream_max_retries=0}}"
        );
        CodexCli::new()
            .program(&self.tools.codex)
            .env("PATH", &self.tools.path)
            .env("HOME", self.home.path())
            .env("TEST_KEY", "sk-a-key-for-tests")
            .config("model_provider", "\"here\"")
            .config("model_providers.here", provider)
            .model("gpt-5.6")
            .current_dir(self.home.path())
            .system("Be brief.")
    }

    /// The requests to the model, without what else the programs ask for.
    pub(crate) fn requests(&self) -> Vec<Recorded> {
        self.server
            .requests()
            .into_iter()
            .filter(|request| request.method == "POST" && request.wire.is_some())
            .collect()
    }

    /// Waits until no process of this world is left: whoever was killed may take a moment to die.
    pub(crate) fn settles(&self) {
        let start = Instant::now();
        while self.processes() > 0 {
            assert!(start.elapsed() < PATIENCE, "{} processes are left", self.processes());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn processes(&self) -> usize {
        let home = format!("HOME={}\0", self.home.path().display());
        let of_this_world = |folder: &Path| {
            fs::read(folder.join("environ"))
                .is_ok_and(|environment| environment.windows(home.len()).any(|window| window == home.as_bytes()))
        };
        fs::read_dir("/proc").unwrap().flatten().filter(|entry| of_this_world(&entry.path())).count()
    }
}

/// An object with a name and, if it likes, an identity.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "id": {"type": ["integer", "null"]}},
        "required": ["name", "id"],
        "additionalProperties": false,
    })
}

pub(crate) fn request(prompt: &str) -> CallRequest {
    let mut request = CallRequest::new(vec![Message::user(prompt)]);
    request.deadline = Some(Instant::now() + PATIENCE);
    request
}

pub(crate) fn asking(prompt: &str) -> CallRequest {
    request(prompt).with_response_schema(ResponseFormat::from_schema(schema()))
}

pub(crate) fn ask(route: &impl Adapter) -> Result<CallResponse, CallError> {
    block_on(route.call(asking("Who wrote the first program?")))
}

/// The pieces of a stream, and its reply.
pub(crate) fn pieces(route: &impl Adapter, request: CallRequest) -> (Vec<String>, CallResponse) {
    let mut stream = route.call_streamed(request);
    let mut pieces = Vec::new();
    loop {
        match block_on(stream.next()).unwrap().unwrap() {
            StreamEvent::Text(text) => pieces.push(text),
            StreamEvent::Restart { .. } => pieces.push("RESTART".into()),
            StreamEvent::Done(response) => return (pieces, *response),
            _ => {}
        }
    }
}
