//! Gemini's wire, against a server that judges requests as the API does.

mod http;
#[macro_use]
mod provider;

use http::{KEY, Lookup, TICKET, Ticket, plain, typed};
use provider::{Provider, USAGE, keys};
use response_schema::adapter::{
    Adapter, AssistantMessage, CallErrorKind, CallRequest, Ending, Enforcement, Gemini, Message, ReasoningEffort,
    ResponseFormat, ToolCall, ToolChoice, ToolResult, ToolSpec, Usage,
};
use response_schema::http::Retry;
use response_schema::{dialect, json_for};
use response_schema_tests_routes::loopback::{self, Exchange, Fail, Failure, Loopback, Wire};
use serde_json::{Value, json};

fn model(server: &Loopback) -> Gemini {
    let base = server.base_url(Wire::Gemini);
    Gemini::new(KEY).unwrap().base_url(base).model("gemini-3-pro").retry(Retry::never())
}

fn gemini() -> Provider {
    provider!(Wire::Gemini, model)
}

fn lookup() -> ToolSpec {
    ToolSpec::new("lookup_customer", "Looks a customer up.", ResponseFormat::of::<Lookup>())
}

#[tokio::test]
async fn typed_calls_send_the_constant_schema_untouched() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let ticket = model(&server).extract::<Ticket>("Nobody can log in.").await.unwrap();
    assert_eq!(ticket.build, None);
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    assert_eq!(sent.path, "/v1beta/models/gemini-3-pro:generateContent");
    assert_eq!((sent.query.as_str(), sent.header("x-goog-api-key")), ("", Some(KEY)));
    assert!(String::from_utf8_lossy(&sent.bytes).contains(json_for::<Ticket, dialect::Gemini>()));
    assert_eq!(keys(&sent.body), ["contents", "generationConfig"]);
    assert_eq!(keys(&sent.body["generationConfig"]), ["responseJsonSchema", "responseMimeType"]);
}

#[tokio::test]
async fn no_schema_leaves_no_trace() {
    let server = Loopback::start([Exchange::text("Hello.")]);
    let reply = model(&server).call(plain()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.enforcement), ("Hello.", Enforcement::None));
    let sent = server.take_requests().remove(0);
    assert_eq!(keys(&sent.body), ["contents", "systemInstruction"]);
    assert_eq!(sent.body["systemInstruction"], json!({"parts": [{"text": "You sort reports."}]}));
    assert_eq!(sent.body["contents"], json!([{"role": "user", "parts": [{"text": "Nobody can log in."}]}]));
}

#[tokio::test]
async fn endings_are_told_apart() {
    use loopback::Ending as Sent;
    let provider = gemini();
    let cut = &TICKET[..30];
    let mut usage = Usage::new(100, 42);
    (usage.cached_input_tokens, usage.reasoning_tokens) = (64, 7);
    for (exchange, ending, text) in [
        (Exchange::text(TICKET), Ending::Complete, TICKET),
        (Exchange::text(TICKET).thinking("Let me see …"), Ending::Complete, TICKET),
        (Exchange::text(cut).ending(Sent::CutShort), Ending::CutShort, cut),
        (Exchange::text(cut).ending(Sent::Filtered), Ending::Filtered("SAFETY".into()), cut),
    ] {
        let reply = provider.reply(exchange.usage(USAGE), typed()).await;
        assert_eq!((&reply.ending, reply.text.as_str()), (&ending, text));
        assert_eq!((reply.usage, reply.model.as_str()), (usage, "gemini-3-pro"));
        assert_eq!(reply.enforcement, Enforcement::Enforced);
        assert!(reply.id.is_some());
    }
    for reason in ["RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER", "ESCALATION", "NEW"] {
        let reply = provider.reply(Exchange::default().ending(Sent::Reason(reason.into())), typed()).await;
        assert_eq!(reply.ending, Ending::Filtered(reason.into()));
    }
    for (reason, kind) in [
        ("MALFORMED_FUNCTION_CALL", CallErrorKind::Provider),
        ("MALFORMED_RESPONSE", CallErrorKind::Provider),
        ("UNEXPECTED_TOOL_CALL", CallErrorKind::Provider),
        ("MISSING_THOUGHT_SIGNATURE", CallErrorKind::InvalidRequest),
        ("FINISH_REASON_UNSPECIFIED", CallErrorKind::Provider),
    ] {
        provider.server.push(Exchange::default().ending(Sent::Reason(reason.into())));
        assert_eq!(provider.plain.call(typed()).await.unwrap_err().kind(), kind, "{reason}");
    }
    // A prompt that is blocked brings no reply.
    provider.server.push(Exchange::default().ending(Sent::InputBlocked).times(2));
    let whole = provider.patient.call(typed()).await.unwrap_err();
    let streamed = http::collect(&provider.patient, typed()).await.1.unwrap_err();
    for error in [whole, streamed] {
        assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
        assert!(error.to_string().contains("PROHIBITED_CONTENT"), "{error}");
    }
    provider.server.push(Exchange::default().ending(Sent::Cancelled));
    assert_eq!(provider.plain.call(typed()).await.unwrap_err().status(), Some(499));
}

