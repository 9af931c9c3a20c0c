//! Tools over the Model Context Protocol: a server's tools in a loop, and a loop's tools on a server.
//!
//! Behind it is `rmcp`, the protocol's official SDK; it needs a tokio runtime. What is not tools (resources, prompts,
//! sampling) is left to it: [`rmcp`] stands here in the version that this crate uses.
//!
//! # A server's tools in a loop
//!
//! ```no_run
//! use std::process::Command;
//!
//! use response_schema::AgentLoop;
//! use response_schema::mcp::Client;
//! # async fn run(model: impl response_schema::adapter::Adapter) -> Result<(), Box<dyn std::error::Error>> {
//! let mut program = Command::new("npx");
//! program.args(["-y", "@modelcontextprotocol/server-filesystem", "."]);
//! let files = Client::spawn(program).await?.prefixed("files");
//!
//! let mut agent = AgentLoop::new(model).tools(files.tools().await?);
//! let answer = agent.run("Which of these files is the largest?").await?;
//! files.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! - Input schemas are known at run time only, and are treated like every such schema: judged by each route's
//!   dialect and lowered to it. One that cannot be strict goes out as it is, as a hint. Arguments are checked
//!   either way before the server sees them.
//! - Names that providers do not take are made to fit, and stay distinct; the server is called by its own. Where two
//!   servers have a tool of one name, give one of them a prefix.
//! - What a server says is the call's result: text as it is, structured values as JSON. Models are told of pictures
//!   and sounds, for results are text. `isError` and errors of the protocol are errors of the tool.
//! - A call that is dropped, by a deadline or a cancellation, is cancelled on the server, too.
//! - A program that was started here runs in a process group of its own, and all of the group is gone once the client
//!   and its tools are.
//!
//! # A loop's tools on a server
//!
//! ```no_run
//! use response_schema::{ResponseSchema, Tool};
//! use response_schema::mcp::Server;
//!
//! /// Adds two numbers.
//! #[derive(serde::Deserialize, ResponseSchema)]
//! struct Add {
//!     a: i64,
//!     b: i64,
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let add = Tool::new("add", |input: Add| async move { input.a + input.b });
//! Server::new("calculator", "1.0.0").tool(add).serve_stdio().await?;
//! # Ok(())
//! # }
//! ```

mod client;
mod error;
#[cfg(unix)]
mod process;
mod server;
mod told;

pub use client::Client;
pub use error::{McpError, McpErrorKind};
pub use rmcp;
pub use server::Server;
