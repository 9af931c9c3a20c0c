//! The loop over every wire: one table of conversations, run against a server that judges each request as the provider
//! does, histories included.

#[path = "agent_http/routes.rs"]
mod routes;

use std::time::Duration;

use response_schema::adapter::{Message, ToolResult};
use response_schema::agent::{Cancel, History, Termination};
use response_schema::testing::VirtualClock;
use response_schema::tool::ToolOutcome;
use response_schema::worker::Outcome;
use response_schema::{AgentLoop, ErrorKind, ResponseSchema, SubTask, Tool};
use response_schema_tests_routes::loopback::{Call, Ending, Exchange, Loopback, Recorded, Wire};
use routes::{Subject, all};
use serde::Deserialize;
use serde_json::{Value, json};

/// Looks a customer up.
#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    email: String,
}

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
struct Plan {
    #[response(min_items = 1)]
    steps: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, ResponseSchema)]
struct Verdict {
    good: bool,
}

const PLAN: &str = r#"{"steps":["refund"]}"#;

fn lookup() -> Tool<'static> {
    Tool::new("lookup", |input: Lookup| async move {
        if input.email.starts_with("ada") { Ok("since 2019") } else { Err(format!("nobody is called {}", input.email)) }
    })
}

fn ada() -> Exchange {
    Exchange::call("lookup", &json!({"email": "ada@example.com"}))
}

fn results(history: &History) -> Vec<(String, bool)> {
    let results = history.messages().iter().filter_map(|message| match message {
        Message::Tool(ToolResult { text, is_error, .. }) => Some((text.clone(), *is_error)),
        _ => None,
    });
    results.collect()
}

/// One route with a server of its own.
struct Bench {
    server: Loopback,
    subject: Subject,
}

impl Bench {
    /// Scripts a conversation. An answer in the tool mode of a wire is a call of its answer tool.
    fn script(&self, exchanges: impl IntoIterator<Item = Exchange>) {
        for exchange in exchanges {
            self.server.push(exchange);
        }
    }

    /// An answer in the form that the route asks for.
    fn answer(&self, text: &str) -> Exchange {
        match self.subject.answer_tool {
            Some(tool) => Exchange::call(tool, &serde_json::from_str(text).expect("JSON")),
            None => Exchange::text(text),
        }
    }

    /// The answer at the end of a run with tools: where a route carries one of the two, it is asked for apart.
    fn ending(&self, text: &str) -> Vec<Exchange> {
        if self.subject.together {
            vec![self.answer(text)]
        } else {
            vec![Exchange::text("I know enough."), self.answer(text)]
        }
    }

    fn agent<'t>(&self) -> AgentLoop<'t, response_schema::adapter::DynAdapter> {
        AgentLoop::new(self.subject.adapter.clone()).system("You help.")
    }

    /// The requests so far. The provider found fault with none of them, and the whole script was asked for.
    fn sent(&self) -> Vec<Recorded> {
        let requests = self.server.take_requests();
        for request in &requests {
            assert_eq!(request.refused, None, "{}: {:#}", self.subject.name, request.body);
        }
        assert_eq!(self.server.left(), 0, "{}", self.subject.name);
        requests
    }

    /// The conversation can be gone on with, also on a wire that it was not held on.
    async fn goes_on(&self, history: History) {
        let kept = serde_json::to_string(&history).expect("JSON");
        for bench in benches() {
            bench.script(bench.ending(PLAN));
            let history: History = serde_json::from_str(&kept).expect("a history");
            let mut agent = AgentLoop::new(bench.subject.adapter.clone()).tool(lookup()).response_schema::<Plan>();
            agent = agent.resume(history);
            let result = agent.run("Go on.").await;
            let place = format!("from {} to {}", self.subject.name, bench.subject.name);
            assert!(result.is_ok(), "{place}: {:?}", result.err().map(|error| causes(&error)));
            bench.sent();
        }
    }
}

fn causes(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {}", causes(source)))
}

fn benches() -> Vec<Bench> {
    let of = |make: &fn(&Loopback) -> Subject| {
        let server = Loopback::start([]);
        Bench { subject: make(&server), server }
    };
    all().iter().map(of).collect()
}

