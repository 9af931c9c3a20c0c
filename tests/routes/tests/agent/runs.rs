//! Turns, overrides and the conversation that is left.

use std::sync::Mutex;

use response_schema::adapter::{
    CallError, CallRequest, CallResponse, Capabilities, Enforcement, Message, ResponseFormat, ToolCall, ToolChoice,
    ToolResult,
};
use response_schema::agent::{History, Hooks, Termination};
use response_schema::testing::{Scripted, Turn};
use response_schema::tool::ToolOutcome;
use response_schema::worker::Attempt;
use response_schema::{AgentLoop, ErrorKind, Reply, SubTask};

use super::{PLAN, Plan, Verdict, ada, lookup, results, wait};

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
