//! Tools, offered to clients.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::IntoTransport;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

use super::error::{McpError, McpErrorKind};
use crate::adapter::ToolCall;
use crate::tool::{Surroundings, Tool};

/// Tools, offered to clients. It is a [`ServerHandler`] of rmcp's, for transports that make one for each client.
///
/// Clients are shown the input schemas with every rule as a keyword, and arguments are held to them, as in a loop. Bad
/// arguments, errors, panics and time-outs are results with `isError`, in the words that a model is told in a loop.
#[derive(Debug, Clone)]
#[must_use]
pub struct Server {
    about: Implementation,
    instructions: Option<String>,
    tools: Vec<Tool<'static>>,
}

impl Server {
    /// A server of this name and version, without tools.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { about: Implementation::new(name, version), instructions: None, tools: Vec::new() }
    }

    /// With what clients are told about it as a whole.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// With one more tool. Names must differ.
    pub fn tool(mut self, tool: Tool<'static>) -> Self {
        self.tools.push(tool);
        self
    }

    /// With more tools, those of a loop for instance ([`AgentLoop::known_tools`](crate::AgentLoop::known_tools)).
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<'static>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Serves one client over any transport of rmcp's, until it goes away.
    ///
    /// # Errors
    ///
    /// If the tools cannot be offered, or the other side is no client.
    pub async fn serve<T, E, A>(self, transport: T) -> Result<(), McpError>
    where
        T: IntoTransport<RoleServer, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        self.listed()?;
        let connection = ServiceExt::serve(self, transport).await.map_err(|error| {
            let message = format!("the other end does not speak as an MCP client does: {error}");
            McpError::new(McpErrorKind::Handshake, message).because(error)
        })?;
        match connection.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(McpError::new(McpErrorKind::Closed, "the connection broke").because(error)),
        }
    }

    /// Serves the client that started this program, over standard input and output, until it goes away. Nothing else may be
    /// written to standard output.
    ///
    /// # Errors
    ///
    /// As [`serve`](Self::serve).
    pub async fn serve_stdio(self) -> Result<(), McpError> {
        self.serve(rmcp::transport::stdio()).await
    }

    /// The tools as clients see them.
    fn listed(&self) -> Result<Vec<rmcp::model::Tool>, McpError> {
        let refused = |message: String| McpError::new(McpErrorKind::Tools, message);
        let one = |(place, tool): (usize, &Tool<'static>)| {
            let name = tool.name();
            if self.tools[..place].iter().any(|other| other.name() == name) {
                return Err(refused(format!("two tools are called `{name}`; rename one")));
            }
            let schema =
                tool.spec().input.document().map_err(|words| refused(format!("the tool `{name}`: {words}")))?;
            let Value::Object(mut schema) = schema.into_owned() else {
                return Err(refused(format!("the input of the tool `{name}` must be an object")));
            };
            // The protocol wants it at the root, also where a reference stands there.
            match schema.entry("type").or_insert_with(|| "object".into()) {
                Value::String(kind) if kind == "object" => {}
                _ => return Err(refused(format!("the input of the tool `{name}` must be an object"))),
            }
            Ok(rmcp::model::Tool::new(name.to_owned(), tool.description().to_owned(), schema))
        };
        self.tools.iter().enumerate().map(one).collect()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        let config = config.with_server_info(self.about.clone());
        match &self.instructions {
            Some(text) => config.with_instructions(text),
            None => config,
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.listed().map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default()).to_string();
        let call = ToolCall::new(context.id.to_string(), &*request.name, arguments);
        let around = Surroundings::default();
        // Who is not waited for any more is dropped.
        let Some((result, _)) = context.ct.run_until_cancelled(tool.run(&call, &around)).await else {
            return Err(ErrorData::internal_error("the call was cancelled", None));
        };
        let text = vec![ContentBlock::text(result.text)];
        let result = if result.is_error { CallToolResult::error(text) } else { CallToolResult::success(text) };
        Ok(result.into())
    }
}
