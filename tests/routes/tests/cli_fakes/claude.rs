//! What `claude` writes, and what it means. The events are those of real runs, shortened.

use pollster::block_on;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallRequest, CallResponse, Ending, Enforcement, Message, Parameters,
    ReasoningEffort, ResponseFormat, StreamEvent, ToolSpec,
};
use serde_json::json;

use crate::fake::{CLAUDE_ANSWERS, Fake, request, request_within};

const INIT: &str = r#"{"type":"system","subtype":"init","tools":["StructuredOutput"],"model":"claude-x[1m]"}"#;

fn writing(lines: &[&str], exit: i32) -> Fake {
    Fake::new(&format!("cat <<'EVENTS'\n{}\nEVENTS\nexit {exit}", lines.join("\n")))
}

fn asked(lines: &[&str], exit: i32) -> Result<CallResponse, CallError> {
    block_on(writing(lines, exit).claude().call(request("count")))
}

#[test]
fn the_structured_output_is_the_answer_with_its_cost() {
    let response = block_on(Fake::new(CLAUDE_ANSWERS).claude().call(request("count"))).unwrap();
    assert_eq!((response.text.as_str(), &response.ending), ("{\"n\":1}", &Ending::Complete));
    assert_eq!(response.enforcement, Enforcement::Enforced);
    // What comes from the cache and what goes into it is part of the prompt.
    assert_eq!((response.usage.input_tokens, response.usage.output_tokens), (6, 4));
    assert_eq!((response.usage.cached_input_tokens, response.usage.cost_usd), (2, Some(0.25)));
}

