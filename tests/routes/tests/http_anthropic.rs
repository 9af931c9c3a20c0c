//! Anthropic's wire, against a server that judges requests as the API does.

mod http;
#[macro_use]
mod provider;

use http::{Area, KEY, Lookup, TICKET, Ticket, collect, plain, typed};
use provider::{Provider, USAGE, keys};
use response_schema::adapter::{
    Adapter, Anthropic, AssistantMessage, CallErrorKind, CallRequest, Ending, Enforcement, Message, ReasoningEffort,
    ResponseFormat, ToolCall, ToolChoice, ToolResult, ToolSpec, Usage,
};
use response_schema::http::{OutputMode, Retry};
use response_schema::{dialect, json_for};
use response_schema_tests_routes::loopback::{self, Exchange, Fail, Failure, Loopback, Wire};
use serde_json::{Value, json};

fn model(server: &Loopback) -> Anthropic {
    let base = server.base_url(Wire::Anthropic);
    Anthropic::new(KEY).unwrap().base_url(base).model("claude-sonnet-5").retry(Retry::never())
}

fn anthropic() -> Provider {
    provider!(Wire::Anthropic, model)
}

fn lookup() -> ToolSpec {
    ToolSpec::new("lookup_customer", "Looks a customer up.", ResponseFormat::of::<Lookup>())
}

#[tokio::test]
async fn typed_calls_send_the_constant_schema_untouched() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let ticket = model(&server).extract::<Ticket>("Nobody can log in.").await.unwrap();
    assert_eq!(ticket, Ticket { zeal: "Nobody can log in – at all \"".into(), build: None, area: Area::Login });
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    assert_eq!((sent.path.as_str(), sent.header("x-api-key")), ("/v1/messages", Some(KEY)));
    assert_eq!((sent.header("anthropic-version"), sent.header("authorization")), (Some("2023-06-01"), None));
    assert!(String::from_utf8_lossy(&sent.bytes).contains(json_for::<Ticket, dialect::Anthropic>()));
    assert_eq!(keys(&sent.body), ["max_tokens", "messages", "model", "output_config"]);
    assert_eq!(keys(&sent.body["output_config"]), ["format"]);
    assert_eq!(keys(&sent.body["output_config"]["format"]), ["schema", "type"]);
}

#[tokio::test]
async fn no_schema_leaves_no_trace() {
    for mode in [OutputMode::Format, OutputMode::StrictTool, OutputMode::Tool] {
        let text = "Hello, whoever is there.";
        let server = Loopback::start([Exchange::text(text).times(2)]);
        let any = model(&server).output_mode(mode).into();
        let (shown, streamed) = collect(&any, plain()).await;
        assert_eq!((shown.text.as_str(), streamed.unwrap().text.as_str()), (text, text));
        assert!(shown.pieces > 3, "text comes as it is written, whatever the mode");
        let reply = any.call(plain()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.enforcement), (text, Enforcement::None));
        let sent = server.take_requests().remove(1);
        assert_eq!(keys(&sent.body), ["max_tokens", "messages", "model", "system"]);
        assert_eq!(sent.body["system"], "You sort reports.");
        let user = json!({"role": "user", "content": [{"type": "text", "text": "Nobody can log in."}]});
        assert_eq!(sent.body["messages"], json!([user]));
    }
}

