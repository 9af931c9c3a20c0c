//! What the tests of routes over HTTP share.

#![allow(dead_code, reason = "no test uses all of it")]

use std::time::Duration;

use response_schema::ResponseSchema;
use response_schema::adapter::{
    CallError, CallRequest, CallResponse, ChatCompletions, DynAdapter, Glm, Message, OpenAi, ResponseFormat,
    StreamEvent,
};
use response_schema::http::Retry;
use response_schema_tests_routes::loopback::{Loopback, Wire};
use serde::{Deserialize, Serialize};

/// A key that is nowhere but in a header.
pub(crate) const KEY: &str = "sk-hush-5d41402abc4b2a76";

/// Z before a: property order must survive.
#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[response(partial(Debug))]
pub(crate) struct Ticket {
    /// One sentence with "quotes" and an é.
    pub(crate) zeal: String,
    pub(crate) build: Option<String>,
    pub(crate) area: Area,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, ResponseSchema)]
#[response(partial)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Area {
    Login,
    Billing,
}

/// What the model writes.
pub(crate) const TICKET: &str = r#"{"zeal":"Nobody can log in – at all \"","build":null,"area":"login"}"#;

/// What a tool takes.
#[derive(Debug, Deserialize, ResponseSchema)]
pub(crate) struct Lookup {
    pub(crate) email: String,
}

/// A route, by its wire and its type's name in messages.
pub(crate) struct Route {
    pub(crate) adapter: DynAdapter,
    pub(crate) wire: Wire,
}

/// Pauses that tests can wait for.
pub(crate) const QUICK: Retry = Retry::never()
    .with_max_retries(2)
    .with_pauses(Duration::from_millis(1), Duration::from_millis(2))
    .with_longest_wait(Duration::from_mins(1));

pub(crate) fn openai(server: &Loopback) -> OpenAi {
    OpenAi::new(KEY).unwrap().base_url(server.base_url(Wire::Responses)).model("gpt-5.6").retry(Retry::never())
}

pub(crate) fn chat(server: &Loopback) -> ChatCompletions<response_schema::dialect::OpenAi> {
    ChatCompletions::openai(KEY).unwrap().base_url(server.base_url(Wire::Chat)).model("gpt-5.6").retry(Retry::never())
}

pub(crate) fn groq(server: &Loopback) -> ChatCompletions<response_schema::dialect::Groq> {
    ChatCompletions::groq(KEY).unwrap().base_url(server.base_url(Wire::Chat)).model("gpt-oss").retry(Retry::never())
}

pub(crate) fn llama(server: &Loopback) -> ChatCompletions<response_schema::dialect::LlamaCpp> {
    ChatCompletions::llama_cpp().base_url(server.base_url(Wire::Chat)).model("any").retry(Retry::never())
}

pub(crate) fn glm(server: &Loopback) -> Glm {
    Glm::new(KEY).unwrap().base_url(server.base_url(Wire::Chat)).model("glm-5").retry(Retry::never())
}

/// Every adapter of these wires, at a server of ours.
pub(crate) fn routes(server: &Loopback) -> Vec<Route> {
    let of = |adapter, wire| Route { adapter, wire };
    vec![
        of(openai(server).into(), Wire::Responses),
        of(chat(server).into(), Wire::Chat),
        of(groq(server).into(), Wire::Chat),
        of(llama(server).into(), Wire::Chat),
        of(glm(server).into(), Wire::Chat),
    ]
}

pub(crate) fn plain() -> CallRequest {
    CallRequest::new(vec![Message::system("You sort reports."), Message::user("Nobody can log in.")])
}

pub(crate) fn typed() -> CallRequest {
    plain().with_response_schema(ResponseFormat::of::<Ticket>())
}

/// A stream that was read to its end: what it showed, and the reply.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) text: String,
    pub(crate) refusal: String,
    pub(crate) reasoning: String,
    pub(crate) pieces: usize,
}

pub(crate) async fn collect(
    adapter: &DynAdapter,
    request: CallRequest,
) -> (Collected, Result<CallResponse, CallError>) {
    let mut stream = adapter.call_streamed(request);
    let mut shown = Collected::default();
    let mut end = None;
    while let Some(event) = stream.next().await {
        assert!(end.is_none(), "nothing follows the end");
        shown.pieces += 1;
        match event {
            Ok(StreamEvent::Text(text)) => shown.text.push_str(&text),
            Ok(StreamEvent::Refusal(text)) => shown.refusal.push_str(&text),
            Ok(StreamEvent::Reasoning(text)) => shown.reasoning.push_str(&text),
            Ok(StreamEvent::Done(response)) => end = Some(Ok(*response)),
            Ok(other) => panic!("{other:?}"),
            Err(error) => end = Some(Err(error)),
        }
    }
    assert!(stream.next().await.is_none());
    (shown, end.expect("a stream has an end"))
}

/// The reply without the mark that is new with each request.
pub(crate) fn unmarked(mut response: CallResponse) -> CallResponse {
    response.id = None;
    response.tool_calls.iter_mut().for_each(|call| call.id.clear());
    if let Some(native) = &mut response.native {
        native.value = serde_json::Value::Null;
    }
    response
}
