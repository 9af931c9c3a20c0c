//! A connection to a server, whose tools become a loop's.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation, PaginatedRequestParams,
};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::IntoTransport;
use rmcp::{ClientHandler, Peer, RoleClient, ServiceExt};
use serde_json::Value;

use super::error::{McpError, McpErrorKind};
#[cfg(unix)]
use super::process::{LastWords, Process};
use super::told::told;
use crate::adapter::fit;
use crate::tool::Tool;

/// How long a server may take for the handshake, and for a page of its list.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to a server, whose tools become a loop's. Clones share it.
///
/// It lasts as long as the client or one of its tools does, or until [`close`](Self::close).
#[derive(Clone)]
pub struct Client {
    server: Arc<Remote>,
    prefix: Option<Arc<str>>,
}

/// The other side.
struct Remote {
    /// As it calls itself, or as it was started.
    name: String,
    peer: Peer<RoleClient>,
    /// Dropping it ends the connection.
    connection: Mutex<Option<RunningService<RoleClient, Host>>>,
    #[cfg(unix)]
    process: Mutex<Option<Process>>,
    #[cfg(unix)]
    stderr: Option<LastWords>,
}

/// What the server is told of this side. It has nothing to offer: no files, no models, nobody to ask.
struct Host;

impl ClientHandler for Host {
    fn get_info(&self) -> ClientConfig {
        let this = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), this)
    }
}

impl Client {
    /// Starts a program, and speaks with it over its standard input and output.
    ///
    /// The program leads a process group of its own. What it writes to standard error is read, and the end of it stands
    /// in errors. Unix only; elsewhere [`connect`](Self::connect) takes a transport of rmcp's.
    ///
    /// # Errors
    ///
    /// If it cannot be started, ends at once, or is no server.
    #[cfg(unix)]
    pub async fn spawn(command: std::process::Command) -> Result<Self, McpError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let (process, pipes) = Process::start(command).map_err(|error| {
            let message = format!("the MCP server `{program}` could not be started: {error}");
            McpError::new(McpErrorKind::Start, message).because(error)
        })?;
        let stderr = process.stderr();
        match Self::shake(pipes, &program).await {
            Ok((name, connection)) => Ok(Self::of(name, connection, Some(process))),
            Err(error) => Err(error.with_last_words(&stderr.text().await)),
        }
    }

    /// Speaks with a server over any transport of rmcp's.
    ///
    /// # Errors
    ///
    /// If there is no server at the other end.
    pub async fn connect<T, E, A>(transport: T) -> Result<Self, McpError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let (name, connection) = Self::shake(transport, "the other end").await?;
        Ok(Self::of(
            name,
            connection,
            #[cfg(unix)]
            None,
        ))
    }

    async fn shake<T, E, A>(
        transport: T,
        known_as: &str,
    ) -> Result<(String, RunningService<RoleClient, Host>), McpError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let shaken = tokio::time::timeout(PATIENCE, Host.serve(transport)).await.map_err(|_| silent(known_as))?;
        let connection = shaken.map_err(|error| {
            let message = format!("`{known_as}` does not answer as an MCP server does: {error}");
            McpError::new(McpErrorKind::Handshake, message).because(error)
        })?;
        let name = connection.peer_info().and_then(|info| info.server_info.clone()).map(|server| server.name);
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| known_as.to_owned());
        Ok((name, connection))
    }

    fn of(name: String, connection: RunningService<RoleClient, Host>, #[cfg(unix)] process: Option<Process>) -> Self {
        let server = Remote {
            name,
            peer: connection.peer().clone(),
            connection: Mutex::new(Some(connection)),
            #[cfg(unix)]
            stderr: process.as_ref().map(Process::stderr),
            #[cfg(unix)]
            process: Mutex::new(process),
        };
        Self { server: Arc::new(server), prefix: None }
    }

    /// With this and `_` before the names of its tools, to tell them from another server's.
    #[must_use]
    pub fn prefixed(mut self, prefix: impl Into<Arc<str>>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// The server, as it calls itself.
    #[must_use]
    pub fn server_name(&self) -> &str {
        &self.server.name
    }

    /// The connection, for what is not tools.
    #[must_use]
    pub fn peer(&self) -> &Peer<RoleClient> {
        &self.server.peer
    }

    /// The server's tools, all pages of them.
    ///
    /// # Errors
    ///
    /// If the server is gone or does not answer, or if its list has no end or has a name twice.
    pub async fn tools(&self) -> Result<Vec<Tool<'static>>, McpError> {
        let mut tools: Vec<Tool<'static>> = Vec::new();
        let mut seen = HashSet::new();
        let mut cursor: Option<String> = None;
        loop {
            let wanted = cursor.take().map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let page = tokio::time::timeout(PATIENCE, self.server.peer.list_tools(wanted)).await;
            let page = match page {
                Ok(Ok(page)) => page,
                Ok(Err(error)) => return Err(self.server.trouble(error).await),
                Err(_) => return Err(silent(&self.server.name)),
            };
            for found in page.tools {
                let tool = self.tool(found);
                if tools.iter().any(|other| other.name() == tool.name()) {
                    let message = format!("the MCP server `{}` has two tools `{}`", self.server.name, tool.name());
                    return Err(McpError::new(McpErrorKind::Tools, message));
                }
                tools.push(tool);
            }
            let Some(next) = page.next_cursor.filter(|next| !next.is_empty()) else { return Ok(tools) };
            if !seen.insert(next.clone()) {
                let message = format!("the list of tools of the MCP server `{}` has no end", self.server.name);
                return Err(McpError::new(McpErrorKind::Tools, message));
            }
            cursor = Some(next);
        }
    }

    fn tool(&self, found: rmcp::model::Tool) -> Tool<'static> {
        let name = match &self.prefix {
            Some(prefix) => fit(&format!("{prefix}_{}", found.name)),
            None => fit(&found.name),
        };
        let description = found.description.map(Cow::into_owned).or(found.title).unwrap_or_default();
        let schema = Value::Object(found.input_schema.as_ref().clone());
        let server = Arc::clone(&self.server);
        Tool::dynamic(name, description, schema, move |arguments: Value| {
            let (server, name) = (Arc::clone(&server), found.name.clone());
            async move { server.call(name, arguments).await }
        })
    }

    /// Ends the connection, also for the tools. A program that was started may end by itself for two seconds, and is killed
    /// then.
    pub async fn close(self) {
        let connection = lock(&self.server.connection).take();
        if let Some(connection) = connection {
            // A panic there has been reported already.
            let _ = connection.cancel().await;
        }
        #[cfg(unix)]
        {
            let process = lock(&self.server.process).take();
            if let Some(process) = process {
                process.end().await;
            }
        }
    }
}

