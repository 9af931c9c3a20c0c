//! `codex exec`, the command line of Codex.
//!
//! The schema is a file, which goes as it is into a strict request; the provider holds the model to it, and the program
//! itself checks nothing: it ends well with a refusal, and with prose where the provider did not keep to the schema. So
//! the answer is whatever stands in the last message once the turn is completed, and reading it is the worker's part.

mod events;
mod failure;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::claude::no_file;
use super::file::HandedFile;
use super::program::Program;
use super::prompt::Prompt;
use super::protocol::refuse_unsupported;
use super::run::whole;
use super::settings::common_settings;
use super::setup::{Order, Setup};
use super::version::Version;
use crate::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Enforcement, ResponseStream,
};
use crate::dialect::{self, Dialect};
use events::Events;

/// The route's name in reports.
const ROUTE: &str = "codex-cli";

const CODEX: Program = Program {
    name: "codex",
    // `--ephemeral` came with it; the other options are older.
    oldest: Version::new(0, 134, 0),
    install: "install it with `npm install -g @openai/codex`",
};

/// Variables of Codex and of its providers.
const VARIABLES: &[&str] = &["AWS_*", "AZURE_*", "CODEX_*", "OPENAI_*"];

/// Keeps the model from acting: it has a question to answer.
const NO_TOOLS: &[&str] = &[
    "web_search=\"disabled\"",
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.multi_agent=false",
    "features.goals=false",
    "features.view_image=false",
    "features.image_generation=false",
];

/// Keeps the user's customizations, and what is bundled, out of the prompt.
const UNCUSTOMIZED: &[&str] = &[
    "project_doc_max_bytes=0",
    "skills.bundled.enabled=false",
    "skills.include_instructions=false",
    "features.skill_search=false",
    "features.apps=false",
    "features.hooks=false",
    "features.plugins=false",
];

/// The command line of Codex as a route, with whatever login it has.
///
/// The provider enforces the schema where it is strict, and nothing is validated locally before the worker does.
///
/// ```no_run
/// # use response_schema::{ResponseSchema, adapter::{Adapter, CodexCli}};
/// # #[derive(serde::Deserialize, ResponseSchema)] struct Ticket { summary: String }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let codex = CodexCli::new();
/// let ticket: Ticket = codex.extract("Since 2.14.3 nobody can log in any more!").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CodexCli {
    setup: Setup,
    customized: bool,
    system: Option<String>,
    tools: bool,
    schema_in_prompt: bool,
    sandbox: Sandbox,
    settings: Vec<(String, String)>,
}

/// What the model's commands may do, where it has [`tools`](CodexCli::tools).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sandbox {
    /// Read files, and nothing else.
    #[default]
    ReadOnly,
    /// Write in the working folder, too.
    WorkspaceWrite,
    /// Whatever this process may. For machines that are a sandbox themselves.
    DangerFullAccess,
}

impl Sandbox {
    const fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }
}

common_settings!(CodexCli, "codex");

impl CodexCli {
    /// The program `codex` on the path.
    #[must_use]
    pub fn new() -> Self {
        Self {
            setup: Setup::new(&CODEX, VARIABLES),
            customized: false,
            system: None,
            tools: false,
            schema_in_prompt: false,
            sandbox: Sandbox::ReadOnly,
            settings: Vec::new(),
        }
    }

