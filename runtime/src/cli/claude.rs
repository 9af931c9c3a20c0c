//! `claude -p`, the command line of Claude Code.
//!
//! The schema is an argument, and becomes the input of a tool that the model is told to call with its answer. The
//! client holds the call to the schema and asks again, up to five times. The events are read rather than the one result
//! at the end, for they say more: whether the schema was dropped, before anything is spent; that a key is refused, which
//! the client itself takes minutes to admit; and the answer's own text, whose integers the client rounds to 53 bits.
//! (It also reads `\u00e9`, where that is written out inside of a text, as the letter; there its value holds.)

mod events;
mod outcome;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::file::HandedFile;
use super::program::Program;
use super::prompt::Prompt;
use super::protocol::refuse_unsupported;
use super::run::whole;
use super::settings::common_settings;
use super::setup::{Order, Setup};
use super::version::Version;
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, ReasoningEffort,
    ResponseStream,
};
use crate::dialect::{self, Dialect};
use events::Events;

/// The route's name in reports.
const ROUTE: &str = "claude-cli";

const CLAUDE: Program = Program {
    name: "claude",
    // `--safe-mode` came with it; the other options are older.
    oldest: Version::new(2, 1, 169),
    install: "install it with `npm install -g @anthropic-ai/claude-code`",
};

/// Variables of Claude Code and of its providers. Those that mark a session are not among them: inside one it would
/// take itself for a part of it.
const VARIABLES: &[&str] = &[
    "ANTHROPIC_*",
    "AWS_*",
    "AZURE_*",
    "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
    "CLAUDE_CODE_CERT_STORE",
    "CLAUDE_CODE_CLIENT_*",
    "CLAUDE_CODE_DISABLE_*",
    "CLAUDE_CODE_EXTRA_BODY",
    "CLAUDE_CODE_MAX_*",
    "CLAUDE_CODE_OAUTH_*",
    "CLAUDE_CODE_SKIP_*",
    "CLAUDE_CODE_USE_*",
    "CLAUDE_CONFIG_DIR",
    "CLOUD_ML_REGION",
    "DISABLE_*",
    "GOOGLE_*",
    "MAX_STRUCTURED_OUTPUT_RETRIES",
    "MAX_THINKING_TOKENS",
    "VERTEX_REGION_*",
];

/// The command line of Claude Code as a route, with whatever login it has.
///
/// The guarantee is that of its client: what comes back was held to the schema and satisfies it, and a model that does
/// not get there is an error.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, ClaudeCli}};
/// # #[derive(serde::Deserialize, ResponseSchema)] struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let claude = ClaudeCli::new().model("haiku");
/// let ticket: Ticket = claude.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ClaudeCli {
    setup: Setup,
    customized: bool,
    system: Option<String>,
    tools: Vec<String>,
    max_turns: Option<u32>,
    max_budget_usd: Option<f64>,
}

common_settings!(ClaudeCli, "claude");

impl ClaudeCli {
    /// The program `claude` on the path.
    #[must_use]
    pub fn new() -> Self {
        Self {
            setup: Setup::new(&CLAUDE, VARIABLES),
            customized: false,
            system: None,
            tools: Vec::new(),
            max_turns: None,
            max_budget_usd: None,
        }
    }

    /// With these standing instructions, where the conversation has none of its own. With neither, those of Claude Code
    /// hold, which are long and about coding.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// With these tools of its own, as it names them: `Read`, `Grep`, `WebSearch`. Those that need permission are
    /// refused to the model unless further arguments grant it.
    #[must_use]
    pub fn tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools.extend(tools.into_iter().map(Into::into));
        self
    }

    /// With at most so many turns. A run that reaches the limit is an error.
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = Some(turns);
        self
    }

    /// With at most this cost of one run in US dollars. A run that reaches it is an error.
    #[must_use]
    pub fn max_budget_usd(mut self, dollars: f64) -> Self {
        self.max_budget_usd = Some(dollars);
        self
    }

    fn order(&self, request: &CallRequest) -> Result<Order<Events>, CallError> {
        refuse_unsupported("claude", request, true)?;
        let mut prompt = Prompt::of(&request.messages)?;
        if prompt.text.starts_with('/') {
            // At the very beginning it would be a command of the program's own.
            prompt.text.insert(0, '\n');
        }
        let mut arguments: Vec<OsString> = ["-p", "--output-format", "stream-json", "--verbose"].map(Into::into).into();
        arguments.extend(["--include-partial-messages", "--no-session-persistence"].map(Into::into));
        if !self.customized {
            arguments.extend(["--safe-mode", "--strict-mcp-config"].map(Into::into));
        }
        let mut option = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        option("--tools", self.tools.join(",").into());
        if let Some(model) = &self.setup.model {
            option("--model", model.into());
        }
        if let Some(effort) = request.parameters.reasoning_effort {
            option("--effort", effort_word(effort).into());
        }
        if let Some(turns) = self.max_turns {
            option("--max-turns", turns.to_string().into());
        }
        if let Some(dollars) = self.max_budget_usd {
            option("--max-budget-usd", dollars.to_string().into());
        }
        let schema = schema_argument(request)?;
        if let Some(schema) = &schema {
            option("--json-schema", schema.into());
        }
        let mut files = Vec::new();
        if let Some(system) = prompt.system.as_ref().or(self.system.as_ref()) {
            let file = HandedFile::new(system.as_bytes()).map_err(no_file)?;
            option("--system-prompt-file", file.path().clone());
            files.push(file);
        }
        arguments.extend(self.setup.arguments.iter().cloned());
        let mut settings = vec![
            // `@` and a path in the prompt would send the file along.
            ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
        ];
        if let Some(tokens) = request.parameters.max_tokens {
            settings.push(("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.to_string()));
        }
        Ok(Order {
            arguments,
            settings,
            input: prompt.text,
            files,
            deadline: request.deadline,
            protocol: Events::new(schema.is_some()),
        })
    }
}

/// The schema as an argument.
fn schema_argument(request: &CallRequest) -> Result<Option<String>, CallError> {
    let Some(format) = &request.response_schema else { return Ok(None) };
    let dialect = Dialect::CLAUDE_CLI;
    let refused = |text| CallError::new(CallErrorKind::SchemaRefused, text);
    let json = format.wire(&dialect).map_err(|refusal| refused(refusal.to_string()))?.json.into_owned();
    let most = dialect.limits.document;
    if json.len() > most {
        return Err(refused(format!(
            "the schema has {} bytes, and {} takes it as one argument of at most {most}; ask for less at once",
            json.len(),
            dialect.name,
        )));
    }
    Ok(Some(json))
}

pub(super) fn no_file(error: io::Error) -> CallError {
    CallError::new(CallErrorKind::Transport, "no temporary file could be written").with_source(error)
}

/// There is nothing below `low`.
fn effort_word(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Minimal => ReasoningEffort::Low.as_str(),
        effort => effort.as_str(),
    }
}

impl Adapter for ClaudeCli {
    type Dialect = dialect::ClaudeCli;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(ROUTE, Enforcement::Enforced).with_streaming()
    }

    fn identity(&self) -> String {
        let Self { setup, customized, system, tools, .. } = self;
        format!("{ROUTE} {} {customized} {system:?} {tools:?}", setup.identity())
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        whole(self.call_streamed(request)).await
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        let deadline = request.deadline;
        self.setup.stream(move |_| self.order(&request), deadline)
    }
}