impl Remote {
    /// One call; what is wrong with it in words for the model.
    async fn call(&self, name: Cow<'static, str>, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else {
            return Err("its arguments must be an object".to_owned());
        };
        let params = CallToolRequestParams::new(name).with_arguments(arguments);
        match self.peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => told(&result),
            Ok(CallToolResponse::InputRequired(_)) => {
                Err("the server asks for input from a person, and there is nobody to ask".to_owned())
            }
            Ok(_) => Err("the server answers with a task to wait for, which is not done here".to_owned()),
            Err(ServiceError::McpError(error)) => Err(match error.data {
                Some(data) if !data.is_null() => format!("{} ({data})", error.message),
                _ => error.message.into_owned(),
            }),
            Err(error) => Err(self.trouble(error).await.to_string()),
        }
    }

    /// What has become of the server.
    async fn trouble(&self, error: ServiceError) -> McpError {
        let name = &self.name;
        match error {
            ServiceError::TransportClosed | ServiceError::TransportSend(_) | ServiceError::Cancelled { .. } => {
                let gone = McpError::new(McpErrorKind::Closed, format!("the MCP server `{name}` is gone"));
                #[cfg(unix)]
                let gone = match &self.stderr {
                    Some(stderr) => gone.with_last_words(&stderr.text().await),
                    None => gone,
                };
                gone.because(error)
            }
            ServiceError::Timeout { .. } => silent(name).because(error),
            error => {
                let message = format!("the MCP server `{name}` does not do what it was asked: {error}");
                McpError::new(McpErrorKind::Refused, message).because(error)
            }
        }
    }
}

fn silent(name: &str) -> McpError {
    let message = format!("the MCP server `{name}` did not answer within {} s", PATIENCE.as_secs());
    McpError::new(McpErrorKind::Timeout, message)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("server", &self.server.name).field("prefix", &self.prefix).finish()
    }
}
