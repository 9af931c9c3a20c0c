//! Requests and replies on `OpenAI`'s two wires, against a server that judges requests as the providers do.

mod http;

use http::{
    Area, KEY, Lookup, TICKET, Ticket, chat, collect, glm, groq, llama, openai, plain, routes, typed, unmarked,
};
use response_schema::adapter::{
    Adapter, AssistantMessage, CallErrorKind, CallRequest, ChatCompletions, DynAdapter, Ending, Enforcement, Message,
    Native, OpenAi, Parameters, ReasoningEffort, ResponseFormat, ToolChoice, ToolResult, ToolSpec, Usage,
};
use response_schema::dialect;
use response_schema::http::{Profile, Retry};
use response_schema_tests_routes::loopback::{self, Exchange, Fail, Failure, Fault, Loopback, Recorded, Tokens, Wire};
use serde_json::{Value, json};

fn ticket() -> Ticket {
    Ticket { zeal: "Nobody can log in – at all \"".into(), build: None, area: Area::Login }
}

fn contains(request: &Recorded, text: &str) -> bool {
    String::from_utf8_lossy(&request.bytes).contains(text)
}

#[tokio::test]
async fn typed_calls_send_the_constant_schema_untouched() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    assert_eq!(openai(&server).extract::<Ticket>("Nobody can log in.").await.unwrap(), ticket());
    assert_eq!(chat(&server).extract::<Ticket>("Nobody can log in.").await.unwrap(), ticket());
    assert_eq!(groq(&server).extract::<Ticket>("Nobody can log in.").await.unwrap(), ticket());
    assert_eq!(llama(&server).extract::<Ticket>("Nobody can log in.").await.unwrap(), ticket());
    assert_eq!(glm(&server).extract::<Ticket>("Nobody can log in.").await.unwrap(), ticket());
    let requests = server.take_requests();
    let texts = [
        response_schema::json::<Ticket>(),
        response_schema::json::<Ticket>(),
        response_schema::json_for::<Ticket, dialect::Groq>(),
        response_schema::json_for::<Ticket, dialect::LlamaCpp>(),
    ];
    for (request, text) in requests.iter().zip(texts) {
        assert_eq!(request.refused, None);
        assert!(contains(request, text), "{}", String::from_utf8_lossy(&request.bytes));
    }
    let [responses, chat, groq, llama, glm] = requests.try_into().unwrap();
    let format = &responses.body["text"]["format"];
    assert_eq!(
        (&format["type"], &format["name"], &format["strict"]),
        (&json!("json_schema"), &json!("Ticket"), &json!(true))
    );
    for request in [&chat, &groq, &llama] {
        let format = &request.body["response_format"];
        assert_eq!((&format["type"], &format["json_schema"]["name"]), (&json!("json_schema"), &json!("Ticket")));
        assert_eq!(format["json_schema"]["strict"], true);
    }
    // An engine that does not show the schema to the model has it in the prompt too; the others do not.
    assert_eq!(chat.body["messages"].as_array().unwrap().len(), 1);
    let shown = llama.body["messages"][0]["content"].as_str().unwrap();
    assert!(shown.contains(response_schema::json_for::<Ticket, dialect::LlamaCpp>()), "{shown}");
    assert_eq!(glm.body["response_format"], json!({"type": "json_object"}));
    let shown = glm.body["messages"][0]["content"].as_str().unwrap();
    assert!(shown.contains(response_schema::json_for::<Ticket, dialect::Glm>()), "{shown}");
}

#[tokio::test]
async fn no_schema_leaves_no_trace() {
    let server = Loopback::start([Exchange::text("Hello.").always()]);
    for route in routes(&server) {
        let response = route.adapter.call(plain()).await.unwrap();
        assert_eq!((response.text.as_str(), response.enforcement), ("Hello.", Enforcement::None));
        let [request] = server.take_requests().try_into().unwrap();
        let mut keys: Vec<_> = request.body.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        if route.wire == Wire::Responses {
            assert_eq!(keys, ["input", "instructions", "model"]);
            assert_eq!(request.body["instructions"], "You sort reports.");
            assert_eq!(request.body["input"], json!([{"role": "user", "content": "Nobody can log in."}]));
        } else {
            assert_eq!(keys, ["messages", "model"]);
            let system = json!({"role": "system", "content": "You sort reports."});
            let user = json!({"role": "user", "content": "Nobody can log in."});
            assert_eq!(request.body["messages"], json!([system, user]));
        }
    }
}

