//! Batches are real calls, too. A program of its own, for the guard holds for all of it.

use response_schema::SubTask;
use response_schema::adapter::OpenAi;
use response_schema::http::batch::Batch;
use response_schema::testing::no_real_calls;

#[test]
fn where_real_calls_are_forbidden_no_batch_is_made() {
    let guard = no_real_calls();
    let batch = Batch::<Vec<u8>>::new(OpenAi::new("key-openai").unwrap().model("gpt-5.6"));
    let mut job = batch.job([("a", SubTask::new("Count."))]).unwrap();
    assert!(pollster::block_on(job.run()).is_err());
    assert_eq!(guard.take_tried(), ["openai-payg"]);
}
