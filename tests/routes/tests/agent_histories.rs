//! Whatever a model does, the conversation that it leaves is one that every provider accepts.
//!
//! Runs are made of random turns: text, calls with good and bad names, marks and arguments, refusals, cuts, errors,
//! cancellations, time-outs, retries. What they leave is written for each wire, and judged there by the provider's
//! rules, as the loopback server has them from the providers' documents.

use std::time::Duration;

use response_schema::adapter::{
    Anthropic, AssistantMessage, CallErrorKind, CallRequest, CallResponse, ChatCompletions, Ending, Enforcement,
    Gemini, Glm, Message, Messages, Ollama, OpenAi, ResponseFormat, ToolCall, ToolSpec,
};
use response_schema::agent::{Cancel, History};
use response_schema::http::Preview;
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::{AgentLoop, ResponseSchema, Tool};
use response_schema_tests_routes::loopback::{self, Exchange, Loopback, Wire};
use serde::Deserialize;
use serde_json::{Value, json};

#[path = "agent_http/routes.rs"]
#[allow(dead_code, reason = "the routes alone are of use here")]
mod routes;

/// Looks a customer up.
#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    email: String,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Plan {
    #[response(min_items = 1)]
    #[allow(dead_code)]
    steps: Vec<String>,
}

#[derive(Debug, Deserialize, ResponseSchema)]
struct Verdict {
    #[allow(dead_code)]
    good: bool,
}

/// Random choices that a seed repeats.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.roll() % most as u64).expect("a small number")
    }

    fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

const TEXTS: [&str; 6] =
    [r#"{"steps": ["refund"]}"#, r#"{"good": true}"#, r#"{"steps": []}"#, "I cannot say.", "", " \n"];
const NAMES: [&str; 8] = ["lookup", "lookup", "fail", "panic", "slow", "stop", "functions.look up", "ünbekannt"];
const ARGUMENTS: [&str; 8] =
    [r#"{"email": "ada"}"#, r#"{"email": "ada"}"#, r#"{"email": 5}"#, "{}", "", r#"{"email": "ad"#, "[1]", "null"];

fn call(dice: &mut Dice) -> ToolCall {
    let serial = dice.roll();
    let id = match dice.below(6) {
        0 => String::new(),
        1 => "call_0".to_owned(),
        2 => format!("Bash:{serial}|fc.{serial}"),
        3 => format!("chatcmpl-tool-{serial:016x}{serial:016x}{serial:016x}{serial:016x}"),
        _ => format!("call_{serial:016x}"),
    };
    let (name, arguments) = (dice.of(&NAMES), dice.of(&ARGUMENTS));
    ToolCall::new(id, name, arguments)
}

fn turn(dice: &mut Dice) -> Turn {
    let mut response = CallResponse::new(dice.of(&TEXTS), Enforcement::None);
    let calls: Vec<_> = (0..dice.below(4)).map(|_| call(dice)).collect();
    response.ending = match dice.below(10) {
        0..4 => {
            response.tool_calls = calls;
            if response.tool_calls.is_empty() || dice.below(2) == 0 { Ending::Complete } else { Ending::ToolCalls }
        }
        4 => {
            response.tool_calls = calls;
            Ending::CutShort
        }
        5 => Ending::Complete,
        6 => Ending::Refused("No.".to_owned()),
        7 => Ending::Filtered("policy".to_owned()),
        8 => Ending::Cancelled,
        _ => {
            let kinds = [
                CallErrorKind::Transport,
                CallErrorKind::Provider,
                CallErrorKind::InputBlocked,
                CallErrorKind::InvalidOutput,
                CallErrorKind::RateLimited,
                CallErrorKind::Timeout,
            ];
            return Turn::error(kinds[dice.below(kinds.len())], "it went wrong");
        }
    };
    Turn::reply(response)
}

fn tools(cancel: &Cancel) -> [Tool<'_>; 5] {
    [
        Tool::new("lookup", |input: Lookup| async move { format!("{}: since 2019", input.email) }),
        Tool::new("fail", |_: Lookup| async { Err::<(), _>("") }),
        Tool::new("panic", |input: Lookup| async move { assert!(input.email.is_empty(), "on purpose") }),
        Tool::new("slow", |_: Lookup| std::future::pending::<String>()).timeout(Duration::from_secs(3)),
        Tool::new("stop", |_: Lookup| async {
            cancel.cancel();
            std::future::pending::<String>().await
        }),
    ]
}

/// Panics of the tools are not worth a line each.
fn expect_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload_as_str() != Some("on purpose") {
                usual(info);
            }
        }));
    });
}