/// Endings, and what each route makes of them. A stream that is read to its end says the same as a whole reply.
#[tokio::test]
async fn endings_are_told_apart_and_streams_say_the_same() {
    let server = Loopback::start([]);
    let cut = &TICKET[..30];
    let refused = "I can't help with that.";
    let table = [
        (Exchange::text(TICKET), Ending::Complete, TICKET),
        (Exchange::text(TICKET).thinking("Let me see …"), Ending::Complete, TICKET),
        (Exchange::text(cut).ending(loopback::Ending::CutShort), Ending::CutShort, cut),
        (Exchange::default().ending(loopback::Ending::Refused(refused.into())), Ending::Refused(refused.into()), ""),
        (Exchange::text(cut).ending(loopback::Ending::Filtered), Ending::Filtered("content_filter".into()), cut),
    ];
    let usage = Tokens { input: 100, output: 42, cached: 64, reasoning: 7 };
    for route in routes(&server) {
        let name = route.adapter.capabilities().route;
        for (exchange, ending, text) in &table {
            server.push(exchange.clone().usage(usage).times(2));
            let whole = route.adapter.call(typed()).await.unwrap();
            assert_eq!((&whole.ending, whole.text.as_str()), (ending, *text), "{name}");
            let mut expected = Usage::new(100, 42);
            expected.cached_input_tokens = 64;
            expected.reasoning_tokens = 7;
            assert_eq!(whole.usage, expected, "{name}");
            assert_eq!(whole.model, server.requests()[0].body["model"], "{name}");
            assert!(whole.id.is_some(), "{name}");

            let (shown, streamed) = collect(&route.adapter, typed()).await;
            assert_eq!(unmarked(streamed.unwrap()), unmarked(whole), "{name} {ending:?}");
            assert_eq!(shown.text, *text, "{name}");
            if let Ending::Refused(words) = ending {
                assert_eq!(&shown.refusal, words, "{name}");
            }
            let [whole, stream] = server.take_requests().try_into().unwrap();
            assert_eq!(server.left(), 0);
            // One builder for both: the bodies differ in what asks for the stream alone.
            let mut without = stream.body.clone();
            without.as_object_mut().unwrap().retain(|key, _| !key.starts_with("stream"));
            assert_eq!(without, whole.body, "{name}");
            assert_eq!(stream.body["stream"] == true, name != "openai-compatible/groq", "{name}");
        }
    }
}

#[tokio::test]
async fn cancelled_and_blocked_on_the_providers_side() {
    let server = Loopback::start([]);
    let adapter: DynAdapter = openai(&server).into();
    server.push(Exchange::default().ending(loopback::Ending::Cancelled).times(2));
    assert_eq!(adapter.call(typed()).await.unwrap().ending, Ending::Cancelled);
    assert_eq!(collect(&adapter, typed()).await.1.unwrap().ending, Ending::Cancelled);
    for route in routes(&server) {
        server.push(Exchange::default().ending(loopback::Ending::InputBlocked).times(2));
        let error = route.adapter.call(typed()).await.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
        let error = collect(&route.adapter, typed()).await.1.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::InputBlocked, "{error}");
    }
}

