//! Instances of schemas, with noise, with faults, and torn; and plain text, against the schema alone.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| response_schema_tests::promise::decode_value(data));
