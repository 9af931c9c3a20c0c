//! Instances of schemas, with noise, with faults, and torn; and plain text, against the schema alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use response_schema_tests::noise::{Bytes, Choices};
use response_schema_tests::promise::{decoder, subjects};

fuzz_target!(|data: &[u8]| {
    let mut choices = Bytes(data);
    let subject = choices.pick(subjects());
    let decoder = decoder(&mut choices);
    if choices.once_in(2) {
        subject.value(&String::from_utf8_lossy(choices.0), &decoder);
    } else {
        subject.dynamic(&subject.made(&mut choices), &decoder);
    }
});