#[tokio::test]
async fn errors_keep_the_providers_words_whole() {
    let server = Loopback::start([]);
    let table = [
        (Fail::InvalidRequest, CallErrorKind::InvalidRequest, 400),
        (Fail::SchemaRefused, CallErrorKind::SchemaRefused, 400),
        (Fail::ContextTooLong, CallErrorKind::InputBlocked, 400),
        (Fail::Unauthorized, CallErrorKind::Unauthorized, 401),
        (Fail::Forbidden, CallErrorKind::Unauthorized, 403),
        (Fail::NotFound, CallErrorKind::InvalidRequest, 404),
        (Fail::RequestTimeout, CallErrorKind::Provider, 408),
        (Fail::Conflict, CallErrorKind::Provider, 409),
        (Fail::TooLarge, CallErrorKind::InputBlocked, 413),
        (Fail::RateLimited, CallErrorKind::RateLimited, 429),
        (Fail::QuotaUsedUp, CallErrorKind::RateLimited, 429),
        (Fail::ServerError, CallErrorKind::Provider, 500),
        (Fail::Overloaded, CallErrorKind::Provider, 503),
        (Fail::BadGateway, CallErrorKind::Provider, 502),
    ];
    let words = "Ein Fehler; 'x' is “not” permitted: \u{1f980}";
    for route in routes(&server) {
        let name = route.adapter.capabilities().route;
        for (fail, kind, status) in table {
            let failure = Failure::new(fail).message(words);
            server.push(Exchange::from(failure).times(2));
            let error = route.adapter.call(typed()).await.unwrap_err();
            let streamed = collect(&route.adapter, typed()).await.1.unwrap_err();
            for error in [error, streamed] {
                assert_eq!((error.kind(), error.status()), (kind, Some(status)), "{name}: {error}");
                let text = error.to_string();
                assert!(text.contains(words) && text.contains("req_"), "{name}: {text}");
                assert_eq!(text.contains("please report it"), kind == CallErrorKind::SchemaRefused, "{text}");
            }
        }
        assert_eq!(server.left(), 0);
    }
    // A schema that was a hint had passed no check, and none had failed.
    let loose = plain().with_response_schema(ResponseFormat::from_schema(json!({"type": "object", "title": "Loose"})));
    server.push(Exchange::failure(Fail::SchemaRefused));
    let error = openai(&server).call(loose).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::SchemaRefused);
    assert!(!error.to_string().contains("report"), "{error}");
    let sent = server.take_requests().pop().unwrap();
    assert_eq!(sent.body["text"]["format"]["strict"], false);
}

#[tokio::test]
async fn errors_in_the_middle_of_a_stream() {
    let server = Loopback::start([]);
    for route in
        routes(&server).into_iter().filter(|route| route.adapter.capabilities().route != "openai-compatible/groq")
    {
        let name = route.adapter.capabilities().route;
        for (fail, kind) in [
            (Fail::ServerError, CallErrorKind::Provider),
            (Fail::Overloaded, CallErrorKind::Provider),
            (Fail::RateLimited, CallErrorKind::RateLimited),
        ] {
            let failure = Failure::new(fail).message("it broke");
            server.push(Exchange::text(TICKET).ending(loopback::Ending::Broken(failure)));
            let (shown, error) = collect(&route.adapter, typed()).await;
            let error = error.unwrap_err();
            assert_eq!(shown.text, TICKET, "{name}");
            assert_eq!(error.kind(), kind, "{name}: {error}");
            assert!(error.to_string().contains("it broke"), "{name}: {error}");
        }
        server.push(Exchange::text(TICKET).ending(loopback::Ending::Missing));
        let error = collect(&route.adapter, typed()).await.1.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Transport, "{name}: {error}");
    }
}

fn lookup() -> ToolSpec {
    ToolSpec::new("lookup_customer", "Looks a customer up.", ResponseFormat::of::<Lookup>())
}

