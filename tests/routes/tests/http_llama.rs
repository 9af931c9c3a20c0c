//! A real server: llama.cpp's own, with the embedded model's weights.
//!
//! It comes from the Python package `xllamacpp`, installed under `target/` by the first run. What the model says is not
//! asserted, only its shape and how the reply ended.

use std::path::Path;

use response_schema::ResponseSchema;
use response_schema::adapter::{
    Adapter, AssistantMessage, CallErrorKind, CallRequest, ChatCompletions, Ending, Enforcement, Message, Parameters,
    ResponseFormat, StreamEvent, ToolCall, ToolChoice, ToolResult,
};
use response_schema::agent::History;
use response_schema::decode::decode;
use response_schema::dialect::LlamaCpp;
use response_schema::embedded::Embedded;
use response_schema::tool::ToolOutcome;
use response_schema::worker::Update;
use response_schema::{AgentLoop, ErrorKind, Tool};
use response_schema_tests_routes::llama::{self, Llama};
use serde::Deserialize;
use serde_json::json;

/// Nothing that a model would write unless it is held to it.
#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
struct Odd {
    #[allow(dead_code)]
    zeta: Code,
    #[response(min = 3, max = 5)]
    #[allow(dead_code)]
    count: u8,
    #[response(pattern = "^[A-F]{2}-[0-9]{2}$")]
    #[allow(dead_code)]
    mark: String,
}

#[derive(Debug, Deserialize, ResponseSchema)]
#[response(partial)]
enum Code {
    #[serde(rename = "kx/1")]
    One,
    #[serde(rename = "qw/2")]
    Two,
}

/// With the model's own chat template, or another.
fn start(template: Option<&str>) -> (Llama, ChatCompletions<LlamaCpp>) {
    let model = Embedded::builder().model_file().unwrap();
    let server = Llama::start(Path::new(env!("CARGO_TARGET_TMPDIR")), &model, template);
    let adapter = ChatCompletions::llama_cpp().base_url(server.url());
    (server, adapter)
}

fn ask(words: &str) -> CallRequest {
    let mut request = CallRequest::new(vec![Message::user(words)]);
    request.parameters.temperature = Some(0.0);
    request.parameters.max_tokens = Some(96);
    request
}

#[tokio::test]
async fn llama_cpps_server_is_held_to_the_schema() {
    let (_server, adapter) = start(None);
    let prompt = "Tell me about the sea.";

    // Without a schema it writes prose, so what follows is the schema's doing.
    let mut free = ask(prompt);
    free.parameters.max_tokens = Some(24);
    let free = adapter.call(free).await.unwrap();
    assert_eq!(free.enforcement, Enforcement::None);
    assert!(decode::<Odd>(&free.text).is_err(), "{}", free.text);

    let typed = || ask(prompt).with_response_schema(ResponseFormat::of::<Odd>());
    for adapter in [adapter.clone(), adapter.clone().schema_in_prompt(false)] {
        let reply = adapter.call(typed()).await.unwrap();
        assert_eq!((&reply.ending, reply.enforcement), (&Ending::Complete, Enforcement::Enforced), "{}", reply.text);
        decode::<Odd>(&reply.text).unwrap();
        assert!(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0, "{:?}", reply.usage);
    }
    adapter.extract::<Odd>(prompt).await.unwrap();

    let mut stream = adapter.call_streamed(typed());
    let (mut text, mut pieces) = (String::new(), 0);
    let done = loop {
        match stream.next().await.expect("an end").unwrap() {
            StreamEvent::Text(piece) => {
                text.push_str(&piece);
                pieces += 1;
            }
            StreamEvent::Done(done) => break done,
            other => panic!("{other:?}"),
        }
    };
    assert!(pieces > 3, "{pieces} pieces");
    assert_eq!(text, done.text);
    decode::<Odd>(&text).unwrap();
    assert!(done.usage.output_tokens > 0, "usage comes in streams, too");

    let (mut partials, mut reply) = (Vec::new(), adapter.stream::<Odd>(prompt));
    let odd = loop {
        match reply.next().await.expect("an end").unwrap() {
            Update::Partial(partial) => partials.push(partial.fields().expect("begun")),
            Update::Done(reply) => break reply.value,
            other => panic!("{other:?}"),
        }
    };
    assert!(partials.len() > 2, "{partials:?}");
    assert!(partials.iter().all(|partial| odd.mark.starts_with(partial.mark.as_deref().unwrap_or_default())));
    assert!(partials.iter().all(|partial| partial.count.is_none_or(|count| count == odd.count)));
    assert!(partials[0].mark.is_none(), "the last field comes last");

    let mut short = typed();
    short.parameters.max_tokens = Some(4);
    let cut = adapter.call(short).await.unwrap();
    assert_eq!(cut.ending, Ending::CutShort, "{}", cut.text);
    assert!(!cut.text.is_empty());

    // A schema that the server cannot make a grammar of: its own words come through.
    let schema = json!({"type": "object", "properties": {"next": {"$ref": "#/nowhere"}}, "required": ["next"]});
    let error = adapter.call(ask(prompt).with_response_schema(ResponseFormat::from_schema(schema))).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused, "{error}");
    assert!(error.to_string().contains("nowhere"), "{error}");

    let long = "The sea is wide. ".repeat(2_000);
    let error = adapter.call(ask(&long)).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
}

