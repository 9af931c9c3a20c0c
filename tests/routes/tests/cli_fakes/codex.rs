//! What `codex` writes, and what it means. The events are those of real runs, shortened.

use pollster::block_on;
use response_schema::adapter::{
    Adapter, CallError, CallErrorKind, CallResponse, CodexCli, Ending, Enforcement, Message, StreamEvent,
};
use response_schema::cli::Sandbox;
use response_schema::dialect::CodexCli as Codex;
use response_schema::{ResponseSchema, json_for};

use crate::fake::{CODEX_ANSWERS, Fake, request};

fn asked(lines: &[&str], exit: i32) -> Result<CallResponse, CallError> {
    let fake = Fake::new(&format!("cat <<'EVENTS'\n{}\nEVENTS\nexit {exit}", lines.join("\n")));
    block_on(fake.codex().call(request("count")))
}

const DONE: &str = r#"{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}"#;

#[test]
fn the_last_message_of_a_completed_turn_is_the_answer() {
    let response = block_on(Fake::new(CODEX_ANSWERS).codex().model("m").call(request("count"))).unwrap();
    assert_eq!((response.text.as_str(), &response.ending), ("{\"n\":1}", &Ending::Complete));
    assert_eq!((response.usage.input_tokens, response.usage.output_tokens), (5, 4));
    assert_eq!((response.usage.cached_input_tokens, response.usage.reasoning_tokens), (2, 1));
    assert_eq!((response.model.as_str(), response.id.as_deref()), ("m", Some("t")));
    let last = asked(
        &[
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"first words"}}"#,
            r#"{"type":"item.completed","item":{"item_type":"assistant_message","text":"{}"}}"#,
            r#"{"type":"something.new","item":7}"#,
            DONE,
        ],
        0,
    );
    assert_eq!(last.unwrap().text, "{}");
}

