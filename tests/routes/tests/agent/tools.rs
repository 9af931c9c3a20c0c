//! Tools: what is run, and what the model is told of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use response_schema::adapter::{Adapter, CallError, CallRequest, CallResponse, Capabilities, Need, ToolChoice, Usage};
use response_schema::agent::Termination;
use response_schema::dialect::OpenAi;
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::tool::ToolOutcome;
use response_schema::worker::Budget;
use response_schema::{AgentLoop, ErrorKind, ResponseSchema, SubTask, Tool, Worker};
use serde::{Deserialize, Serialize};

use super::{Lookup, PLAN, Plan, ada, call, lookup, results, wait};

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
    let shown = reply.report.to_string();
    let line = "\ntools      find (panicked), find (timed out), find (failed), find (bad arguments), fetch (unknown), find (bad arguments)";
    assert!(shown.contains(line), "{shown}");
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
