//! The loop and its tools, as their specification says, on scripted routes and a virtual clock: nothing here sleeps.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Capabilities, Ending, Enforcement, Message, Native,
    Need, ResponseFormat, ToolCall, ToolChoice, ToolResult, Usage,
};
use response_schema::agent::{Cancel, History, Hooks, Termination};
use response_schema::dialect::OpenAi;
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::tool::ToolOutcome;
use response_schema::worker::{Answer, Attempt, Budget};
use response_schema::{AgentLoop, ErrorKind, Reply, ResponseSchema, SubTask, Tool, Worker};
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

#[test]
fn tools_are_called_until_there_is_an_answer() {
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into()]);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).max_turns(8).response_schema::<Plan>();
    let plan: Reply<Plan> = wait(agent.run("What now?")).expect("a plan");
    assert_eq!(plan.value.steps, ["refund"]);
    assert_eq!(agent.termination(), Some(Termination::Completed));
    let requests = model.requests();
    assert_eq!(results(&requests[1].messages), [("since 2019".to_owned(), false)]);
    // Without an override the loop's schema applies to every model call of the loop, beside the tools' own.
    for request in &requests {
        assert_eq!(request.response_schema.as_ref().map(ResponseFormat::name), Some("Plan"));
        assert_eq!(request.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["lookup"]);
        assert_eq!(request.tools[0].description, "Looks a customer up.");
        assert_eq!(request.tools[0].input.name(), "Lookup");
    }
    assert_eq!(plan.report.turns.len(), 1);
    assert_eq!(plan.report.turns[0].tools[0].outcome, ToolOutcome::Done);
    assert!(!plan.report.two_steps);
}

#[test]
fn none_anywhere_leaves_no_schema_and_no_tools() {
    let model = Scripted::new(["Hello."]);
    let mut agent = AgentLoop::new(model.clone());
    assert_eq!(wait(agent.run("Hi")).expect("words").value, "Hello.");
    let request = &model.requests()[0];
    assert!(request.response_schema.is_none() && request.tools.is_empty());
}

