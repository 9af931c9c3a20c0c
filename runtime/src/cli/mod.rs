//! The coding command lines as routes: [`ClaudeCli`] and [`CodexCli`].
//!
//! Who has `claude` or `codex` installed and logged in has a model, and needs no key for it. Each call is one process,
//! and processes lie: success without an answer, an exit status that says nothing, output that never ends. So every
//! ending of theirs is told apart here, by runs of the real programs.
//!
//! | | `claude -p` | `codex exec` |
//! |---|---|---|
//! | prompt | standard input | standard input |
//! | schema | an argument | a file without a name |
//! | system prompt | a file without a name, in place of its own | the same |
//! | held to the schema by | its client, which asks again | the provider, in strict mode |
//! | pieces of text | yes, with [`Restart`](crate::adapter::StreamEvent::Restart) when it asks again | the whole text at once |
//! | tools of its own | none, unless asked for | none, unless asked for, and then read-only |
//! | cost | stated | not stated |
//!
//! # What a process may and may not
//!
//! A run has a process group of its own. It is killed as a whole at the deadline, when the future or stream is dropped,
//! when the process writes too much, and after the process has exited, for what it left behind; the process is always
//! reaped. What leaves the group by itself, as a daemon does, is out of reach. Runs need no async runtime: each has a
//! thread that attends to it, and at most four at a time run for one adapter and its clones, unless `at_once` says
//! otherwise; others wait.
//!
//! A process sees the variables that it needs and no others: home and path, language, proxies and certificates, and
//! those of its own provider. `env`, `pass_env` and `inherit_env` give it more. What looks like a secret is masked in
//! the words of errors.
//!
//! Prompts are data, so what these programs do with special words in them is switched off: commands (`/cost`), and
//! mentions of files (`@secrets.txt`), which would be read and sent along. One thing is left: `codex` puts a skill that
//! the user has installed into the prompt where the prompt mentions it (`$name`).
//! And `codex` starts the MCP servers that its user has configured.
//!
//! Nothing of the user's customizations applies (instructions, hooks, plugins; for `claude` also MCP servers) unless
//! `customized` says so: an answer should depend on what is asked. Login, model and provider settings do apply.
//!
//! # What a request may hold
//!
//! A conversation becomes one prompt: a single user message word for word, a longer conversation written out turn by
//! turn. Tools are refused. Of the [`Parameters`](crate::adapter::Parameters) `claude` takes `max_tokens` and
//! `reasoning_effort`, `codex` the latter; the others are refused, since none of them could be kept.

mod claude;
mod codex;
mod environment;
mod file;
mod mask;
mod output;
mod process;
mod program;
mod prompt;
mod protocol;
mod run;
mod settings;
mod setup;
mod version;

pub use claude::ClaudeCli;
pub use codex::{CodexCli, Sandbox};
pub use version::Version;

#[cfg(not(unix))]
compile_error!("the feature `cli` is for Unix systems: it relies on process groups");
