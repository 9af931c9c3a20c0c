//! The model as an adapter: replies, deadlines, cut replies, cancellation.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use super::fixture::tiny;
use crate::adapter::{Adapter, CallErrorKind, CallRequest, Ending, Enforcement, Message, ResponseFormat};
use crate::{ErrorKind, SubTask, Worker};

fn request() -> CallRequest {
    CallRequest::new(vec![Message::user("abba")]).with_response_schema(ResponseFormat::of::<Vec<bool>>())
}

#[test]
fn a_typed_reply_comes_with_its_report() {
    let worker = Worker::new(tiny());
    let reply = pollster::block_on(worker.run::<[bool; 3]>(SubTask::new("abba"))).expect("a reply");
    assert_eq!(reply.report.route, "embedded");
    assert_eq!(reply.report.enforcement, Enforcement::Enforced);
    assert_eq!(reply.report.attempts.len(), 1);
    assert!(reply.report.usage.output_tokens > 0);
    assert!(reply.report.repairs.is_empty());
}

#[test]
fn without_a_schema_nothing_is_enforced() {
    let response = pollster::block_on(tiny().call(CallRequest::new(vec![Message::user("abba")]))).expect("a reply");
    assert_eq!(response.enforcement, Enforcement::None);
}

#[test]
fn a_reply_at_the_token_limit_is_cut_short() {
    let mut request = request();
    request.parameters.max_tokens = Some(2);
    let response = pollster::block_on(tiny().call(request)).expect("a reply");
    assert_eq!(response.ending, Ending::CutShort);
}

#[test]
fn a_deadline_that_has_passed_is_told_as_such() {
    let worker = Worker::new(tiny()).timeout(Duration::ZERO);
    let error = pollster::block_on(worker.run::<Vec<bool>>(SubTask::new("abba"))).expect_err("too late");
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(error.report().attempts.len(), 1);
    assert_eq!(error.raw_text(), None);
}

#[test]
fn an_empty_prompt_is_no_fault_of_the_model() {
    let error = pollster::block_on(tiny().call(CallRequest::new(Vec::new()))).expect_err("nothing is asked");
    assert_eq!(error.kind(), CallErrorKind::InputBlocked);
}

#[test]
fn a_thousand_dropped_calls_leave_the_model_free() {
    let model = tiny();
    for _ in 0..1000 {
        let mut call = pin!(model.call(request()));
        let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    // It would wait for a thousand replies that nobody reads.
    pollster::block_on(model.call(request())).expect("the model is free");
}
