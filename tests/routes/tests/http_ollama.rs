//! Ollama's wire, against a server that judges requests as Ollama does.

mod http;
#[macro_use]
mod provider;

use http::{KEY, Lookup, TICKET, Ticket, plain, typed};
use provider::{Provider, USAGE, keys};
use response_schema::adapter::{
    Adapter, CallErrorKind, Ending, Enforcement, Message, Ollama, ReasoningEffort, ResponseFormat, ToolChoice,
    ToolResult, ToolSpec, Usage,
};
use response_schema::http::Retry;
use response_schema::{dialect, json_for};
use response_schema_tests_routes::loopback::{self, Exchange, Fail, Failure, Loopback, Wire};
use serde_json::json;

fn model(server: &Loopback) -> Ollama {
    Ollama::at(&server.url()).model("qwen3").retry(Retry::never())
}

fn ollama() -> Provider {
    provider!(Wire::Ollama, model)
}

fn lookup() -> ToolSpec {
    ToolSpec::new("lookup_customer", "Looks a customer up.", ResponseFormat::of::<Lookup>())
}

#[tokio::test]
async fn typed_calls_send_the_constant_schema_untouched_and_show_it() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let ticket = model(&server).extract::<Ticket>("Nobody can log in.").await.unwrap();
    assert_eq!(ticket.build, None);
    let sent = server.take_requests().remove(0);
    assert_eq!((sent.refused, sent.path.as_str()), (None, "/api/chat"));
    let schema = json_for::<Ticket, dialect::Ollama>();
    assert!(String::from_utf8_lossy(&sent.bytes).contains(&format!("\"format\":{schema}")));
    assert_eq!(keys(&sent.body), ["format", "messages", "model", "stream", "think"]);
    assert_eq!((&sent.body["stream"], &sent.body["think"]), (&json!(false), &json!(false)));
    let [system, user] = sent.body["messages"].as_array().unwrap().as_slice() else { panic!("{}", sent.body) };
    assert_eq!(user, &json!({"role": "user", "content": "Nobody can log in."}));
    assert!(system["role"] == "system" && system["content"].as_str().unwrap().contains(schema));

    // Behind the instructions of one's own, or not at all.
    model(&server).call(typed()).await.unwrap();
    let shown = server.take_requests().remove(0).body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(shown.starts_with("You sort reports.\n\n") && shown.ends_with(schema), "{shown}");
    model(&server).schema_in_prompt(false).call(typed()).await.unwrap();
    assert_eq!(server.take_requests().remove(0).body["messages"][0]["content"], "You sort reports.");
}

#[tokio::test]
async fn no_schema_leaves_no_trace() {
    let server = Loopback::start([Exchange::text("Hello.")]);
    let reply = model(&server).call(plain()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.enforcement), ("Hello.", Enforcement::None));
    let sent = server.take_requests().remove(0);
    assert_eq!(keys(&sent.body), ["messages", "model", "stream"]);
    let system = json!({"role": "system", "content": "You sort reports."});
    assert_eq!(sent.body["messages"], json!([system, {"role": "user", "content": "Nobody can log in."}]));
}

#[tokio::test]
async fn endings_are_told_apart() {
    use loopback::Ending as Sent;
    let provider = ollama();
    let cut = &TICKET[..30];
    for (exchange, ending, text) in [
        (Exchange::text(TICKET), Ending::Complete, TICKET),
        (Exchange::text(TICKET).thinking("Let me see …"), Ending::Complete, TICKET),
        (Exchange::text(cut).ending(Sent::CutShort), Ending::CutShort, cut),
        // All of it went into thoughts: the text is empty, which the worker finds bad.
        (Exchange::default().thinking("Let me see …"), Ending::Complete, ""),
    ] {
        let reply = provider.reply(exchange.usage(USAGE), typed()).await;
        assert_eq!((&reply.ending, reply.text.as_str()), (&ending, text));
        assert_eq!((reply.usage, reply.model.as_str()), (Usage::new(100, 42), "qwen3"));
        assert_eq!(reply.enforcement, Enforcement::Enforced);
    }
}

#[tokio::test]
async fn the_hosted_service_enforces_nothing() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    for hosted in [model(&server).model("gpt-oss:120b-cloud"), model(&server).hosted(true).key(KEY)] {
        assert_eq!(hosted.capabilities().schema, Enforcement::Hint);
        assert_eq!(hosted.call(typed()).await.unwrap().enforcement, Enforcement::Hint);
        assert!(!format!("{hosted:?} {:?}", hosted.dry_run(&typed()).unwrap()).contains(KEY));
    }
    let sent = server.take_requests();
    assert_eq!(sent[1].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(sent[0].header("authorization"), None);
}