#[tokio::test]
async fn errors_keep_the_providers_words_whole() {
    let provider = gemini();
    provider
        .errors(&[
            (Fail::InvalidRequest, CallErrorKind::InvalidRequest, 400),
            (Fail::Unauthorized, CallErrorKind::Unauthorized, 400),
            (Fail::Forbidden, CallErrorKind::Unauthorized, 403),
            (Fail::NotFound, CallErrorKind::InvalidRequest, 404),
            (Fail::TooLarge, CallErrorKind::InputBlocked, 413),
            (Fail::RateLimited, CallErrorKind::RateLimited, 429),
            (Fail::ServerError, CallErrorKind::Provider, 500),
            (Fail::BadGateway, CallErrorKind::Provider, 502),
            (Fail::Overloaded, CallErrorKind::Provider, 503),
        ])
        .await;
    provider
        .usual_errors(&[
            (Fail::SchemaRefused, CallErrorKind::SchemaRefused),
            (Fail::ContextTooLong, CallErrorKind::InputBlocked),
            (Fail::Unauthorized, CallErrorKind::Unauthorized),
        ])
        .await;
    let words = "A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.";
    provider.server.push(Failure::new(Fail::InvalidRequest).message(words));
    assert_eq!(provider.plain.call(typed()).await.unwrap_err().kind(), CallErrorKind::SchemaRefused);

    // The wait stands in the body of the error.
    provider.server.push(Failure::new(Fail::RateLimited));
    let error = provider.plain.call(typed()).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(std::time::Duration::from_secs(20)), "{error}");
}

#[tokio::test]
async fn the_connection() {
    let provider = gemini();
    provider.broken_streams().await;
    provider.faults().await;
    provider.storms().await;
    let exchange = Exchange::text(TICKET).thinking("Wait: é and \u{1f980} …").usage(USAGE);
    provider.any_split(exchange, typed()).await;
    gemini().cancelled_calls(500).await;
}

