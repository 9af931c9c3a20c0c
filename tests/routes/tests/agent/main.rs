//! The loop and its tools, as their specification says, on scripted routes and a virtual clock: nothing here sleeps.

mod endings;
mod functions;
mod runs;
mod tools;

use response_schema::adapter::{Message, ToolCall, ToolResult};
use response_schema::{ResponseSchema, Tool};
use serde::{Deserialize, Serialize};

/// Looks a customer up.
#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    email: String,
}

/// What shall be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Plan {
    #[response(min_items = 1)]
    steps: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
struct Verdict {
    good: bool,
}

const PLAN: &str = r#"{"steps": ["refund"]}"#;

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

fn ada(id: &str) -> ToolCall {
    call(id, "lookup", r#"{"email": "ada@example.com"}"#)
}

fn lookup() -> Tool<'static> {
    Tool::new("lookup", |input: Lookup| async move {
        if input.email.starts_with("ada") { Ok("since 2019") } else { Err(format!("nobody is called {}", input.email)) }
    })
}

fn wait<F: Future>(future: F) -> F::Output {
    pollster::block_on(future)
}

/// The results in a conversation: text and whether it is an error.
fn results(messages: &[Message]) -> Vec<(String, bool)> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool(ToolResult { text, is_error, .. }) => Some((text.clone(), *is_error)),
            _ => None,
        })
        .collect()
}
