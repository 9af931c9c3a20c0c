//! Tools of ours on an MCP server, for clients of other makes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use response_schema::mcp::Server;
use response_schema::{ResponseSchema, Tool, tool};
use serde::Deserialize;
use serde_json::{Value, json};

/// Adds two numbers.
#[derive(Deserialize, ResponseSchema)]
struct Add {
    a: i64,
    #[response(max = 100)]
    b: i64,
}

/// Walks a tree.
#[derive(Deserialize, ResponseSchema)]
struct Node {
    name: String,
    below: Vec<Node>,
}

#[derive(Deserialize, ResponseSchema)]
struct Nothing {}

/// Says what time it is.
#[tool]
async fn now() -> &'static str {
    "12:00"
}

impl Node {
    fn names(&self) -> Vec<&str> {
        std::iter::once(&*self.name).chain(self.below.iter().flat_map(Self::names)).collect()
    }
}

/// Says when it is dropped.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::panic::set_hook(Box::new(|_| {}));
    let dropped = Arc::new(AtomicBool::new(false));
    let (waiting, looked_at) = (dropped.clone(), dropped);
    let tools = vec![
        Tool::new("add", |input: Add| async move { input.a + input.b }),
        Tool::new("walk", |input: Node| async move { input.names().join(" ") }),
        Tool::new("fail", |_: Nothing| async { Err::<(), _>("the disk is full") }),
        Tool::new("panic", |input: Nothing| async move { panic_on(&input) }),
        Tool::new("wait", move |_: Nothing| {
            let waiting = Waiting(waiting.clone());
            async move {
                std::future::pending::<()>().await;
                drop(waiting);
            }
        }),
        Tool::new("waited", move |_: Nothing| {
            let dropped = looked_at.load(Ordering::SeqCst);
            async move { if dropped { "dropped" } else { "waiting" } }
        }),
        now_tool(),
        Tool::dynamic("dynamic", "Anything.", json!({"type": "object"}), |input: Value| async move { input }),
    ];
    Server::new("tools", "1.2.3").instructions("For tests.").tools(tools).serve_stdio().await?;
    Ok(())
}

fn panic_on(_: &Nothing) {
    panic!("on purpose");
}
