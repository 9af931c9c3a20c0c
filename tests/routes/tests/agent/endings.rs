//! How runs end.

use std::time::Duration;

use response_schema::adapter::{
    CallErrorKind, CallRequest, CallResponse, Ending, Enforcement, Message, Native, ToolCall, Usage,
};
use response_schema::agent::{Cancel, Hooks, Termination};
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::tool::ToolOutcome;
use response_schema::worker::{Answer, Budget};
use response_schema::{AgentLoop, ErrorKind, Tool};

use super::{Lookup, PLAN, Plan, Verdict, ada, call, lookup, results, wait};

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
