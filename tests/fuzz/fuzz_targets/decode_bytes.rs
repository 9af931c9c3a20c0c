//! Any bytes as the reply of a type.
#![no_main]

use libfuzzer_sys::fuzz_target;
use response_schema_tests::noise::{Bytes, Choices};
use response_schema_tests::promise::{decoder, subjects};

fuzz_target!(|data: &[u8]| {
    let mut choices = Bytes(data);
    let subject = choices.pick(subjects());
    let decoder = decoder(&mut choices);
    subject.bytes(choices.0, &decoder);
});
