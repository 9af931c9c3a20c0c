//! Runs of a loop that are read while they happen. What `run` does with the same turns is the measure.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use response_schema::adapter::{
    CallErrorKind, Capabilities, Enforcement, Message, ResponseFormat, ToolCall, ToolResult, Usage,
};
use response_schema::agent::{Cancel, LoopStream, LoopUpdate, Output, Termination};
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::worker::{Budget, Outcome};
use response_schema::{AgentLoop, Error, ErrorKind, Reply, ResponseSchema, Tool};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Part, Told};

#[derive(Deserialize, ResponseSchema)]
struct Lookup {
    email: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
struct Plan {
    goal: String,
    #[response(min_items = 1)]
    steps: Vec<String>,
}

const PLAN: &str = r#"{"goal": "peace", "steps": ["refund"]}"#;
const EMPTY: &str = r#"{"goal": "peace", "steps": []}"#;

fn ada(id: &str) -> ToolCall {
    ToolCall::new(id, "lookup", r#"{"email": "ada@example.com"}"#)
}

fn lookup() -> Tool<'static> {
    Tool::new("lookup", |input: Lookup| async move {
        if input.email.starts_with("ada") { Ok("since 2019") } else { Err(format!("nobody is called {}", input.email)) }
    })
}

/// All that a run tells, in words, and its end.
async fn read<O: Output>(mut run: LoopStream<'_, O>) -> (Vec<String>, Result<Reply<O::Value>, Error>) {
    let mut told = Vec::new();
    loop {
        let end = match run.next().await.expect("an end") {
            Ok(LoopUpdate::Partial(partial)) => {
                told.push(partial.to_json().to_string());
                continue;
            }
            Ok(LoopUpdate::Text(text)) => {
                told.push(text);
                continue;
            }
            Ok(LoopUpdate::ToolCalled(call)) => {
                told.push(format!("call {} {}", call.name, call.id));
                continue;
            }
            Ok(LoopUpdate::ToolAnswered(result)) => {
                told.push(format!("{}: {}", result.call_id, result.text));
                continue;
            }
            Ok(LoopUpdate::Restarted(restart)) => {
                told.push(format!("void: {:?}", restart.outcome));
                continue;
            }
            Ok(LoopUpdate::Done(reply)) => Ok(*reply),
            Ok(other) => panic!("{:?}", std::any::type_name_of_val(&other)),
            Err(error) => Err(error),
        };
        assert!(run.next().await.is_none(), "nothing follows the end");
        assert!(run.next().await.is_none());
        return (told, end);
    }
}

fn wait<F: Future>(future: F) -> F::Output {
    pollster::block_on(future)
}

/// The parts of a report that do not depend on the time.
fn account(report: &response_schema::Report) -> serde_json::Value {
    let mut report = serde_json::to_value(report).expect("JSON");
    forget_times(&mut report);
    report
}

fn forget_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            members.retain(|key, _| !key.ends_with("_ms"));
            members.values_mut().for_each(forget_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
fn tools_partials_and_the_answer_are_told_in_their_order() {
    let model =
        Scripted::new([Turn::calls([ada("1"), ToolCall::new("2", "lookup", r#"{"email": "bo"}"#)]), PLAN.into()])
            .in_pieces(14);
    let mut agent = AgentLoop::new(model.clone()).tool(lookup()).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("What now?")));
    assert_eq!(
        told,
        [
            "call lookup 1",
            "call lookup 2",
            "1: since 2019",
            "2: the tool failed: nobody is called bo",
            r#"{"goal":"peac"}"#,
            r#"{"goal":"peace","steps":[]}"#,
            r#"{"goal":"peace","steps":["refund"]}"#,
        ]
    );
    assert_eq!(end.expect("a plan").value.steps, ["refund"]);
    assert_eq!(agent.termination(), Some(Termination::Completed));
}

/// Report, history, requests: the same as a run's, whatever happens.
#[test]
fn a_stream_is_the_same_run() {
    let scripts: Vec<Vec<Turn>> = vec![
        vec![PLAN.into()],
        vec![Turn::calls([ada("1")]).usage(Usage::new(7, 3)), Turn::text(PLAN).usage(Usage::new(9, 4))],
        vec![Turn::calls([ada("1")]), EMPTY.into(), PLAN.into()],
        vec![EMPTY.into(), EMPTY.into()],
        vec![Turn::cut(r#"{"goal": "pe"#), PLAN.into()],
        vec![Turn::calls([ada("1")]), Turn::refused("No.")],
        vec![Turn::filtered("policy")],
        vec![Turn::calls([ToolCall::new("1", "fetch", "{}")]), PLAN.into()],
        vec![Turn::error(CallErrorKind::Unauthorized, "bad key")],
        vec![Turn::calls([ada("1")]), Turn::calls([ada("2")]), Turn::calls([ada("3")]), Turn::calls([ada("4")])],
    ];
    for (i, turns) in scripts.into_iter().enumerate() {
        let make = |model: &Scripted| {
            AgentLoop::new(model.clone()).system("Be brief.").tool(lookup()).max_turns(3).response_schema::<Plan>()
        };
        let whole = Scripted::new(turns.clone());
        let mut agent = make(&whole);
        let expected = wait(agent.run("go"));
        for size in [1, 1000] {
            let model = Scripted::new(turns.clone()).in_pieces(size);
            let mut streamed = make(&model);
            let (_, end) = wait(read(streamed.stream("go")));
            match (&expected, &end) {
                (Ok(expected), Ok(end)) => {
                    assert_eq!((&end.value, account(&end.report)), (&expected.value, account(&expected.report)), "{i}");
                }
                (Err(expected), Err(end)) => {
                    assert_eq!((end.kind(), end.to_string()), (expected.kind(), expected.to_string()), "{i}");
                    assert_eq!(account(end.report()), account(expected.report()), "{i}");
                }
                other => panic!("{i}: {other:?}"),
            }
            assert_eq!(streamed.history().messages(), agent.history().messages(), "{i}");
            assert_eq!(streamed.termination(), agent.termination(), "{i}");
            let asked = |model: &Scripted| model.requests().iter().map(|r| r.messages.to_vec()).collect::<Vec<_>>();
            assert_eq!(asked(&model), asked(&whole), "{i}");
        }
    }
}

#[test]
fn an_answer_that_is_not_accepted_is_void_before_the_next() {
    let model = Scripted::new([Turn::calls([ada("1")]), EMPTY.into(), PLAN.into()]).in_pieces(1000);
    let mut agent = AgentLoop::new(model).tool(lookup()).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("go")));
    let (first, second) = (r#"{"goal":"peace","steps":[]}"#, r#"{"goal":"peace","steps":["refund"]}"#);
    assert_eq!(told, ["call lookup 1", "1: since 2019", first, "void: Invalid", second]);
    assert_eq!(end.expect("a plan").report.attempts[0].outcome, Outcome::Invalid);
}

/// Words before a call are no answer, though they looked like one.
#[test]
fn what_stands_before_a_call_is_void() {
    let mut response = response_schema::adapter::CallResponse::new(PLAN, Enforcement::Enforced);
    response.tool_calls = vec![ada("1")];
    response.ending = response_schema::adapter::Ending::ToolCalls;
    let model = Scripted::new([Turn::reply(response.clone()), PLAN.into()]).in_pieces(1000);
    let mut agent = AgentLoop::new(model).tool(lookup()).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("go")));
    let plan = r#"{"goal":"peace","steps":["refund"]}"#;
    assert_eq!(told, [plan, "void: ToolCalls", "call lookup 1", "1: since 2019", plan]);
    assert!(end.is_ok());
    // The same where answers are text.
    response.text = "Let me look.".to_owned();
    let model = Scripted::new([Turn::reply(response), "Since 2019.".into()]).in_pieces(7);
    let mut agent = AgentLoop::new(model).tool(lookup());
    let (told, end) = wait(read(agent.stream("go")));
    let expected = ["Let me ", "look.", "void: ToolCalls", "call lookup 1", "1: since 2019", "Since 2", "019."];
    assert_eq!(told, expected);
    assert_eq!(end.expect("words").value, "Since 2019.");
}

/// Where the schema is sent after the tools, what is said until then is no answer and is not shown.
#[test]
fn in_two_steps_only_the_second_is_shown() {
    let alone = Capabilities::new("alone", Enforcement::Enforced).with_tools(Enforcement::Enforced).with_streaming();
    let model =
        Scripted::new([Turn::calls([ada("1")]), "I know enough.".into(), PLAN.into()]).in_pieces(1000).capable(alone);
    let mut agent = AgentLoop::new(model).tool(lookup()).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("go")));
    assert_eq!(told, ["call lookup 1", "1: since 2019", r#"{"goal":"peace","steps":["refund"]}"#]);
    assert!(end.expect("a plan").report.two_steps);
}

#[test]
fn dynamic_answers_and_overrides_stream_too() {
    let schema = json!({"type": "object", "properties": {"good": {"type": "boolean"}, "why": {"type": "string"}},
        "required": ["good", "why"], "additionalProperties": false});
    let verdict = r#"{"good": true, "why": "it is"}"#;
    let model = Scripted::new([verdict, PLAN]).in_pieces(16);
    let mut agent = AgentLoop::new(model.clone()).response_format(ResponseFormat::from_schema(schema));
    let (told, end) = wait(read(agent.stream("go")));
    assert_eq!(told, [r#"{"good":true}"#, r#"{"good":true,"why":"it is"}"#]);
    assert_eq!(end.expect("a verdict").value["why"], "it is");
    let (told, end) = wait(read(agent.stream_with::<Plan>("A plan?")));
    assert_eq!(told[0], r#"{"goal":"peace"}"#);
    assert_eq!(end.expect("a plan").value.goal, "peace");
    let names: Vec<_> =
        model.requests().iter().map(|r| r.response_schema.as_ref().map(|f| f.name().to_owned())).collect();
    assert_eq!(names, [Some("response".to_owned()), Some("Plan".to_owned())]);
    // A route that does not stream has one final item.
    let mut agent = AgentLoop::new(Scripted::new([PLAN])).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("go")));
    assert!(told.is_empty() && end.is_ok());
}

#[test]
fn typed_partials_come_from_loops() {
    let model = Scripted::new([PLAN]).in_pieces(14);
    let mut agent = AgentLoop::new(model).response_schema::<Plan>();
    let mut run = agent.stream("go");
    let Some(Ok(LoopUpdate::Partial(plan))) = wait(run.next()) else { panic!("a partial") };
    let PartialPlan { goal, steps } = plan.fields().expect("begun");
    assert_eq!((goal.as_deref(), steps), (Some("peac"), None));
}

#[test]
fn one_deadline_one_budget_and_the_limits_between_pieces_hold() {
    let clock = VirtualClock::new();
    let slow = Turn::calls([ada("1")]).after(Duration::from_secs(8));
    let model = Scripted::new([slow.clone(), slow.clone(), slow]).clock(&clock).in_pieces(9);
    let mut agent = AgentLoop::new(model).tool(lookup()).clock(clock.clone()).timeout(Duration::from_secs(20));
    let (told, end) = clock.run(read(agent.stream("go")));
    assert_eq!((end.unwrap_err().kind(), clock.elapsed()), (ErrorKind::Timeout, Duration::from_secs(20)));
    assert_eq!(told.len(), 4);
    let turn = || Turn::calls([ada("1")]).usage(Usage::new(600, 10));
    let budget = Budget::new().max_tokens(1000);
    let model = Scripted::new([turn(), turn(), turn()]).in_pieces(9);
    let mut agent = AgentLoop::new(model).tool(lookup()).budget(budget.clone());
    let error = wait(read(agent.stream("go"))).1.unwrap_err();
    assert_eq!((error.kind(), error.report().turns.len()), (ErrorKind::BudgetExceeded, 2));
    assert_eq!(budget.spent().calls, 2);
    for (limit, after) in [(5, 5), (30, 12)] {
        let told = Told::new([vec![Part::Text(r#"{"goal": ""#), Part::Pause(60), Part::End(PLAN)]]);
        let clock = told.clock.clone();
        let mut agent = AgentLoop::new(told)
            .clock(clock.clone())
            .first_piece_timeout(Duration::from_secs(9))
            .idle_timeout(Duration::from_secs(limit))
            .timeout(Duration::from_secs(12))
            .response_schema::<Plan>();
        let error = clock.run(read(agent.stream("go"))).1.unwrap_err();
        assert_eq!((error.kind(), clock.elapsed()), (ErrorKind::Timeout, Duration::from_secs(after)));
    }
}

/// Counts when it is dropped.
struct Noted<'a>(&'a AtomicU32);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_stream_is_stopped_from_outside_and_by_dropping_it() {
    let cancel = Cancel::new();
    let stop = &cancel;
    let stopping = Tool::new("lookup", move |_: Lookup| async move {
        stop.cancel();
        std::future::pending::<String>().await
    });
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into()]).in_pieces(9);
    let mut agent = AgentLoop::new(model).tool(stopping).cancelled_by(&cancel).response_schema::<Plan>();
    let (told, end) = wait(read(agent.stream("go")));
    assert_eq!(told, ["call lookup 1"]);
    assert_eq!(
        (end.unwrap_err().kind(), agent.termination()),
        (ErrorKind::Cancelled, Some(Termination::UserCancelled))
    );

    // Dropped within a tool: the tool is dropped, too, and the conversation can be gone on with.
    let dropped = AtomicU32::new(0);
    let count = &dropped;
    let endless = Tool::new("lookup", move |_: Lookup| {
        let noted = Noted(count);
        async move {
            let _noted = noted;
            std::future::pending::<String>().await
        }
    });
    let model = Scripted::new([Turn::calls([ada("1")]), PLAN.into()]).in_pieces(9);
    let mut agent = AgentLoop::new(model).tool(endless).response_schema::<Plan>();
    let mut run = agent.stream("go");
    assert!(matches!(wait(run.next()), Some(Ok(LoopUpdate::ToolCalled(_)))));
    drop(run);
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
    let open = agent.history().messages().iter().any(|message| match message {
        Message::Tool(ToolResult { text, is_error, .. }) => *is_error && text.starts_with("not done"),
        _ => false,
    });
    assert!(open, "{:?}", agent.history());
    assert_eq!(agent.termination(), None);
    let (_, end) = wait(read(agent.stream("and now?")));
    assert!(end.is_ok());
}

/// What a thread pool asks of it.
#[test]
fn streams_of_runs_are_send() {
    fn send<T: Send>(value: T) -> T {
        value
    }
    let mut agent = AgentLoop::new(Scripted::new([PLAN])).tool(lookup()).response_schema::<Plan>();
    assert!(wait(read(send(agent.stream("go")))).1.is_ok());
}