/// Two calls in one turn, their results in the next one, and the thoughts between them as they were.
#[tokio::test]
async fn tools_are_called_and_answered() {
    let server = Loopback::start([]);
    for route in routes(&server) {
        let capabilities = route.adapter.capabilities();
        let name = capabilities.route;
        let base = if capabilities.tools_with_schema { typed() } else { plain() };
        let mut request = base.with_tool(lookup());
        // GLM leaves the choice to the model.
        let forces = name != "glm-payg";
        request.tool_choice = if forces { ToolChoice::Required } else { ToolChoice::Auto };
        let calls = Exchange::default()
            .thinking("Whose is it?")
            .and_call("lookup_customer", &json!({"email": "a@b.c"}))
            .and_call("lookup_customer", &json!({"email": "d@e.f"}));
        server.push(calls.clone());
        let whole = route.adapter.call(request.clone()).await.unwrap();
        assert_eq!(whole.ending, Ending::ToolCalls, "{name}");
        assert_eq!(whole.tool_calls.len(), 2, "{name}");
        assert_eq!(serde_json::from_str::<Value>(&whole.tool_calls[1].arguments).unwrap(), json!({"email": "d@e.f"}));
        server.push(calls);
        let streamed = collect(&route.adapter, request.clone()).await.1.unwrap();
        assert!(streamed.tool_calls.iter().all(|call| !call.id.is_empty()), "{name}");
        assert_eq!(unmarked(streamed), unmarked(whole.clone()), "{name}");

        let sent = server.take_requests().remove(0);
        assert_eq!(sent.refused, None, "{name}");
        let tool = &sent.body["tools"][0];
        let function = if route.wire == Wire::Responses { tool } else { &tool["function"] };
        assert_eq!((&tool["type"], &function["name"]), (&json!("function"), &json!("lookup_customer")));
        assert_eq!(function["parameters"]["properties"]["email"]["type"], "string", "{name}");

        request.messages.push(whole.to_message());
        for call in &whole.tool_calls {
            request.messages.push(ToolResult::new(call, "no such customer").into());
        }
        request.tool_choice = ToolChoice::Auto;
        server.push(Exchange::text(TICKET));
        assert_eq!(route.adapter.call(request).await.unwrap().text, TICKET, "{name}");
        let sent = server.take_requests().remove(0);
        assert_eq!(sent.refused, None, "{name}");
        assert!(contains(&sent, "Whose is it?"), "{name}: thoughts go back: {}", sent.body);
        assert_eq!(sent.body.get("tool_choice"), None, "{name}");
    }
}

/// Only the wire that a turn came from reads it in its own form.
#[tokio::test]
async fn native_turns_go_back_unchanged_on_their_own_wire() {
    let server = Loopback::start([Exchange::text("ok").always()]);
    let items = json!([
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAAA=="},
        {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed",
            "content": [{"type": "output_text", "text": "Hm.", "annotations": []}]},
    ]);
    let mut turn = AssistantMessage::new("Hm.", Vec::new());
    turn.native = Some(Native::new("openai-responses", items.clone()));
    let request = CallRequest::new(vec![Message::user("a"), turn.into(), Message::user("b")]);
    for route in routes(&server) {
        route.adapter.call(request.clone()).await.unwrap();
        let sent = server.take_requests().remove(0);
        if route.wire == Wire::Responses {
            assert_eq!(sent.body["input"].as_array().unwrap()[1..3], items.as_array().unwrap()[..]);
        } else {
            assert_eq!(sent.body["messages"][1], json!({"role": "assistant", "content": "Hm."}));
        }
    }
}

#[tokio::test]
async fn what_a_route_cannot_carry_is_said_before_anything_is_sent() {
    let server = Loopback::start([]);
    for route in routes(&server) {
        let capabilities = route.adapter.capabilities();
        if !capabilities.tools_with_schema {
            let error = route.adapter.call(typed().with_tool(lookup())).await.unwrap_err();
            assert_eq!(error.kind(), CallErrorKind::Unsupported, "{error}");
            assert!(error.to_string().contains(capabilities.route), "{error}");
        }
    }
    let named = ToolChoice::Named("lookup_customer".into());
    let forced = [(glm(&server).into(), ToolChoice::Required), (DynAdapter::from(llama(&server)), named)];
    for (adapter, choice) in forced {
        let mut request = plain().with_tool(lookup());
        request.tool_choice = choice;
        assert_eq!(adapter.call(request).await.unwrap_err().kind(), CallErrorKind::Unsupported);
    }
    let mut stops = typed();
    stops.parameters.stop = vec!["END".into()];
    assert_eq!(openai(&server).call(stops).await.unwrap_err().kind(), CallErrorKind::Unsupported);
    let mut effort = typed();
    effort.parameters.reasoning_effort = Some(ReasoningEffort::Low);
    assert_eq!(glm(&server).call(effort).await.unwrap_err().kind(), CallErrorKind::Unsupported);
    let mut heat = typed();
    heat.parameters.temperature = Some(f64::NAN);
    assert_eq!(openai(&server).call(heat).await.unwrap_err().kind(), CallErrorKind::InvalidRequest);
    let mut replaced = typed();
    replaced.parameters.extra.insert("response_format".into(), json!({"type": "text"}));
    let error = chat(&server).call(replaced).await.unwrap_err();
    assert!(error.to_string().contains("`response_format`"), "{error}");
    let nameless = OpenAi::new(KEY).unwrap().base_url(server.base_url(Wire::Responses));
    let error = nameless.call(typed()).await.unwrap_err();
    assert!(error.to_string().contains(".model("), "{error}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn parameters_of_the_request_and_of_the_route() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let mut request = typed();
    let own = &mut request.parameters;
    own.max_tokens = Some(512);
    own.temperature = Some(0.25);
    own.seed = Some(7);
    own.extra = json!({"user": "u1", "text": {"verbosity": "low"}}).as_object().unwrap().clone();
    let mut routes = Parameters::default();
    routes.temperature = Some(0.9);
    routes.top_p = Some(0.5);
    routes.reasoning_effort = Some(ReasoningEffort::Low);
    routes.extra = json!({"user": "u2", "service_tier": "flex"}).as_object().unwrap().clone();

    openai(&server).parameters(routes.clone()).call(request.clone()).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.refused, None);
    let body = sent.body;
    assert_eq!(
        (&body["max_output_tokens"], &body["temperature"], &body["top_p"]),
        (&json!(512), &json!(0.25), &json!(0.5))
    );
    assert_eq!((&body["user"], &body["service_tier"]), (&json!("u1"), &json!("flex")));
    assert_eq!((&body["reasoning"], &body["text"]["verbosity"]), (&json!({"effort": "low"}), &json!("low")));
    assert_eq!(body["text"]["format"]["name"], "Ticket");

    request.parameters.stop = vec!["END".into()];
    chat(&server).parameters(routes).call(request).await.unwrap();
    let body = server.take_requests().remove(0).body;
    assert_eq!(
        (&body["max_completion_tokens"], &body["seed"], &body["stop"]),
        (&json!(512), &json!(7), &json!(["END"]))
    );
    assert_eq!(body["reasoning_effort"], "low");
}