/// Looks a customer up.
#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    email: String,
}

fn lookup() -> Tool<'static> {
    Tool::new("lookup", |input: Lookup| async move {
        if input.email.contains('@') { Ok("a customer since 2019") } else { Err("an email has an `@`") }
    })
}

/// Two worked examples: without any so small a model calls nothing.
fn examples() -> History {
    let example = |id: &str, email: &str, since: &str| {
        let call = ToolCall::new(id, "lookup", json!({"email": email}).to_string());
        [
            Message::user(format!("Look up {email}.")),
            AssistantMessage::new("", vec![call.clone()]).into(),
            ToolResult::new(&call, format!("a customer since {since}")).into(),
            Message::assistant(format!("A customer since {since}.")),
        ]
    };
    let both = [example("c1", "bob@example.com", "2017"), example("c2", "eve@example.com", "2021")];
    History::from_messages(both.into_iter().flatten())
}

fn brief() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.temperature = Some(0.0);
    parameters.max_tokens = Some(64);
    parameters
}

#[tokio::test]
async fn llama_cpps_server_calls_tools_where_its_template_has_them() {
    let (_server, adapter) = start(Some(llama::TOOLS));
    let mut agent = AgentLoop::new(adapter.clone()).tool(lookup()).parameters(brief()).resume(examples());
    let reply = agent.run("Look up ada@example.com.").await.unwrap();
    assert!(!reply.value.is_empty() && !reply.report.two_steps, "{}", reply.report);
    let used = &reply.report.turns[0].tools[0];
    assert_eq!((used.name.as_str(), &used.outcome), ("lookup", &ToolOutcome::Done));
    assert!(!used.call_id.is_empty());

    // The tools first, and then the schema alone: this server refuses both at once.
    let mut agent =
        AgentLoop::new(adapter.clone()).tool(lookup()).parameters(brief()).resume(examples()).response_schema::<Odd>();
    let reply = agent.run("Look up ada@example.com.").await.unwrap();
    assert!(reply.report.two_steps && reply.report.enforcement == Enforcement::Enforced, "{}", reply.report);
    assert_eq!(reply.report.turns[0].tools[0].name, "lookup");

    // It parses the arguments of earlier calls, which a model may have broken.
    let broken = ToolCall::new("1", "lookup", "{\"email\": \"ad");
    let torn = History::from_messages([
        Message::user("Look up ada@example.com."),
        AssistantMessage::new("", vec![broken.clone()]).into(),
        ToolResult::error(&broken, "not run: its arguments are not what its schema asks for").into(),
    ]);
    let mut agent = AgentLoop::new(adapter).tool(lookup()).parameters(brief()).max_turns(1).resume(torn);
    if let Err(error) = agent.run("Go on.").await {
        assert_eq!(error.kind(), ErrorKind::MaxTurns, "{error:?}");
    }
}

/// The model's own template has no tools, and the server leaves them out without a word: the loop says so.
#[tokio::test]
async fn llama_cpps_server_ignores_tools_where_its_template_has_none() {
    let (_server, adapter) = start(None);
    let mut agent =
        AgentLoop::new(adapter.clone()).tool(lookup()).tool_choice(ToolChoice::Required).parameters(brief());
    let error = agent.run("Look up ada@example.com.").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotEnforced, "{error:?}");
    // A choice that it would ignore is not sent.
    let named = ToolChoice::Named("lookup".into());
    let error = AgentLoop::new(adapter).tool(lookup()).tool_choice(named).run("Look up.").await.unwrap_err();
    assert_eq!((error.kind(), error.report().attempts[0].usage.input_tokens), (ErrorKind::NotEnforced, 0), "{error:?}");
}
