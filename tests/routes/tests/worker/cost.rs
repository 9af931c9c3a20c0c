//! What a worker costs over a bare call of its route, where that can be counted; `benches/worker.rs` has the times.

use allocation_counter::measure;
use response_schema::Worker;
use response_schema::adapter::{
    Adapter, CallError, CallRequest, CallResponse, Capabilities, Enforcement, Message, ResponseFormat,
};
use response_schema::dialect::Guidance;

use super::{GOOD, Pet, seconds, task};

/// Answers at once.
struct Instantly;

impl Adapter for Instantly {
    type Dialect = Guidance;

    fn capabilities(&self) -> Capabilities {
        Capabilities::new("instantly", Enforcement::Enforced)
    }

    fn is_stand_in(&self) -> bool {
        true
    }

    async fn call(&self, request: CallRequest) -> Result<CallResponse, CallError> {
        drop(request);
        let mut response = CallResponse::new(GOOD, Enforcement::Enforced);
        "instant-1".clone_into(&mut response.model);
        Ok(response)
    }
}

#[test]
fn a_good_reply_costs_at_most_five_allocations_more_than_a_bare_call() {
    let worker = Worker::new(Instantly).timeout(seconds(60));
    let full = || drop(pollster::block_on(worker.run::<Pet>(task())).expect("a pet"));
    let bare = || {
        let messages = vec![Message::system("Describe the pet."), Message::user("My cat Biscuit …")];
        let request = CallRequest::new(messages).with_response_schema(ResponseFormat::of::<Pet>());
        let response = pollster::block_on(Instantly.call(request)).expect("a reply");
        let _: Pet = serde_json::from_str(&response.text).expect("a pet");
    };
    // The first use initialises what lives as long as the program.
    full();
    bare();
    let (full, bare) = (measure(full).count_total, measure(bare).count_total);
    assert!(full <= bare + 5, "{full} against {bare}");
}