#[tokio::test]
async fn a_dry_run_is_the_request() {
    let server = Loopback::start([Exchange::text(TICKET).always()]);
    let adapter = openai(&server).organization("org-1").header("x-trace", "t1");
    let dry = adapter.dry_run(&typed()).unwrap();
    assert!(server.requests().is_empty());
    adapter.call(typed()).await.unwrap();
    let sent = server.take_requests().remove(0);
    assert_eq!(dry.body.as_bytes(), sent.bytes);
    assert_eq!((dry.method, dry.url), ("POST", format!("{}{}", server.url(), sent.path)));
    for (name, value) in &dry.headers {
        let found = sent.header(name).unwrap();
        if value == "***" {
            assert_eq!((name.as_str(), found), ("authorization", &*format!("Bearer {KEY}")));
        } else {
            assert_eq!(found, value);
        }
    }
    for name in ["authorization", "openai-organization", "x-trace", "content-type"] {
        assert!(dry.headers.iter().any(|(found, _)| found == name), "{name}");
    }
    let stream = adapter.dry_run_stream(&typed()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&stream.body).unwrap()["stream"], true);
}

#[tokio::test]
async fn the_codex_login_is_read_when_asked_for() {
    let server = Loopback::start([]);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("auth.json");
    let login = json!({"OPENAI_API_KEY": null, "tokens": {"id_token": "x", "access_token": KEY, "refresh_token": "y",
        "account_id": "acc-7f3a"}, "last_refresh": "2026-11-01T00:00:00Z"});
    std::fs::write(&file, login.to_string()).unwrap();
    let adapter = OpenAi::from_codex_login_in(&file).unwrap().retry(Retry::never()).model("gpt-5.6-codex");
    assert!(adapter.dry_run(&plain()).unwrap().url.starts_with("https://chatgpt.com/backend-api/codex/responses"));
    let adapter = adapter.base_url(server.base_url(Wire::Responses));
    assert_eq!(adapter.capabilities().route, "codex-oauth");
    server.push(Exchange::text(TICKET).times(2));
    // The backend streams whatever is asked for; a call is the stream's end.
    assert_eq!(adapter.call(typed()).await.unwrap().text, TICKET);
    assert_eq!(collect(&adapter.clone().into(), typed()).await.0.text, TICKET);
    for sent in server.take_requests() {
        assert_eq!(sent.refused, None);
        assert_eq!((&sent.body["stream"], &sent.body["store"]), (&json!(true), &json!(false)));
        assert_eq!(sent.body["include"], json!(["reasoning.encrypted_content"]));
        assert_eq!(sent.header("authorization"), Some(&*format!("Bearer {KEY}")));
        assert_eq!(sent.header("chatgpt-account-id"), Some("acc-7f3a"));
    }
    assert!(!format!("{adapter:?}").contains("acc-7f3a"));

    for wrong in [json!({"OPENAI_API_KEY": KEY}), json!({"tokens": {}}), json!({"tokens": KEY}), json!(KEY)] {
        std::fs::write(&file, wrong.to_string()).unwrap();
        let error = OpenAi::from_codex_login_in(&file).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Unauthorized, "{error}");
        assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    }
    let error = OpenAi::from_codex_login_in(directory.path().join("none.json")).unwrap_err();
    assert!(error.to_string().contains("codex login"), "{error}");
}