#[test]
fn success_without_an_answer_is_a_failure_that_says_which() {
    let prose = r#"{"type":"result","subtype":"success","is_error":false,"result":"{\"n\":1}"}"#;
    let start = r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"StructuredOutput"}}}"#;
    let dropped = r#"{"type":"system","subtype":"init","tools":[],"model":"m"}"#;
    for (lines, kind, words) in [
        (&[INIT, prose][..], CallErrorKind::InvalidOutput, "answered in words (7 bytes)"),
        (&[INIT, start, prose], CallErrorKind::InvalidOutput, "tried 1 times"),
        (&[dropped, prose], CallErrorKind::SchemaRefused, "dropped the schema"),
        (&[dropped], CallErrorKind::SchemaRefused, "dropped the schema"),
        (&[prose], CallErrorKind::InvalidOutput, "either the model never used the form, or the schema was dropped"),
    ] {
        let error = asked(lines, 0).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_dropped_schema_ends_the_run_before_it_costs_anything() {
    let fake = Fake::new("echo '{\"type\":\"system\",\"subtype\":\"init\",\"tools\":[]}'; sleep 1000");
    let error = block_on(fake.claude().call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused);
}

#[test]
fn each_ending_is_its_own_kind() {
    let synthetic =
        |error: &str| format!(r#"{{"type":"assistant","message":{{"model":"<synthetic>"}},"error":"{error}"}}"#);
    let result = |rest: &str| {
        format!(r#"{{"type":"result",{rest},"total_cost_usd":0.5,"usage":{{"input_tokens":7,"output_tokens":1}}}}"#)
    };
    let api = |status: u16, text: &str| {
        result(&format!(
            r#""subtype":"success","is_error":true,"api_error_status":{status},"result":"API Error: {text}""#
        ))
    };
    let retries = result(
        r#""subtype":"error_max_structured_output_retries","is_error":true,"errors":["Failed to provide valid structured output after 5 attempts"]"#,
    );
    let turns = result(
        r#""subtype":"error_max_turns","is_error":true,"terminal_reason":"max_turns","errors":["Reached maximum number of turns (2)"]"#,
    );
    let budget =
        result(r#""subtype":"error_max_budget_usd","is_error":true,"errors":["Reached maximum budget ($0.0003)"]"#);
    let execution = result(r#""subtype":"error_during_execution","is_error":true,"errors":["boom"]"#);
    let long = result(
        r#""subtype":"success","is_error":true,"api_error_status":400,"terminal_reason":"prompt_too_long","result":"Prompt is too long""#,
    );
    let login = result(r#""subtype":"success","is_error":true,"result":"Not logged in · Please run /login""#);
    for (before, result, kind, words) in [
        ("", retries, CallErrorKind::InvalidOutput, "after 5 attempts"),
        ("", turns, CallErrorKind::TurnLimit, "maximum number of turns (2)"),
        ("", budget, CallErrorKind::BudgetLimit, "maximum budget"),
        ("", execution, CallErrorKind::Provider, "boom"),
        ("", long, CallErrorKind::InputBlocked, "too long"),
        ("", login.clone(), CallErrorKind::Unauthorized, "/login"),
        ("authentication_failed", login, CallErrorKind::Unauthorized, "/login"),
        (
            "unknown",
            api(400, "400 tools.0.custom.input_schema.type: Field required"),
            CallErrorKind::SchemaRefused,
            "Field required",
        ),
        ("unknown", api(400, "400 max_tokens: too large"), CallErrorKind::InvalidRequest, "too large"),
        ("", api(401, "401 no"), CallErrorKind::Unauthorized, "401"),
        ("", api(403, "403 no"), CallErrorKind::Unauthorized, "403"),
        ("rate_limit", api(429, "Request rejected (429)"), CallErrorKind::RateLimited, "429"),
        ("server_error", api(529, "529 Overloaded"), CallErrorKind::Provider, "Overloaded"),
    ] {
        let error = asked(&[INIT, &synthetic(before), &result], 1).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.usage().and_then(|usage| usage.cost_usd), Some(0.5), "{error}");
    }
}

#[test]
fn refusals_and_cut_replies_are_replies() {
    let refused = asked(
        &[
            INIT,
            r#"{"type":"system","subtype":"model_refusal_no_fallback","api_refusal_category":"cyber","api_refusal_explanation":"nope"}"#,
            r#"{"type":"result","subtype":"success","is_error":true,"stop_reason":"refusal","result":"API Error: flagged"}"#,
        ],
        1,
    );
    assert_eq!(refused.unwrap().ending, Ending::Refused("nope".into()));
    let refused = asked(
        &[
            INIT,
            r#"{"type":"result","subtype":"success","is_error":true,"stop_reason":"refusal","result":"API Error: flagged"}"#,
        ],
        1,
    );
    assert_eq!(refused.unwrap().ending, Ending::Refused("API Error: flagged".into()));
    let cut = asked(
        &[
            INIT,
            r#"{"type":"assistant","message":{"model":"<synthetic>"},"error":"max_output_tokens"}"#,
            r#"{"type":"result","subtype":"success","is_error":true,"stop_reason":"stop_sequence","result":"API Error: too long"}"#,
        ],
        1,
    );
    assert_eq!(cut.unwrap().ending, Ending::CutShort);
}

#[test]
fn integers_are_those_that_the_model_wrote() {
    let delta = |text: &str| {
        let text = serde_json::to_string(text).unwrap();
        format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":1,"delta":{{"type":"input_json_delta","partial_json":{text}}}}}}}"#
        )
    };
    let start = r#"{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","name":"StructuredOutput","input":{}}}}"#;
    let result = r#"{"type":"result","subtype":"success","structured_output":{"n":9007199254740992}}"#;
    let response = asked(&[INIT, start, &delta(r#"{"n": 90071992"#), &delta("54740993}"), result], 0).unwrap();
    assert_eq!(response.text, r#"{"n": 9007199254740993}"#);
    // What the client changed beside them is its own.
    let changed = r#"{"type":"result","subtype":"success","structured_output":{"n":9007199254740992,"s":"\u00e9"}}"#;
    let written = delta(r#"{"n": 9007199254740993, "s": "\\u00e9"}"#);
    let response = asked(&[INIT, start, &written, changed], 0).unwrap();
    assert_eq!(response.text, "{\"n\":9007199254740993,\"s\":\"\u{e9}\"}");
    // What the model wrote is something else than what the client took: the client's value holds.
    let response = asked(&[INIT, start, &delta(r#"{"n": 5}"#), result], 0).unwrap();
    assert_eq!(response.text, r#"{"n":9007199254740992}"#);
}

#[test]
fn pieces_come_as_they_are_written_and_start_again_when_it_asks_again() {
    let event = |event: &str| format!(r#"{{"type":"stream_event","event":{event},"parent_tool_use_id":null}}"#);
    let start = event(
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"StructuredOutput"}}"#,
    );
    let words = event(r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"aside"}}"#);
    let thought =
        event(r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"hm"}}"#);
    let piece = |text: &str| {
        event(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{text}"}}}}"#
        ))
    };
    let of_a_subagent = r#"{"type":"stream_event","parent_tool_use_id":"t","event":{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"x"}}}"#;
    let (first, second, third) = (piece("{}"), piece("{\\\"n\\\":"), piece("2}"));
    let result = r#"{"type":"result","subtype":"success","structured_output":{"n":2}}"#;
    let fake = writing(&[INIT, &thought, &words, &start, &first, &start, &second, of_a_subagent, &third, result], 0);
    let claude = fake.claude();
    let mut stream = claude.call_streamed(request("count"));
    let mut seen = Vec::new();
    let done = loop {
        match block_on(stream.next()).unwrap().unwrap() {
            StreamEvent::Text(text) => seen.push(text),
            StreamEvent::Reasoning(text) => seen.push(format!("({text})")),
            StreamEvent::Restart { .. } => seen.push("again".into()),
            StreamEvent::Done(response) => break response,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(seen, ["(hm)", "{}", "again", "{\"n\":", "2}"]);
    assert_eq!(done.text, "{\"n\":2}");
    assert!(block_on(stream.next()).is_none());
}

#[test]
fn faults_that_the_client_mends_are_counted_and_a_refused_key_is_not_waited_for() {
    let fault = |attempt: u32, status: u16| {
        format!(
            r#"{{"type":"system","subtype":"api_retry","attempt":{attempt},"max_retries":10,"error_status":{status},"error":"overloaded"}}"#
        )
    };
    let result = r#"{"type":"result","subtype":"success","structured_output":{"n":2}}"#;
    assert_eq!(asked(&[INIT, &fault(1, 529), &fault(2, 529), &fault(3, 529), result], 0).unwrap().retries, 3);

    let fake = Fake::new(&format!("cat <<'EVENTS'\n{INIT}\n{}\n{}\nEVENTS\nsleep 1000", fault(1, 401), fault(2, 401)));
    let error = block_on(fake.claude().call(request("count"))).unwrap_err();
    assert_eq!((error.kind(), error.status(), error.retries()), (CallErrorKind::Unauthorized, Some(401), 2));

    let fake = Fake::new(&format!("cat <<'EVENTS'\n{INIT}\n{}\nEVENTS\nsleep 1000", fault(1, 529)));
    let error = block_on(fake.claude().call(request_within(std::time::Duration::from_secs(2)))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Timeout);
    assert!(error.to_string().contains("the provider had answered with status 529 (overloaded) 1 times"), "{error}");
}

#[test]
fn envelopes_within_envelopes_are_opened() {
    let inner = r#"{"type":"result","subtype":"success","result":"{\"n\":1}","structured_output":{"n":1}}"#;
    let outer = json!({"type": "result", "subtype": "success", "result": inner}).to_string();
    assert_eq!(asked(&[INIT, &outer], 0).unwrap().text, "{\"n\":1}");
}

#[test]
fn no_output_at_all_is_a_fault_that_may_pass() {
    let error = block_on(Fake::new("echo why >&2; exit 0").claude().call(request("count"))).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Transport);
    assert_eq!(error.to_string(), "`claude` ended without an answer (exit status: 0); it had written nothing: why");
    let refused = Fake::new("echo 'Error: --json-schema must be a JSON object' >&2; exit 1");
    assert_eq!(block_on(refused.claude().call(request("count"))).unwrap_err().kind(), CallErrorKind::SchemaRefused);
    let option = Fake::new("echo \"error: unknown option '--x'\" >&2; exit 1");
    assert_eq!(block_on(option.claude().call(request("count"))).unwrap_err().kind(), CallErrorKind::InvalidRequest);
}

#[test]
fn arguments_say_what_was_set_and_the_prompt_is_not_among_them() {
    let fake =
        Fake::new(&format!("for a; do echo \"<$a>\"; done > arguments; cat > prompt; env > seen\n{CLAUDE_ANSWERS}"));
    let claude =
        fake.claude().model("haiku").tools(["Read", "Grep"]).max_turns(3).max_budget_usd(0.5).arg("--fallback-model");
    let mut request = request("/cost of @secrets.txt");
    request.parameters.reasoning_effort = Some(ReasoningEffort::Minimal);
    request.parameters.max_tokens = Some(99);
    block_on(claude.call(request)).unwrap();
    let arguments = fake.read("arguments");
    for line in [
        "-p",
        "--tools>\n<Read,Grep",
        "--model>\n<haiku",
        "--effort>\n<low",
        "--max-turns>\n<3",
        "--max-budget-usd>\n<0.5",
        "--safe-mode",
    ] {
        assert!(arguments.contains(&format!("<{line}>")), "{line} in {arguments}");
    }
    assert!(
        arguments.contains("<--json-schema>\n<{\"") && arguments.trim_end().ends_with("<--fallback-model>"),
        "{arguments}"
    );
    assert!(!arguments.contains("secrets.txt"));
    // A command only counts at the very beginning.
    assert_eq!(fake.read("prompt"), "\n/cost of @secrets.txt");
    let seen = fake.read("seen");
    assert!(
        seen.contains("CLAUDE_CODE_MAX_OUTPUT_TOKENS=99\n") && seen.contains("CLAUDE_CODE_DISABLE_ATTACHMENTS=1\n")
    );

    block_on(fake.claude().customized().call(CallRequest::new(vec![Message::user("hi")]))).unwrap();
    let arguments = fake.read("arguments");
    assert!(
        arguments.contains("<--tools>\n<>")
            && !arguments.contains("--safe-mode")
            && !arguments.contains("--json-schema")
    );
}

#[test]
fn what_cannot_be_carried_is_refused_before_anything_runs() {
    let fake = Fake::new(": > ran");
    let refused = |request: CallRequest| block_on(fake.claude().call(request)).unwrap_err();
    let format = || ResponseFormat::from_schema(json!({"type": "object"}));
    let error = refused(request("count").with_tool(ToolSpec::new("t", "d", format())));
    assert_eq!(error.kind(), CallErrorKind::Unsupported);
    let mut hot = request("count");
    let mut parameters = Parameters::default();
    parameters.temperature = Some(0.5);
    hot.parameters = parameters;
    assert!(refused(hot).to_string().contains("`temperature`"));
    let large = json!({"type": "object", "description": "x".repeat(140_000)});
    let error =
        refused(CallRequest::new(vec![Message::user("hi")]).with_response_schema(ResponseFormat::from_schema(large)));
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused);
    assert!(!fake.folder.path().join("ran").exists());
}