#[tokio::test]
async fn endings_are_told_apart() {
    use loopback::Ending as Sent;
    let provider = anthropic();
    let cut = &TICKET[..30];
    let reason = |word: &str| Sent::Reason(word.into());
    for (exchange, ending, text) in [
        (Exchange::text(TICKET), Ending::Complete, TICKET),
        (Exchange::text(TICKET).thinking("Let me see …"), Ending::Complete, TICKET),
        (Exchange::text(TICKET).ending(reason("stop_sequence")), Ending::Complete, TICKET),
        (Exchange::text(cut).ending(Sent::CutShort), Ending::CutShort, cut),
        (Exchange::text(cut).ending(reason("model_context_window_exceeded")), Ending::CutShort, cut),
        (Exchange::text(cut).ending(reason("pause_turn")), Ending::CutShort, cut),
        (Exchange::default().ending(Sent::Refused("Weapons.".into())), Ending::Refused("Weapons.".into()), ""),
        (Exchange::text(cut).ending(Sent::Refused(String::new())), Ending::Refused(cut.into()), cut),
        (
            Exchange::default().ending(Sent::Refused(String::new())),
            Ending::Refused("the model refused (cyber)".into()),
            "",
        ),
        (
            Exchange::text(cut).ending(Sent::Filtered),
            Ending::Filtered("Output blocked by content filtering policy".into()),
            "",
        ),
    ] {
        let reply = provider.reply(exchange.usage(USAGE), typed()).await;
        assert_eq!((&reply.ending, reply.text.as_str()), (&ending, text));
        assert_eq!(reply.enforcement, Enforcement::Enforced);
        if !matches!(ending, Ending::Filtered(_)) {
            let mut usage = Usage::new(100, 42);
            (usage.cached_input_tokens, usage.reasoning_tokens) = (64, 7);
            assert_eq!((reply.usage, reply.model.as_str()), (usage, "claude-sonnet-5"));
            assert!(reply.id.is_some());
        }
    }
    provider.server.push(Exchange::text(TICKET).ending(Sent::Missing));
    let error = provider.plain.call(typed()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Provider, "{error}");
}