/// The `ChatGPT` backend leaves the items out of its last event.
#[tokio::test]
async fn the_chatgpt_backends_own_stream() {
    let item = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi"}]});
    let events = [
        json!({"type": "response.created", "response": {"output": [], "error": null}}),
        json!({"type": "response.output_text.delta", "output_index": 0, "delta": "Hi"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": []}}),
    ];
    let body = events.iter().fold(String::new(), |body, event| body + &format!("data: {event}\n\n"));
    let server = Loopback::start([Exchange::default().fault(Fault::Body(body))]);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("auth.json");
    std::fs::write(&file, json!({"tokens": {"access_token": KEY}}).to_string()).unwrap();
    let adapter = OpenAi::from_codex_login_in(file).unwrap().base_url(server.base_url(Wire::Responses)).model("m");
    let response = adapter.call(plain()).await.unwrap();
    assert_eq!((response.text.as_str(), &response.ending), ("Hi", &Ending::Complete));
}

/// A reply that a server reports as an error is the reply that it is.
#[tokio::test]
async fn groqs_failed_generations() {
    let server = Loopback::start([]);
    let body = |written: &str| {
        json!({"error": {"type": "invalid_request_error", "code": "json_validate_failed",
            "message": "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
            "failed_generation": written}})
        .to_string()
    };
    let answer = |written| Exchange::failure(Fail::InvalidRequest).fault(Fault::Body(body(written)));
    server.push(answer("{\"zeal\": 1}"));
    let response = groq(&server).call(typed()).await.unwrap();
    assert_eq!((response.text.as_str(), response.enforcement), ("{\"zeal\": 1}", Enforcement::Hint));
    server.push(answer("{\"zeal\": 1}"));
    assert_eq!(collect(&groq(&server).into(), typed()).await.0.text, "{\"zeal\": 1}");
    server.push(answer("max completion tokens reached before generating a valid document"));
    let response = groq(&server).call(typed()).await.unwrap();
    assert_eq!((response.text.as_str(), &response.ending), ("", &Ending::CutShort));
}

/// Bodies that servers were seen to send.
#[tokio::test]
async fn odd_replies() {
    let server = Loopback::start([]);
    let ask = async |adapter: &DynAdapter, body: Value| {
        server.push(Exchange::default().fault(Fault::Body(body.to_string())));
        adapter.call(plain()).await
    };
    let responses: DynAdapter = openai(&server).into();
    let chat: DynAdapter = chat(&server).into();

    // `text: null` in a Responses item.
    let part = json!({"type": "output_text", "text": null});
    let body = json!({"status": "completed", "output": [{"type": "message", "content": [part]}]});
    assert_eq!(ask(&responses, body).await.unwrap().text, "");
    // Arguments that are nothing, `null`, or a value.
    for (arguments, expected) in [(json!(""), "{}"), (Value::Null, "{}"), (json!({"a": 1}), r#"{"a":1}"#)] {
        let call = json!({"id": "c", "type": "function", "function": {"name": "ping", "arguments": arguments}});
        let body =
            json!({"choices": [{"message": {"content": null, "tool_calls": [call]}, "finish_reason": "tool_calls"}]});
        assert_eq!(ask(&chat, body).await.unwrap().tool_calls[0].arguments, expected);
    }
    // A cut call does not make the reply unreadable.
    let call = json!({"id": "c", "type": "function", "function": {"name": "out", "arguments": "{\"summary\": "}});
    let body = json!({"choices": [{"message": {"content": "so far", "tool_calls": [call]}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    let response = ask(&chat, body).await.unwrap();
    assert_eq!(
        (response.ending, response.text.as_str(), response.usage),
        (Ending::CutShort, "so far", Usage::new(3, 4))
    );
    // Parts of text and of thoughts.
    let parts =
        json!([{"type": "thinking", "thinking": []}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    let body = json!({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]});
    assert_eq!(ask(&chat, body).await.unwrap().text, "ab");
    // An error that claims success, and one inside a choice.
    let body = json!({"error": {"message": "upstream is down", "code": 502}});
    let error = ask(&chat, body).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (CallErrorKind::Provider, Some(502)), "{error}");
    let choice =
        json!({"message": {"content": ""}, "finish_reason": "error", "error": {"code": 429, "message": "busy"}});
    let error = ask(&chat, json!({"choices": [choice]})).await.unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::RateLimited, "{error}");
    // JSON that is no reply; its contents are not in the message.
    for body in
        [json!({}), json!([]), json!({"choices": []}), json!({"choices": [{"message": {"refusal": {"secret": 1}}}]})]
    {
        let error = ask(&chat, body).await.unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Provider, "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    // A remark on the way is no part of the answer.
    let message = |phase: &str, text: &str| json!({"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]});
    let output = json!([message("commentary", "Looking …"), message("final_answer", "42")]);
    assert_eq!(ask(&responses, json!({"status": "completed", "output": output})).await.unwrap().text, "42");
}

#[tokio::test]
async fn profiles_are_data() {
    let server = Loopback::start([Exchange::text("[1]").always()]);
    let base = server.base_url(Wire::Chat);
    let azure = ChatCompletions::azure("https://me.openai.azure.com/", KEY).unwrap().model("dep");
    let dry = azure.dry_run(&typed()).unwrap();
    assert_eq!(dry.url, "https://me.openai.azure.com/openai/v1/chat/completions");
    assert!(dry.headers.contains(&("api-key".into(), "***".into())), "{dry:?}");
    let mistral = ChatCompletions::mistral(KEY).unwrap().model("m");
    let mut request = plain().with_tool(lookup());
    request.tool_choice = ToolChoice::Required;
    request.parameters.seed = Some(1);
    let body: Value = serde_json::from_str(&mistral.dry_run(&request).unwrap().body).unwrap();
    assert_eq!((&body["random_seed"], &body["tool_choice"]), (&json!(1), &json!("any")));
    let router = ChatCompletions::openrouter(KEY).unwrap().model("m");
    let mut request = typed();
    request.parameters.reasoning_effort = Some(ReasoningEffort::High);
    request.parameters.extra.insert("provider".into(), json!({"sort": "price"}));
    let body: Value = serde_json::from_str(&router.dry_run(&request).unwrap().body).unwrap();
    assert_eq!(body["provider"], json!({"require_parameters": true, "sort": "price"}));
    assert_eq!(body["reasoning"], json!({"effort": "high"}));

    let mut profile = Profile::COMPATIBLE;
    profile.route = "mine";
    profile.schema_in_prompt = false;
    let mine = ChatCompletions::<dialect::Portable>::with_profile(profile).base_url(base).model("any");
    let mut request = typed();
    request.messages.remove(0);
    let response = mine.call(request).await.unwrap();
    // Nothing is known of the endpoint, so nothing is promised.
    assert_eq!((mine.capabilities().route, response.enforcement), ("mine", Enforcement::Hint));
    let sent = server.take_requests().remove(0);
    assert_eq!(sent.body["messages"].as_array().unwrap().len(), 1);
    assert_eq!(sent.header("authorization"), None);
}

/// That is what a typed call is held to where it is compiled; what the compiler says then, the tests of errors show.
#[test]
fn adapters_know_their_dialects() {
    use response_schema::adapter::{Anthropic, Gemini, Ollama};

    fn speaks<A: Adapter<Dialect = D>, D>() {}
    speaks::<OpenAi, dialect::OpenAi>();
    speaks::<Anthropic, dialect::Anthropic>();
    speaks::<Gemini, dialect::Gemini>();
    speaks::<Ollama, dialect::Ollama>();
}