/// The conversation that some runs leave.
fn history(seed: u64) -> History {
    let dice = &mut Dice(seed);
    let mut history = History::default();
    for _ in 0..=dice.below(3) {
        let (clock, cancel) = (VirtualClock::new(), Cancel::new());
        let turns: Vec<_> = (0..16).map(|_| turn(dice)).collect();
        let model = Scripted::new(turns).clock(&clock);
        let mut agent = AgentLoop::new(model).clock(clock.clone()).tools(tools(&cancel)).cancelled_by(&cancel);
        agent = agent
            .timeout(Duration::from_secs(2 + dice.roll() % 9))
            .max_turns(1 + u32::try_from(dice.below(6)).unwrap());
        if dice.below(3) == 0 {
            agent = agent.system("You help.");
        }
        let mut agent = agent.resume_after(history, dice).response_schema::<Plan>();
        for _ in 0..=dice.below(3) {
            // How they end is not the question.
            if dice.below(4) == 0 {
                let _ = clock.run(agent.call_with::<Verdict>("Judge it."));
            } else {
                let _ = clock.run(agent.run("Go on."));
            }
        }
        let kept = serde_json::to_string(agent.history()).expect("JSON");
        history = serde_json::from_str(&kept).expect("a history");
    }
    history
}

trait Resume {
    fn resume_after(self, history: History, dice: &mut Dice) -> Self;
}

impl Resume for AgentLoop<'_, Scripted> {
    /// Takes up a conversation, or begins a new one, now and then.
    fn resume_after(self, history: History, dice: &mut Dice) -> Self {
        if history.messages().is_empty() || dice.below(8) == 0 { self } else { self.resume(history) }
    }
}

type Writer = Box<dyn Fn(&CallRequest) -> Preview>;