#[tokio::test]
async fn errors_keep_the_servers_words_whole() {
    let provider = ollama();
    provider
        .errors(&[
            (Fail::InvalidRequest, CallErrorKind::InvalidRequest, 400),
            (Fail::Unauthorized, CallErrorKind::Unauthorized, 401),
            (Fail::Forbidden, CallErrorKind::Unauthorized, 403),
            (Fail::NotFound, CallErrorKind::InvalidRequest, 404),
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
        ])
        .await;
    // The engine says it with the status of a server error, which must not be tried again.
    let failure = Failure::new(Fail::ServerError).message("failed to parse grammar");
    provider.server.push(failure);
    let error = provider.patient.call(typed()).await.unwrap_err();
    assert_eq!((error.kind(), error.retries()), (CallErrorKind::SchemaRefused, 0), "{error}");
}

#[tokio::test]
async fn the_connection() {
    let provider = ollama();
    provider.broken_streams().await;
    provider.faults().await;
    provider.storms().await;
    let exchange = Exchange::text(TICKET).thinking("Wait: é and \u{1f980} …").usage(USAGE);
    provider.any_split(exchange, typed()).await;
    ollama().cancelled_calls(500).await;
}

#[tokio::test]
async fn tools_are_called_and_answered() {
    let provider = ollama();
    let mut request = plain().with_tool(lookup());
    let calls = Exchange::text("I look.")
        .and_call("lookup_customer", &json!({"email": "a@b.c"}))
        .and_call("lookup_customer", &json!({"email": "d@e.f"}));
    let whole = provider.reply(calls, request.clone()).await;
    assert_eq!((&whole.ending, whole.tool_calls.len(), whole.text.as_str()), (&Ending::ToolCalls, 2, "I look."));
    assert_ne!(whole.tool_calls[0].id, whole.tool_calls[1].id);
    request.messages.push(whole.to_message());
    for call in &whole.tool_calls {
        request.messages.push(ToolResult::new(call, "no such customer").into());
    }
    provider.server.push(Exchange::text("Sorry."));
    assert_eq!(provider.plain.call(request.clone()).await.unwrap().text, "Sorry.");
    let sent = provider.server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    let call = |email: &str| json!({"function": {"name": "lookup_customer", "arguments": {"email": email}}});
    assert_eq!(sent.body["messages"][2]["tool_calls"], json!([call("a@b.c"), call("d@e.f")]));
    let result = json!({"role": "tool", "tool_name": "lookup_customer", "content": "no such customer"});
    assert_eq!(sent.body["messages"][3], result);
    assert_eq!(sent.body["tools"][0]["function"]["parameters"]["properties"]["email"]["type"], "string");
    assert_eq!(sent.body.get("think"), None);

    // Not beside a schema, and not by force.
    let error = provider.plain.call(typed().with_tool(lookup())).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unsupported, "{error}");
    request.tool_choice = ToolChoice::Required;
    let error = provider.plain.call(request.clone()).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Unsupported, "{error}");
    request.tool_choice = ToolChoice::None;
    let sent = model(&provider.server).dry_run(&request).unwrap();
    assert!(!sent.body.contains("\"tools\""), "{}", sent.body);
    assert!(provider.server.requests().is_empty());
}

#[tokio::test]
async fn parameters() {
    let server = Loopback::start([Exchange::text(TICKET)]);
    let mut request = typed();
    request.messages.push(Message::assistant("Hm."));
    let own = &mut request.parameters;
    (own.max_tokens, own.temperature, own.top_p) = (Some(512), Some(0.25), Some(0.5));
    (own.seed, own.reasoning_effort) = (Some(7), Some(ReasoningEffort::High));
    own.stop = vec!["END".into()];
    own.extra = json!({"keep_alive": "5m", "options": {"num_ctx": 8192}}).as_object().unwrap().clone();
    model(&server).call(request).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    assert_eq!((&sent.body["keep_alive"], &sent.body["think"]), (&json!("5m"), &json!("high")));
    assert_eq!(
        sent.body["options"],
        json!({"num_predict": 512, "temperature": 0.25, "top_p": 0.5, "seed": 7, "stop": ["END"], "num_ctx": 8192})
    );
}