/// Calls have no marks on this wire, and a turn with thoughts goes back with their signature.
#[tokio::test]
async fn tools_are_called_and_answered() {
    let provider = gemini();
    let calls = Exchange::default()
        .and_call("lookup_customer", &json!({"email": "a@b.c"}))
        .and_call("lookup_customer", &json!({"email": "d@e.f"}));
    for thought in ["", "Whose is it?"] {
        let mut request = typed().with_tool(lookup());
        request.tool_choice = ToolChoice::Required;
        let whole = provider.reply(calls.clone().thinking(thought), request.clone()).await;
        assert_eq!((&whole.ending, whole.tool_calls.len()), (&Ending::ToolCalls, 2));
        assert_ne!(whole.tool_calls[0].id, whole.tool_calls[1].id);
        assert_eq!(whole.tool_calls[1].arguments, r#"{"email":"d@e.f"}"#);
        request.messages.push(whole.to_message());
        request.messages.push(ToolResult::new(&whole.tool_calls[0], "no such customer").into());
        request.messages.push(ToolResult::error(&whole.tool_calls[1], "too slow").into());
        provider.server.push(Exchange::text(TICKET));
        assert_eq!(provider.plain.call(request).await.unwrap().text, TICKET);
        let sent = provider.server.take_requests().remove(0);
        assert_eq!(sent.refused, None);
        let [_, turn, results] = sent.body["contents"].as_array().unwrap().as_slice() else { panic!("{}", sent.body) };
        assert_eq!(sent.body.to_string().contains("thoughtSignature"), !thought.is_empty());
        assert_eq!((&turn["role"], &results["role"]), (&json!("model"), &json!("user")));
        let answer = json!({"name": "lookup_customer", "response": {"result": "no such customer"}});
        assert_eq!(results["parts"][0]["functionResponse"], answer);
        assert_eq!(results["parts"][1]["functionResponse"]["response"], json!({"error": "too slow"}));
        let declared = &sent.body["tools"][0]["functionDeclarations"][0];
        assert_eq!(keys(declared), ["description", "name", "parametersJsonSchema"]);
    }
    let mut request = typed().with_tool(lookup());
    for (choice, wire) in [
        (ToolChoice::Auto, Value::Null),
        (ToolChoice::None, json!({"mode": "NONE"})),
        (ToolChoice::Required, json!({"mode": "ANY"})),
        (
            ToolChoice::Named("lookup_customer".into()),
            json!({"mode": "ANY", "allowedFunctionNames": ["lookup_customer"]}),
        ),
    ] {
        request.tool_choice = choice;
        let sent = model(&provider.server).dry_run(&request).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&sent.body).unwrap()["toolConfig"]["functionCallingConfig"], wire);
    }
    // Older models take one or the other.
    let older = model(&provider.server).model("gemini-2.5-pro");
    let error = older.call(request.clone()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unsupported);
    assert!(older.tools_with_schema(true).dry_run(&request).is_ok());
}

#[tokio::test]
async fn conversations_of_other_routes_go_on_here() {
    let server = Loopback::start([Exchange::text("ok").always()]);
    let calls = ["{\"a\": 1.50}", "{\"a\":"].map(|arguments| ToolCall::new("call_1", "f", arguments));
    let turn = AssistantMessage::new("", calls.to_vec());
    let results = calls.each_ref().map(|call| Message::from(ToolResult::new(call, "x")));
    let mut messages = vec![Message::user("a"), Message::system("Late."), Message::user("b"), turn.into()];
    messages.extend(results);
    model(&server).call(CallRequest::new(messages)).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!((sent.refused, &sent.body["systemInstruction"]["parts"][0]["text"]), (None, &json!("Late.")));
    assert!(String::from_utf8_lossy(&sent.bytes).contains(r#"{"a": 1.50}"#), "every digit stays");
    let contents = sent.body["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 3);
    assert_eq!(contents[0]["parts"], json!([{"text": "a"}, {"text": "b"}]));
    assert_eq!(contents[1]["parts"][1]["functionCall"]["args"], json!({"unparsed": "{\"a\":"}));
    assert_eq!(contents[2]["parts"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn parameters_and_credentials() {
    let server = Loopback::start([Exchange::text(TICKET)]);
    let mut request = typed();
    let own = &mut request.parameters;
    (own.max_tokens, own.temperature, own.top_p) = (Some(512), Some(0.25), Some(0.5));
    (own.seed, own.reasoning_effort) = (Some(7), Some(ReasoningEffort::Low));
    own.stop = vec!["END".into()];
    let extra = json!({"generationConfig": {"topK": 3, "thinkingConfig": {"includeThoughts": true}}});
    own.extra = extra.as_object().unwrap().clone();
    model(&server).call(request).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    let mut config = sent.body["generationConfig"].clone();
    config.as_object_mut().unwrap().remove("responseJsonSchema");
    assert_eq!(
        config,
        json!({"responseMimeType": "application/json", "maxOutputTokens": 512, "temperature": 0.25, "topP": 0.5,
            "seed": 7, "stopSequences": ["END"], "topK": 3,
            "thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": true}})
    );
    assert!(!format!("{:?} {:?}", model(&server), model(&server).dry_run(&typed()).unwrap()).contains(KEY));
    server.push(Failure::new(Fail::Forbidden).message(format!("the key {KEY} may not")));
    let error = model(&server).call(typed()).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
}