#[test]
fn no_message_is_a_refusal() {
    for lines in [&[DONE][..], &[r#"{"type":"item.completed","item":{"type":"agent_message","text":" "}}"#, DONE]] {
        let response = asked(lines, 0).unwrap();
        assert!(matches!(response.ending, Ending::Refused(_)), "{response:?}");
        assert_eq!(response.usage.input_tokens, 1);
    }
}

#[test]
fn prose_is_handed_over_for_the_worker_to_judge() {
    #[derive(Debug, serde::Deserialize, ResponseSchema)]
    struct Count {
        n: u32,
    }
    let fake = Fake::new(
        r#"echo '{"type":"item.completed","item":{"type":"agent_message","text":"I would rather not say."}}'
echo '{"type":"turn.completed"}'"#,
    );
    let error = block_on(fake.codex().extract::<Count>("count")).unwrap_err();
    assert_eq!(error.kind(), response_schema::ErrorKind::InvalidOutput);
    assert_eq!(error.raw_text(), Some("I would rather not say."));
}

#[test]
fn a_failed_turn_is_what_its_message_says() {
    let failed = |message: &str| {
        let message = serde_json::to_string(message).unwrap();
        format!(r#"{{"type":"turn.failed","error":{{"message":{message}}}}}"#)
    };
    let body = |code: &str, param: &str| {
        format!(
            r#"{{"type":"error","error":{{"type":"invalid_request_error","code":"{code}","message":"told why","param":"{param}"}},"status":400}}"#
        )
    };
    for (message, kind, status) in [
        (body("invalid_json_schema", "text.format.schema"), CallErrorKind::SchemaRefused, Some(400)),
        (body("", "text.format"), CallErrorKind::SchemaRefused, Some(400)),
        (body("context_length_exceeded", "input"), CallErrorKind::InputBlocked, Some(400)),
        (
            r#"{"error":{"type":"invalid_request_error","message":"told why"}}"#.into(),
            CallErrorKind::InvalidRequest,
            None,
        ),
        (body("unsupported_value", "model"), CallErrorKind::InvalidRequest, Some(400)),
        ("unexpected status 401 Unauthorized: told why, url: http://x/".into(), CallErrorKind::Unauthorized, Some(401)),
        ("exceeded retry limit, last status: 429 Too Many Requests".into(), CallErrorKind::RateLimited, Some(429)),
        ("You've hit your usage limit. Try again later.".into(), CallErrorKind::RateLimited, None),
        ("stream disconnected before completion: told why".into(), CallErrorKind::Provider, None),
        (String::new(), CallErrorKind::Provider, None),
    ] {
        // The exit status says nothing: some versions end with 0.
        for exit in [0, 1] {
            let error = asked(&[&failed(&message)], exit).unwrap_err();
            assert_eq!((error.kind(), error.status()), (kind, status), "{message}: {error}");
        }
    }
}

#[test]
fn incomplete_replies_are_cut_or_filtered() {
    let partial = r#"{"type":"item.completed","item":{"type":"agent_message","text":"{\"n\":"}}"#;
    let end = |reason: &str| {
        format!(
            r#"{{"type":"turn.failed","error":{{"message":"stream disconnected before completion: Incomplete response returned, reason: {reason}"}}}}"#
        )
    };
    let cut = asked(&[partial, &end("max_output_tokens")], 1).unwrap();
    assert_eq!((cut.text.as_str(), cut.ending), ("{\"n\":", Ending::CutShort));
    assert!(matches!(asked(&[partial, &end("content_filter")], 1).unwrap().ending, Ending::Filtered(_)));
}

#[test]
fn notices_are_not_the_end_and_without_an_end_there_is_no_answer() {
    let notice = r#"{"type":"error","message":"Reconnecting... 1/5"}"#;
    let warning = r#"{"type":"item.completed","item":{"type":"error","message":"Model metadata not found"}}"#;
    let message = r#"{"type":"item.completed","item":{"type":"agent_message","text":"{}"}}"#;
    let response = asked(&[warning, notice, message, DONE], 0).unwrap();
    assert_eq!((response.text.as_str(), response.retries), ("{}", 1));
    let error = asked(&[notice, message], 0).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Transport);
}

#[test]
fn arguments_are_safe_unless_said_otherwise() {
    let fake = Fake::new(&format!("for a; do echo \"<$a>\"; done > arguments; cat > prompt\n{CODEX_ANSWERS}"));
    let arguments = |codex: CodexCli| {
        let mut request = request("count");
        request.messages.insert(0, Message::system("be brief"));
        let response = block_on(codex.call(request)).unwrap();
        (fake.read("arguments"), response.enforcement)
    };
    let (safe, enforcement) = arguments(fake.codex());
    for argument in [
        "<exec>\n<--json>",
        "<--sandbox>\n<read-only>",
        "<approval_policy=\"never\">",
        "<--ephemeral>",
        "<features.shell_tool=false>",
        "<web_search=\"disabled\">",
        "<project_doc_max_bytes=0>",
        "<--output-schema>",
        "<model_instructions_file=\"/",
    ] {
        assert!(safe.contains(argument), "{argument} in {safe}");
    }
    assert!(safe.trim_end().ends_with("<->") && !safe.contains("count"), "{safe}");
    assert_eq!(fake.read("prompt"), "count");
    // The provider enforces what is strict, also if it is known at run time only.
    assert_eq!(enforcement, Enforcement::Enforced);

    let (free, enforcement) = arguments(
        fake.codex()
            .tools()
            .customized()
            .sandbox(Sandbox::WorkspaceWrite)
            .config("model_provider", "\"x\"")
            .schema_in_prompt(),
    );
    assert!(free.contains("<--sandbox>\n<workspace-write>") && free.contains("<model_provider=\"x\">"), "{free}");
    assert!(
        !free.contains("features.") && !free.contains("project_doc") && !free.contains("--output-schema"),
        "{free}"
    );
    assert_eq!(enforcement, Enforcement::Hint);
    assert!(
        fake.read("prompt").starts_with("count\n\nAnswer with JSON alone")
            && fake.read("prompt").contains("\"integer\"")
    );
}

#[test]
fn a_typed_schema_is_enforced_and_reaches_the_file_as_it_is() {
    #[derive(Debug, serde::Deserialize, ResponseSchema)]
    struct Count {
        n: u32,
    }
    let fake = Fake::new(&format!(
        "while [ $# -gt 0 ]; do [ \"$1\" = --output-schema ] && cat \"$2\" > schema; shift; done\n{CODEX_ANSWERS}"
    ));
    assert_eq!(block_on(fake.codex().extract::<Count>("count")).unwrap().n, 1);
    assert_eq!(fake.read("schema"), json_for::<Count, Codex>());
}

#[test]
fn the_text_comes_in_one_piece() {
    let fake = Fake::new(CODEX_ANSWERS);
    let codex = fake.codex();
    assert!(!codex.capabilities().streaming && codex.capabilities().tools.is_none());
    let mut stream = codex.call_streamed(request("count"));
    assert!(matches!(block_on(stream.next()), Some(Ok(StreamEvent::Text(text))) if text == "{\"n\":1}"));
    assert!(matches!(block_on(stream.next()), Some(Ok(StreamEvent::Done(_)))));
    assert!(block_on(stream.next()).is_none());
}