/// How each wire writes a request.
fn writers() -> Vec<(&'static str, Wire, Writer)> {
    fn of<A: 'static>(adapter: A, write: fn(&A, &CallRequest) -> Preview) -> Writer {
        Box::new(move |request| write(&adapter, request))
    }
    let key = "sk-hush";
    vec![
        ("responses", Wire::Responses, of(OpenAi::new(key).unwrap().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("chat", Wire::Chat, of(ChatCompletions::openai(key).unwrap().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("mistral", Wire::Chat, of(ChatCompletions::mistral(key).unwrap().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("llama.cpp", Wire::Chat, of(ChatCompletions::llama_cpp().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("glm", Wire::Chat, of(Glm::new(key).unwrap().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("anthropic", Wire::Anthropic, of(Anthropic::new(key).unwrap().model("m"), |a, r| a.dry_run(r).unwrap())),
        ("gemini", Wire::Gemini, of(Gemini::new(key).unwrap().model("gemini-3"), |a, r| a.dry_run(r).unwrap())),
        ("ollama", Wire::Ollama, of(Ollama::new().model("m"), |a, r| a.dry_run(r).unwrap())),
    ]
}

/// Mistral's own rule, which the wire's judge does not have.
fn mistral(body: &Value) -> Option<String> {
    let turns = body["messages"].as_array().into_iter().flatten();
    let ids = turns.flat_map(|turn| {
        let calls = turn["tool_calls"].as_array().cloned().unwrap_or_default();
        calls.into_iter().map(|call| call["id"].clone()).chain(turn.get("tool_call_id").cloned())
    });
    let fits =
        |id: &Value| id.as_str().is_some_and(|id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    ids.filter(|id| !fits(id)).map(|id| format!("Tool call id was {id}")).next()
}

#[test]
fn any_turns_leave_a_conversation_that_every_provider_accepts() {
    let writers = writers();
    let lookup = || ToolSpec::new("lookup", "Looks a customer up.", ResponseFormat::of::<Lookup>());
    let (mut calls, mut longest) = (0, 0);
    expect_panics();
    let histories: Vec<_> = (0..3_000).map(history).collect();
    for (seed, history) in histories.into_iter().enumerate() {
        let mut messages = history.messages().to_vec();
        calls += messages.iter().filter(|message| matches!(message, Message::Tool(_))).count();
        longest = longest.max(messages.len());
        messages.push(Message::user("And now?"));
        let with_tools = CallRequest::new(messages.clone()).with_tool(lookup());
        let without = CallRequest::new(messages);
        for (name, wire, write) in &writers {
            for request in [&with_tools, &without] {
                let sent = write(request);
                let body: Value = serde_json::from_str(&sent.body).expect("JSON");
                let refused = wire.refusal(&body).or_else(|| mistral(&body).filter(|_| *name == "mistral"));
                assert_eq!(refused, None, "seed {seed} on {name}: {body:#}");
            }
        }
    }
    assert!(calls > 5_000 && longest > 20, "the dice are loaded: {calls} results, {longest} messages");
}

/// Exchanges as a wire brings them, the provider's own form of each turn included.
fn exchange(dice: &mut Dice) -> Exchange {
    let mut exchange = Exchange::text(dice.of(&TEXTS));
    if dice.below(3) == 0 {
        exchange = exchange.thinking("Let me see.");
    }
    for _ in 0..dice.below(3) {
        let (name, arguments) = (dice.of(&NAMES[..5]), dice.of(&ARGUMENTS));
        exchange.calls.push(loopback::Call { name: name.into(), arguments: arguments.into() });
    }
    match dice.below(6) {
        0 => exchange.ending(loopback::Ending::CutShort),
        1 => exchange.ending(loopback::Ending::Filtered),
        2 => exchange.ending(loopback::Ending::Refused("No.".into())),
        _ => exchange,
    }
}

#[tokio::test]
async fn what_a_wire_brings_can_go_back_on_it() {
    expect_panics();
    let mut requests = 0;
    for make in routes::all() {
        let dice = std::sync::Mutex::new(Dice(7));
        let server = Loopback::answering(move |_| exchange(&mut dice.lock().expect("nobody panicked")));
        let subject = make(&server);
        for seed in 0..60 {
            let cancel = Cancel::new();
            let mut tools = tools(&cancel).into_iter();
            let fast: Vec<_> = tools.by_ref().filter(|tool| tool.name() != "slow").collect();
            let mut agent = AgentLoop::new(subject.adapter.clone()).tools(fast).max_turns(5).response_schema::<Plan>();
            for _ in 0..3 {
                let _ = agent.run("Go on.").await;
            }
            for request in server.take_requests() {
                requests += 1;
                assert_eq!(request.refused, None, "{} {seed}: {:#}", subject.name, request.body);
            }
        }
    }
    assert!(requests > 1_000, "{requests}");
}

/// Conversations that were not held by a loop are mended, too.
#[test]
fn torn_histories_are_mended() {
    let calls = vec![ToolCall::new("1", "lookup", "{}"), ToolCall::new("1", "lookup", "{}")];
    let torn = json!({"version": 1, "messages": [
        {"role": "user", "text": "go"},
        {"role": "tool", "call_id": "0", "name": "lookup", "text": "nobody asked"},
        {"role": "assistant", "text": "", "tool_calls": calls},
        {"role": "tool", "call_id": "1", "name": "lookup", "text": "", "is_error": true},
        {"role": "assistant", "text": " "},
    ]});
    let history: History = serde_json::from_value(torn).expect("a history");
    assert_eq!(history.messages().len(), 4);
    let mut messages: Messages = history.messages().to_vec().into();
    messages.push(AssistantMessage::new("Well.", Vec::new()).into());
    messages.push(Message::user("And now?"));
    for (name, wire, write) in &writers() {
        let body: Value = serde_json::from_str(&write(&CallRequest::new(messages.clone())).body).expect("JSON");
        assert_eq!(wire.refusal(&body), None, "{name}: {body:#}");
    }
}