#[tokio::test]
async fn parallel_calls_are_answered_in_order_with_their_ids() {
    for bench in benches() {
        bench.script([ada().and_call("lookup", &json!({"email": "bob@example.com"}))]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        let plan = agent.run("go").await.unwrap();
        assert_eq!(plan.value.steps, ["refund"], "{}", bench.subject.name);
        let told =
            [("since 2019".to_owned(), false), ("the tool failed: nobody is called bob@example.com".to_owned(), true)];
        assert_eq!(results(agent.history()), told);
        let sent = bench.sent();
        assert_eq!(bench.subject.results(&sent[1].body), told.map(|(text, _)| text), "{}", bench.subject.name);
        let used: Vec<_> = plan.report.turns[0].tools.iter().map(|used| used.outcome.clone()).collect();
        assert_eq!(used, [ToolOutcome::Done, ToolOutcome::Failed]);
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn a_schema_never_keeps_tools_away_and_two_steps_are_reported() {
    for bench in benches() {
        bench.script([ada()]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        let plan = agent.run("go").await.unwrap();
        let name = bench.subject.name;
        assert_eq!(plan.report.two_steps, !bench.subject.together, "{name}");
        assert_eq!(plan.report.enforcement, bench.subject.guarantee, "{name}");
        let carried: Vec<_> = bench
            .sent()
            .iter()
            .map(|request| (bench.subject.tools(&request.body), bench.subject.asks_for(request, "steps")))
            .collect();
        let tools = || vec!["lookup".to_owned()];
        if bench.subject.together {
            assert_eq!(carried, [(tools(), true), (tools(), true)], "{name}");
        } else {
            assert_eq!(carried, [(tools(), false), (tools(), false), (Vec::new(), true)], "{name}");
        }
    }
}

#[tokio::test]
async fn bad_arguments_a_tool_error_and_an_unknown_tool_are_results() {
    for bench in benches() {
        bench.script([
            Exchange::call("lookup", &json!({"email": null})),
            Exchange::call("lookup", &json!({"email": "bob@example.com"})),
            Exchange::call("fetch", &json!({})),
            ada(),
        ]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        agent.run("go").await.unwrap();
        let told = results(agent.history());
        let expected = [
            "not run: its arguments are not what its schema asks for\n- `email`: expected text, found null",
            "the tool failed: nobody is called bob@example.com",
            "there is no tool `fetch`; there is `lookup`",
            "since 2019",
        ];
        assert_eq!(told.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), expected, "{}", bench.subject.name);
        let last = bench.sent().pop().unwrap();
        assert_eq!(bench.subject.results(&last.body), expected, "{}: {:#}", bench.subject.name, last.body);
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn a_call_and_text_in_one_turn_are_both_kept() {
    for bench in benches() {
        bench.script([Exchange { text: "I shall look ada up.".into(), ..ada() }]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        agent.run("go").await.unwrap();
        let sent = bench.sent();
        assert!(
            sent[1].body.to_string().contains("I shall look ada up."),
            "{}: {:#}",
            bench.subject.name,
            sent[1].body
        );
        assert_eq!(results(agent.history()).len(), 1);
    }
}

#[tokio::test]
async fn thoughts_before_calls_go_back_to_who_thought_them() {
    for bench in benches() {
        bench.script([ada().thinking("Who is ada?"), ada().thinking("And once more.")]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        agent.run("go").await.unwrap();
        let sent = bench.sent().pop().unwrap();
        let thought = sent.body.to_string().contains("Who is ada?");
        assert_eq!(thought, bench.subject.thinks, "{}: {:#}", bench.subject.name, sent.body);
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn a_refusal_after_tools_is_one() {
    for bench in benches() {
        let Some((ending, kind, termination)) = bench.subject.refusal() else { continue };
        bench.script([ada(), Exchange::default().ending(ending)]);
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        let error = agent.run("go").await.unwrap_err();
        assert_eq!((error.kind(), agent.termination()), (kind, Some(termination)), "{}", bench.subject.name);
        assert_eq!(error.report().turns.len(), 1, "what was done before is told");
        bench.sent();
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn a_reply_that_is_cut_inside_arguments_is_asked_for_again() {
    for bench in benches() {
        let mut cut = Exchange::default().ending(Ending::CutShort);
        cut.calls.push(Call { name: "lookup".into(), arguments: r#"{"email": "ad"#.into() });
        bench.script([cut, ada()]);
        bench.script(bench.ending(PLAN));
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        let plan = agent.run("go").await.unwrap();
        assert_eq!(plan.report.attempts[0].outcome, Outcome::CutShort, "{}", bench.subject.name);
        let sent = bench.sent();
        assert!(sent[1].body.to_string().contains("cut short"), "{}: {:#}", bench.subject.name, sent[1].body);
        assert!(
            bench.subject.results(&sent[1].body).is_empty(),
            "a call that is not whole is none: {:#}",
            sent[1].body
        );
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn a_run_is_cancelled_inside_a_tool() {
    for bench in benches() {
        let cancel = Cancel::new();
        let stop = &cancel;
        let stopping = Tool::new("lookup", move |_: Lookup| async move {
            stop.cancel();
            std::future::pending::<String>().await
        });
        bench.script([ada().and_call("lookup", &json!({"email": "bob@example.com"}))]);
        let mut agent = bench.agent().tool(stopping).cancelled_by(&cancel).response_schema::<Plan>();
        let error = agent.run("go").await.unwrap_err();
        assert_eq!((error.kind(), agent.termination()), (ErrorKind::Cancelled, Some(Termination::UserCancelled)));
        bench.sent();
        assert_eq!(results(agent.history()).len(), 2);
        bench.goes_on(agent.history().clone()).await;
    }
}

#[tokio::test]
async fn an_override_holds_for_one_call_of_the_conversation() {
    for bench in benches() {
        let name = bench.subject.name;
        bench.script([ada()]);
        bench.script(bench.ending(PLAN));
        bench.script([bench.answer(r#"{"good":true}"#)]);
        bench.script([ada()]);
        bench.script(bench.ending(PLAN));
        bench.script([bench.answer(r#"{"good":false}"#)]);
        let mut agent = bench.agent().tool(lookup()).response_schema::<Plan>();
        agent.run("go").await.unwrap();
        let first = bench.server.requests().len();
        assert!(agent.call_with::<Verdict>("Judge it.").await.unwrap().value.good, "{name}");
        agent.run("and again").await.unwrap();
        assert!(!agent.aside::<Verdict>(SubTask::new("Beside it.")).await.unwrap().value.good, "{name}");
        let sent = bench.sent();
        let judged = &sent[first];
        assert!(bench.subject.asks_for(judged, "good") && !bench.subject.asks_for(judged, "steps"), "{name}");
        assert!(bench.subject.asks_for(&sent[sent.len() - 2], "steps"), "{name}: the loop's schema is back");
        assert!(bench.subject.asks_for(&sent[sent.len() - 1], "good"), "{name}");
    }
}

#[tokio::test]
async fn the_choice_of_tools_is_in_the_providers_words_and_ends_with_a_call() {
    for bench in benches() {
        let name = bench.subject.name;
        for (choice, words) in bench.subject.choices() {
            bench.script([ada()]);
            bench.script(bench.ending(PLAN));
            let mut agent = bench.agent().tool(lookup()).tool_choice(choice.clone()).response_schema::<Plan>();
            if let Some(words) = words {
                agent.run("go").await.unwrap();
                let sent = bench.sent();
                assert_eq!(*bench.subject.choice(&sent[0].body), words, "{name} {choice:?}");
                let free = bench.subject.choices().remove(0).1.unwrap();
                assert_eq!(*bench.subject.choice(&sent[1].body), free, "{name} {choice:?}");
            } else {
                let error = agent.run("go").await.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::NotEnforced, "{name}: {}", causes(&error));
                assert!(bench.server.requests().is_empty());
                bench.server.clear();
            }
        }
    }
}

/// Time stands still on the loop's clock while the network works; the tool lets it pass.
#[tokio::test]
async fn a_tool_that_takes_too_long_is_stopped() {
    for bench in benches() {
        let clock = VirtualClock::new();
        let passing = clock.clone();
        let slow = Tool::new("lookup", move |_: Lookup| {
            let passing = passing.clone();
            async move {
                // Once the loop waits for this tool.
                tokio::spawn(async move { passing.advance(Duration::from_secs(5)) });
                std::future::pending::<String>().await
            }
        });
        bench.script([ada()]);
        bench.script(bench.ending(PLAN));
        let slow = slow.timeout(Duration::from_secs(5));
        let mut agent = bench.agent().tool(slow).clock(clock).response_schema::<Plan>();
        let plan = agent.run("go").await.unwrap();
        assert_eq!(plan.report.turns[0].tools[0].outcome, ToolOutcome::TimedOut, "{}", bench.subject.name);
        let sent = bench.sent();
        assert_eq!(bench.subject.results(&sent[1].body), ["the tool took too long and was stopped"]);
    }
}

/// The judge has teeth: histories that providers refuse are refused, in their words.
#[tokio::test]
async fn histories_that_providers_refuse_are_refused() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "lookup", "input": {}});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "x"});
    let user = |content: Value| json!({"role": "user", "content": content});
    let model = |content: Value| json!({"role": "assistant", "content": content});
    let tools = json!([{"name": "lookup", "input_schema": {"type": "object"}}]);
    let anthropic = |messages: Value| json!({"model": "m", "max_tokens": 9, "tools": tools, "messages": messages});
    let table = [
        (
            Wire::Anthropic,
            anthropic(json!([user(json!("a")), model(json!([call("1")])), user(json!("b"))])),
            "`tool_use` ids were found without `tool_result` blocks immediately after: 1",
        ),
        (Wire::Anthropic, anthropic(json!([user(json!("a")), user(json!([result("1")]))])), "unexpected `tool_use_id`"),
        (
            Wire::Anthropic,
            anthropic(json!([
                user(json!("a")),
                model(json!([call("1")])),
                user(json!([{"type": "text", "text": "b"}, result("1")]))
            ])),
            "immediately after: 1",
        ),
        (
            Wire::Anthropic,
            anthropic(json!([user(json!("a")), model(json!([call("1"), call("1")])), user(json!([result("1")]))])),
            "`tool_use` ids must be unique",
        ),
        (
            Wire::Anthropic,
            anthropic(json!([
                user(json!("a")),
                model(json!([call("1")])),
                user(json!([result("1")])),
                model(json!([call("1")])),
                user(json!([result("1")]))
            ])),
            "`tool_use` ids must be unique",
        ),
        (
            Wire::Anthropic,
            anthropic(json!([user(json!("a")), model(json!([call("1")])), user(json!([result("1"), result("1")]))])),
            "each tool_use must have a single result",
        ),
        (
            Wire::Anthropic,
            json!({"model": "m", "max_tokens": 9, "messages": [user(json!("a")), model(json!([call("1")])), user(json!([result("1")]))]}),
            "must define tools",
        ),
        (
            Wire::Chat,
            json!({"model": "m", "messages": [{"role": "user", "content": "a"},
            {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "user", "content": "b"}]}),
            "did not have response messages: 1",
        ),
        (
            Wire::Chat,
            json!({"model": "m", "messages": [{"role": "user", "content": "a"}, {"role": "tool", "tool_call_id": "1", "content": "b"}]}),
            "must be a response to a preceeding message",
        ),
        (
            Wire::Responses,
            json!({"model": "m", "input": [{"role": "user", "content": "a"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}]}),
            "No tool output found for function call 1.",
        ),
        (
            Wire::Responses,
            json!({"model": "m", "input": [{"type": "function_call_output", "call_id": "1", "output": "x"},
            {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}]}),
            "No tool call found for function call output with call_id 1.",
        ),
        (
            Wire::Responses,
            json!({"model": "m", "input": [{"role": "user", "content": "a"},
            {"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": "b"}]}),
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
        ),
        (
            Wire::Gemini,
            json!({"contents": [{"role": "user", "parts": [{"text": "a"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}, {"role": "user", "parts": [{"text": "b"}]}]}),
            "number of function response parts is equal",
        ),
        (
            Wire::Gemini,
            json!({"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}]}),
            "immediately after a user turn",
        ),
    ];
    let server = Loopback::start([]);
    for (wire, body, words) in table {
        let refused = wire.refusal(&body).unwrap_or_else(|| panic!("{wire:?} takes {body:#}"));
        assert!(refused.contains(words), "{wire:?}: {refused}");
    }
    drop(server);
}