    /// With these standing instructions, where the conversation has none of its own. With neither, those of Codex hold,
    /// which are long and about coding.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.system = Some(text.into());
        self
    }

    /// With tools of its own: commands, web search, and what else the user has set. A strict schema keeps some models
    /// from calling any; then [`schema_in_prompt`](Self::schema_in_prompt) helps.
    #[must_use]
    pub fn tools(mut self) -> Self {
        self.tools = true;
        self
    }

    /// With the schema in the prompt and not in the request: a hint, and the worker's checks carry it.
    #[must_use]
    pub fn schema_in_prompt(mut self) -> Self {
        self.schema_in_prompt = true;
        self
    }

    /// With this sandbox for the model's commands; read-only without it. Nothing is ever asked of a human.
    #[must_use]
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// With this setting, as `-c name=value` on the command line: the value is TOML.
    #[must_use]
    pub fn config(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    fn order(&self, request: &CallRequest) -> Result<Order<Events>, CallError> {
        refuse_unsupported("codex", request, false)?;
        let mut prompt = Prompt::of(&request.messages)?;
        let mut files = Vec::new();
        let mut hand = |contents: &str| -> Result<OsString, CallError> {
            let file = HandedFile::new(contents.as_bytes()).map_err(no_file)?;
            let path = file.path().clone();
            files.push(file);
            Ok(path)
        };
        let mut arguments: Vec<OsString> =
            ["exec", "--json", "--color", "never", "--skip-git-repo-check"].map(Into::into).into();
        arguments.extend(["--ephemeral", "--sandbox", self.sandbox.word()].map(Into::into));
        let mut set = |setting: OsString| arguments.extend(["-c".into(), setting]);
        set("approval_policy=\"never\"".into());
        let without = [(NO_TOOLS, self.tools), (UNCUSTOMIZED, self.customized)];
        for setting in without.iter().filter(|(_, wanted)| !wanted).flat_map(|(settings, _)| *settings) {
            set(setting.into());
        }
        if let Some(effort) = request.parameters.reasoning_effort {
            set(format!("model_reasoning_effort=\"{}\"", effort.as_str()).into());
        }
        if let Some(system) = prompt.system.take().as_ref().or(self.system.as_ref()) {
            let mut setting = OsString::from("model_instructions_file=");
            setting.push(toml_string(&hand(system)?));
            set(setting);
        }
        for (name, value) in &self.settings {
            set(format!("{name}={value}").into());
        }
        if let Some(model) = &self.setup.model {
            arguments.extend(["--model".into(), model.into()]);
        }
        let mut enforcement = Enforcement::None;
        if let Some(format) = &request.response_schema {
            let dialect = if self.schema_in_prompt { Dialect::PROMPT } else { Dialect::CODEX_CLI };
            let schema = format
                .wire(&dialect)
                .map_err(|refusal| CallError::new(CallErrorKind::SchemaRefused, refusal.to_string()))?;
            if self.schema_in_prompt {
                prompt.ask_for(&schema.json);
            } else {
                arguments.extend(["--output-schema".into(), hand(&schema.json)?]);
            }
            let strict = schema.strict && !self.schema_in_prompt;
            enforcement = if strict { Enforcement::Enforced } else { Enforcement::Hint };
        }
        arguments.extend(self.setup.arguments.iter().cloned());
        // The prompt comes from standard input.
        arguments.push("-".into());
        let protocol = Events::new(enforcement, self.setup.model.clone());
        Ok(Order { arguments, settings: Vec::new(), input: prompt.text, files, deadline: request.deadline, protocol })
    }
}

/// A path as a TOML string. Paths of handed files hold nothing that TOML would not take as it is.
fn toml_string(path: &OsString) -> OsString {
    let mut string = OsString::from("\"");
    string.push(path);
    string.push("\"");
    string
}

impl Adapter for CodexCli {
    type Dialect = dialect::CodexCli;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(ROUTE, if self.schema_in_prompt { Enforcement::Hint } else { Enforcement::Enforced })
    }

    fn identity(&self) -> String {
        let Self { setup, customized, system, tools, schema_in_prompt, sandbox, settings } = self;
        let choices = (customized, system, tools, schema_in_prompt, sandbox, settings);
        format!("{ROUTE} {} {choices:?}", setup.identity())
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        whole(self.call_streamed(request)).await
    }

    fn call_streamed(&self, request: CallRequest) -> ResponseStream<'_> {
        let deadline = request.deadline;
        self.setup.stream(move |_| self.order(&request), deadline)
    }
}