#[test]
fn an_override_is_for_one_call_and_the_loops_schema_is_back_afterwards() {
    let model = Scripted::new([PLAN, r#"{"good": true}"#, PLAN, r#"{"good": false}"#]);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>();
    wait(async {
        agent.run("A plan?").await.expect("a plan");
        let verdict: Reply<Verdict> = agent.call_with::<Verdict>("Judge this plan.").await.expect("a verdict");
        assert!(verdict.value.good);
        agent.run("Another?").await.expect("a plan");
        let aside: Reply<Verdict> = agent.aside(SubTask::new("Beside it.")).await.expect("a verdict");
        assert!(!aside.value.good);
    });
    let requests = model.requests();
    let names: Vec<_> =
        requests.iter().filter_map(|r| r.response_schema.as_ref()).map(|f| f.name().to_owned()).collect();
    assert_eq!(names, ["Plan", "Verdict", "Plan", "Verdict"]);
    assert_eq!(requests[1].tool_choice, ToolChoice::None);
    assert_eq!(requests[2].messages.len(), 5);
    assert_eq!(requests[3].messages.len(), 1, "what is asked aside has a conversation of its own");
    assert_eq!(agent.history().messages().len(), 6);
}

#[test]
fn calls_of_one_turn_run_at_once_and_are_answered_in_order() {
    #[derive(Deserialize, ResponseSchema)]
    struct Wait {
        seconds: u64,
    }

    let clock = VirtualClock::new();
    let finished = Mutex::new(Vec::new());
    let (sleep, order) = (&clock, &finished);
    let waiting = Tool::new("wait", move |input: Wait| async move {
        use response_schema::worker::Clock;
        sleep.sleep_until(sleep.now() + Duration::from_secs(input.seconds)).await;
        order.lock().expect("nobody panicked").push(input.seconds);
        input.seconds
    });
    let calls = [
        call("a", "wait", r#"{"seconds": 3}"#),
        call("b", "wait", r#"{"seconds": 1}"#),
        call("c", "wait", r#"{"seconds": 2}"#),
    ];
    let model = Scripted::new([Turn::calls(calls), "done".into()]);
    let mut agent = AgentLoop::new(model.clone()).tool(waiting).clock(clock.clone());
    clock.run(agent.run("go")).expect("words");
    assert_eq!(clock.elapsed(), Duration::from_secs(3));
    assert_eq!(*finished.lock().expect("nobody panicked"), [1, 2, 3]);
    let texts: Vec<_> = results(&model.requests()[1].messages).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["3", "1", "2"]);
}

#[test]
fn what_goes_wrong_in_a_tool_is_its_result() {
    let clock = VirtualClock::new();
    let faulty = |name: &'static str| {
        Tool::new(name, move |input: Lookup| async move {
            assert!(input.email != "panic", "no such thing");
            if input.email == "wait" {
                std::future::pending::<()>().await;
            }
            Err::<(), _>(std::io::Error::other("the disk is full"))
        })
        .timeout(Duration::from_secs(5))
    };
    let email = |id: &str, email: &str| call(id, "find", &format!(r#"{{"email": "{email}"}}"#));
    let model = Scripted::new([
        Turn::calls([
            email("1", "panic"),
            email("2", "wait"),
            email("3", "ada"),
            call("4", "find", r#"{"mail": 7}"#),
            call("5", "fetch", "{}"),
            call("6", "find", "{\"email\": \"a"),
        ]),
        "done".into(),
    ]);
    let mut agent = AgentLoop::new(model.clone()).tool(faulty("find")).clock(clock.clone());
    let reply = clock.run(agent.run("go")).expect("words");
    let told = results(&model.requests()[1].messages);
    let expected = [
        "the tool failed: it panicked: no such thing",
        "the tool took too long and was stopped",
        "the tool failed: the disk is full",
        "not run: its arguments are not what its schema asks for\n- `email`: expected text, found no such key, but `mail`",
        "there is no tool `fetch`; there is `find`",
        "not run: its arguments are not what its schema asks for: ",
    ];
    for ((text, is_error), expected) in told.iter().zip(expected) {
        assert!(is_error);
        assert!(text.starts_with(expected), "{text}");
    }
    let outcomes: Vec<_> = reply.report.turns[0].tools.iter().map(|used| &used.outcome).collect();
    assert!(matches!(
        outcomes[..],
        [
            ToolOutcome::Panicked,
            ToolOutcome::TimedOut,
            ToolOutcome::Failed,
            ToolOutcome::BadArguments { .. },
            ToolOutcome::Unknown,
            ToolOutcome::BadArguments { .. }
        ]
    ));
}

#[test]
fn bad_arguments_then_good_ones() {
    let model =
        Scripted::new([Turn::calls([call("1", "lookup", r#"{"email": 5}"#)]), Turn::calls([ada("2")]), PLAN.into()]);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>();
    wait(agent.run("go")).expect("a plan");
    let told = results(agent.history().messages());
    assert!(told[0].1 && !told[1].1, "{told:?}");
}

#[test]
fn a_call_that_fails_each_time_is_stopped() {
    let runs = AtomicU32::new(0);
    let count = &runs;
    let failing = Tool::new("lookup", move |_: Lookup| async move {
        count.fetch_add(1, Ordering::Relaxed);
        Err::<(), _>("down")
    });
    let model = Scripted::new(Vec::<Turn>::new()).then(Turn::calls([ada("x")]));
    let mut agent = AgentLoop::new(model.clone()).tool(failing).max_turns(50);
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!((error.kind(), agent.termination()), (ErrorKind::Stuck, Some(Termination::Failed)));
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    assert_eq!(model.requests().len(), 4);
    assert_eq!(error.report().turns.len(), 4);
}

#[test]
fn turns_are_bounded() {
    let calls =
        (0..9).map(|i| Turn::calls([ToolCall::new(format!("{i}"), "lookup", format!(r#"{{"email": "ada{i}"}}"#))]));
    let model = Scripted::new(calls);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).max_turns(3).response_schema::<Plan>();
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MaxTurns);
    assert_eq!(agent.termination(), Some(Termination::MaxTurns));
    assert_eq!((model.requests().len(), error.report().turns.len()), (3, 3));
}

#[test]
fn a_bad_answer_is_asked_for_once_more_within_the_loop() {
    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);
    impl Hooks for &Log {
        fn before_call(&self, request: &mut CallRequest) {
            self.0.lock().expect("nobody panicked").push(format!("call with {} messages", request.messages.len()));
        }
        fn after_call(&self, result: Result<&CallResponse, &CallError>) {
            let text = result.map_or_else(ToString::to_string, |response| format!("{:?}", response.ending));
            self.0.lock().expect("nobody panicked").push(text);
        }
        fn on_retry(&self, attempt: &Attempt) {
            self.0.lock().expect("nobody panicked").push(format!("retry after {:?}", attempt.outcome));
        }
        fn on_tool(&self, call: &ToolCall, result: &ToolResult) {
            self.0.lock().expect("nobody panicked").push(format!("{}: {}", call.name, result.text));
        }
    }

    let model = Scripted::new([Turn::calls([ada("1")]), r#"{"steps": []}"#.into(), PLAN.into()]);
    let log = Log::default();
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).hooks(&log).response_schema::<Plan>();
    let reply = wait(agent.run("go")).expect("a plan");
    assert_eq!(reply.report.attempts.len(), 2);
    let log = log.0.lock().expect("nobody panicked").clone();
    assert_eq!(
        log,
        [
            "call with 1 messages",
            "ToolCalls",
            "lookup: since 2019",
            "call with 3 messages",
            "Complete",
            "retry after Invalid",
            "call with 5 messages",
            "Complete"
        ]
    );
}

#[test]
fn a_route_that_carries_one_of_the_two_takes_two_steps() {
    let alone = Capabilities::new("alone", Enforcement::Enforced).with_tools(Enforcement::Enforced);
    let model = Scripted::new([Turn::calls([ada("1")]), "I know enough.".into(), PLAN.into()]).capable(alone);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>();
    let reply = wait(agent.run("go")).expect("a plan");
    assert!(reply.report.two_steps);
    let shape: Vec<_> = model.requests().iter().map(|r| (r.tools.len(), r.response_schema.is_some())).collect();
    assert_eq!(shape, [(1, false), (1, false), (0, true)]);
    let none = Scripted::new([PLAN]).capable(Capabilities::new("none", Enforcement::Enforced));
    let error = wait(AgentLoop::new(none.clone()).tool(lookup()).run("go")).unwrap_err();
    assert_eq!((error.kind(), none.requests().len()), (ErrorKind::NotEnforced, 0));
}

#[test]
fn endings_are_what_they_are_and_leave_a_conversation_that_goes_on() {
    let endings = [
        (Turn::refused("No."), ErrorKind::Refused, Termination::Refused),
        (Turn::filtered("policy"), ErrorKind::Filtered, Termination::Filtered),
        (Turn::cancelled(), ErrorKind::Cancelled, Termination::UserCancelled),
        (Turn::error(CallErrorKind::InputBlocked, "blocked"), ErrorKind::InputBlocked, Termination::InputBlocked),
        (Turn::error(CallErrorKind::Unauthorized, "bad key"), ErrorKind::Unauthorized, Termination::Failed),
    ];
    for (turn, kind, termination) in endings {
        let model = Scripted::new([Turn::calls([ada("1")]), turn, PLAN.into()]);
        let mut agent = AgentLoop::new(model).tool(lookup()).response_schema::<Plan>();
        let error = wait(agent.run("go")).unwrap_err();
        assert_eq!((error.kind(), agent.termination()), (kind, Some(termination)));
        assert_eq!(error.report().turns.len(), 1, "what was done before is told");
        wait(agent.run("again")).expect("a plan");
    }
    let model = Scripted::new([Turn::error(CallErrorKind::Unauthorized, "bad key")]);
    let mut agent = AgentLoop::new(model);
    assert!(wait(agent.run("go")).is_err());
    assert!(agent.history().messages().is_empty(), "a prompt that nothing came of does not stay");
}

#[test]
fn a_run_is_stopped_within_a_tool_and_between_turns() {
    let cancel = Cancel::new();
    let stop = &cancel;
    let stopping = Tool::new("lookup", move |_: Lookup| async move {
        stop.cancel();
        std::future::pending::<String>().await
    });
    let model = Scripted::new([Turn::calls([ada("1"), ada("2")])]);
    let mut agent = AgentLoop::new(model.clone()).tool(stopping).cancelled_by(&cancel);
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!((error.kind(), agent.termination()), (ErrorKind::Cancelled, Some(Termination::UserCancelled)));
    assert_eq!(error.report().turns[0].tools[0].outcome, ToolOutcome::Cancelled);
    let told = results(agent.history().messages());
    assert!(told.len() == 2 && told.iter().all(|(text, is_error)| *is_error && text.starts_with("not done")));
    let error = wait(agent.run("again")).unwrap_err();
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::Cancelled, 1));
}

#[test]
fn one_deadline_and_one_budget_hold_for_everything() {
    let clock = VirtualClock::new();
    let slow = Turn::calls([ada("1")]).after(Duration::from_secs(8));
    let model = Scripted::new([slow.clone(), slow.clone(), slow]).clock(&clock);
    let mut agent = AgentLoop::new(model).tool(lookup()).clock(clock.clone()).timeout(Duration::from_secs(20));
    let error = clock.run(agent.run("go")).unwrap_err();
    assert_eq!((error.kind(), clock.elapsed()), (ErrorKind::Timeout, Duration::from_secs(20)));
    let turn = || Turn::calls([ada("1")]).usage(Usage::new(600, 10));
    let mut agent =
        AgentLoop::new(Scripted::new([turn(), turn(), turn()])).tool(lookup()).budget(Budget::new().max_tokens(1000));
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!((error.kind(), error.report().turns.len()), (ErrorKind::BudgetExceeded, 2));
    assert_eq!(error.report().usage.input_tokens, 1200);
}

#[test]
fn a_worker_is_a_tool_within_what_its_caller_runs_within() {
    let clock = VirtualClock::new();
    let budget = Budget::new();
    let inner = Scripted::new([Turn::text(r#"{"steps": []}"#), Turn::text(r#"{"steps": ["ask"]}"#)]);
    let planner = Worker::new(inner.clone());
    let plan =
        Tool::worker::<Lookup, Plan, _, _>("plan", planner, |input| SubTask::new(format!("Plan for {}", input.email)));
    let model = Scripted::new([Turn::calls([call("1", "plan", r#"{"email": "ada"}"#)]), "done".into()]);
    let mut agent = AgentLoop::new(model.clone())
        .tool(plan)
        .clock(clock.clone())
        .timeout(Duration::from_secs(30))
        .budget(budget.clone());
    let reply = clock.run(agent.run("go")).expect("words");
    assert_eq!(results(&model.requests()[1].messages), [(r#"{"steps":["ask"]}"#.to_owned(), false)]);
    let report = reply.report.turns[0].tools[0].report.as_ref().expect("the worker's report");
    assert_eq!(report.attempts.len(), 2);
    assert_eq!(budget.spent().calls, 4, "the worker's calls are in it");

    let silent = Worker::new(Scripted::new([Turn::silence()]));
    let plan = Tool::worker::<Lookup, Plan, _, _>("plan", silent, |input| SubTask::new(input.email));
    let model = Scripted::new([Turn::calls([call("1", "plan", r#"{"email": "ada"}"#)])]);
    let mut agent = AgentLoop::new(model).tool(plan).clock(clock.clone()).timeout(Duration::from_secs(30));
    let error = clock.run(agent.run("go")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
}

#[test]
fn a_conversation_is_kept_and_taken_up_again() {
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into(), PLAN.into()]);
    let mut agent = AgentLoop::new(model.clone()).system("Be brief.").tool(lookup()).response_schema::<Plan>();
    wait(agent.run("go")).expect("a plan");
    let kept = serde_json::to_string(agent.history()).expect("JSON");
    assert!(kept.starts_with(r#"{"version":1,"messages":[{"role":"system","text":"Be brief."}"#), "{kept}");
    let history: History = serde_json::from_str(&kept).expect("a history");
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>().resume(history);
    wait(agent.run("and now?")).expect("a plan");
    let requests = model.requests();
    assert_eq!(
        requests[2].messages[..5],
        requests[1].messages[..4].iter().cloned().chain([Message::assistant(PLAN)]).collect::<Vec<_>>()[..]
    );
    let newer = serde_json::from_str::<History>(r#"{"version":2,"messages":[]}"#).unwrap_err();
    assert!(newer.to_string().contains("version 2"), "{newer}");
    let torn = History::from_messages([
        Message::user("go"),
        response_schema::adapter::AssistantMessage::new("", vec![ada("1"), ada("2")]).into(),
        ToolResult::new(&ada("2"), "since 2019").into(),
        ToolResult::new(&ada("9"), "nobody asked").into(),
        Message::user("so?"),
    ]);
    let told = results(torn.messages());
    assert_eq!(told.len(), 2);
    assert!(told[0].1 && told[0].0.starts_with("not done") && !told[1].1);
}

#[test]
fn names_of_tools_are_held_to_the_providers_rule() {
    for (tools, words) in [
        (vec!["look up"], "`look up` is refused"),
        (vec![""], "`` is refused"),
        (vec!["a", "a"], "two tools are called `a`; rename one with `Tool::named`"),
    ] {
        let model = Scripted::new(["never"]);
        let mut agent = AgentLoop::new(model.clone());
        for name in tools {
            agent = agent.tool(Tool::new(name, |input: Lookup| async move { input.email }));
        }
        let error = wait(agent.run("go")).unwrap_err();
        assert_eq!((error.kind(), model.requests().len()), (ErrorKind::InvalidRequest, 0));
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn whatever_a_function_gives_back_is_told() {
    #[derive(Serialize)]
    struct Customer {
        name: &'static str,
    }
    async fn told(tool: Tool<'_>) -> (String, bool) {
        let result = tool.call(&ada("1")).await;
        (result.text, result.is_error)
    }
    let ok = |text: &str| (text.to_owned(), false);
    wait(async {
        assert_eq!(told(Tool::new("t", |_: Lookup| async { "text" })).await, ok("text"));
        assert_eq!(told(Tool::new("t", |_: Lookup| async { 7 })).await, ok("7"));
        assert_eq!(told(Tool::new("t", |_: Lookup| async {})).await, ok("done"));
        assert_eq!(
            told(Tool::new("t", |_: Lookup| async { Some(Customer { name: "Ada" }) })).await,
            ok(r#"{"name":"Ada"}"#)
        );
        assert_eq!(told(Tool::new("t", |_: Lookup| async { serde_json::json!([1]) })).await, ok("[1]"));
        assert_eq!(
            told(Tool::new("t", |_: Lookup| async { Ok::<_, String>(Customer { name: "Ada" }) })).await,
            ok(r#"{"name":"Ada"}"#)
        );
        assert_eq!(
            told(Tool::new("t", |_: Lookup| async { Err::<(), _>("down") })).await,
            ("the tool failed: down".to_owned(), true)
        );
        let io = |_: Lookup| async { Err::<Customer, _>(std::io::Error::other("full")) };
        assert_eq!(told(Tool::new("t", io)).await, ("the tool failed: full".to_owned(), true));
        let boxed = |_: Lookup| async { Err::<Customer, Box<dyn std::error::Error + Send + Sync>>("down".into()) };
        assert_eq!(told(Tool::new("t", boxed)).await, ("the tool failed: down".to_owned(), true));
    });
}

#[test]
fn a_question_back_is_an_ending_of_its_own() {
    let model =
        Scripted::new([r#"{"value": {"question": "Which customer?"}}"#, r#"{"value": {"answer": {"good": true}}}"#]);
    let mut agent = AgentLoop::new(model).response_schema::<Answer<Verdict>>();
    let reply = wait(agent.run("go")).expect("a question");
    assert_eq!(reply.value.question(), Some("Which customer?"));
    assert_eq!(agent.termination(), Some(Termination::UserClarificationNeeded));
    assert_eq!(reply.answered().unwrap_err().kind(), ErrorKind::ClarificationNeeded);
    // The answer to it goes into the same conversation.
    assert!(wait(agent.run("Ada.")).expect("a verdict").value.value().is_some_and(|verdict| verdict.good));
    assert_eq!((agent.termination(), agent.history().messages().len()), (Some(Termination::Completed), 4));
}

#[test]
fn a_run_is_stopped_while_the_model_writes() {
    struct Stop<'c>(&'c Cancel);
    impl Hooks for Stop<'_> {
        fn before_call(&self, _: &mut CallRequest) {
            self.0.cancel();
        }
    }
    let cancel = Cancel::new();
    let mut agent = AgentLoop::new(Scripted::new([Turn::silence()])).hooks(Stop(&cancel)).cancelled_by(&cancel);
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!((error.kind(), agent.termination()), (ErrorKind::Cancelled, Some(Termination::UserCancelled)));
    assert!(agent.history().messages().is_empty(), "nothing came of the prompt");
}

#[test]
fn a_choice_of_tools_holds_until_one_is_called() {
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into()]);
    let mut agent =
        AgentLoop::new(model.clone()).tool(lookup()).tool_choice(ToolChoice::Required).response_schema::<Plan>();
    wait(agent.run("go")).expect("a plan");
    let choices: Vec<_> = model.requests().into_iter().map(|request| request.tool_choice).collect();
    assert_eq!(choices, [ToolChoice::Required, ToolChoice::Auto]);

    // A route that passes over it is told on.
    let model = Scripted::new([PLAN]);
    let mut agent = AgentLoop::new(model).tool(lookup()).tool_choice(ToolChoice::Required).response_schema::<Plan>();
    let error = wait(agent.run("go")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotEnforced);
    assert!(error.to_string().contains("without a call"), "{error}");

    // None: a call is no answer, and is not run.
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into()]);
    let mut agent = AgentLoop::new(model).tool(lookup()).tool_choice(ToolChoice::None).response_schema::<Plan>();
    assert!(wait(agent.run("go")).expect("a plan").report.turns.is_empty());
    assert!(results(agent.history().messages())[0].0.starts_with("not run"));

    for choice in [ToolChoice::Named("fetch".into()), ToolChoice::Required] {
        let model = Scripted::new(["never"]);
        let agent = AgentLoop::new(model.clone()).tool_choice(choice.clone());
        let mut agent = if choice == ToolChoice::Required { agent } else { agent.tool(lookup()) };
        let error = wait(agent.run("go")).unwrap_err();
        assert_eq!((error.kind(), model.requests().len()), (ErrorKind::InvalidRequest, 0), "{error}");
    }
}

#[test]
fn a_tool_may_have_a_schema_of_run_time() {
    let schema = serde_json::json!({
        "type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"], "additionalProperties": false,
    });
    let double = Tool::dynamic("double", "Doubles.", schema, |input: serde_json::Value| async move {
        input["n"].as_i64().map(|n| n * 2).ok_or("no number")
    });
    let told = |arguments: &str| {
        let result = wait(double.call(&call("1", "double", arguments)));
        (result.text, result.is_error)
    };
    assert_eq!(told(r#"{"n": 4}"#), ("8".to_owned(), false));
    let (text, is_error) = told(r#"{"n": 0}"#);
    assert!(is_error && text.contains("`n`: expected at least 1, found 0"), "{text}");
    let (text, is_error) = told(r#"{"m": 4}"#);
    assert!(is_error && text.contains("`n`"), "{text}");
    let renamed = double.clone().named("twice");
    assert_eq!((renamed.name(), double.name()), ("twice", "double"));
}

/// Its guarantee is what the dialect's strict mode takes.
struct Strict(Scripted);
impl Adapter for Strict {
    type Dialect = OpenAi;
    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<CallResponse, CallError>> + Send {
        self.0.call(request)
    }
}

#[test]
fn who_demands_strict_tools_is_refused_where_one_cannot_be() {
    let open = || {
        let schema = serde_json::json!({"type": "object", "additionalProperties": {"type": "string"}});
        Tool::dynamic("open", "Takes a map.", schema, |input: serde_json::Value| async move { input })
    };
    let model = Strict(Scripted::new(["Hello."]));
    let need = || Need::any().strict_tools();
    wait(AgentLoop::new(&model).tool(lookup()).require(need()).run("go")).expect("words");
    let error = wait(AgentLoop::new(&model).tool(open()).require(need()).run("go")).unwrap_err();
    assert_eq!((error.kind(), model.0.requests().len()), (ErrorKind::NotEnforced, 1));
    assert!(error.to_string().contains("the tool `open`"), "{error}");
}

/// A reply that is cut may be cut inside a call, and what is half is in the provider's own form, too.
#[test]
fn calls_of_a_reply_that_was_cut_are_none() {
    let mut cut = CallResponse::new("I shall", Enforcement::None);
    cut.ending = Ending::CutShort;
    cut.tool_calls = vec![call("1", "lookup", r#"{"email": "ad"#)];
    cut.native = Some(Native::new("some-wire", serde_json::json!([{"half": "a call"}])));
    let model = Scripted::new([Turn::reply(cut), PLAN.into()]);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>();
    wait(agent.run("go")).expect("a plan");
    let again = &model.requests()[1].messages;
    assert_eq!(again[1], Message::assistant("I shall"));
    assert_eq!(again.len(), 3);
}

/// What is said to the model and brings no turn of it would stand beside what is said next.
#[test]
fn feedback_that_brought_nothing_does_not_stay() {
    let model = Scripted::new([Turn::text("no plan"), Turn::error(CallErrorKind::Unauthorized, "bad key")]);
    let mut agent = AgentLoop::new(model).response_schema::<Plan>();
    wait(agent.run("go")).unwrap_err();
    assert_eq!(agent.history().messages(), [Message::user("go"), Message::assistant("no plan")]);
}

/// With a fair budget of its own, a worker that is a tool takes nothing from its caller's; without one it does.
#[test]
fn a_worker_has_its_own_budget_or_its_callers() {
    let planner = || Scripted::new([Turn::text(PLAN).usage(Usage::new(100, 10))]);
    let calls = || Scripted::new([Turn::calls([call("1", "plan", r#"{"email": "ada"}"#)]), "done".into()]);
    for (own, spent) in [(true, 2), (false, 3)] {
        let budget = Budget::new();
        let worker = Worker::new(planner());
        let worker = if own { worker.budget(Budget::new()) } else { worker };
        let plan = Tool::worker::<Lookup, Plan, _, _>("plan", worker, |input| SubTask::new(input.email));
        wait(AgentLoop::new(calls()).tool(plan).budget(budget.clone()).run("go")).expect("words");
        assert_eq!(budget.spent().calls, spent);
    }
}

/// What a thread pool asks of it.
#[test]
fn runs_are_send() {
    fn send<T: Send>(value: T) -> T {
        value
    }
    let mut agent = AgentLoop::new(Scripted::new([PLAN])).tool(lookup()).response_schema::<Plan>();
    wait(send(agent.run("go"))).expect("a plan");
    wait(send(agent.call_with::<Verdict>("judge"))).unwrap_err();
}

/// Functions as tools.
mod functions {
    use std::collections::BTreeMap;

    use response_schema::adapter::ToolCall;
    use response_schema::tool;
    use serde_json::json;

    struct Store(BTreeMap<&'static str, u32>);

    /// Says how many there are.
    ///
    /// Of one thing at a time.
    #[tool]
    async fn count_things(
        store: &Store,
        /// What to count.
        #[response(min_length = 1)]
        thing: String,
        r#where: Option<String>,
    ) -> Result<u32, String> {
        let place = r#where.as_deref().unwrap_or("anywhere");
        store.0.get(&*thing).copied().ok_or_else(|| format!("no {thing} {place}"))
    }

    #[tool(name = "now")]
    pub(super) async fn time() -> &'static str {
        "12:00"
    }

    #[test]
    fn a_function_is_a_tool() {
        let store = Store(BTreeMap::from([("pears", 3)]));
        let tool = count_things_tool(&store);
        assert_eq!(tool.name(), "count_things");
        assert_eq!(tool.description(), "Says how many there are.\n\nOf one thing at a time.");
        let schema = tool.spec().input.wire(&response_schema::dialect::Dialect::OPENAI).expect("strict");
        let schema: serde_json::Value = serde_json::from_str(&schema.json).expect("JSON");
        assert_eq!(schema["required"], json!(["thing", "where"]));
        assert_eq!(schema["properties"]["thing"]["description"], "What to count. Must have at least 1 character.");
        let told = |arguments: &str| pollster::block_on(tool.call(&ToolCall::new("1", "count_things", arguments)));
        let good = told(r#"{"thing": "pears", "where": null}"#);
        assert_eq!((good.text.as_str(), good.is_error), ("3", false));
        let bad = told(r#"{"thing": "", "where": null}"#);
        assert!(bad.is_error && bad.text.contains("`thing`"), "{}", bad.text);
        assert_eq!(told(r#"{"thing": "figs", "where": "here"}"#).text, "the tool failed: no figs here");
        assert_eq!(pollster::block_on(time_tool().call(&ToolCall::new("1", "now", ""))).text, "12:00");
    }
}