#[tokio::test]
async fn errors_keep_the_providers_words_whole() {
    let provider = anthropic();
    provider
        .errors(&[
            (Fail::InvalidRequest, CallErrorKind::InvalidRequest, 400),
            (Fail::Unauthorized, CallErrorKind::Unauthorized, 401),
            (Fail::Forbidden, CallErrorKind::Unauthorized, 403),
            (Fail::NotFound, CallErrorKind::InvalidRequest, 404),
            (Fail::RequestTimeout, CallErrorKind::Provider, 408),
            (Fail::Conflict, CallErrorKind::Provider, 409),
            (Fail::TooLarge, CallErrorKind::InputBlocked, 413),
            (Fail::RateLimited, CallErrorKind::RateLimited, 429),
            (Fail::ServerError, CallErrorKind::Provider, 500),
            (Fail::BadGateway, CallErrorKind::Provider, 502),
            (Fail::Overloaded, CallErrorKind::Provider, 529),
        ])
        .await;
    provider
        .usual_errors(&[
            (Fail::SchemaRefused, CallErrorKind::SchemaRefused),
            (Fail::ContextTooLong, CallErrorKind::InputBlocked),
            (Fail::QuotaUsedUp, CallErrorKind::RateLimited),
        ])
        .await;
    // Every limit that the API states for schemas.
    for words in [
        "Schemas contains too many optional parameters (31), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).",
        "Schema is too complex for compilation.",
        "The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools.",
        "output_config.format.schema: Circular reference detected in schema definitions: A -> A",
    ] {
        provider.server.push(Failure::new(Fail::InvalidRequest).message(words));
        let error = provider.plain.call(typed()).await.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::SchemaRefused, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// What the API would refuse in a schema that is known at run time only is a sentence by the time it is sent; the
/// server refuses as the API does.
#[tokio::test]
async fn a_schema_of_run_time_goes_out_as_the_api_takes_it() {
    let server = Loopback::start([Exchange::text(r#"{"n": 4}"#)]);
    let loose = json!({"title": "Loose", "type": "object", "properties": {"n": {"type": "integer", "minimum": 1}},
        "required": ["n"], "additionalProperties": false});
    let request = plain().with_response_schema(ResponseFormat::from_schema(loose));
    let reply = Adapter::call(&model(&server), request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.enforcement), (r#"{"n": 4}"#, Enforcement::Enforced));
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    let n = &sent.body["output_config"]["format"]["schema"]["properties"]["n"];
    assert_eq!(n, &json!({"type": "integer", "description": "Must be at least 1."}));
}

#[tokio::test]
async fn the_connection() {
    let provider = anthropic();
    provider.broken_streams().await;
    provider.faults().await;
    provider.storms().await;
    let exchange = Exchange::text(TICKET).thinking("Wait: é and \u{1f980} …").usage(USAGE);
    provider.any_split(exchange, typed()).await;
    anthropic().cancelled_calls(500).await;
}

/// Two calls in one turn, their results in the next, and the thoughts between them with their signatures.
#[tokio::test]
async fn tools_are_called_and_answered() {
    let provider = anthropic();
    let mut request = typed().with_tool(lookup());
    request.tool_choice = ToolChoice::Required;
    let calls = Exchange::text("I look them up.")
        .and_call("lookup_customer", &json!({"email": "a@b.c"}))
        .and_call("lookup_customer", &json!({"email": "d@e.f"}));
    for thought in ["", "Whose is it?"] {
        let mut request = request.clone();
        let whole = provider.reply(calls.clone().thinking(thought), request.clone()).await;
        assert_eq!((&whole.ending, whole.tool_calls.len()), (&Ending::ToolCalls, 2));
        assert_eq!(whole.tool_calls[1].arguments, r#"{"email":"d@e.f"}"#);
        assert_eq!(whole.native.is_some(), !thought.is_empty());
        request.messages.push(whole.to_message());
        request.messages.push(ToolResult::new(&whole.tool_calls[0], "no such customer").into());
        request.messages.push(ToolResult::error(&whole.tool_calls[1], "").into());
        request.tool_choice = ToolChoice::Auto;
        provider.server.push(Exchange::text(TICKET));
        assert_eq!(provider.plain.call(request).await.unwrap().text, TICKET);
        let sent = provider.server.take_requests().remove(0);
        assert_eq!(sent.refused, None);
        let [_, turn, results] = sent.body["messages"].as_array().unwrap().as_slice() else { panic!("{}", sent.body) };
        let first = if thought.is_empty() { "text" } else { "thinking" };
        assert_eq!(turn["content"][0]["type"], first);
        assert_eq!(turn["content"][0].get("signature").is_some(), !thought.is_empty());
        assert_eq!(results["content"][0]["content"], "no such customer");
        // It refuses an error without words.
        let failed = &results["content"][1];
        assert_eq!((failed["is_error"].as_bool(), failed["content"].as_str()), (Some(true), Some("it failed")));
        let tool = &sent.body["tools"][0];
        assert_eq!((&tool["name"], &tool["strict"]), (&json!("lookup_customer"), &json!(true)));
        assert_eq!(tool["input_schema"]["properties"]["email"]["type"], "string");
    }
    for (choice, wire) in [
        (ToolChoice::Auto, Value::Null),
        (ToolChoice::None, json!({"type": "none"})),
        (ToolChoice::Required, json!({"type": "any"})),
        (ToolChoice::Named("lookup_customer".into()), json!({"type": "tool", "name": "lookup_customer"})),
    ] {
        request.tool_choice = choice;
        let sent = model(&provider.server).dry_run(&request).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&sent.body).unwrap()["tool_choice"], wire);
    }
}

/// A call that a limit cut short is a call all the same, and the rest of the reply is there.
#[tokio::test]
async fn a_cut_call_keeps_its_envelope() {
    let server = Loopback::start([]);
    let mut exchange = Exchange::text("I look.").ending(loopback::Ending::CutShort).usage(USAGE);
    exchange.calls.push(loopback::Call { name: "lookup_customer".into(), arguments: r#"{"email": "#.into() });
    server.push(exchange);
    let (_, reply) = collect(&model(&server).into(), typed().with_tool(lookup())).await;
    let reply = reply.unwrap();
    assert_eq!((&reply.ending, reply.text.as_str()), (&Ending::CutShort, "I look."));
    assert_eq!(reply.tool_calls[0].arguments, r#"{"email": "#);
    assert_eq!(reply.usage.output_tokens, 42);

    // What was cut goes back as something that the wire takes.
    let mut request = typed().with_tool(lookup());
    request.messages.push(reply.to_message());
    request.messages.push(ToolResult::error(&reply.tool_calls[0], "cut short").into());
    server.push(Exchange::text(TICKET));
    assert_eq!(model(&server).call(request).await.unwrap().text, TICKET);
    let sent = server.take_requests().pop().unwrap();
    assert_eq!(sent.refused, None);
    assert_eq!(sent.body["messages"][1]["content"][1]["input"], json!({"unparsed": "{\"email\": "}));
}

#[tokio::test]
async fn the_answer_as_a_tool() {
    let value: Value = serde_json::from_str(TICKET).unwrap();
    let (answer, text) = (Exchange::call("respond", &value), value.to_string());
    for (mode, strict, enforcement) in
        [(OutputMode::Tool, None, Enforcement::Hint), (OutputMode::StrictTool, Some(true), Enforcement::Enforced)]
    {
        let provider = provider!(Wire::Anthropic, |server| model(server).output_mode(mode));
        assert_eq!(provider.plain.capabilities().schema, enforcement);
        let reply = provider.reply(answer.clone(), typed()).await;
        assert_eq!((&reply.ending, &reply.text, reply.enforcement), (&Ending::Complete, &text, enforcement));
        assert_eq!((reply.tool_calls.as_slice(), &reply.native), (&[][..], &None));

        let mut request = typed();
        request.messages.push(reply.to_message());
        request.messages.push(Message::user("`build` is missing."));
        provider.server.push(answer.clone());
        provider.plain.call(request).await.unwrap();
        let sent = provider.server.take_requests().remove(0);
        assert_eq!(sent.refused, None, "the conversation goes on");
        let choice = json!({"type": "tool", "name": "respond", "disable_parallel_tool_use": true});
        assert_eq!(sent.body["tool_choice"], choice);
        assert_eq!(sent.body["tools"][0]["strict"].as_bool(), strict);
        assert_eq!(sent.body.get("output_config"), None);

        // Beside other tools: one of them must be called, and it may be another one.
        let request = typed().with_tool(lookup());
        let reply = provider.reply(answer.clone(), request.clone()).await;
        assert_eq!((&reply.ending, &reply.text), (&Ending::Complete, &text));
        let called = Exchange::call("lookup_customer", &json!({"email": "a@b.c"}));
        let reply = provider.reply(called, request.clone()).await;
        assert_eq!((&reply.ending, reply.tool_calls.len(), reply.text.as_str()), (&Ending::ToolCalls, 1, ""));
        let sent = model(&provider.server).output_mode(mode).dry_run(&request).unwrap();
        let choice = json!({"type": "any", "disable_parallel_tool_use": true});
        assert_eq!(serde_json::from_str::<Value>(&sent.body).unwrap()["tool_choice"], choice);

        // The model just writes, or answers twice, or is cut short.
        let reply = provider.reply(Exchange::text("I would rather not."), typed()).await;
        assert_eq!((&reply.ending, reply.text.as_str()), (&Ending::Complete, "I would rather not."));
        let twice = answer.clone().and_call("respond", &value);
        provider.server.push(twice);
        assert_eq!(provider.plain.call(typed()).await.unwrap().text, text);
        provider.server.push(answer.clone().and_call("respond", &json!({"zeal": "x"})));
        let error = provider.plain.call(typed()).await.unwrap_err();
        assert!(error.to_string().contains("answers 2 times"), "{error}");
        let mut cut = Exchange::default().ending(loopback::Ending::CutShort);
        cut.calls.push(loopback::Call { name: "respond".into(), arguments: TICKET[..20].into() });
        provider.server.push(cut);
        let (shown, reply) = collect(&provider.plain, typed()).await;
        assert_eq!((reply.unwrap().ending, shown.text.as_str()), (Ending::CutShort, &TICKET[..20]));
        provider.faults().await;
    }
    let server = Loopback::start([Exchange::call("final", &value)]);
    let named = || model(&server).output_mode(OutputMode::Tool);
    let mut clash = lookup();
    clash.name = "respond".into();
    let error = named().call(typed().with_tool(clash.clone())).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unsupported);
    assert!(error.to_string().contains(".answer_tool("), "{error}");
    let reply = named().answer_tool("final").call(typed().with_tool(clash)).await.unwrap();
    assert_eq!(reply.text, text);
}

#[tokio::test]
async fn conversations_become_turns_that_the_api_takes() {
    let server = Loopback::start([Exchange::text("ok").always()]);
    let foreign = AssistantMessage::new("", vec![ToolCall::new("call_1", "lookup_customer", "")]);
    let result = ToolResult::new(&foreign.tool_calls[0], "x");
    let messages = vec![
        Message::system("One."),
        Message::user("a"),
        Message::user("b"),
        Message::assistant("  "),
        Message::system("Two."),
        Message::user("c"),
        foreign.into(),
        result.into(),
        Message::user("d"),
    ];
    let request = CallRequest::new(messages);
    model(&server).call(request.clone().with_tool(lookup())).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!((sent.refused, &sent.body["system"]), (None, &json!("One.\n\nTwo.")));
    let text = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(
        sent.body["messages"],
        json!([
            {"role": "user", "content": [text("a"), text("b"), text("c")]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "lookup_customer", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "x"}, text("d")]},
        ])
    );

    // Without tools it takes no calls either: they are told in words.
    model(&server).call(request).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    assert_eq!(sent.body["messages"][1]["content"], json!([text("[`lookup_customer` ]")]));
    assert_eq!(sent.body["messages"][2]["content"], json!([text("[`lookup_customer`: x]"), text("d")]));
}

#[tokio::test]
async fn parameters_and_credentials() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let mut request = typed();
    let own = &mut request.parameters;
    (own.max_tokens, own.temperature, own.top_p) = (Some(512), Some(0.25), Some(0.5));
    (own.seed, own.reasoning_effort) = (Some(7), Some(ReasoningEffort::Minimal));
    own.stop = vec!["END".into()];
    own.extra =
        json!({"thinking": {"type": "adaptive"}, "output_config": {"task_budget": null}}).as_object().unwrap().clone();
    model(&server).call(request.clone()).await.unwrap();
    let body = server.take_requests().remove(0).body;
    assert_eq!((&body["max_tokens"], &body["temperature"], &body["top_p"]), (&json!(512), &json!(0.25), &json!(0.5)));
    assert_eq!((&body["stop_sequences"], &body["thinking"]["type"]), (&json!(["END"]), &json!("adaptive")));
    assert_eq!(keys(&body["output_config"]), ["effort", "format", "task_budget"]);
    assert_eq!((&body["output_config"]["effort"], body.get("seed")), (&json!("low"), None));

    // The newer version takes no sampling, and says so.
    let error = model(&server).version("2026-10-21").call(request).await.unwrap_err();
    assert!(error.to_string().contains("temperature"), "{error}");
    model(&server).version("2026-10-21").call(typed()).await.unwrap();
    let _ = server.take_requests();

    let login = Anthropic::with_token(KEY).unwrap().base_url(server.url()).model("claude-sonnet-5");
    assert_eq!(login.capabilities().route, "anthropic-oauth");
    login.call(typed()).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!((sent.header("anthropic-beta"), sent.header("x-api-key")), (Some("oauth-2025-04-20"), None));
    assert!(!format!("{login:?} {:?}", login.dry_run(&typed()).unwrap()).contains(KEY));
    server.clear();
    server.push(Failure::new(Fail::Unauthorized).message(format!("the token {KEY} is wrong")));
    let error = login.call(typed()).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
}

#[tokio::test]
async fn what_the_wire_cannot_carry_is_said_before_anything_is_sent() {
    let server = Loopback::start([]);
    let many = (0..21).fold(typed(), |request, i| {
        let mut tool = lookup();
        tool.name = format!("tool_{i}");
        request.with_tool(tool)
    });
    let error = model(&server).call(many.clone()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unsupported);
    assert!(error.to_string().contains(".strict_tools(false)"), "{error}");
    let nameless = Anthropic::new(KEY).unwrap().base_url(server.url());
    assert!(nameless.call(typed()).await.unwrap_err().to_string().contains(".model("));
    assert!(server.requests().is_empty());
    let sent = model(&server).strict_tools(false).dry_run(&many).unwrap();
    assert!(!sent.body.contains("strict"), "{}", sent.body);
}
